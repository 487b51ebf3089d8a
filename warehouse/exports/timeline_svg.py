"""Scenarios as an SVG: levels with their thresholds, what was switched, and the moments that went wrong.

It takes its ink from the page where it stands in one, so that it reads in light and dark.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from warehouse.exports.report_picture import COLOURS
from warehouse.exports.timeline import Level, Mark, Switch, Timeline

WIDTH, LEFT, RIGHT = 790, 152, 40
PLOT, STRIP, TITLE, AXIS, NOTE, GAP = 112, 16, 22, 20, 15, 14
"""Pixels: of the levels' panel, of one switch, of the title, of the time axis, of a line of notes, below it all."""

FAULT, LINE = "#c2413a", "var(--line, #c9ced6)"
FONT = 'font-family="Arial, Helvetica, sans-serif" font-size="11"'


def picture(timelines: Sequence[Timeline], *, alone: bool = False) -> str:
    """Return one SVG with the scenarios below each other; `alone` makes it a file of its own, dark on white."""
    parts, top = [], 0.0
    for timeline in timelines:
        parts.append(f'<g transform="translate(0 {top:g})">{"".join(_panel(timeline))}</g>')
        top += _height(timeline)
    names = ", ".join(timeline.name for timeline in timelines)
    start = '<svg xmlns="http://www.w3.org/2000/svg"' if alone else "<svg"
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>' if alone else ""
    ink = ' style="color:#1d2127"' if alone else ""
    return (
        f'{start} viewBox="0 0 {WIDTH} {top:g}" width="{WIDTH}" role="img" aria-label="{escape(names)}"{ink} {FONT} '
        f'fill="currentColor">{paper}{"".join(parts)}</svg>'
    )


def _height(timeline: Timeline) -> float:
    return TITLE + PLOT + STRIP * len(timeline.switches) + AXIS + NOTE * len(timeline.marks) + GAP


def _x(timeline: Timeline, at_ms: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * min(at_ms, timeline.until_ms) / max(timeline.until_ms, 1)


def _panel(timeline: Timeline) -> Iterable[str]:
    faults = timeline.faults
    verdict, colour = ("failed", FAULT) if faults else ("passed", "currentColor")
    yield f'<text x="0" y="14" font-size="13" font-weight="bold">{escape(timeline.name)}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="14" text-anchor="end" fill="{colour}">{verdict}</text>'
    bottom = TITLE + PLOT + STRIP * len(timeline.switches)
    yield from _axis(timeline, bottom)
    yield from _levels(timeline)
    for index, switch in enumerate(timeline.switches):
        yield from _switch(timeline, switch, TITLE + PLOT + STRIP * index)
    for mark in timeline.marks:
        x = _x(timeline, mark.at_ms)
        look = f'stroke="{FAULT}" stroke-width="1.5"' if mark.wrong else 'stroke="currentColor" stroke-dasharray="1 3"'
        yield f'<line x1="{x:g}" x2="{x:g}" y1="{TITLE}" y2="{bottom}" {look}/>'
        if mark.wrong:
            yield f'<path d="M{x:g} {TITLE}l-5 -7h10z" fill="{FAULT}"/>'
    for index, mark in enumerate(sorted(timeline.marks, key=lambda mark: mark.at_ms)):
        yield _note(mark, bottom + AXIS + NOTE * (index + 1) - 4)


def _note(mark: Mark, y: float) -> str:
    fill = f' fill="{FAULT}"' if mark.wrong else ""
    return f'<text x="{LEFT}" y="{y:g}"{fill}>{mark.at_ms} ms: {escape(mark.text)}</text>'


def _axis(timeline: Timeline, bottom: float) -> Iterable[str]:
    """A line each second, or each fifth where there are many."""
    step_ms = 1000 if timeline.until_ms <= 10_000 else 5000
    for at in range(0, timeline.until_ms + 1, step_ms):
        x = _x(timeline, at)
        yield f'<line x1="{x:g}" x2="{x:g}" y1="{TITLE}" y2="{bottom + 4}" style="stroke:{LINE}"/>'
        yield f'<text x="{x:g}" y="{bottom + 15}" text-anchor="middle" opacity=".7">{at // 1000} s</text>'


def _levels(timeline: Timeline) -> Iterable[str]:
    values = [value for level in timeline.levels for _, value in level.values]
    marks = [value for level in timeline.levels for value in level.thresholds]
    low, high = min([*values, *marks], default=0), max([*values, *marks], default=1)
    span = max(high - low, 1)

    def y(value: float) -> float:
        return round(TITLE + 8 + (PLOT - 16) * (high - value) / span, 1)

    for index, level in enumerate(timeline.levels):
        colour = COLOURS[index % len(COLOURS)]
        yield f'<text x="0" y="{TITLE + 20 + 15 * index}" fill="{colour}">{escape(level.name)}</text>'
        for value in level.thresholds:
            yield (
                f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):g}" y2="{y(value):g}" stroke="{colour}" '
                f'stroke-dasharray="5 4" opacity=".7"/>'
            )
        yield f'<path d="{_steps(timeline, level, y)}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
    labels = sorted((y(value), value, COLOURS[index % len(COLOURS)])
                    for index, level in enumerate(timeline.levels) for value in level.thresholds)  # fmt: skip
    for place, (_, value, colour) in zip(apart([top for top, *_ in labels]), labels, strict=True):
        yield f'<text x="{WIDTH - RIGHT + 5}" y="{place + 4:g}" fill="{colour}">{value}</text>'
    for value in (low, high):
        yield f'<text x="{LEFT - 6}" y="{y(value) + 4:g}" text-anchor="end" opacity=".7">{value}</text>'


