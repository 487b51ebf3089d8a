"""Priorities: what a mutex protocol does to a schedule, blocking under ceilings, nested interrupts."""

from typing import Any

from corpora.registers.draws import Draws
from corpora.registers.families.response_time import response_by_schedule
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import listed, table
from corpora.registers.texts import sections

TEXTS = sections("priority")
MUTEXES = ("i2c_lock", "log_mutex", "bus_guard", "heap_lock", "fs_mutex")
KERNELS = ("FreeRTOS", "Zephyr", "ThreadX", "RTEMS", "NuttX")
PARTS = ("a motor controller", "a metering chip", "a radio SoC", "a sensor hub", "a charger")
TASKS = ("A", "B", "C", "D")  # from the highest priority to the lowest
PROTOCOLS = {
    "none": "priorities never change",
    "inheritance": "the mutex has priority inheritance: while a task waits for it, its holder runs at the highest "
    "priority of itself and the waiting tasks",
    "ceiling": "the mutex has an immediate priority ceiling: from locking to unlocking, its holder runs at the "
    "highest priority of all tasks that ever use it",
}


def draw_mutex(draws: Draws) -> Params:
    def make() -> Params:
        users = {0, 3} | ({draws.choice((1, 2))} if draws.flag() else set())
        releases = [draws.integer(3, 9), draws.integer(2, 10), draws.integer(1, 10), 0]
        tasks = [
            [releases[at], draws.integer(1, 4), draws.integer(2, 6) if at in users else 0, draws.integer(1, 5)]
            for at in range(4)
        ]
        ends = [finish_times(tasks, name) for name in PROTOCOLS]
        telling = [at for at in range(3) if len({end[at] for end in ends}) > 1]  # the protocol matters to these
        asked = draws.choice(telling) if telling else -1
        return {"tasks": tasks, "protocol": draws.choice(sorted(PROTOCOLS)), "asked": asked}

    return draws.until(make, lambda params: params["asked"] >= 0)


def finish_times(tasks: list[list[int]], protocol: str) -> list[int]:
    """Return when each task ends, jumping from event to event.

    Args:
        tasks: release, time before the lock, inside it (0: no lock) and after it; highest priority first.
        protocol: one of `PROTOCOLS`.
    """
    rest = [[before, inside, after] for _, before, inside, after in tasks]
    ends, waiting, holder, now = [-1] * len(tasks), set[int](), None, 0
    ceiling = min(at for at, task in enumerate(tasks) if task[2])

    def rank(task: int) -> tuple[int, bool]:
        level = task
        if task == holder and protocol == "inheritance":
            level = min([task, *waiting])
        elif task == holder and protocol == "ceiling":
            level = min(task, ceiling)
        return level, task != holder

    while min(ends) < 0:
        ready = [at for at, task in enumerate(tasks) if ends[at] < 0 and task[0] <= now and at not in waiting]
        later = [task[0] for task in tasks if task[0] > now]
        if not ready:
            now = min(later)
            continue
        task = min(ready, key=rank)
        if rest[task][0] == 0 and rest[task][1] and holder != task:
            if holder is not None:
                waiting.add(task)
                continue
            holder = task
        part = next(part for part in range(3) if rest[task][part])
        slice_ = min([rest[task][part], *(release - now for release in later)])
        rest[task][part] -= slice_
        now += slice_
        if part == 1 and rest[task][1] == 0:
            holder, waiting = None, set()
        if not any(rest[task]):
            ends[task] = now
    return ends


def mutex_finish(params: Params) -> int:
    return finish_times(params["tasks"], params["protocol"])[params["asked"]]


