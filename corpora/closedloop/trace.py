"""The trace of a scenario: what the plant was, what was sent, what the firmware said, by virtual ms."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from corpora.closedloop.model import TICK_MS, Scenario, Task
from tasks.sandbox.verdict import TAG


@dataclass(frozen=True)
class Entry:
    """One line of a trace: `kind` is `plant`, `sent`, `got` or `end`."""

    at_ms: int
    kind: str
    text: str


@dataclass(frozen=True)
class Row:
    """One tick: the valid readings sent in it, whether a line was not one, and the actuators just before the next."""

    at_ms: int
    plant: Mapping[str, int]
    sent: Mapping[str, int]
    bad: bool
    on: Mapping[str, bool]


@dataclass(frozen=True)
class Trace:
    """A scenario as it went."""

    task: Task
    scenario: Scenario
    entries: tuple[Entry, ...]

    @property
    def ending(self) -> str:
        """`steps` where the scenario ran to its end."""
        ends = [entry.text for entry in self.entries if entry.kind == "end" and entry.text != "restart"]
        return ends[-1] if ends else "nothing"

    @property
    def finished(self) -> bool:
        """Whether the firmware lived to the end."""
        return self.ending == "steps"

    @cached_property
    def states(self) -> tuple[tuple[int, dict[str, bool]], ...]:
        """The actuators after each ms in which the firmware said something; lines of one ms count together."""
        words = {f"ACT {one.name} {word}": (one.name, word == one.on)
                 for one in self.task.actuators for word in (one.on, one.off)}  # fmt: skip
        off = dict.fromkeys((one.name for one in self.task.actuators), False)
        current, found = off, {0: off}
        for entry in self.entries:
            if entry.kind == "end" and entry.text == "restart":
                current = off
            elif entry.kind == "got" and entry.text in words:
                name, on = words[entry.text]
                current = current | {name: on}
            else:
                continue
            found[entry.at_ms] = current
        return tuple(found.items())

    @cached_property
    def _when(self) -> tuple[int, ...]:
        return tuple(at for at, _ in self.states)

    def on(self, at_ms: int) -> dict[str, bool]:
        """Return the actuators at the end of a ms."""
        return self.states[max(0, bisect_right(self._when, at_ms) - 1)][1]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every tick."""
        sent: dict[int, dict[str, int]] = {}
        bad: set[int] = set()
        for entry in self.entries:
            if entry.kind == "sent":
                tick = entry.at_ms // TICK_MS
                reading = parse(self.task, entry.text)
                if reading is None:
                    bad.add(tick)
                else:
                    sent.setdefault(tick, {})[reading[0]] = reading[1]
        plants = [entry for entry in self.entries if entry.kind == "plant"]
        return tuple(
            Row(
                at_ms=entry.at_ms,
                plant=dict(zip(self.task.variables, map(int, entry.text.split()), strict=True)),
                sent=sent.get(entry.at_ms // TICK_MS, {}),
                bad=entry.at_ms // TICK_MS in bad,
                on=self.on(entry.at_ms + TICK_MS - 1),
            )
            for entry in plants
        )


def parse(task: Task, line: str) -> tuple[str, int] | None:
    """Return sensor and value of a valid frame."""
    words = line.split(" ")
    for sensor in task.sensors:
        if len(words) == 3 and words[:2] == ["SENSE", sensor.name]:
            if sensor.door:
                return (sensor.name, int(words[2] == "OPEN")) if words[2] in ("OPEN", "CLOSED") else None
            return (sensor.name, int(words[2])) if words[2].removeprefix("-").isdigit() else None
    return None


@dataclass
class _Open:
    entries: list[Entry] = field(default_factory=list)


def read(task: Task, scenarios: Sequence[Scenario], stdout: bytes, secret: str) -> tuple[list[Trace], bool]:
    """Return the traces in the harness's output and whether the harness reached its end."""
    start = f"{TAG} {secret}\t"
    runs = [_Open() for _ in scenarios]
    whole = False
    for line in stdout.decode(errors="replace").split("\n"):
        if not line.startswith(start):
            continue
        run, *fields = line[len(start) :].split("\t", 3)
        if run == "end":
            whole = True
        elif run.isdigit() and int(run) < len(runs) and len(fields) == 3:
            runs[int(run)].entries.append(Entry(int(fields[0]), fields[1], fields[2]))
    return [Trace(task, one, tuple(run.entries)) for one, run in zip(scenarios, runs, strict=True)], whole
