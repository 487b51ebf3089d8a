"""Schedulability: response times with jitter and blocking, the longest task that still fits, demand under EDF."""

from itertools import pairwise

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import table
from corpora.registers.texts import sections

TEXTS = sections("response_time")
TASKS = ("telemetry", "logger", "ui_task", "motion_plan", "diag_task", "net_poll")
KERNELS = ("FreeRTOS", "Zephyr", "ThreadX", "RTEMS", "NuttX", "Mynewt")


def _ceil(value: int, step: int) -> int:
    return -(-value // step)


def draw_response(draws: Draws) -> Params:
    def make() -> Params:
        count = draws.integer(3, 4)
        periods = sorted(draws.integer(8, 60) for _ in range(count))
        return {
            "tasks": [[draws.integer(1, max(2, period // 4)), period, draws.integer(0, period // 3)]
                      for period in periods],
            "cost": draws.integer(4, 15), "jitter": draws.integer(1, 9), "blocking": draws.integer(1, 8),
            "period": draws.integer(90, 200),
        }  # fmt: skip

    def clear(params: Params) -> bool:
        load = sum(cost / period for cost, period, _ in params["tasks"])
        return (
            all(one[1] < other[1] for one, other in pairwise(params["tasks"])) and 0.45 < load < 0.85
            and 25 < response(params) <= params["period"]
        )  # fmt: skip

    return draws.until(make, clear)


def response(params: Params) -> int:
    """Iterate the recurrence to its fixed point."""
    own = params["cost"] + params["blocking"]
    window = own
    while True:
        grown = own + sum(_ceil(window + jitter, period) * cost for cost, period, jitter in params["tasks"])
        if grown == window:
            return window + params["jitter"]
        if grown > 10_000:
            return grown
        window = grown


def response_by_schedule(params: Params) -> int:
    """Run the processor unit by unit from the critical instant."""
    releases = [{0, *range(period - jitter, 10_000, period)} for _, period, jitter in params["tasks"]]
    left = [0] * len(releases)
    own, now = params["cost"] + params["blocking"], 0
    while own:
        for task, times in enumerate(releases):
            if now in times:
                left[task] += params["tasks"][task][0]
        busy = next((task for task, work in enumerate(left) if work), None)
        if busy is None:
            own -= 1
        else:
            left[busy] -= 1
        now += 1
    return now + params["jitter"]


def show_response(params: Params) -> dict[str, str]:
    rows = [(f"T{at}", *task) for at, task in enumerate(params["tasks"], 1)]
    return {key: str(params[key]) for key in ("cost", "jitter", "blocking", "period")} | {
        "code": table(("task", "C (ms)", "T (ms)", "J (ms)"), rows)
    }


def response_text(params: Params) -> str:
    window = response(params) - params["jitter"]
    parts = " + ".join(
        f"{_ceil(window + jitter, period)}*{cost}" for cost, period, jitter in params["tasks"]
    )  # fmt: skip
    return (
        f"w = {params['cost']} + {params['blocking']} + {parts} = {window} is the smallest fixed point; the release "
        f"jitter of {params['jitter']} is added."
    )


RESPONSE = Family(
    name="response_time_jitter", domain="response_time", kind="integer", tier="hard",
    draw=draw_response, answer=response, second=response_by_schedule, show=show_response, rationale=response_text,
    wordings=TEXTS["response"], conventions=TEXTS["response conventions"], distractors=TEXTS["distractors"],
    names={"task": TASKS, "kernel": KERNELS},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: draws.until(
            lambda: {"c1": draws.integer(1, 5), "t1": draws.integer(6, 14), "c2": draws.integer(3, 15)},
            lambda p: 2 * p["c1"] <= p["t1"],
        ),
        answer=lambda p: _pair(p["c1"], p["t1"], p["c2"]),
        second=lambda p: response_by_schedule(
            {"tasks": [[p["c1"], p["t1"], 0]], "cost": p["c2"], "blocking": 0, "jitter": 0}
        ),
        wordings=TEXTS["response isolate"],
        rationale=lambda p: f"{p['c2']} ms fit into the gaps of a task that takes {p['c1']} of each {p['t1']} ms.",
    ),
)  # fmt: skip


def _pair(cost: int, period: int, own: int) -> int:
    """Return the response time below one task: whole gaps, then the rest."""
    gaps = _ceil(own, period - cost)
    return own + gaps * cost


def draw_longest(draws: Draws) -> Params:
    def make() -> Params:
        periods = sorted(draws.integer(9, 70) for _ in range(3))
        return {
            "tasks": [[draws.integer(2, max(3, period // 4)), period] for period in periods],
            "switch": draws.integer(1, 2), "blocking": draws.integer(1, 7), "deadline": draws.integer(60, 150),
        }  # fmt: skip

    def clear(params: Params) -> bool:
        distinct = all(one[1] < other[1] for one, other in pairwise(params["tasks"]))
        return distinct and sum((c + 2) / t for c, t in params["tasks"]) < 0.9 and longest(params) >= 5

    return draws.until(make, clear)


def longest(params: Params) -> int:
    """Look at the points where a higher task is released, and at the deadline."""
    points = {params["deadline"]}
    for _, period in params["tasks"]:
        points |= set(range(period, params["deadline"] + 1, period))
    room = max(
        point - sum(_ceil(point, period) * (cost + 2 * params["switch"]) for cost, period in params["tasks"])
        for point in points
    )
    return room - params["blocking"] - 2 * params["switch"]


def longest_by_trial(params: Params) -> int:
    """Run the schedule once and count the time that is left for the task until its deadline."""
    left, idle = 0, 0
    for now in range(params["deadline"]):
        left += sum(cost + 2 * params["switch"] for cost, period in params["tasks"] if now % period == 0)
        if left:
            left -= 1
        else:
            idle += 1
    return idle - params["blocking"] - params["switch"] - params["switch"]


LONGEST = Family(
    name="response_longest_execution", domain="response_time", kind="integer", tier="hard",
    draw=draw_longest, answer=longest, second=longest_by_trial,
    show=lambda p: {key: str(p[key]) for key in ("switch", "blocking", "deadline")}
    | {"code": table(("task", "C (ms)", "T (ms)"), [(f"T{at}", *task) for at, task in enumerate(p["tasks"], 1)])},
    rationale=lambda p: (
        f"Until {p['deadline']} ms the three tasks, each {2 * p['switch']} ms longer by switches, leave "
        f"{longest(p) + p['blocking'] + 2 * p['switch']} ms; {p['blocking']} ms of blocking and the task's own "
        f"{2 * p['switch']} ms of switches go off."
    ),
    wordings=TEXTS["longest"], conventions=TEXTS["longest conventions"], distractors=TEXTS["distractors"],
    names={"task": TASKS, "kernel": KERNELS},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: {"c1": draws.integer(2, 6), "t1": draws.integer(9, 20), "deadline": draws.integer(40, 99)},
        answer=lambda p: max(
            point - _ceil(point, p["t1"]) * p["c1"] for point in (p["deadline"], p["deadline"] // p["t1"] * p["t1"])
        ),
        second=lambda p: sum(now % p["t1"] >= p["c1"] for now in range(p["deadline"])),
        wordings=TEXTS["longest isolate"],
        rationale=lambda p: f"Idle time before {p['deadline']} ms of a task that runs {p['c1']} of each {p['t1']} ms.",
    ),
)  # fmt: skip


def draw_demand(draws: Draws) -> Params:
    def make() -> Params:
        tasks = []
        for _ in range(draws.integer(3, 4)):
            period = draws.integer(10, 40)
            cost = draws.integer(2, max(3, period // 4))
            tasks.append([cost, draws.integer(max(cost + 3, period // 2), period), period])
        return {"tasks": tasks, "horizon": draws.integer(60, 110)}

    def clear(params: Params) -> bool:
        return 0.6 < sum(cost / period for cost, _, period in params["tasks"]) < 1 and demand_margin(params) >= 1

    return draws.until(make, clear)


def demand_margin(params: Params) -> int:
    """Evaluate the demand bound function at every absolute deadline."""
    points = sorted(
        {point for _, deadline, period in params["tasks"] for point in range(deadline, params["horizon"] + 1, period)}
    )
    return min(
        point - sum(((point - deadline) // period + 1) * cost
                    for cost, deadline, period in params["tasks"] if point >= deadline)
        for point in points
    )  # fmt: skip


def demand_by_jobs(params: Params) -> int:
    """List all jobs, sort them by deadline and add them up."""
    jobs = []
    for cost, deadline, period in params["tasks"]:
        release = 0
        while release + deadline <= params["horizon"]:
            jobs.append((release + deadline, cost))
            release += period
    asked, margins = 0, []
    jobs.sort()
    for at, (due, cost) in enumerate(jobs):
        asked += cost
        if at + 1 == len(jobs) or jobs[at + 1][0] > due:
            margins.append(due - asked)
    return min(margins)


def demand_text(params: Params) -> str:
    points = sorted(
        {point for _, deadline, period in params["tasks"] for point in range(deadline, params["horizon"] + 1, period)}
    )
    demand = {
        point: sum(((point - deadline) // period + 1) * cost for cost, deadline, period in params["tasks"]
                   if point >= deadline)
        for point in points
    }  # fmt: skip
    tight = min(points, key=lambda point: point - demand[point])
    return f"At {tight} ms {demand[tight]} ms are demanded, which leaves the least of all deadlines."


DEMAND = Family(
    name="response_edf_margin", domain="response_time", kind="integer", tier="hard",
    draw=draw_demand, answer=demand_margin, second=demand_by_jobs, rationale=demand_text,
    show=lambda p: {"horizon": str(p["horizon"]), "code": table(
        ("task", "C (ms)", "D (ms)", "T (ms)"), [(f"T{at}", *task) for at, task in enumerate(p["tasks"], 1)])},
    wordings=TEXTS["demand"], conventions=TEXTS["demand conventions"], distractors=TEXTS["distractors"],
    names={"task": TASKS, "kernel": KERNELS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"cost": draws.integer(2, 9), "deadline": draws.integer(10, 20),
                            "period": draws.integer(21, 40), "time": draws.integer(60, 200)},
        answer=lambda p: ((p["time"] - p["deadline"]) // p["period"] + 1) * p["cost"],
        second=lambda p: sum(p["cost"] for due in range(p["deadline"], p["time"] + 1, p["period"])),
        wordings=TEXTS["demand isolate"],
        rationale=lambda p: f"{(p['time'] - p['deadline']) // p['period'] + 1} jobs are due by {p['time']} ms.",
    ),
)  # fmt: skip

FAMILIES = (RESPONSE, LONGEST, DEMAND)