def apart(places: Sequence[float], gap: float = 11) -> list[float]:
    """Return ascending places moved as little as it takes to stand `gap` apart, those on top of each other up and down
    in equal parts."""
    groups: list[tuple[float, int]] = []  # centre and size of runs that touch
    for place in places:
        centre, size = place, 1
        while groups and centre - gap * (size - 1) / 2 - (groups[-1][0] + gap * (groups[-1][1] - 1) / 2) < gap:
            other, more = groups.pop()
            centre, size = (centre * size + other * more) / (size + more), size + more
        groups.append((centre, size))
    return [centre + gap * (index - (size - 1) / 2) for centre, size in groups for index in range(size)]


def _steps(timeline: Timeline, level: Level, y: Callable[[float], float]) -> str:
    ends = [*(at for at, _ in level.values[1:]), timeline.until_ms]
    path = "".join(f"L{_x(timeline, at):g} {y(value):g}H{_x(timeline, end):g}"
                   for (at, value), end in zip(level.values, ends, strict=True))  # fmt: skip
    return "M" + path[1:]


def _switch(timeline: Timeline, switch: Switch, top: float) -> Iterable[str]:
    """A bar while it is on; one that the device does not drive is hollow."""
    middle = top + STRIP / 2
    yield f'<text x="0" y="{middle + 4:g}">{escape(switch.name)}</text>'
    yield (
        f'<line x1="{LEFT}" x2="{_x(timeline, timeline.until_ms):g}" y1="{middle:g}" y2="{middle:g}" '
        f'style="stroke:{LINE}"/>'
    )
    ends = [*(at for at, _ in switch.states[1:]), timeline.until_ms]
    look = 'fill="currentColor" opacity=".75"' if switch.driven else 'fill="none" stroke="currentColor"'
    for (at, on), end in zip(switch.states, ends, strict=True):
        if on and end > at:
            x = _x(timeline, at)
            yield f'<rect x="{x:g}" y="{top + 3:g}" width="{_x(timeline, end) - x:g}" height="{STRIP - 6}" {look}/>'