def mutex_by_ticks(params: Params) -> int:
    """Run one millisecond at a time; a task is its progress, everything else is derived from it."""
    tasks, protocol = params["tasks"], params["protocol"]
    done = dict.fromkeys(TASKS, 0)
    spec = dict(zip(TASKS, tasks, strict=True))
    base = {name: 4 - at for at, name in enumerate(TASKS)}
    top = max(base[name] for name in TASKS if spec[name][2])
    owner, blocked = "", list[str]()
    for now in range(1000):
        while True:
            level = dict(base)
            if owner and protocol == "inheritance":
                level[owner] = max(base[name] for name in (owner, *blocked))
            if owner and protocol == "ceiling":
                level[owner] = max(base[owner], top)
            able = [name for name in TASKS if spec[name][0] <= now and name not in blocked
                    and done[name] < sum(spec[name][1:])]  # fmt: skip
            able.sort(key=lambda name: (level[name], name == owner), reverse=True)
            if not able:
                break
            runs = able[0]
            wants = spec[runs][2] > 0 and done[runs] == spec[runs][1] and owner != runs
            if wants and owner:
                blocked.append(runs)
                continue
            owner = runs if wants else owner
            done[runs] += 1
            if runs == owner and done[runs] == spec[runs][1] + spec[runs][2]:
                owner, blocked = "", []
            break
        asked = TASKS[params["asked"]]
        if done[asked] == sum(spec[asked][1:]):
            return now + 1
    raise AssertionError("the schedule does not end")


def show_mutex(params: Params) -> dict[str, str]:
    rows = [(name, release, before, inside or "-", after)
            for name, (release, before, inside, after) in zip(TASKS, params["tasks"], strict=True)]  # fmt: skip
    return {
        "protocol": PROTOCOLS[params["protocol"]], "asked": TASKS[params["asked"]],
        "code": table(("task", "release", "before", "holding", "after"), rows),
    }  # fmt: skip


def mutex_text(params: Params) -> str:
    ends = finish_times(params["tasks"], params["protocol"])
    return "The tasks end at " + listed(f"{name} {end}" for name, end in zip(TASKS, ends, strict=True)) + "."


INVERSION = Family(
    name="priority_mutex_finish", domain="priority", kind="integer", tier="hard",
    draw=draw_mutex, answer=mutex_finish, second=mutex_by_ticks, show=show_mutex, rationale=mutex_text,
    wordings=TEXTS["mutex"], conventions=TEXTS["mutex conventions"], distractors=TEXTS["distractors"],
    names={"mutex": MUTEXES, "kernel": KERNELS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"rest": draws.integer(3, 30), "work": draws.integer(31, 90),
                            "inherits": draws.choice((True, False))},
        answer=lambda p: p["rest"] if p["inherits"] else p["rest"] + p["work"],
        second=lambda p: finish_times(
            [[2, 0, 1, 0], [2, p["work"], 0, 0], [0, 1, p["rest"] + 1, 0]],
            "inheritance" if p["inherits"] else "none",
        )[0] - 3,
        show=lambda p: {"rest": str(p["rest"]), "work": str(p["work"]),
                        "mode": "with priority inheritance" if p["inherits"] else "without any change of priorities"},
        wordings=TEXTS["mutex isolate"],
        rationale=lambda p: "With inheritance the middle task waits; without it, it runs first.",
    ),
)  # fmt: skip

RESOURCES = ("R1", "R2", "R3")


