"""Runs of the closed-loop firmware benchmark: its run index, alone or with the bundle of transcripts around it.

Three shapes of one thing are read: a CSV with the outcome columns, the authors' `official_run_index.csv`, and the
folder that holds the latter with `runs/<run>/{summary.json,prompt.txt,session.jsonl}`. All give the same release and
the same identities, so the bundle adds prompts, tokens, turns and times to what the CSV brought.
The authors' repository carries no licence: what is imported stays on the machine of whoever imports it.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from warehouse.errors import WarehouseError
from warehouse.importers.closed_loop_integrity import Finding, report
from warehouse.importers.closed_loop_outcomes import OUTCOMES, STAGES, UNMEASURED, Unmeasured
from warehouse.importers.closed_loop_sessions import Session, session_of
from warehouse.importers.closed_loop_starters import rates, repository_around
from warehouse.importers.closed_loop_submissions import Replayed, replayed, told
from warehouse.importers.landing import Landed, Row, Source, digest, land, verdict
from warehouse.layout import Layout
from warehouse.stats.closed_loop_tables import MODELS

SOURCE = Source("closed_loop", "jgcarrasco/closed_loop_evaluation_agents_embedded", "closed-loop-import-2")
INDEX = "official_run_index.csv"
TEXTS = ("repetition", "task_id", "mode", "model_label", "hidden_status", "failure_family", "stage_reached")
FIGURES: dict[str, type] = {
    "wall_clock_seconds": float, "time_to_first_submission_seconds": float, "iterations": int,
    "hidden_eval_calls": int, "build_attempts": int, "total_tokens": int, "tool_call_count": int,
    "files_touched_count": int, "lines_changed_total": int, "self_tests_written": int, "self_test_runs": int,
}  # fmt: skip
"""Figures of a run and their types; an empty one is null."""
SOMETIMES = ("time_to_first_submission_seconds",)


def closed_loop(layout: Layout, path: Path, *, turns: bool = True) -> Landed:
    """Land the runs of `path`, a run index or the bundle's folder; with `turns` the transcripts too, if it has them.

    Raises WarehouseError naming file, row and column for an index that is not one.
    """
    index = _index(path)
    runs = [_typed(index, number, row) for number, row in enumerate(_rows(index), start=1)]
    if not runs:
        raise WarehouseError(f"{index} lists no run.")
    runs.sort(key=lambda run: tuple(run[name] for name in TEXTS))
    stable = sorted(tuple(str(run[name]) for name in (*TEXTS, "infra_failure", *FIGURES)) for run in runs)
    release = SOURCE.release(digest(stable, length=8))
    _refuse_doubles(index, runs)
    tables: dict[str, Any] = {
        "generations": [], "evaluations": [], "checks": [], "turns": [], "submissions": [],
    }  # fmt: skip
    sessions = [(run, session_of(index.parent, run) if turns else Session()) for run in runs]
    with_sessions = sum(bool(session.turns) for _, session in sessions)
    replays = replayed(index, sessions, SOURCE.grader)
    findings: dict[str, list[Finding]] = {}
    for (run, session), replay in zip(sessions, replays, strict=True):
        generation = _generation(release, run, session, replay)
        ident = {"generation_id": generation["generation_id"]}
        evaluation, checks = _verdict(generation["generation_id"], run)
        unheard = [Finding("provider_failure", None, rule.why)] if (rule := _silence(run)) else []
        found = [{"evaluation_id": evaluation["evaluation_id"], **one}
                 for one in (*replay.checks, *(finding.row for finding in unheard))]  # fmt: skip
        findings[" ".join(run[name] for name in TEXTS[:4])] = [*replay.findings, *unheard]
        tables["generations"].append(generation)
        tables["evaluations"].append(evaluation)
        tables["checks"] += checks + found
        tables["turns"] += [{**ident, **turn} for turn in session.turns]
        tables["submissions"] += [{**ident, **submission} for submission in replay.submissions]
    plants = repository_around(index) if with_sessions else None
    tables["samples"] = [_sample(release, task, plants) for task in sorted({run["task_id"] for run in runs})]
    tables["runs"] = _runs(release, runs, tables["generations"])
    odd = {rule.name: sum(_unmeasured(run) == rule for run in runs) for rule in UNMEASURED}
    notes = tuple(f"{count} runs are infra_error: {rule.why}" for rule in UNMEASURED if (count := odd[rule.name]))
    if not with_sessions:
        told_of = {table: rows for table, rows in tables.items() if table not in ("turns", "submissions")}
        return land(layout, SOURCE, release, told_of, notes=(*notes, *report(findings)))
    notes += (f"{with_sessions} of {len(runs)} runs have a transcript", *told(replays), *report(findings))
    return land(layout, SOURCE, release, tables, part="bundle", notes=notes)


def _index(path: Path) -> Path:
    if path.is_dir():
        if (path / INDEX).is_file():
            return path / INDEX
        found = sorted(path.glob(f"**/{INDEX}"))
        if len(found) == 1:
            return found[0]
        raise WarehouseError(f"{path} holds {len(found) or 'no'} {INDEX}; give the folder that has exactly one.")
    return path


def _rows(index: Path) -> list[dict[str, str]]:
    try:
        rows = list(csv.DictReader(index.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise WarehouseError(
            f"{index} cannot be read as a run index; give {INDEX} or a CSV with its columns."
        ) from error
    missing = [name for name in (*TEXTS, "infra_failure", *FIGURES) if rows and name not in rows[0]]
    if missing:
        raise WarehouseError(f"{index} is no run index: it has no column {missing[0]!r}.")
    return rows


def _typed(index: Path, number: int, row: dict[str, str]) -> Row:
    run: Row = {name: (value or "").strip() for name, value in row.items() if isinstance(name, str)}
    if run["hidden_status"] not in OUTCOMES:
        raise WarehouseError(
            f"{index}, run {number}: the hidden status {run['hidden_status']!r} is not known; "
            f"known are {', '.join(filter(None, OUTCOMES))}, and none."
        )
    for name, kind in FIGURES.items():
        text = run[name]
        try:
            run[name] = None if text == "" and name in SOMETIMES else kind(text)
        except ValueError as error:
            raise WarehouseError(f"{index}, run {number}: {name} is {text!r} and no {kind.__name__}.") from error
    if not run["repetition"].startswith("rep") or not run["repetition"][3:].isdigit():
        raise WarehouseError(f"{index}, run {number}: the repetition {run['repetition']!r} is not rep0, rep1, ….")
    run["infra_failure"] = run["infra_failure"] == "True"
    return run


def _refuse_doubles(index: Path, runs: list[Row]) -> None:
    seen: set[tuple[str, ...]] = set()
    for run in runs:
        key = tuple(run[name] for name in TEXTS[:4])
        if key in seen:
            raise WarehouseError(f"{index} lists the run {' / '.join(key)} twice.")
        seen.add(key)


def _unmeasured(run: Row) -> Unmeasured | None:
    return next((rule for rule in UNMEASURED if rule.holds(run)), None)


def _silence(run: Row) -> Unmeasured | None:
    rule = _unmeasured(run)
    return rule if rule is not None and rule.name == "provider_failure" else None


def _generation(release: str, run: Row, session: Session, replay: Replayed) -> Row:
    sample = SOURCE.sample_id(release, run["task_id"])
    recorded = {name: run[name] for name in (*TEXTS, "infra_failure", *FIGURES)}
    attempt = int(run["repetition"][3:]) + 1
    silence = rule.why if (rule := _silence(run)) else None
    known = MODELS.get(run["model_label"])
    return {
        "generation_id": digest("generation", release, *(run[name] for name in TEXTS[:4])),
        "run_id": release, "track": SOURCE.track, "release": release, "sample_id": sample,
        "model": known.name if known else run["model_label"], "config": "full", "scenario": run["mode"],
        "attempt": attempt, "parameters": json.dumps({"provider": run.get("provider") or None, "recorded": recorded}),
        "seconds_s": run["wall_clock_seconds"], "error_kind": "other" if silence else None,
        "error": silence, "code": replay.code, "code_rule": "replayed" if replay.code is not None else None,
        **session.columns,
    }  # fmt: skip


def _verdict(generation_id: str, run: Row) -> tuple[Row, list[Row]]:
    rule, outcome = _unmeasured(run), OUTCOMES[run["hidden_status"]]
    status = "infra_error" if rule else outcome.status
    label = {"layer": "upstream", "check": "hidden_status", "expected": "PASS", "saw": run["hidden_status"] or None}
    stages = _stages(outcome.stage, status)
    checks: list[Row] = [{**label, "status": status}]
    checks += [{"layer": stage, "check": "stage", "status": found} for stage, found in stages]
    if rule:
        checks.append({"layer": "harness", "check": rule.name, "status": "infra_error", "saw": rule.why})
    return verdict(SOURCE, generation_id, status, checks, failed_layer=outcome.stage if status == "fail" else None)


def _stages(stopped: str | None, status: str) -> Iterator[tuple[str, str]]:
    """Yield what is known of each stage: passed before the one that stopped, not run after it or with nothing sent."""
    if stopped is not None and stopped not in STAGES:
        yield stopped, status
    reached = STAGES.index(stopped) if stopped in STAGES else (len(STAGES) if status == "pass" else -1)
    for place, stage in enumerate(STAGES):
        yield stage, status if place == reached else "pass" if place < reached else "not_run"


def _sample(release: str, task: str, repository: Path | None) -> Row:
    provenance = {"repository": SOURCE.address, "licence": "none: all rights reserved", "task": task}
    plant = rates(repository, task) if repository else {}
    return {
        "sample_id": SOURCE.sample_id(release, task), "track": SOURCE.track, "release": release,
        "project_id": SOURCE.address, "family": task, "category": task, "cluster": task, "reference": "",
        "language": "c", "provenance": json.dumps(provenance),
        "prompt_parts": json.dumps({"plant": plant}) if plant else None,
    }  # fmt: skip


def _runs(release: str, runs: list[Row], generations: list[Row]) -> list[Row]:
    """Return the row of `runs`, or none where the source does not say when it ran."""
    times = [row["created_at"] for row in generations if row.get("created_at")]
    if not times:
        return []
    return [{
        "run_id": release, "command": f"import of {SOURCE.address}", "track": SOURCE.track, "release": release,
        "models": sorted({row["model"] for row in generations}), "configs": ["full"], "started_at": min(times),
        "ended_at": max(times), "planned": len(runs), "answered": len(runs), "graded": len(runs),
        "model_s": sum(run["wall_clock_seconds"] for run in runs),
    }]  # fmt: skip
