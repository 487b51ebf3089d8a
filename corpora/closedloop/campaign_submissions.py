"""Every submission of an imported campaign, graded again: one verdict a source, however often it was handed in."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from corpora.closedloop.campaign import Campaign, samples
from tasks.contract import Bench, Reply, Track
from tasks.grading.evaluate import Evaluation, evaluate

SHARD = 25
Source = tuple[str, str]
"""A task and the files handed in for it, as one text."""
Row = dict[str, Any]


def sources(handed: Iterable[Row], tasks: Mapping[str, str]) -> list[Source]:
    """Return the different sources among rows of `submissions`, in order; `tasks` are by generation."""
    return sorted({(tasks[row["generation_id"]], row["code"]) for row in handed})


def shards(found: Sequence[Source]) -> list[Sequence[Source]]:
    """Return the sources in parts that one job grades."""
    return [found[start : start + SHARD] for start in range(0, len(found), SHARD)]


def judge(rates: Mapping[str, Mapping[str, int]], bench: Bench, part: Sequence[Source]) -> list[Evaluation]:
    """Return the evaluation of each source on the plants of its task; runs in a worker."""
    campaign, ours = cast(Track, Campaign()), samples(rates)  # it grades and asks nothing
    return [evaluate(campaign, ours[task], Reply(text=code, code=code), bench) for task, code in part]


def rows(
    handed: Iterable[Row],
    tasks: Mapping[str, str],
    regraded: Mapping[str, str],
    verdicts: Mapping[Source, Evaluation],
    bench: Bench,
) -> Iterator[Row]:
    """Yield rows of `submissions` under the regraded generations; `regraded` maps an imported one to its own."""
    version = Campaign().grader_version
    for row in handed:
        one = verdicts[tasks[row["generation_id"]], row["code"]]
        told = [check.model_dump(mode="json", exclude_none=True) for check in one.checks]
        yield {
            "generation_id": regraded[row["generation_id"]], "submission": row["submission"], "turn": row["turn"],
            "after_s": row["after_s"], "after_tokens": row["after_tokens"], "code": row["code"],
            "status": one.status.value, "failed_layer": one.failed_layer, "score": one.score,
            "checks": json.dumps(told), "grader_version": version, "toolchain_digest": bench.toolchain_digest,
        }  # fmt: skip
