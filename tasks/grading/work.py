"""What is still to be graded, cut into shards, and the rows a shard yields. The warehouse decides what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from tasks.contract import BaseSample, Bench, Check, Reply, Status, Track
from tasks.grading.evaluate import HARNESS, Evaluation, evaluate_many
from tasks.ids import digest, evaluation_id
from warehouse.errors import GradingError
from warehouse.layout import Layout

NO_REPLY = frozenset({"empty", "empty_reply"})
"""Error kinds of a model that answered with nothing: a fact about the model, so graded as `no_submission`."""

WHOLE = "whole"
"""The rule of a reply that is its own code: a single token, or what a built-in solver gives."""

SUBMITTED = "submitted"
"""The rule of a source that was handed in with a tool: nothing is taken out of it."""

Rows: TypeAlias = pa.Table | Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Item:
    """One generation to grade, and the id that its verdict will have. Picklable and free of the prompt."""

    evaluation_id: str
    generation_id: str
    sample_id: str
    reply_hash: str
    grader_version: str
    toolchain_digest: str
    reply: str
    code: str
    code_rule: str
    finish_reason: str | None = None
    error_kind: str | None = None
    error: str | None = None


def reply_hash(reply: str | None, code: str | None, code_rule: str | None, error_kind: str | None) -> str:
    """Return the hash of everything in a generation that a grader sees."""
    return digest(reply, code, code_rule, error_kind)


def missing(
    track: Track,
    generations: Rows,
    evaluations: Rows,
    toolchain_digest: str,
    *,
    reextract: Mapping[str, BaseSample] | None = None,
    retry_infra: bool = False,
) -> list[Item]:
    """Return the generations that have no verdict under the track's grader version and this toolchain.

    A generation asked several times counts once: its newest good row, else its newest empty reply, else its newest
    error. With `reextract`, the samples by id, code is taken again from the stored reply, so that a changed extraction
    rule regrades old replies; where the code comes out the same, nothing is missing. With `retry_infra`, verdicts of
    `infra_error` on replies that did arrive are graded again.
    """
    judged: dict[str, set[str]] = {}
    for row in _rows(evaluations, ("evaluation_id", "status")):
        judged.setdefault(row["evaluation_id"], set()).add(row["status"])

    items = []
    for row in _newest(row for row in _rows(generations, GENERATION_COLUMNS) if row["track"] == track.name):
        item = _item(row, track.grader_version, toolchain_digest, reextract)
        statuses = judged.get(item.evaluation_id, set())
        unmeasured = retry_infra and not _unanswered(item) and statuses == {Status.INFRA_ERROR}
        if not statuses or unmeasured:
            items.append(item)
    return sorted(items, key=lambda item: (item.sample_id, item.evaluation_id))


def shards(items: Iterable[Item], size: int = 50) -> list[list[Item]]:
    """Cut items into shards of at most `size`, replies to one sample side by side: its reference is read once."""
    ordered = sorted(items, key=lambda item: (item.sample_id, item.evaluation_id))
    return [ordered[start : start + size] for start in range(0, len(ordered), size)]


def needed(samples: Mapping[str, BaseSample], shard: Iterable[Item]) -> dict[str, BaseSample]:
    """Return only the samples that a shard asks for, so that little travels to the process that grades it."""
    return {item.sample_id: samples[item.sample_id] for item in shard if item.sample_id in samples}


def grade_shard(
    track: Track, samples: Mapping[str, BaseSample], items: Sequence[Item], bench: Bench
) -> dict[str, list[dict[str, Any]]]:
    """Grade a shard and return the rows of its tables, `evaluations` and `checks`.

    A generation whose provider failed becomes `infra_error` without being graded. Raises GradingError when a sample
    is not among `samples`.
    """
    for item in items:
        if item.sample_id not in samples:
            raise GradingError(
                f"The generation {item.generation_id} answers {item.sample_id}, which is not in the release at hand; "
                "grade it with the release it was asked from."
            )
    asked = [item for item in items if not _unanswered(item)]
    judged = evaluate_many(track, [(samples[item.sample_id], _reply(item)) for item in asked], bench)
    found = {item.evaluation_id: evaluation for item, evaluation in zip(asked, judged, strict=True)}
    tables: dict[str, list[dict[str, Any]]] = {"evaluations": [], "checks": []}
    for item in items:
        evaluation = found.get(item.evaluation_id) or _unmeasured(item)
        tables["evaluations"].append(_evaluation_row(item, evaluation))
        tables["checks"] += [_check_row(item, check) for check in evaluation.checks]
    return tables


def write(layout: Layout, shard: Sequence[Item], tables: Mapping[str, list[dict[str, Any]]]) -> Path:
    """Write a graded shard as one batch of the area `grading` and return its folder.

    The name is the hash of the verdicts, so a shard that is graded again after a crash lands in the same place.
    Raises GradingError when the rows are not those of the shard.
    """
    from warehouse.writer import write_batch

    wanted = sorted(item.evaluation_id for item in shard)
    if not wanted or sorted(row["evaluation_id"] for row in tables["evaluations"]) != wanted:
        raise GradingError(
            f"The shard has {len(wanted)} items and {len(tables['evaluations'])} other verdicts; "
            "write each shard with the tables that grade_shard returned for it."
        )
    now = datetime.now(UTC)
    evaluations = [{**row, "created_at": now} for row in tables["evaluations"]]
    name = digest(sorted([row["evaluation_id"], row["status"], row["score"]] for row in evaluations), length=24)
    return write_batch(layout, "grading", name, {"evaluations": evaluations, "checks": tables["checks"]})


GENERATION_COLUMNS = (
    "generation_id", "track", "sample_id", "model", "reply", "code", "code_rule", "finish_reason", "error_kind",
    "error", "created_at",
)  # fmt: skip


def _rows(table: Rows, columns: Sequence[str]) -> Iterable[Mapping[str, Any]]:
    return table.select(list(columns)).to_pylist() if isinstance(table, pa.Table) else table


def _newest(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Keep one row a generation: good before empty before failed, then the newest, ties by content."""

    def rank(row: Mapping[str, Any]) -> tuple[int, str, str]:
        kind = row.get("error_kind")
        worth = 2 if kind is None else 1 if kind in NO_REPLY else 0
        created = row.get("created_at")
        when = created.isoformat() if isinstance(created, datetime) else str(created or "")
        return worth, when, reply_hash(row.get("reply"), row.get("code"), row.get("code_rule"), kind)

    best: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        current = best.get(row["generation_id"])
        if current is None or rank(row) > rank(current):
            best[row["generation_id"]] = row
    return list(best.values())


