"""Flow: grade the sources that an import brought, beside the verdicts that it brought."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from prefect import flow

from corpora.closedloop import campaign_submissions as submissions
from corpora.closedloop.campaign import IMPORTED, REGRADED, Campaign, samples
from flows.progress import bar, say
from flows.runner import Where, pool_for
from tasks.compute.environment import toolchain_digest
from tasks.compute.task import prefect_map
from tasks.contract import Bench, Track
from tasks.grading import work
from tasks.grading.jobs import grade_job
from tasks.ids import digest
from warehouse.database import query, rebuild
from warehouse.errors import UsageError
from warehouse.importers.landing import AREA
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.writer import write_batch

KEPT = ("model", "config", "scenario", "attempt", "parameters", "code", "finish_reason", "created_at")


@flow(name="grade-imported", validate_parameters=False)
def grade_imported(
    track: str,
    release: str,
    *,
    options: Mapping[str, Any] | None = None,
    data: str | None = None,
    where: Where | None = None,
) -> str:
    """Grade every submission of the imported runs that our grader has not seen; return the release they land in.

    The last one is the run's verdict, and each has its own in `submissions`. Every run becomes a generation of that
    release, which names the imported one in `carried_from`: imported verdicts and views over them stay as they are.
    Raises UsageError for a track or release that has none.
    """
    layout = Layout.default(data)
    campaign = cast(Track, Campaign())  # it grades and asks nothing
    if track != "closedloop" or not release.startswith(f"{IMPORTED}:"):
        raise UsageError(f"--imported takes the track closedloop and a release {IMPORTED}:…, not {track} {release}.")
    found = read(layout, "generations", area=AREA).to_pylist()
    handed = {row["generation_id"]: row for row in found if row["release"] == release and row["code"]}
    if not handed:
        raise UsageError(
            f"{release} holds no source; import the bundle with its transcripts, not the run index alone."
        )
    asked = {row["sample_id"]: row for row in read(layout, "samples", area=AREA).to_pylist()
             if row["release"] == release}  # fmt: skip
    rates = {row["category"]: json.loads(row["prompt_parts"])["plant"] for row in asked.values()
             if row["prompt_parts"]}  # fmt: skip
    ours = samples(rates)
    target = release.replace(IMPORTED, REGRADED, 1)
    ids = {name: f"{REGRADED}:{digest(target, name, length=12)}" for name in ours}
    generations = [
        {
            **{name: row[name] for name in KEPT},
            "generation_id": digest("regraded", ident, rates, length=24), "track": REGRADED, "release": target,
            "sample_id": ids[asked[row["sample_id"]]["category"]], "code_rule": work.SUBMITTED, "carried_from": ident,
        }
        for ident, row in sorted(handed.items())
    ]  # fmt: skip
    rows = [
        {
            "sample_id": ids[name], "track": REGRADED, "release": target, "category": name, "family": name,
            "cluster": name, "reference": "", "language": "c",
        }
        for name in ours
    ]  # fmt: skip
    toolchain = toolchain_digest(campaign.toolchain(options or {}))
    again = {row["carried_from"]: row["generation_id"] for row in generations}
    tasks = {ident: asked[row["sample_id"]]["category"] for ident, row in handed.items()}
    told = _submissions(layout, again, tasks, rates, Bench(None, toolchain), where)
    write_batch(layout, AREA, f"regraded-{digest(target, length=12)}",
                {"samples": rows, "generations": generations, "submissions": told}, replace=True)  # fmt: skip
    judged = read(layout, "evaluations", columns=["evaluation_id", "status"])
    items = work.missing(campaign, generations, judged, toolchain, retry_infra=True)
    plants = "plants at the rates that the import brought" if rates else "our own plants: the import brought no rates"
    say(f"{len(generations):,} last submissions, {len(items):,} to grade on {plants}")
    if items:
        by_id = {ids[name]: sample for name, sample in ours.items()}
        cut = work.shards(items)
        jobs = [(work.needed(by_id, shard), shard) for shard in cut]
        with pool_for(where or Where()) as pool:
            graded = prefect_map(pool, bar)(partial(grade_job, campaign, Bench(None, toolchain)), jobs, "grade")
            for shard, tables in zip(cut, graded, strict=True):
                work.write(layout, shard, tables)
    rebuild(layout)
    for row in query(layout, AGREEMENT.format(release=target)).to_pylist():
        say(f"recorded {row['hidden_status'] or 'nothing'}: {row['n']:,}, of which our plants say {row['told']}")
    return target


def _submissions(
    layout: Layout,
    again: Mapping[str, str],
    tasks: Mapping[str, str],
    rates: Mapping[str, Mapping[str, int]],
    bench: Bench,
    where: Where | None,
) -> list[dict[str, Any]]:
    """Return the submissions with our verdicts, each different source graded once, unless this grader did.

    Arguments: `again` and `tasks`, the regraded generation and the task of each imported run.
    """
    every = read(layout, "submissions", area=AREA).to_pylist()
    handed = [row for row in every if row["generation_id"] in again]
    version = (Campaign().grader_version, bench.toolchain_digest)
    mine = set(again.values())
    done = [
        row
        for row in every
        if row["generation_id"] in mine and (row["grader_version"], row["toolchain_digest"]) == version
    ]
    if len(done) == len(handed):
        return done
    found = submissions.sources(handed, tasks)
    say(f"{len(handed):,} submissions of {len(found):,} different sources to grade")
    parts = submissions.shards(found)
    with pool_for(where or Where()) as pool:
        graded = prefect_map(pool, bar)(partial(submissions.judge, rates, bench), parts, "grade submissions")
        verdicts = {
            source: one
            for part, ones in zip(parts, graded, strict=True)
            for source, one in zip(part, ones, strict=True)
        }
    return list(submissions.rows(handed, tasks, again, verdicts, bench))


AGREEMENT = """
SELECT hidden_status, sum(n)::BIGINT AS n, string_agg(format('{{}} {{}}', n, status), ', ' ORDER BY n DESC) AS told
FROM (SELECT hidden_status, status, count(*) AS n FROM regraded_closed_loop WHERE release = '{release}' GROUP BY ALL)
GROUP BY ALL ORDER BY n DESC
"""
