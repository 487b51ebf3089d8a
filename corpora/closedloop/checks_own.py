"""What the assertions of our own two tasks mean on a trace; their briefs state the figures that stand here."""

from collections.abc import Callable, Iterator

from corpora.closedloop.model import Assertion
from corpora.closedloop.moments import Moments, pairs, readings, safe, said
from corpora.closedloop.trace import Row, Trace, parse

SENDING_MS = range(200, 300)
RETRY_MS = range(500, 600)
TRIES = 4
DAMAGED, NEWEST = 1, 3


def _starts(trace: Trace) -> Iterator[tuple[int, bool]]:
    """Yield when a transmission began, and its bit: send went on, or its bit changed while it was."""
    before = {"SEND": False, "SEQ": False}
    for at, on in trace.states:
        if on["SEND"] and (not before["SEND"] or on["SEQ"] != before["SEQ"]):
            yield at, on["SEQ"]
        before = on


def _reported(trace: Trace, name: str) -> list[tuple[int, int]]:
    """Return when which readings of a sensor were sent."""
    found = [(one.at_ms, parse(trace.task, one.text)) for one in trace.entries if one.kind == "sent"]
    return [(at, reading[1]) for at, reading in found if reading and reading[0] == name]


def _cut(trace: Trace, bit: bool, after: int, until: int) -> bool:
    """Return whether something ended an exchange in the interval: its acknowledgement, a reset, a restart."""
    acknowledged = any(after < at <= until and value == bit for at, value in _reported(trace, "ACK"))
    return acknowledged or any(
        after < one.at_ms <= until and one.text in ("FAULT SENSOR_TIMEOUT", "restart")
        for one in trace.entries
        if one.kind in ("sent", "end")
    )


def _transmissions(check: Assertion, trace: Trace) -> Moments:
    """Each transmission has its length and begins an exchange rightly or repeats in time; the fifth is an alarm."""
    end = trace.rows[-1].at_ms
    starts = list(_starts(trace))
    alarm = next((at for at, on in trace.states if on["ALARM"]), None)
    tries = 0
    for index, (at, bit) in enumerate(starts):
        begun = index > 0 and not _cut(trace, starts[index - 1][1], starts[index - 1][0], at)
        tries = tries + 1 if begun else 1
        if begun:
            yield at, bit == starts[index - 1][1] and tries <= TRIES, f"transmission {tries} with the bit {bit:d}"
            waited = at - starts[index - 1][0]
            yield at, waited in RETRY_MS, f"a transmission {waited} ms after the one before"
        else:
            yield at, *_rightly_begun(trace, at, bit)
        yield from _length(trace, at, bit)
        following = starts[index + 1][0] if index + 1 < len(starts) else None
        if following is None and not _cut(trace, bit, at, min(end, at + RETRY_MS.stop)):
            late = alarm is None or tries < TRIES or alarm - at not in RETRY_MS
            over = at + RETRY_MS.stop <= end
            note = f"an alarm at {alarm} ms" if alarm is not None else "neither a transmission nor an alarm"
            yield min(end, at + RETRY_MS.stop), not (over and late), f"{note} after transmission {tries} at {at} ms"
    if alarm is not None:
        yield alarm, tries == TRIES and alarm - starts[-1][0] in RETRY_MS, f"an alarm after {tries} transmissions"
    yield end, bool(starts), "nothing was sent"


def _rightly_begun(trace: Trace, at: int, bit: bool) -> tuple[bool, str]:
    """An exchange begins with messages waiting, and with the bit that was not acknowledged last."""
    last = {name: [value for when, value in _reported(trace, name) if when <= at] for name in ("QUEUE", "ACK")}
    known = bool(last["QUEUE"] and last["ACK"])
    right = known and last["QUEUE"][-1] > 0 and last["ACK"][-1] != bit
    words = " ".join(f"{name} {values[-1] if values else 'unknown'}" for name, values in last.items())
    return right, f"an exchange with the bit {bit:d} on {words}"


def _length(trace: Trace, at: int, bit: bool) -> Moments:
    off = next((when for when, on in trace.states if when > at and not (on["SEND"] and on["SEQ"] == bit)), None)
    until = off if off is not None else trace.rows[-1].at_ms
    if not _cut(trace, bit, at, until) and (off is not None or until >= at + SENDING_MS.stop):
        yield until, off is not None and off - at in SENDING_MS, f"send on for {until - at} ms"


def _acknowledged(check: Assertion, trace: Trace) -> Moments:
    """No packet goes on with the bit that the receiver has; outside of an exchange the bit is ZERO."""
    for _, row in pairs(trace):
        if "ACK" in row.sent:
            sending, bit = row.on["SEND"], row.on["SEQ"]
            yield row.at_ms, not (sending and bit == row.sent["ACK"]), f"{said(row.on)} on {readings(row)}"
            yield row.at_ms, not (bit and row.sent["ACK"] == 1), f"{said(row.on)} on {readings(row)}"


def _alarmed(check: Assertion, trace: Trace) -> Moments:
    """Once the alarm is on, it is all that is."""
    since = next((at for at, on in trace.states if on["ALARM"]), None)
    for at, on in trace.states:
        if since is not None and at >= since:
            yield at, on == safe(trace) | {"ALARM": True}, said(on)
    yield trace.rows[-1].at_ms, trace.rows[-1].on["ALARM"], "no alarm at the end"


def _selected(row: Row) -> str:
    return "SLOT_B" if row.on["SLOT"] else "SLOT_A"


def _spares(check: Assertion, trace: Trace) -> Moments:
    """The newest setting is neither erased nor written."""
    for _, row in pairs(trace):
        slot = _selected(row)
        working = row.on["ERASE"] or row.on["WRITE"]
        yield row.at_ms, not (working and row.sent.get(slot) == NEWEST), f"{said(row.on)} on {readings(row)}"


def _begins(check: Assertion, trace: Trace) -> Moments:
    """At the start and after a restart, a damaged target is erased."""
    for before, row in pairs(trace):
        damaged = [name for name in ("SLOT_A", "SLOT_B") if row.sent.get(name) == DAMAGED]
        if before is None and damaged and row.sent.get("REQUEST", 0) > 0:
            right = row.on["ERASE"] and not row.on["WRITE"] and _selected(row) == damaged[0]
            yield row.at_ms, right, f"{said(row.on)} on {readings(row)}"


KINDS: dict[str, Callable[[Assertion, Trace], Moments]] = {
    "transmissions": _transmissions, "acknowledged": _acknowledged, "alarmed": _alarmed, "spares": _spares,
    "begins": _begins,
}  # fmt: skip