def _item(
    row: Mapping[str, Any],
    grader_version: str,
    toolchain_digest: str,
    reextract: Mapping[str, BaseSample] | None,
) -> Item:
    reply, code, rule, kind = row.get("reply"), row.get("code"), row.get("code_rule"), row.get("error_kind")
    sample = reextract.get(row["sample_id"]) if reextract else None
    own = rule == SUBMITTED or (rule == WHOLE and _verbatim(row.get("model") or ""))
    if sample is not None and reply and kind is None and not own:
        from tasks.inference.extract import extract

        code, rule = extract(reply, sample.answer_kind)
    hashed = reply_hash(reply, code, rule, kind)
    return Item(
        evaluation_id=evaluation_id(row["generation_id"], hashed, grader_version, toolchain_digest),
        generation_id=row["generation_id"],
        sample_id=row["sample_id"],
        reply_hash=hashed,
        grader_version=grader_version,
        toolchain_digest=toolchain_digest,
        reply=reply or "",
        code=code or "",
        code_rule=rule or "none",
        finish_reason=row.get("finish_reason"),
        error_kind=kind,
        error=row.get("error"),
    )


def _verbatim(model: str) -> bool:
    """Whether a reply of this model is its own code, so that there is nothing to take out of it again."""
    from tasks.inference.models import BUILT_IN

    maker = BUILT_IN.get(model.partition(":")[0])
    return maker is not None and getattr(import_module(maker.module), maker.cls).verbatim


def _unanswered(item: Item) -> bool:
    return item.error_kind is not None and item.error_kind not in NO_REPLY


def _unmeasured(item: Item) -> Evaluation:
    check = Check(
        layer=HARNESS, check=item.error_kind or "", status=Status.INFRA_ERROR, expected="a reply", saw=item.error
    )
    return Evaluation(Status.INFRA_ERROR, None, None, (check,), 0.0)


def _reply(item: Item) -> Reply:
    code = "" if item.error_kind in NO_REPLY else item.code
    return Reply(text=item.reply, code=code, rule=item.code_rule, finish_reason=item.finish_reason)


def _evaluation_row(item: Item, evaluation: Evaluation) -> dict[str, Any]:
    return {
        "evaluation_id": item.evaluation_id,
        "generation_id": item.generation_id,
        "reply_hash": item.reply_hash,
        "grader_version": item.grader_version,
        "toolchain_digest": item.toolchain_digest,
        "status": evaluation.status.value,
        "failed_layer": evaluation.failed_layer,
        "score": evaluation.score,
        "seconds_s": evaluation.seconds_s,
    }


def _check_row(item: Item, check: Check) -> dict[str, Any]:
    return {
        "evaluation_id": item.evaluation_id,
        "layer": check.layer,
        "check": check.check,
        "status": check.status.value,
        "expected": check.expected,
        "saw": check.saw,
        "score": check.score,
    }