def draw_ceiling(draws: Draws) -> Params:
    def make() -> Params:
        count = draws.integer(4, 5)
        asked = draws.integer(1, count - 2)
        periods = sorted(draws.sample(range(30, 151), count))
        tasks: list[dict[str, Any]] = [
            {"cost": draws.integer(period // 12, period // 6), "period": period, "held": {}} for period in periods
        ]
        shared, private, other = draws.shuffled(RESOURCES)
        places = ((shared, draws.integer(0, asked)), (shared, draws.integer(asked + 1, count - 1)),
                  (private, draws.integer(asked + 1, count - 1)), (other, draws.integer(0, count - 1)),
                  (other, draws.integer(0, count - 1)))  # fmt: skip
        for name, at in places:
            tasks[at]["held"][name] = draws.integer(1, min(9, tasks[at]["cost"]))
        return {"tasks": tasks, "asked": asked}

    def clear(params: Params) -> bool:
        """Sections fit into their tasks, and one below the asked task is longer than the one that blocks it."""
        tasks, asked = params["tasks"], params["asked"]
        if any(sum(task["held"].values()) > task["cost"] for task in tasks):
            return False
        longest = max(time for task in tasks[asked + 1 :] for time in task["held"].values())
        return 0 < _blocking(params) < longest and ceiling_response(params) <= tasks[asked]["period"]

    return draws.until(make, clear)


def _blocking(params: Params) -> int:
    """Return the longest lower section whose resource has a ceiling at or above the asked task."""
    tasks, asked = params["tasks"], params["asked"]
    ceiling = {name: min((at for at, task in enumerate(tasks) if name in task["held"]), default=99)
               for name in RESOURCES}  # fmt: skip
    return max((time for task in tasks[asked + 1 :] for name, time in task["held"].items() if ceiling[name] <= asked),
               default=0)  # fmt: skip


def ceiling_response(params: Params) -> int:
    tasks, asked = params["tasks"], params["asked"]
    window, own = 0, tasks[asked]["cost"] + _blocking(params)
    while True:
        grown = own + sum(max(1, -(-window // task["period"])) * task["cost"] for task in tasks[:asked])
        if grown == window or grown > 10_000:
            return int(grown)
        window = grown


def ceiling_by_schedule(params: Params) -> int:
    """Find the blocking section by what it would keep waiting, then run the processor unit by unit."""
    tasks, asked = params["tasks"], params["asked"]
    worst = 0
    for lower in range(asked + 1, len(tasks)):
        for name, time in tasks[lower]["held"].items():
            kept_waiting = [upper for upper in range(asked + 1) if name in tasks[upper]["held"]]
            if kept_waiting and time > worst:
                worst = time
    return response_by_schedule({
        "tasks": [[task["cost"], task["period"], 0] for task in tasks[:asked]], "cost": tasks[asked]["cost"],
        "blocking": worst, "jitter": 0,
    })  # fmt: skip


def show_ceiling(params: Params) -> dict[str, str]:
    rows = [
        (f"T{at}", task["cost"], task["period"], *(task["held"].get(name, "-") for name in RESOURCES))
        for at, task in enumerate(params["tasks"], 1)
    ]
    return {"asked": f"T{params['asked'] + 1}", "code": table(("task", "C", "T", *RESOURCES), rows)}


CEILING = Family(
    name="priority_ceiling_response", domain="priority", kind="integer", tier="hard",
    draw=draw_ceiling, answer=ceiling_response, second=ceiling_by_schedule, show=show_ceiling,
    rationale=lambda p: (
        f"The blocking of T{p['asked'] + 1} is {_blocking(p)} ms; with the interference of the tasks above, the "
        f"response time becomes {ceiling_response(p)} ms."
    ),
    wordings=TEXTS["ceiling"], conventions=TEXTS["ceiling conventions"], distractors=TEXTS["distractors"],
    names={"mutex": MUTEXES, "kernel": KERNELS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"shared": [draws.integer(2, 40) for _ in range(3)],
                            "private": [draws.integer(20, 60) for _ in range(3)]},
        answer=lambda p: max(p["shared"]),
        second=lambda p: int(sorted(p["shared"], reverse=True)[0]),
        show=lambda p: {"shared": listed(p["shared"]), "private": listed(p["private"])},
        wordings=TEXTS["ceiling isolate"],
        rationale=lambda p: "Only one section blocks, and only one whose mutex is used at the task's level or above.",
    ),
)  # fmt: skip


def draw_nested(draws: Draws) -> Params:
    def make() -> Params:
        bits = draws.choice((3, 4))
        numbers = sorted(draws.sample(range(3, 60), 5))
        irqs = [[number, draws.integer(0, (1 << bits) - 1) << (8 - bits), draws.integer(1, 40), draws.integer(6, 30)]
                for number in numbers]  # fmt: skip
        irqs[draws.integer(0, 4)][2] = 0
        group = draws.integer(8 - bits, 6)
        ends, ungrouped = nested_ends(irqs, group), nested_ends(irqs, -1)
        telling = [at for at, (number, _, arrival, duration) in enumerate(irqs)
                   if arrival + duration != ends[number] != ungrouped[number]]  # fmt: skip
        return {"group": group, "asked": draws.choice(telling) if telling else -1, "irqs": irqs}

    return draws.until(make, lambda params: params["asked"] >= 0)


def nested_ends(irqs: list[list[int]], group: int) -> dict[int, int]:
    """Return when each handler ends, jumping from one arrival or end to the next.

    Args:
        irqs: number, priority byte, arrival and duration of each.
        group: highest bit of the subpriority; -1 for none.
    """
    shift = group + 1
    coming = sorted((arrival, number, level, duration) for number, level, arrival, duration in irqs)
    pending: list[tuple[int, int, int, int]] = []
    stack: list[list[int]] = []  # group, time left, number
    ends: dict[int, int] = {}
    now = 0
    while len(ends) < len(irqs):
        while coming and coming[0][0] <= now:
            _, number, level, duration = coming.pop(0)
            pending.append((level >> shift, level & ((1 << shift) - 1), number, duration))
        pending.sort()
        if pending and (not stack or pending[0][0] < stack[-1][0]):
            level, _, number, duration = pending.pop(0)
            stack.append([level, duration, number])
        if not stack:
            now = coming[0][0]
            continue
        step = min(stack[-1][1], coming[0][0] - now if coming else stack[-1][1])
        now, stack[-1][1] = now + step, stack[-1][1] - step
        if stack[-1][1] == 0:
            ends[stack.pop()[2]] = now
    return ends


def nested_end(params: Params) -> int:
    return nested_ends(params["irqs"], params["group"])[params["irqs"][params["asked"]][0]]


def nested_by_ticks(params: Params) -> int:
    """Decide every microsecond who runs, from what has arrived, begun and been done."""
    irqs = {number: (level, arrival, duration) for number, level, arrival, duration in params["irqs"]}
    left = {number: duration for number, (_, _, duration) in irqs.items()}
    begun: list[int] = []
    asked, now, width = params["irqs"][params["asked"]][0], 0, 2 ** (params["group"] + 1)

    def urgency(number: int) -> tuple[int, int, int]:
        group, sub = divmod(irqs[number][0], width)
        return group, sub, number

    while left[asked]:
        fresh = [number for number in irqs if irqs[number][1] <= now and left[number] and number not in begun]
        active = [number for number in begun if left[number]]
        if fresh:
            best = min(fresh, key=urgency)
            if not active or urgency(best)[0] < min(urgency(number)[0] for number in active):
                begun.append(best)
                active.append(best)
        if active:
            left[active[-1]] -= 1
        now += 1
    return now


def show_nested(params: Params) -> dict[str, str]:
    rows = [(f"IRQ{number}", f"0x{level:02X}", *times) for number, level, *times in params["irqs"]]
    return {
        "group": str(params["group"]), "asked": f"IRQ{params['irqs'][params['asked']][0]}",
        "code": table(("interrupt", "priority byte", "arrival (us)", "duration (us)"), rows),
    }  # fmt: skip


def nested_text(params: Params) -> str:
    shift = params["group"] + 1
    groups = listed(
        f"IRQ{number} {level >> shift}.{level & ((1 << shift) - 1)}" for number, level, _, _ in params["irqs"]
    )
    return f"Group and subpriority: {groups}. Only a lower group preempts, so the end is at {nested_end(params)} us."


NESTED = Family(
    name="priority_nested_interrupts", domain="priority", kind="integer", tier="hard",
    draw=draw_nested, answer=nested_end, second=nested_by_ticks, show=show_nested, rationale=nested_text,
    wordings=TEXTS["nested"], conventions=TEXTS["nested conventions"], distractors=TEXTS["distractors"],
    names={"part": PARTS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"byte": draws.integer(16, 255), "group": draws.integer(1, 5)},
        answer=lambda p: p["byte"] >> (p["group"] + 1),
        second=lambda p: int(f"{p['byte']:08b}"[: 7 - p["group"]], 2),
        show=lambda p: {"byte": f"0x{p['byte']:02X}", "group": str(p["group"])},
        wordings=TEXTS["nested isolate"],
        rationale=lambda p: f"Bits 7:{p['group'] + 1} of {p['byte']:08b}.",
    ),
)  # fmt: skip

FAMILIES = (INVERSION, CEILING, NESTED)
