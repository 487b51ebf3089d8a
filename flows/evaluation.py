"""Flows: ask models what is not answered yet; grade what is not graded yet."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from prefect import flow
from prefect.runtime import flow_run
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

import corpora
from flows.progress import bar, say
from flows.runner import Where, on, pool_for
from tasks.compute.environment import described, git_revision, toolchain_digest
from tasks.compute.task import Opaque, prefect_map
from tasks.contract import BaseSample, Bench, Config, Track
from tasks.curation.release import load
from tasks.grading import work
from tasks.grading.jobs import grade_job
from tasks.ids import digest
from tasks.inference import selection
from tasks.inference.budget import Budget
from tasks.inference.carry import carry
from tasks.inference.filters import chosen
from tasks.inference.journal import alone, recover
from tasks.inference.models import resolve
from tasks.inference.plan import done_ids, plan, shards
from tasks.inference.shard import ShardSummary, totals
from tasks.inference.task import ask
from warehouse.database import rebuild
from warehouse.errors import UsageError
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.writer import write_batch

SHARDS_IN_FLIGHT = 4


@flow(name="benchmark", validate_parameters=False)
def run_benchmark(
    track: str,
    models: list[str],
    configs: Sequence[str] = ("full",),
    *,
    release: str | None = None,
    scenario: str = "generation",
    attempts: int = 1,
    limit: int | None = None,
    filters: Mapping[str, Sequence[str]] | None = None,
    pack: str | None = None,
    halt: bool = False,
    parameters: dict[str, Any] | None = None,
    budget_tokens: int = 8192,
    reply_tokens: int = 2048,
    max_usd: float | None = None,
    max_tokens: int | None = None,
    limits: dict[str, Any] | None = None,
    data: str | None = None,
    where: Where | None = None,
) -> str:
    """Ask, land and grade; return the id of the release. A finished unit is never asked again, whoever asked it.

    `filters` choose samples (`tasks.inference.filters.FILTERS`), private ones only where they are asked for; `pack` is
    text before every prompt; `halt` grades no layer behind the first that does not hold. `limits` of one unit
    (`tasks.inference.workplace.Allowance`) replace those of the scenario.
    """
    started, clock = datetime.now(UTC), time.perf_counter()
    layout, subject = Layout.default(data), corpora.load(track, halt=halt)
    held = load(layout, subject, release)
    asked_for = {"visibility": ["public"], **(filters or {})}
    samples = selection.samples(held.samples, limit, asked_for, scenario)
    hidden = sum(sample.suits(scenario) and sample.visibility == "private" for sample in held.samples.values())
    if hidden and asked_for["visibility"] == ["public"]:
        say(f"{hidden:,} private samples are left out; --visibility all asks them too")
    shown = selection.configs(subject.configs, configs, budget_tokens, reply_tokens, pack)
    solvers = [resolve(name, layout=layout, parameters=parameters) for name in models]
    with ExitStack() as stack:
        for name in sorted({solver.name for solver in solvers if not solver.deterministic}):
            stack.enter_context(alone(layout, name))
        recover(layout)
        planned = plan(subject, samples, models, list(shown.values()), scenario=scenario, attempts=attempts,
                       parameters=parameters, done=done_ids(layout), layout=layout,
                       limits=limits)  # fmt: skip
        run_id = digest("run", started.isoformat(), track, held.release, models, list(shown), length=16)
        asking_models = [solver.name for solver in solvers if not solver.deterministic]
        if carried := carry(layout, planned, samples, asking_models, track=track, release=held.release, run_id=run_id):
            say(f"{carried:,} replies are to the same question, whose checks have changed: carried over, not asked")
            planned = planned.without(done_ids(layout))
        say(f"{planned.asked:,} units: {planned.reused:,} answered already, {len(planned.todo):,} to ask")
        asking = Asking(subject, samples, shown, parameters, run_id, held.release, Budget(max_usd, max_tokens), layout,
                        Bench(held.folder, toolchain_digest(subject.toolchain({})), halt=halt), limits)  # fmt: skip
        summaries = ask_models(models, Opaque(asking, shards(planned))) if planned.todo else []
    asked_s = time.perf_counter() - clock
    where = where or Where()
    graded = on(where, grade_release)(track, release=held.release, halt=halt, data=data, where=where)
    sums = totals(summaries)
    row = {
        "run_id": run_id, "command": "run", "flow_run": flow_run.name, "git_revision": git_revision(), "track": track,
        "release": held.release, "models": models, "configs": list(shown), "started_at": started,
        "ended_at": datetime.now(UTC), "planned": planned.asked, "reused": planned.reused, "graded": graded,
        "harness_s": max(0.0, asked_s - sums["model_s"]), "grading_s": time.perf_counter() - clock - asked_s,
        **sums, **described(),
    }  # fmt: skip
    write_batch(layout, "runs", run_id, {"runs": [row]})
    rebuild(layout)
    for reason in sorted({summary.stopped for summary in summaries if summary.stopped}):
        say(f"stopped early: {reason}")
    if sums["errors"]:
        say(f"{sums['errors']:,} units failed at the provider; run the same command again to ask them once more")
    return held.release


@dataclass(frozen=True)
class Asking:
    """What every shard of a run shares."""

    track: Track
    samples: Mapping[str, BaseSample]
    configs: Mapping[str, Config]
    parameters: Mapping[str, Any] | None
    run_id: str
    release: str
    budget: Budget
    layout: Layout
    bench: Bench
    limits: Mapping[str, Any] | None


SIDE_BY_SIDE: TaskRunner[Any] = ThreadPoolTaskRunner(max_workers=SHARDS_IN_FLIGHT)


@flow(name="ask", task_runner=SIDE_BY_SIDE, validate_parameters=False)
def ask_models(models: Sequence[str], work: Opaque) -> list[ShardSummary]:
    """Ask each model its shards, on threads whatever the runner: waiting for a model needs no other process."""
    asking, cut = work.values
    summaries: list[ShardSummary] = []
    for name in models:
        model = resolve(name, layout=asking.layout, parameters=asking.parameters)
        mine = [shard for shard in cut if shard.model == model.name]
        if not mine:
            continue
        with model, bar(f"ask {model.name}", sum(len(shard.units) for shard in mine)) as advance:
            more = {
                "layout": asking.layout, "run_id": asking.run_id, "release": asking.release, "budget": asking.budget,
                "on_reply": advance, "bench": asking.bench, "limits": asking.limits,
            }  # fmt: skip
            asked = [
                ask.submit(Opaque((asking.track, asking.samples, shard, model, asking.configs), more), model.name)
                for shard in mine
            ]
            summaries += [future.result() for future in asked]
    return summaries


@flow(name="grade", validate_parameters=False)
def grade_release(
    track: str,
    *,
    release: str | None = None,
    reextract: bool = False,
    filters: Mapping[str, Sequence[str]] | None = None,
    halt: bool = False,
    options: Mapping[str, Any] | None = None,
    data: str | None = None,
    where: Where | None = None,
) -> int:
    """Grade every stored reply to a release that the present grader has not seen; return how many there were.

    `filters` choose samples; without any, private ones are graded too. With `halt`, no layer is graded behind the
    first that does not hold; such a verdict counts only until there is a whole one. `options` are the track's for
    grading; each choice of them has a toolchain digest of its own, so its verdicts stand beside the others.
    """
    layout, subject = Layout.default(data), corpora.load(track, halt=halt)
    options = options or {}
    if unknown := sorted(set(options) - set(subject.grading_options)):
        known = ", ".join(subject.grading_options) or "none"
        raise UsageError(f"Grading {track} has no option {', '.join(unknown)}; it has {known}.")
    toolchain = toolchain_digest(subject.toolchain(options))
    recover(layout)
    held = load(layout, subject, release)
    wanted = chosen(held.samples, filters or {})
    stored = selection.of_release(read(layout, "generations", columns=list(work.GENERATION_COLUMNS)), wanted)
    judged = read(layout, "evaluations", columns=["evaluation_id", "status"])
    items = work.missing(subject, stored, judged, toolchain, reextract=held.samples if reextract else None,
                         retry_infra=True)  # fmt: skip
    if items:
        cut = work.shards(items)
        jobs = [(work.needed(held.samples, shard), shard) for shard in cut]
        bench = Bench(held.folder, toolchain, halt=halt, options=options)
        with pool_for(where or Where()) as pool:
            graded = prefect_map(pool, bar)(partial(grade_job, subject, bench), jobs, "grade")
            for shard, tables in zip(cut, graded, strict=True):
                work.write(layout, shard, tables)
        rebuild(layout)
    return len(items)
