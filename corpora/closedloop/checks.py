"""What each kind of assertion means on a trace. A row is a tick of 100 ms; the firmware reacts before its end.

The thresholds of the filter task stand here because its sequence is one assertion; its brief states them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from corpora.closedloop import checks_own
from corpora.closedloop.conditions import all_meet, meets
from corpora.closedloop.model import Assertion
from corpora.closedloop.moments import Moments, pairs, readings, rising, safe, said, whole
from corpora.closedloop.trace import Trace

REACT_MS = (1000, 1200)
SETTLE_MS = (400, 600)
CLEAR, STREAK, KEEP_LEVEL, EMPTY = 30, 3, 40, 10


@dataclass(frozen=True)
class Finding:
    """`seen` counts the moments at which the assertion applied; 0 on a reference is a fault of the scenario."""

    seen: int
    at_ms: int | None = None
    saw: str | None = None

    @property
    def holds(self) -> bool:
        """Whether it was always so."""
        return self.saw is None


def judge(check: Assertion, trace: Trace) -> Finding:
    """Return what a trace says about an assertion."""
    seen = 0
    for at_ms, right, saw in KINDS[check.kind](check, trace):
        seen += 1
        if not right:
            return Finding(seen, at_ms, saw)
    return Finding(seen)


def _react(check: Assertion, trace: Trace) -> Moments:
    for before, row in pairs(trace):
        if whole(row, trace) and all_meet(row.sent, check.when):
            if check.rising and not rising(check, before, row):
                continue
            right = all(row.on[name] == wanted for name, wanted in check.then.items())
            yield row.at_ms, right, f"{said(row.on)} on {readings(row)}"


def _hold(check: Assertion, trace: Trace) -> Moments:
    for before, row in pairs(trace):
        if before is None or not whole(row, trace) or not whole(before, trace) or not all_meet(row.sent, check.when):
            continue
        excused = bool(check.unless) and all_meet(row.sent, check.unless)
        if excused and (not check.rising or rising(check, before, row)):
            continue
        yield row.at_ms, row.on[check.hold] == before.on[check.hold], f"{said(row.on)} on {readings(row)}"


def _last_reading(check: Assertion, trace: Trace) -> int:
    """Return when the stream that stops (or has the longest gap) was last heard."""
    name = check.sensor or trace.task.sensors[0].name
    times = [row.at_ms for row in trace.rows if name in row.sent]
    ends = [*times[1:], trace.rows[-1].at_ms]
    return max(zip(times, ends, strict=True), key=lambda pair: (pair[1] - pair[0], -pair[0]))[0]


def _timeout(check: Assertion, trace: Trace) -> Moments:
    """The actuators stay through the first 1000 ms of silence and are safe from 1200 ms on."""
    last = _last_reading(check, trace)
    stop = trace.rows[-1].at_ms
    back = [row.at_ms for row in trace.rows if row.at_ms > last and (check.sensor or "") in row.sent]
    stop = min([stop, *back])
    before = trace.on(last + 99)
    spans = [(range(last + REACT_MS[1], stop, 10), safe(trace))]
    if check.sensor is None:
        spans.insert(0, (range(last + 100, last + REACT_MS[0]), before))
    for span, wanted in spans:
        for at in span:
            right = trace.on(at) == wanted
            yield at, right, "" if right else f"{said(trace.on(at))} {at - last} ms after the last reading"


def _pause(check: Assertion, trace: Trace) -> Moments:
    for before, row in pairs(trace):
        if before is not None and not row.sent and not row.bad:
            yield row.at_ms, row.on == before.on, f"{said(row.on)} in a pause"


def _malformed(check: Assertion, trace: Trace) -> Moments:
    for row in trace.rows[:-1]:
        if row.bad:
            yield row.at_ms, row.on == safe(trace), f"{said(row.on)} after the line"


def _ceiling(check: Assertion, trace: Trace) -> Moments:
    for row in trace.rows:
        value = row.plant[check.variable]
        yield row.at_ms, meets(value, check.keep), f"{check.variable} {value}"


def _never(check: Assertion, trace: Trace) -> Moments:
    for at, on in trace.states:
        yield at, not all(on[name] == value for name, value in check.then.items()), said(on)


def _reaches(check: Assertion, trace: Trace) -> Moments:
    """The plant gets there, and from then on keeps the bound."""
    values = [(row.at_ms, row.plant[check.variable]) for row in trace.rows]
    there = next((index for index, (_, value) in enumerate(values) if meets(value, check.reach)), None)
    yield values[-1][0], there is not None, f"{check.variable} was {values[-1][1]} at the end"
    for at, value in values[there:] if check.keep else ():
        yield at, meets(value, check.keep), f"{check.variable} {value}"


def _wait(check: Assertion, trace: Trace) -> Moments:
    """Until every sensor has reported, all is safe."""
    heard: set[str] = set()
    for row in trace.rows[:-1]:
        heard |= set(row.sent)
        if len(heard) == len(trace.task.sensors):
            return
        yield row.at_ms, row.on == safe(trace), f"{said(row.on)} before every sensor had reported"


def _sequence(check: Assertion, trace: Trace) -> Moments:
    """Filter until the third clear reading in a row, then rest 400 ms, then drain; a turbid reading starts over."""
    streak, since = 0, None
    finished = False
    for _, row in pairs(trace):
        if not whole(row, trace) or finished:
            streak, since = 0, None
            continue
        clear = row.sent["TURB"] <= CLEAR
        if row.sent["LEVEL"] < EMPTY and since is not None:
            finished = True
            continue
        if since is None:
            streak = streak + 1 if clear and row.sent["LEVEL"] >= KEEP_LEVEL else 0
            since = row.at_ms if streak >= STREAK else None
        elif not clear:
            streak, since = 0, None
        if since is None:
            yield row.at_ms, row.on == {"FILTER": True, "DRAIN": False}, f"{said(row.on)}, {streak} clear readings"
            continue
        yield row.at_ms, not row.on["FILTER"], f"{said(row.on)} after {STREAK} clear readings"
        opened = [at for at, on in trace.states if row.at_ms <= at < row.at_ms + 100 and on["DRAIN"]]
        if opened and opened[0] < since + SETTLE_MS[0]:
            yield opened[0], False, f"drain open {opened[0] - since} ms after the third clear reading"
        late = row.at_ms >= since + SETTLE_MS[1]
        yield (
            row.at_ms,
            row.on["DRAIN"] or not late,
            f"drain shut {row.at_ms - since} ms after the third clear reading",
        )


def _complete(check: Assertion, trace: Trace) -> Moments:
    """Once the tank has run empty through the drain, all stays off."""
    drained = False
    opened = False
    for _, row in pairs(trace):
        if not drained and opened and row.sent.get("LEVEL", EMPTY) < EMPTY:
            drained = True
        opened = row.on["DRAIN"]
        if drained:
            yield row.at_ms, row.on == safe(trace), f"{said(row.on)} after completion"
    yield trace.rows[-1].at_ms, drained, "the tank was not drained"


KINDS: dict[str, Callable[[Assertion, Trace], Moments]] = {
    "react": _react, "hold": _hold, "timeout": _timeout, "pause": _pause, "malformed": _malformed,
    "ceiling": _ceiling, "never": _never, "reaches": _reaches, "wait": _wait, "sequence": _sequence,
    "complete": _complete, **checks_own.KINDS,
}  # fmt: skip
