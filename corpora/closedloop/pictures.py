"""What a controller did in each scenario, recomputed from its source: a run is a function of nothing else."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from corpora.closedloop import backends
from corpora.closedloop.checks import CLEAR, EMPTY, KEEP_LEVEL, judge
from corpora.closedloop.grade import opened, require_contract
from corpora.closedloop.model import TICK_MS, Assertion, Task, load
from corpora.closedloop.schema import Sample
from corpora.closedloop.trace import Trace
from tasks.contract import Bench
from warehouse.exports.timeline import Level, Mark, Switch, Timeline

Value = TypeVar("Value", int, bool)
NUMBER = re.compile(r"-?\d+")
SEQUENCE = {"TURB": (CLEAR,), "LEVEL": (KEEP_LEVEL, EMPTY)}
"""Thresholds of the one kind of assertion that keeps its own."""


def timelines(sample: Sample, code: str, bench: Bench) -> list[Timeline]:
    """Return the scenarios of a sample as `code` runs them, none where it does not build.

    Played on the default back end. Raises CorpusError where the task has changed since the release, SandboxError
    where it cannot be run here.
    """
    task = load(sample.task)
    require_contract(task, sample)
    backend = backends.named(backends.DEFAULT)
    with opened(bench, backend) as sandbox:
        ran = backend.run(task, code, sandbox, scenarios=task.scenarios(sample.held_out))
    return [timeline(trace) for trace in ran.traces]


def timeline(trace: Trace) -> Timeline:
    """Return a trace as a picture needs it."""
    task = trace.task
    seen = {sensor.variable for sensor in task.sensors} | {check.variable for check in task.check}
    doors = {sensor.variable for sensor in task.sensors if sensor.door}
    rows = trace.rows
    until_ms = trace.scenario.steps * TICK_MS
    levels = [
        Level(
            name, _changes([(row.at_ms, row.plant[name]) for row in rows]), thresholds(task, name, trace.scenario.name)
        )
        for name in task.variables
        if name in seen - doors
    ]
    switches = [
        Switch(name, _changes([(row.at_ms, bool(row.plant[name])) for row in rows]), driven=False)
        for name in task.variables
        if name in doors
    ]
    switches += [
        Switch(one.name, _changes([(0, False), *((at, on[one.name]) for at, on in trace.states)]))
        for one in task.actuators
    ]
    return Timeline(trace.scenario.name, until_ms, tuple(levels), tuple(switches), tuple(_marks(trace)))


def thresholds(task: Task, variable: str, scenario: str) -> tuple[int, ...]:
    """Return the values of a variable at which the device must act, and the bounds that a scenario sets it."""
    sensors = {sensor.name: sensor.variable for sensor in task.sensors}
    found: set[int] = set()
    for check in task.check:
        if check.kind == "sequence":
            found.update(SEQUENCE.get(variable, ()))
        for name, condition in _conditions(check, scenario):
            if sensors.get(name, name) == variable:
                found.update(int(number) for number in NUMBER.findall(condition))
    return tuple(sorted(found))


def _conditions(check: Assertion, scenario: str) -> Iterator[tuple[str, str]]:
    yield from check.when.items()
    yield from check.unless.items()
    if scenario in check.scenarios:
        yield from ((check.variable, condition) for condition in (check.reach, check.keep) if condition)


def _marks(trace: Trace) -> Iterator[Mark]:
    for check in trace.task.check:
        if trace.scenario.name in check.scenarios and trace.finished:
            finding = judge(check, trace)
            if finding.at_ms is not None:
                yield Mark(finding.at_ms, f"{check.name}: {finding.saw}", wrong=True)
    if not trace.finished:
        yield Mark(trace.entries[-1].at_ms if trace.entries else 0, f"the run ended: {trace.ending}", wrong=True)
    for entry in trace.entries:
        if entry.kind == "end" and entry.text == "restart":
            yield Mark(entry.at_ms, "restart")
    yield from (Mark(row.at_ms, "a line that is no reading") for row in trace.rows if row.bad)
    if trace.scenario.last_frame_ms is not None:
        yield Mark(trace.scenario.last_frame_ms, "the last reading")


def _changes(steps: Sequence[tuple[int, Value]]) -> tuple[tuple[int, Value], ...]:
    """Return the first step and those that change the value; of several in one ms the last counts."""
    last = list(dict(steps).items())
    return tuple(last[:1] + [now for before, now in pairwise(last) if now[1] != before[1]])
