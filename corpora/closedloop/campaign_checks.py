"""What the evaluator of the published campaign asked of a device, on traces of our plants (`campaign_tasks.toml`)."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from corpora.closedloop.checks import REACT_MS, SETTLE_MS
from corpora.closedloop.conditions import meets
from corpora.closedloop.model import HERE, Rule, Scenario, Task, load
from corpora.closedloop.moments import safe, said
from corpora.closedloop.runs import Run
from corpora.closedloop.trace import Row, Trace
from corpora.closedloop.verdicts import BUILDS, HOST, SIMULATION, nothing
from tasks.contract import Check, Frozen, Status
from warehouse.errors import CorpusError

BAD_AT_MS = 100
LAST_MS = 300
MALFORMED, SMOKE, SILENT = "malformed_frame", "smoke", "sensor_timeout"
_RATE = re.compile(r"[a-z][a-z0-9_]+")
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


def campaign_task(name: str, rates: Mapping[str, int] | None = None) -> Task:
    """Return our task as the campaign played it: no host tests, and no frame around the malformed line.

    `rates` are the constants of the campaign's plant by name; without them the plant is ours, with readings in the
    range that the campaign's protocol takes. Raises CorpusError for rates that do not name all that it needs.
    """
    task, own = load(name), table()[name]
    lowest: Mapping[str, int] = own.get("lowest", {})
    if rates:
        rules = tuple(Rule.model_validate(_filled(rule, rates, name)) for rule in own["rules"])
    else:
        rules = tuple(rule.model_copy(update={"low": max(rule.low, lowest.get(rule.variable, rule.low))})
                      for rule in task.rules)  # fmt: skip
    scenarios = tuple(_quiet(one, own["malformed"]) for one in task.scenario if not one.held_out)
    return task.model_copy(update={"host": (), "rules": rules, "scenario": scenarios})


def _filled(part: Any, rates: Mapping[str, int], task: str) -> Any:
    """Return a rule with numbers for the names of rates, which are the words in lower case within its values."""
    if isinstance(part, dict):
        return {key: value if key == "variable" else _filled(value, rates, task) for key, value in part.items()}
    if not isinstance(part, str) or not (names := _RATE.findall(part)):
        return part
    if unknown := [one for one in names if one not in rates]:
        raise CorpusError(f"The imported plant of {task} has no {unknown[0]}; import the bundle in its repository.")
    text = _RATE.sub(lambda match: str(rates[match[0]]), part)
    return int(text) if text.removeprefix("-").isdigit() else text


def _quiet(scenario: Scenario, line: str) -> Scenario:
    if scenario.name == SILENT:
        return scenario.model_copy(update={"last_frame_ms": LAST_MS})
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
        yield _check(name, "timeout", "commanded safe 1000 to 1200 ms after the last frame", _late(trace))
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
    """Return what is wrong with the reaction to silence: a command, not only a state, must fall into the window, so
    that firmware which was safe before it has not shown a reaction."""
    last = max(row.at_ms for row in trace.rows if row.sent)
    first, end = (last + bound for bound in REACT_MS)
    told = [entry.at_ms for entry in trace.entries if entry.kind == "got" and entry.text.startswith("ACT ")]
    reacted = next((at for at in told if at >= first and trace.on(at) == safe(trace)), None)
    if reacted is not None and reacted <= end:
        return None
    when = "never" if reacted is None else f"{reacted - last} ms after the last frame"
    return f"commanded safe {when}, {said(trace.on(first - 1))} before"


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
