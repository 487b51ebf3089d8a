"""From scenarios to the script that the C harness reads; names become indices.

Words of an event: `text T SENSOR LINE` sends LINE in place of a reading, `drop T SENSOR` sends nothing,
`noise T SENSOR A` adds a deterministic error of at most A, `late T SENSOR MS` delays the frame, `set T VARIABLE VALUE`
moves the plant, `restart T` restarts the firmware. T is in ms, a multiple of 100, or a range `FROM-TO`, both included.
"""

from collections.abc import Iterator, Sequence

from corpora.closedloop.model import TICK_MS, Scenario, Task
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
        lines.append(f"rule {actuator} {rule.wanted:d} {variable} {rule.add} {source} {rule.low} {rule.high}")
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


def script(task: Task, scenarios: Sequence[Scenario], phase_ms: int = 0, jitter_ms: int = 0) -> str:
    """Return the whole script. `phase_ms` is when the firmware first polls; frames come up to `jitter_ms` late."""
    lines = plant(task)
    for one in scenarios:
        last = -1 if one.last_frame_ms is None else one.last_frame_ms
        lines.append(f"run {one.steps} {phase_ms} {last} {one.lag}")
        lines.append("init " + " ".join(str(one.init.get(name, 0)) for name in task.variables))
        if jitter_ms:
            for tick in range(one.steps):
                for index, _ in enumerate(task.sensors):
                    late = pick(jitter_ms + 1, "jitter", tick, index)
                    lines.append(f"late {tick * TICK_MS} {index} {late}")
        lines += [line for event in one.events for line in expand(task, event)]
        lines.append("go")
    return "\n".join(lines) + "\n"
