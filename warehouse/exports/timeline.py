"""What a device did in one scenario, as a picture needs it, and that picture in characters for a terminal."""

from collections.abc import Sequence
from dataclasses import dataclass

BLOCKS = "▁▂▃▄▅▆▇█"
WIDEST = 100
"""Columns of a picture in characters; a longer scenario shows every second tick, every third, and so on."""


@dataclass(frozen=True)
class Level:
    """A quantity of the plant: values from each moment (ms) on, and the thresholds that its brief names."""

    name: str
    values: tuple[tuple[int, int], ...]
    thresholds: tuple[int, ...] = ()


@dataclass(frozen=True)
class Switch:
    """Something that is on or off: the states from each moment (ms) on, and whether the device drives it."""

    name: str
    states: tuple[tuple[int, bool], ...]
    driven: bool = True


@dataclass(frozen=True)
class Mark:
    """A moment (ms) worth pointing at: what `went` wrong, or only what happened."""

    at_ms: int
    text: str
    wrong: bool = False


@dataclass(frozen=True)
class Timeline:
    """One scenario from 0 to `until_ms`."""

    name: str
    until_ms: int
    levels: tuple[Level, ...]
    switches: tuple[Switch, ...]
    marks: tuple[Mark, ...] = ()

    @property
    def faults(self) -> tuple[Mark, ...]:
        """What went wrong, the earliest first; none where the scenario passed."""
        return tuple(sorted((mark for mark in self.marks if mark.wrong), key=lambda mark: mark.at_ms))


def held(steps: Sequence[tuple[int, int]], at_ms: int) -> int | None:
    """Return the value of a step function at a moment; None before its first step."""
    found = None
    for since, value in steps:
        if since > at_ms:
            break
        found = value
    return found


def plot(timeline: Timeline, tick_ms: int = 100) -> str:
    """Return the scenario in characters: a row a level and a switch, and carets below the moments that went wrong."""
    step_ms = tick_ms * -(-timeline.until_ms // (tick_ms * WIDEST))
    moments = range(0, timeline.until_ms, step_ms)
    names = [level.name for level in timeline.levels] + [switch.name for switch in timeline.switches]
    width = max(map(len, names), default=0)
    verdict = "FAIL" if timeline.faults else "pass"
    lines = [f"{timeline.name}: {verdict}, {timeline.until_ms} ms, {step_ms} ms a column"]
    for level in timeline.levels:
        values = [held(level.values, at + step_ms - 1) for at in moments]
        known = [value for value in values if value is not None]
        low, high = min(known, default=0), max(known, default=0)
        row = "".join(" " if value is None else _block(value, low, high) for value in values)
        lines.append(f"  {level.name:<{width}} {row} {low}..{high}{_named(level.thresholds)}")
    for switch in timeline.switches:
        states = [held(switch.states, at + step_ms - 1) for at in moments]
        lines.append(f"  {switch.name:<{width}} {''.join('█' if state else '·' for state in states)}")
    if timeline.faults:
        wrong = {min(mark.at_ms // step_ms, len(moments) - 1) for mark in timeline.faults}
        lines.append(f"  {'':<{width}} {''.join('^' if index in wrong else ' ' for index in range(len(moments)))}")
    lines += [f"  at {mark.at_ms} ms {mark.text}" for mark in sorted(timeline.marks, key=lambda mark: mark.at_ms)]
    return "\n".join(lines)


def _block(value: int, low: int, high: int) -> str:
    return BLOCKS[0] if high == low else BLOCKS[(value - low) * (len(BLOCKS) - 1) // (high - low)]


def _named(thresholds: Sequence[int]) -> str:
    return f", thresholds {', '.join(map(str, thresholds))}" if thresholds else ""
