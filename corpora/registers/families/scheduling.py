"""Scheduling: frames of a cyclic executive, idle time, the utilisation bound, and a simple response time."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("scheduling")
NAMES = {"product": ("engine controller", "infusion pump", "drone autopilot", "elevator drive", "smart meter",
                     "brake unit", "telescope mount")}  # fmt: skip
VERDICTS = ("schedulable", "not schedulable", "undecided")


def told(tasks: list[list[int]], unit: str = "ms") -> str:
    letters = "ABCDEF"
    return "; ".join(f"{letters[k]} with period {period} {unit} and execution time {cost} {unit}"
                     for k, (period, cost) in enumerate(tasks))  # fmt: skip


def draw_tasks(draws: Draws, periods: tuple[int, ...], count: int, low: int, high: int) -> list[list[int]]:
    """Draw tasks whose load lies between `low` and `high` percent."""

    def make() -> list[list[int]]:
        chosen = sorted(draws.sample(periods, count))
        return [[period, draws.integer(1, max(1, period // 2))] for period in chosen]

    return draws.until(make, lambda tasks: low <= 100 * sum(Fraction(cost, period) for period, cost in tasks) <= high)


def draw_frame(draws: Draws) -> Params:
    periods = (12, 14, 15, 16, 18, 20, 21, 24, 28, 30, 35, 36, 40, 42, 45, 48, 50, 54, 56, 60, 70, 72, 80, 90)

    def make() -> list[list[int]]:
        chosen = sorted(draws.sample(periods, draws.choice((3, 4))))
        return [[period, draws.integer(1, 5)] for period in chosen]

    return {"tasks": draws.until(make, lambda tasks: len(legal_frames(tasks)) >= 2)}


def legal_frames(tasks: list[list[int]]) -> list[int]:
    hyper = lcm(*(period for period, _ in tasks))
    longest = max(cost for _, cost in tasks)
    return [
        size
        for size in range(longest, min(period for period, _ in tasks) + 1)
        if hyper % size == 0 and all(2 * size - gcd(period, size) <= period for period, _ in tasks)
    ]


def frame(params: Params) -> int:
    return max(legal_frames(params["tasks"]))


def frame_by_timeline(params: Params) -> int:
    """Lay frames on the time line and look for a whole one between every release and its deadline."""
    tasks = params["tasks"]
    hyper = 1
    while any(hyper % period for period, _ in tasks):
        hyper += 1
    for size in range(tasks[0][0], 0, -1):
        if size < max(cost for _, cost in tasks) or hyper % size:
            continue
        # the pattern of a task against the frames repeats after lcm(period, size)
        starts = (
            (release, release + period) for period, _ in tasks for release in range(0, lcm(period, size), period)
        )
        if all(-(-release // size) * size + size <= deadline for release, deadline in starts):
            return size
    raise ArithmeticError("no frame is legal")


def draw_idle(draws: Draws) -> Params:
    tasks = draw_tasks(draws, (4, 5, 6, 8, 10, 12, 15, 20, 24, 30), draws.choice((3, 4)), 45, 82)
    return {"tasks": tasks, "switch": draws.integer(3, 25), "tick": draws.integer(8, 60)}


def idle(params: Params) -> Fraction:
    hyper = lcm(*(period for period, _ in params["tasks"]))
    work = sum(hyper // period * (1000 * cost + 2 * params["switch"]) for period, cost in params["tasks"])
    return Fraction(1000 * hyper - work - hyper * params["tick"], 1000)


def idle_by_timeline(params: Params) -> Fraction:
    """Go through the hyperperiod millisecond by millisecond and book every release."""
    left, now = Fraction(0), 0
    while True:
        left += 1 - Fraction(params["tick"], 1000)
        for period, cost in params["tasks"]:
            if now % period == 0:
                left -= cost + Fraction(params["switch"] * 2, 1000)
        now += 1
        if all(now % period == 0 for period, _ in params["tasks"]):
            return left


def draw_budget(draws: Draws) -> Params:
    count = draws.choice((2, 3, 4))
    tasks = [
        [period, draws.integer(period // 20, period // (2 * count))]
        for period in sorted(draws.sample(range(2_000, 60_000, 500), count))
    ]
    return {"tasks": tasks, "period": draws.integer(8, 180) * 500}


def accepted_budget(draws: Draws) -> Params:
    return draws.until(
        lambda: draw_budget(draws), lambda p: sum(Fraction(c, t) for t, c in p["tasks"]) < Fraction(6, 10)
    )


def budget(params: Params) -> int:
    count = len(params["tasks"]) + 1
    with localcontext() as context:
        context.prec = 40
        bound = count * (Decimal(2) ** (Decimal(1) / count) - 1)
        used = sum((Decimal(cost) / period for period, cost in params["tasks"]), Decimal(0))
        return int((bound - used) * params["period"])


def budget_by_bisection(params: Params) -> int:
    """Decide U <= n(2^(1/n) - 1) exactly, as (U/n + 1)^n <= 2, and halve the interval of candidates."""
    count = len(params["tasks"]) + 1
    used = sum((Fraction(cost, period) for period, cost in params["tasks"]), Fraction(0))
    low, high = 0, params["period"]
    while high - low > 1:
        middle = (low + high) // 2
        if ((used + Fraction(middle, params["period"])) / count + 1) ** count <= 2:
            low = middle
        else:
            high = middle
    return low


def draw_verdict(draws: Draws) -> Params:
    """Draw a load that is clear of both limits."""
    count = draws.integer(2, 6)
    bound = 100 * count * (2 ** (1 / count) - 1)
    low, high = draws.choice(((bound - 14, bound - 0.4), (bound + 0.4, 99.8), (100.3, 118.0)))
    return {"count": count, "tenths": draws.integer(int(low * 10) + 1, int(high * 10))}


def verdict(params: Params) -> str:
    count, load = params["count"], params["tenths"] / 1000
    if load > 1:
        return "not schedulable"
    return "schedulable" if load <= count * (2 ** (1 / count) - 1) else "undecided"


def verdict_exactly(params: Params) -> str:
    share = Fraction(params["tenths"], 1000 * params["count"]) + 1
    passes = (share ** params["count"] <= 2, params["tenths"] <= 1000)
    return {(True, True): "schedulable", (False, True): "undecided", (False, False): "not schedulable"}[passes]


def response(params: Params) -> int:
    *higher, (_, own) = params["tasks"]
    time = own
    while (longer := own + sum(-(-time // period) * cost for period, cost in higher)) != time:
        time = longer
    return time


def response_by_ticks(params: Params) -> int:
    """Run the scheduler one millisecond at a time from the critical instant."""
    left: list[Any] = [0] * len(params["tasks"])
    now = 0
    while True:
        for index, (period, cost) in enumerate(params["tasks"]):
            if now % period == 0 and (index < len(left) - 1 or now == 0):
                left[index] += cost
        running = next(index for index, work in enumerate(left) if work)
        left[running] -= 1
        now += 1
        if not left[-1]:
            return now


def draw_response(draws: Draws) -> Params:
    periods = (5, 6, 7, 8, 9, 10, 12, 13, 15, 17, 20, 22, 25, 30, 36, 44)

    def make() -> Params:
        tasks = draw_tasks(draws, periods, draws.choice((3, 4)), 60, 92)
        return {"tasks": [*tasks, [draws.integer(60, 120), draws.integer(4, 15)]]}

    return draws.until(
        make, lambda p: sum(Fraction(c, t) for t, c in p["tasks"]) <= 1 and response(p) <= p["tasks"][-1][0]
    )


FRAME = Family(
    name="cyclic_frame_size", domain="scheduling", kind="integer", tier="hard", unit="ms",
    draw=draw_frame, answer=frame, second=frame_by_timeline, names=NAMES,
    show=lambda p: {"tasks": told(p["tasks"])},
    rationale=lambda p: f"The legal frames are {', '.join(map(str, legal_frames(p['tasks'])))} ms.",
    wordings=TEXTS["frame"], conventions=TEXTS["frame conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", unit="ms",
        draw=lambda draws: {"periods": sorted(draws.sample((4, 5, 6, 8, 9, 10, 12, 14, 15, 18, 20, 25, 28), 3))},
        show=lambda p: {"periods": ", ".join(map(str, p["periods"]))},
        answer=lambda p: lcm(*p["periods"]),
        second=lambda p: next(t for t in range(1, 100_000) if all(t % period == 0 for period in p["periods"])),
        wordings=TEXTS["frame isolate"],
        rationale=lambda p: f"The least common multiple of {p['periods']}.",
    ),
)  # fmt: skip

IDLE = Family(
    name="hyperperiod_idle_time", domain="scheduling", kind="quantity", tier="medium", unit="ms", tolerance=0.001,
    draw=draw_idle, answer=idle, second=idle_by_timeline, names=NAMES,
    show=lambda p: {"tasks": told(p["tasks"]), "switch": str(p["switch"]), "tick": str(p["tick"])},
    rationale=lambda p: (
        f"The hyperperiod is {lcm(*(period for period, _ in p['tasks']))} ms; take off every job with "
        f"{2 * p['switch']} us and {p['tick']} us each ms."
    ),
    wordings=TEXTS["idle"], conventions=TEXTS["idle conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.002,
        draw=lambda draws: (lambda period: {"period": period, "cost": draws.integer(1, period - 1)})(
            draws.integer(5, 80)),
        answer=lambda p: Fraction(100 * p["cost"], p["period"]),
        second=lambda p: sum((Fraction(100, p["period"]) for _ in range(p["cost"])), Fraction(0)),
        wordings=TEXTS["idle isolate"],
        rationale=lambda p: f"{p['cost']}/{p['period']}.",
    ),
)  # fmt: skip

BUDGET = Family(
    name="utilisation_budget", domain="scheduling", kind="integer", tier="hard", unit="us",
    draw=accepted_budget, answer=budget, second=budget_by_bisection, names=NAMES,
    show=lambda p: {"tasks": told(p["tasks"], "us"), "period": str(p["period"])},
    rationale=lambda p: (
        f"The bound for {len(p['tasks']) + 1} tasks less the present load, times {p['period']} us, rounded down."
    ),
    wordings=TEXTS["budget"], conventions=TEXTS["budget conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="choice", tier="medium", choices=VERDICTS,
        aliases={"schedulable": ("proved", "guaranteed"), "not schedulable": ("unschedulable", "refuted"),
                 "undecided": ("open", "inconclusive", "left open")},
        draw=draw_verdict, answer=verdict, second=verdict_exactly,
        show=lambda p: {"count": str(p["count"]), "load": f"{p['tenths'] / 10:.1f}"},
        wordings=TEXTS["budget isolate"],
        rationale=lambda p: (
            f"The bound is {100 * p['count'] * (2 ** (1 / p['count']) - 1):.2f} percent, the load {p['tenths'] / 10}."
        ),
    ),
)  # fmt: skip

RESPONSE = Family(
    name="fixed_priority_response", domain="scheduling", kind="integer", tier="hard", unit="ms",
    draw=draw_response, answer=response, second=response_by_ticks, names=NAMES,
    show=lambda p: {"tasks": told(p["tasks"])},
    rationale=lambda p: f"The iteration R = C + sum of ceil(R/T) C of the higher tasks settles at {response(p)} ms.",
    wordings=TEXTS["response"], conventions=TEXTS["response conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"period": draws.integer(3, 15), "window": draws.integer(10, 120)},
        answer=lambda p: -(-p["window"] // p["period"]),
        second=lambda p: len(range(0, p["window"], p["period"])),
        wordings=TEXTS["response isolate"],
        rationale=lambda p: f"{p['window']}/{p['period']} rounded up.",
    ),
)  # fmt: skip

FAMILIES = (FRAME, IDLE, BUDGET, RESPONSE)
