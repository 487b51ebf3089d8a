"""From scenarios to the script that the C harness reads; names become indices.

Words of an event: `text T SENSOR LINE` sends LINE in place of a reading, `drop T SENSOR` sends nothing,
`noise T SENSOR A` adds a deterministic error of at most A, `late T SENSOR MS` delays the frame, `set T VARIABLE VALUE`
moves the plant, `restart T` restarts the firmware. T is in ms, a multiple of 100, or a range `FROM-TO`, both included.
"""

from collections.abc import Iterator, Sequence

from corpora.closedloop.conditions import bounds
from corpora.closedloop.model import TICK_MS, Scenario, Task
from corpora.closedloop.runs import Timing
from tasks.ids import pick


def plant(task: Task) -> list[str]:
    """Return the lines that describe the plant and its channels."""
    acts = [one.name for one in task.actuators]
    lines = [f"plant {len(task.variables)}"]
    lines += [f"act {one.name} {one.on} {one.off}" for one in task.actuators]
    lines += [f"sensor {one.name} {task.variables.index(one.variable)} {one.door:d}" for one in task.sensors]
    for rule in task.rules:
        actuator = -1 if rule.actuator is None else acts.index(rule.actuator)
        source = -1 if rule.source is None else task.variables.index(rule.source)
        variable = task.variables.index(rule.variable)
        where = [f" {task.variables.index(name)} {low} {high}"
                 for name, (low, high) in ((name, bounds(text)) for name, text in rule.where.items())]  # fmt: skip
        words = f"{actuator} {rule.wanted:d} {variable} {rule.add} {source} {rule.low} {rule.high}"
        lines.append(f"rule {words}{''.join(where)}")
    return lines


def expand(task: Task, event: str) -> Iterator[str]:
    """Yield the harness's lines for one event, one a tick."""
    kind, when, *rest = event.split(" ", 3)
    first, _, last = when.partition("-")
    for at in range(int(first), int(last or first) + 1, TICK_MS):
        if kind in ("restart", "also"):
            yield " ".join([kind, str(at), *(rest or ["0"])])
            continue
        names = task.variables if kind == "set" else [one.name for one in task.sensors]
        argument = rest[1] if len(rest) > 1 else "0"
        if kind == "noise":
            argument = str(pick(2 * int(argument) + 1, "noise", at) - int(argument))
        yield f"{kind} {at} {names.index(rest[0])} {argument}"


def script(task: Task, scenarios: Sequence[Scenario], timings: Sequence[Timing] = (Timing(),)) -> str:
    """Return the whole script: every scenario at the first timing, then at the next."""
    lines = plant(task)
    for timing in timings:
        for one in scenarios:
            last = -1 if one.last_frame_ms is None else one.last_frame_ms
            lines.append(f"run {one.steps} {timing.phase_ms} {last} {one.lag}")
            lines.append("init " + " ".join(str(one.init.get(name, 0)) for name in task.variables))
            lines += jittered(task, one, timing) if timing.jitter_ms else []
            lines += [line for event in one.events for line in expand(task, event)]
            lines.append("go")
    return "\n".join(lines) + "\n"


def jittered(task: Task, scenario: Scenario, timing: Timing) -> Iterator[str]:
    """Yield how late each frame of a scenario comes, other than what its own events say."""
    for tick in range(scenario.steps):
        for index in range(len(task.sensors)):
            late = pick(timing.jitter_ms + 1, "jitter", timing.phase_ms, tick, index)
            yield f"late {tick * TICK_MS} {index} {late}"
