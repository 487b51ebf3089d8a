"""Submissions of imported runs: what each handed in, and whether the replay of the transcript is exact."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from warehouse.importers import closed_loop_integrity as integrity
from warehouse.importers.closed_loop_effects import effects
from warehouse.importers.closed_loop_integrity import Finding
from warehouse.importers.closed_loop_outcomes import OUTCOMES, Outcome
from warehouse.importers.closed_loop_replay import BINARY, Handed, Step, Workspace
from warehouse.importers.closed_loop_sessions import Session
from warehouse.importers.closed_loop_sources import CONTROLLER, joined
from warehouse.importers.closed_loop_starters import Shown, Starters, repository_around, shown
from warehouse.importers.landing import Row

REPLAY = "replay"
HEARD = {"FAIL": Outcome("fail")}
"""What a run hears besides the outcomes of the index: red, without its stage."""


@dataclass(frozen=True)
class Replayed:
    """What a transcript gives: rows of `submissions` without their generation, the last source, rows of `checks` and
    the findings among them; the flags say what could be confirmed."""

    submissions: tuple[Row, ...] = ()
    code: str | None = None
    checks: tuple[Row, ...] = ()
    findings: tuple[Finding, ...] = ()
    exact: bool = False
    clean: bool = False
    counted: bool = False
    read_backs: int = 0


def replayed(index: Path, runs: Sequence[tuple[Mapping[str, Any], Session]], grader: str) -> list[Replayed]:
    """Return what each run handed in, in order; empty for a run without a transcript.

    `index` is the run index, around which starters are looked for; `grader` the version that submissions carry.
    """
    repository = repository_around(index)
    steps = [_steps(session) for _, session in runs]
    starts = [
        Shown("__".join(str(run[name]) for name in ("repetition", "task_id", "mode", "model_label")),
              run["task_id"], session.began, shown(done))
        for (run, session), done in zip(runs, steps, strict=True)
    ]  # fmt: skip
    changes = [
        (task, session.began + timedelta(seconds=after_s))
        for (_, session), done in zip(runs, steps, strict=True)
        for task, after_s in integrity.overwritten(done)
        if session.began is not None
    ]
    starters = Starters(starts, repository, changes)
    found = []
    for (run, session), done, start in zip(runs, steps, starts, strict=True):
        if not session.turns:
            found.append(Replayed())
            continue
        workspace = Workspace(starters.of(start)).play(done)
        findings = [
            *(Finding("starter_changed", None, one) for one in starters.differing(start)),
            *integrity.of_steps(done),
            *integrity.of_calls(session.calls, run["task_id"], repository),
            *integrity.of_workspace(workspace, session.recorded, run["mode"]),
        ]
        if session.columns.get("finish_reason") == "length":
            findings.append(Finding("output_length", None, "the last answer was cut off at the cap of its length"))
        found.append(_replayed(run, session, workspace, findings, grader))
    return found


def _steps(session: Session) -> list[Step]:
    return [Step(call.turn, call.after_s, call.tokens, effect) for call in session.calls for effect in effects(call)]


def _replayed(
    run: Mapping[str, Any], session: Session, workspace: Workspace, findings: Sequence[Finding], grader: str
) -> Replayed:
    differs = _differs(workspace, session.recorded)
    count = len(workspace.handed) + workspace.refused
    handed = workspace.handed
    rows = [
        _row(number, one, differs if number == len(handed) else None, grader)
        for number, one in enumerate(handed, start=1)
    ]
    if rows and not rows[-1]["status"] and run["hidden_status"]:
        outcome = OUTCOMES[run["hidden_status"]]
        rows[-1] |= {"status": outcome.status, "failed_layer": outcome.stage}
    doubts = [*workspace.unexplained, *(f"{path}: {why}" for path, why in workspace.doubts.items())]
    counts = f"{len(handed)} evaluated and {workspace.refused} refused, {run['hidden_eval_calls']} recorded"
    checks = [
        _check("recorded_changes", differs, "the recorded comparison of the workspace"),
        _check("edit_surface", "; ".join(doubts[:3]) or None, "every change of a graded file is explained"),
        _check("submissions", None if count == run["hidden_eval_calls"] else counts, "as many as recorded"),
    ]
    return Replayed(
        tuple(rows), rows[-1]["code"] if rows else None, (*checks, *(one.row for one in findings)), tuple(findings),
        differs is None, not doubts, count == run["hidden_eval_calls"], workspace.read_backs,
    )  # fmt: skip


def _differs(workspace: Workspace, recorded: Mapping[str, Any]) -> str | None:
    """Return how the replayed workspace differs from the recorded comparison, None where it does not.

    Files that only programs write have no lines, so that naming them is not asked of a replay.
    """
    if not recorded:
        return "nothing is recorded of the workspace"
    ours = workspace.difference()
    wanted = set(recorded.get("files_touched") or [])
    missing = sorted(path for path in wanted - ours.files if not BINARY.search(path))
    extra = sorted(ours.files - wanted)
    lines = (recorded.get("lines_added"), recorded.get("lines_deleted"))
    if not missing and not extra and lines == (ours.added, ours.deleted):
        return None
    named = [f"{len(paths)} files {word}, {paths[0]} first" for word, paths in
             (("not replayed", missing), ("not recorded", extra)) if paths]  # fmt: skip
    return "; ".join([f"+{ours.added} -{ours.deleted} replayed, +{lines[0]} -{lines[1]} recorded", *named])


def _row(number: int, handed: Handed, differs: str | None, grader: str) -> Row:
    doubts = list(handed.doubts)
    doubts += [f"{path}: never shown" for path in CONTROLLER if path not in handed.files]
    doubts += [differs] if differs else []
    check = _check("exact", "; ".join(doubts) or None, "what was handed in")
    outcome = HEARD.get(handed.heard) or (OUTCOMES.get(handed.heard) if handed.heard else None)
    return {
        "submission": number, "turn": handed.turn, "after_s": handed.after_s, "after_tokens": handed.tokens,
        "code": joined(handed.files), "status": outcome.status if outcome else None,
        "failed_layer": outcome.stage if outcome else None, "checks": json.dumps([check]),
        "grader_version": grader,
    }  # fmt: skip


def _check(name: str, why: str | None, expected: str) -> Row:
    """Return a check of the replay: what could not be confirmed is no fault of the model's."""
    status = "pass" if why is None else "not_run"
    return {"layer": REPLAY, "check": name, "status": status, "expected": expected, "saw": why}


def told(replays: Sequence[Replayed]) -> Iterator[str]:
    """Yield what a reader should know of all replays together."""
    there = [one for one in replays if one.checks]
    ending = [one for one in there if one.submissions]
    read_backs = sum(one.read_backs for one in there)
    yield (
        f"{len(ending)} of {len(there)} transcripts hand in, {sum(len(one.submissions) for one in ending):,} times; "
        f"{sum(one.exact for one in there)} replays equal the recorded changes of the whole workspace, "
        f"{sum(one.clean for one in there)} explain every change of the graded files "
        f"({read_backs:,} were shown again), {sum(one.counted for one in there)} count as many submissions as recorded"
    )
