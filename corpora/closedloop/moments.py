"""What assertions share: a moment at which one applies, and ways to walk a trace."""

from collections.abc import Iterator, Mapping

from corpora.closedloop.model import Assertion
from corpora.closedloop.trace import Row, Trace

Moments = Iterator[tuple[int, bool, str]]
"""When the assertion applied, whether it held, and what was seen."""


def whole(row: Row, trace: Trace) -> bool:
    """Return whether a tick has a reading of every sensor and no other line."""
    return not row.bad and len(row.sent) == len(trace.task.sensors)


def pairs(trace: Trace) -> Iterator[tuple[Row | None, Row]]:
    """Yield each tick that the firmware could react in, with the one before it."""
    before: Row | None = None
    restarts = {entry.at_ms for entry in trace.entries if entry.text == "restart" and entry.kind == "end"}
    for row in trace.rows[:-1]:
        yield (None if row.at_ms in restarts else before), row
        before = row


def rising(check: Assertion, before: Row | None, row: Row) -> bool:
    """Return whether the reading that an assertion names has risen since the tick before."""
    name = check.rising or ""
    return before is not None and not before.bad and name in before.sent and row.sent[name] > before.sent[name]


def said(on: Mapping[str, bool]) -> str:
    """Return the actuators in words."""
    return " ".join(f"{name}={int(value)}" for name, value in on.items())


def readings(row: Row) -> str:
    """Return the readings of a tick in words."""
    return " ".join(f"{name} {value}" for name, value in row.sent.items()) or "no reading"


def safe(trace: Trace) -> dict[str, bool]:
    """Return the safe state."""
    return {one.name: one.safe for one in trace.task.actuators}
