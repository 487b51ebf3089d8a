"""What the evaluator of the published campaign asked of a device, on traces of our plants (`campaign_tasks.toml`)."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from corpora.closedloop.checks import REACT_MS, SETTLE_MS
from corpora.closedloop.conditions import meets
from corpora.closedloop.model import HERE, Scenario, Task, load
from corpora.closedloop.moments import safe, said
from corpora.closedloop.runs import Run
from corpora.closedloop.trace import Row, Trace
from corpora.closedloop.verdicts import BUILDS, HOST, SIMULATION, nothing
from tasks.contract import Check, Frozen, Status

BAD_AT_MS = 100
MALFORMED, SMOKE = "malformed_frame", "smoke"
CLEAR = "<=35"
"""The turbidity at which the campaign's tank may be drained."""

Condition = Mapping[str, str]


class Goal(Frozen):
    """What one scenario must show: milestones in order, ticks that must not be, a bounded reaction to silence, and a
    drain that opens only on a settled, clear tank."""

    reach: tuple[dict[str, str], ...] = ()
    never: tuple[dict[str, str], ...] = ()
    timeout: bool = False
    settle: bool = False


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """Return the table of all tasks."""
    return tomllib.loads((HERE / "campaign_tasks.toml").read_text())


@cache
def campaign_task(name: str) -> Task:
    """Return our task as the campaign played it: no host tests, readings in the range that its protocol takes, and no
    frame around the malformed line."""
    task, own = load(name), table()[name]
    lowest = own.get("lowest", {})
    rules = [one.model_copy(update={"low": max(one.low, lowest.get(one.variable, one.low))}) for one in task.rules]
    scenarios = tuple(_quiet(one, own["malformed"]) for one in task.scenario if not one.held_out)
    return task.model_copy(update={"host": (), "rules": tuple(rules), "scenario": scenarios})


def _quiet(scenario: Scenario, line: str) -> Scenario:
    if scenario.name != MALFORMED:
        return scenario
    return scenario.model_copy(update={"last_frame_ms": 0, "events": (f"also {BAD_AT_MS} {line}",)})


def checks(task: Task, run: Run) -> list[Check]:
    """Return the facts and the headline, whose score is the share of scenarios that pass."""
    if run.build is not None:
        return nothing(run.build)
    groups = [list(_scenario(task, run, trace)) for trace in run.traces]
    passed = sum(all(one.status is Status.PASS for one in group) for group in groups)
    status = Status.PASS if passed == len(groups) and run.whole else Status.FAIL
    headline = Check(
        layer=SIMULATION,
        check="everything",
        status=Status.TIMEOUT if run.timed_out else status,
        expected="every scenario of the campaign passes",
        saw=f"{passed} of {len(groups)}",
        score=passed / len(groups),
        headline=True,
    )
    built = Check(layer=HOST, check="builds", status=Status.PASS, expected=BUILDS)
    return [built, *(one for group in groups for one in group), headline]


def _scenario(task: Task, run: Run, trace: Trace) -> Iterator[Check]:
    name = trace.scenario.name
    ending = run.loop_ending if trace.ending == "nothing" else trace.ending
    yield _check(name, "runs", "the firmware runs to the end", None if trace.finished else ending)
    if not trace.finished:
        return
    if name == SMOKE:
        yield _check(name, "answers", "an actuator is commanded", None if len(trace.states) > 1 else "no command")
        return
    if name == MALFORMED:
        yield _check(name, "safe", "the safe state is commanded after the line, be it for a moment", _unsafe(trace))
        return
    goal = Goal.model_validate(table()[task.name][name])
    yield _check(name, "reaches", ", then ".join(map(_words, goal.reach)), _missed(goal, trace))
    for condition in goal.never:
        bad = next((row for row in trace.rows if _meets(row, condition)), None)
        yield _check(name, f"never {_words(condition)}", "in no tick", f"at {bad.at_ms} ms" if bad else None)
    if goal.timeout:
        yield _check(name, "timeout", "safe 1000 to 1200 ms after the last frame", _late(trace))
    if goal.settle:
        yield _check(
            name, "settles", f"the drain opens {SETTLE_MS[0]} ms after filtering, TURB {CLEAR}", _hasty(trace)
        )


def _check(scenario: str, name: str, expected: str, wrong: str | None) -> Check:
    status = Status.PASS if wrong is None else Status.FAIL
    return Check(layer=SIMULATION, check=f"{scenario}/{name}", status=status, expected=expected, saw=wrong)


def _words(condition: Condition) -> str:
    return " ".join(f"{name}{bound if bound[0] in '<>=' else ' ' + bound}" for name, bound in condition.items())


def _meets(row: Row, condition: Condition) -> bool:
    values = {**row.plant, **row.on}
    return all(meets(int(values[name]), bound) for name, bound in condition.items())


def _missed(goal: Goal, trace: Trace) -> str | None:
    """Return the first milestone that does not come after those before it."""
    rows = iter(trace.rows)
    for condition in goal.reach:
        if not any(_meets(row, condition) for row in rows):
            return f"never {_words(condition)} after what goes before"
    return None


def _unsafe(trace: Trace) -> str | None:
    """Return what is commanded instead of the safe state. Here every line counts for itself, as it did there: firmware
    that is safe on the line and not at the poll after it was seen to be safe."""
    words = {f"ACT {one.name} {word}": (one.name, word == one.on)
             for one in trace.task.actuators for word in (one.on, one.off)}  # fmt: skip
    on = dict(trace.on(BAD_AT_MS - 1))
    for entry in trace.entries:
        if entry.at_ms >= BAD_AT_MS and entry.kind == "got" and entry.text in words:
            name, value = words[entry.text]
            on[name] = value
            if on == safe(trace):
                return None
    return said(on)


def _late(trace: Trace) -> str | None:
    last = max(row.at_ms for row in trace.rows if row.sent)
    if any(trace.on(at) == safe(trace) for at in range(last + REACT_MS[0], last + REACT_MS[1] + 1)):
        return None
    return f"{said(trace.on(last + REACT_MS[1]))} {REACT_MS[1]} ms after the last frame"


def _hasty(trace: Trace) -> str | None:
    """Return what is wrong with the first drain that opens too early or on turbid water."""
    rested: int | None = None
    before = trace.states[0][1]
    for at, on in trace.states[1:]:
        if before["FILTER"] and not on["FILTER"]:
            rested = at
        if on["DRAIN"] and not before["DRAIN"]:
            turbid = [row.plant["TURB"] for row in trace.rows if row.at_ms <= at][-1]
            if rested is None or at - rested < SETTLE_MS[0] or not meets(turbid, CLEAR):
                waited = "without filtering" if rested is None else f"{at - rested} ms after filtering"
                return f"at {at} ms: open {waited}, TURB {turbid}"
        before = on
    return None
