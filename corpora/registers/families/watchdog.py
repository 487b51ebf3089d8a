"""Watchdogs: a reload value for an inexact oscillator, and when a window watchdog strikes."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import accepted, listed
from corpora.registers.texts import sections

TEXTS = sections("watchdog")
WATCHDOGS = ("IWDG", "WDT0", "FWDGT", "SWDT", "RSTWDG")
WINDOWED = ("WWDG", "WINWDT1", "WWDGT", "SAFEWD", "QWDT2")
PRODUCTS = ("heart monitor", "lift controller", "gas detector", "traffic counter", "winch drive", "feed mixer")


def draw_reload(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "slow": draws.choice((17, 24, 28, 30)), "fast": draws.choice((34, 38, 42, 47)),
            "period": draws.integer(20, 9000), "jitter": draws.integer(1, 400), "stall": draws.integer(10, 900),
            "margin": draws.choice((10, 15, 20, 25, 30)), "bits": draws.choice((8, 10, 12)),
            "at": draws.choice((12, 16, 20)),
        }  # fmt: skip

    return draws.until(make, lambda params: _needed_ms(params) * params["fast"] <= 256 << params["bits"])


def _needed_ms(params: Params) -> Fraction:
    return Fraction((params["period"] + params["jitter"] + params["stall"]) * (100 + params["margin"]), 100)


def reload_word(params: Params) -> int:
    """Compute the reload value for each prescaler from the fastest clock."""
    cycles = _needed_ms(params) * params["fast"]
    for code in range(7):
        reload = -(-cycles // (4 << code)) - 1
        if reload < 1 << params["bits"]:
            return int(code << params["at"] | max(reload, 0))
    raise AssertionError("the draw leaves no prescaler")


def reload_by_search(params: Params) -> int:
    """Halve the reload range of each prescaler until the shortest safe one is left."""
    micro = (params["period"] + params["jitter"] + params["stall"]) * (1000 + 10 * params["margin"])  # us
    for code, prescaler in enumerate((4, 8, 16, 32, 64, 128, 256)):
        low, high = 0, (1 << params["bits"]) - 1
        while low < high:
            middle = (low + high) // 2
            if (middle + 1) * prescaler * 1000 >= micro * params["fast"]:
                high = middle
            else:
                low = middle + 1
        if (low + 1) * prescaler * 1000 >= micro * params["fast"]:
            return low + code * 2 ** params["at"]
    raise AssertionError("the draw leaves no prescaler")


def reload_text(params: Params) -> str:
    word = reload_word(params)
    code, reload = word >> params["at"], word & ((1 << params["bits"]) - 1)
    return (
        f"The watchdog must not strike for {float(_needed_ms(params)):g} ms even at {params['fast']} kHz: "
        f"{float(_needed_ms(params) * params['fast']):g} cycles. The first prescaler whose reload value fits "
        f"{params['bits']} bits is {4 << code} (code {code}), with {reload}."
    )


RELOAD = Family(
    name="watchdog_reload_word", domain="watchdog", kind="integer", tier="hard", base="hex",
    draw=draw_reload, answer=reload_word, second=reload_by_search, rationale=reload_text,
    wordings=TEXTS["reload"], conventions=TEXTS["reload conventions"], distractors=TEXTS["distractors"],
    show=lambda p: {key: str(p[key]) for key in ("slow", "fast", "period", "jitter", "stall", "margin")}
    | {"fields": f"the reload value in bits {p['bits'] - 1}:0 and the prescaler code in bits {p['at'] + 2}:{p['at']}"},
    names={"wdt": WATCHDOGS, "product": PRODUCTS},
    isolate=Question(
        kind="quantity", tier="easy", unit="ms", tolerance=0.005,
        draw=lambda draws: {"khz": draws.choice((17, 32, 37, 40, 47)), "reload": draws.integer(100, 4095),
                            "prescaler": draws.choice((4, 8, 16, 32, 64, 128, 256))},
        answer=lambda p: Fraction(p["prescaler"] * (p["reload"] + 1), p["khz"]),
        second=lambda p: Fraction(p["prescaler"], p["khz"]) + p["reload"] * Fraction(p["prescaler"], p["khz"]),
        wordings=TEXTS["reload isolate"], conventions=accepted(0.005),
        rationale=lambda p: f"{p['prescaler']}*({p['reload']}+1) cycles of {p['khz']} kHz.",
    ),
)  # fmt: skip


def draw_window(draws: Draws) -> Params:
    def make() -> Params:
        step, top = draws.integer(0, 3), draws.integer(80, 127)
        params: Params = {
            "mhz": draws.choice((16, 24, 30, 32, 36, 42, 45, 48)),
            "step": step,
            "top": top,
            "window": draws.integer(66, top - 4),
        }
        tick = _tick_us(params)
        opens, closes = (top - params["window"]) * tick, (top - 63) * tick
        span = int(closes - opens)
        gaps = [int(opens) + draws.integer(span // 10, span - span // 10) for _ in range(draws.integer(2, 4))]
        early = draws.flag()
        gaps.append(int(opens * draws.integer(70, 97) / 100) if early else int(closes * draws.integer(103, 130) / 100))
        gaps.append(int(opens) + draws.integer(span // 10, span - span // 10))
        return params | {"gaps": gaps}

    def clear(params: Params) -> bool:
        """No refresh falls on a tick, and the one that fails is not the first."""
        tick = _tick_us(params)
        return all(gap > 0 and gap % tick != 0 for gap in params["gaps"]) and strike_us(params) > params["gaps"][0]

    return draws.until(make, clear)


def _tick_us(params: Params) -> Fraction:
    return Fraction(4096 << params["step"], params["mhz"])


def strike_us(params: Params) -> Fraction:
    """Compare each gap between refreshes with the opening and the end of the window."""
    tick, start = _tick_us(params), Fraction(0)
    for gap in params["gaps"]:
        if gap < (params["top"] - params["window"]) * tick:
            return start + gap
        if gap > (params["top"] - 63) * tick:
            break
        start += gap
    return start + (params["top"] - 63) * tick


def strike_by_ticks(params: Params) -> Fraction:
    """Count the register down tick by tick, in bus cycles."""
    refreshes, at = [], 0
    for gap in params["gaps"]:
        at += gap * params["mhz"]
        refreshes.append(at)
    counter, now, prescaler = params["top"], 0, 4096 << params["step"]
    while True:
        if refreshes and refreshes[0] < now + prescaler:
            now = refreshes.pop(0)
            if counter > params["window"]:
                return Fraction(now, params["mhz"])
            counter = params["top"]
            continue
        now, counter = now + prescaler, counter - 1
        if counter == 63:
            return Fraction(now, params["mhz"])


def show_window(params: Params) -> dict[str, str]:
    return {
        "mhz": str(params["mhz"]), "top": f"0x{params['top']:02X}", "gaps": listed(params["gaps"]),
        "cfr": f"0x{params['step'] << 7 | params['window']:03X}",
    }  # fmt: skip


def window_text(params: Params) -> str:
    tick = _tick_us(params)
    opens, closes = float((params["top"] - params["window"]) * tick), float((params["top"] - 63) * tick)
    return (
        f"A tick lasts {float(tick):.3f} us; a refresh is allowed from {opens:.1f} us on, and the reset comes at "
        f"{closes:.1f} us. The first gap outside these limits decides."
    )


WINDOW = Family(
    name="watchdog_window_strike", domain="watchdog", kind="quantity", tier="hard", unit="us", tolerance=0.001,
    draw=draw_window, answer=strike_us, second=strike_by_ticks, show=show_window, rationale=window_text,
    wordings=TEXTS["window"], conventions=accepted(0.001, TEXTS["window conventions"]),
    distractors=TEXTS["distractors"], names={"wdt": WINDOWED, "product": PRODUCTS},
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.005,
        draw=lambda draws: {"tick": draws.integer(40, 900), "top": draws.integer(100, 127),
                            "window": draws.integer(66, 96)},
        answer=lambda p: Fraction(p["tick"] * (p["top"] - p["window"])),
        second=lambda p: sum(p["tick"] for counter in range(p["top"], p["window"], -1)),
        wordings=TEXTS["window isolate"], conventions=accepted(0.005),
        rationale=lambda p: f"{p['top']} - {p['window']} ticks of {p['tick']} us.",
    ),
)  # fmt: skip


def draw_checkins(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "periods": [draws.integer(7, 60) for _ in range(3)], "limits": [draws.integer(60, 160) for _ in range(3)],
            "stops": [draws.integer(300, 900) for _ in range(3)], "poll": draws.choice((10, 15, 20, 25, 30)),
            "timeout": draws.integer(40, 120),
        }  # fmt: skip

    def clear(params: Params) -> bool:
        times = [seen for seen, _ in _deadlines(params)]
        close = any(abs(one - other) < 2 for at, one in enumerate(times) for other in times[:at])
        return (
            not close
            and params["timeout"] % params["poll"] != 0
            and all(limit > period for limit, period in zip(params["limits"], params["periods"], strict=True))
        )

    return draws.until(make, clear)


def _deadlines(params: Params) -> list[tuple[int, int]]:
    """Return, for each task, when its last check-in runs out, and the task."""
    found = []
    for task, (period, limit, stop) in enumerate(
        zip(params["periods"], params["limits"], params["stops"], strict=True)
    ):
        found.append(((stop - 1) // period * period + limit, task))
    return found


def checkin_reset(params: Params) -> int:
    """The last refresh is the last poll at which no task was overdue."""
    overdue = min(_deadlines(params))[0]
    return overdue // params["poll"] * params["poll"] + params["timeout"]


def checkin_by_steps(params: Params) -> int:
    """Run the tasks, the supervisor and the watchdog millisecond by millisecond."""
    seen, left, now = [0, 0, 0], params["timeout"], 0
    while True:
        now, left = now + 1, left - 1
        for task in range(3):
            if now % params["periods"][task] == 0 and now < params["stops"][task]:
                seen[task] = now
        if now % params["poll"] == 0 and all(now - seen[task] <= params["limits"][task] for task in range(3)):
            left = params["timeout"]
        if left == 0:
            return now


CHECKIN = Family(
    name="watchdog_supervisor_reset", domain="watchdog", kind="integer", tier="hard", unit="ms",
    draw=draw_checkins, answer=checkin_reset, second=checkin_by_steps,
    show=lambda p: {"periods": listed(p["periods"]), "limits": listed(p["limits"]), "stops": listed(p["stops"]),
                    "poll": str(p["poll"]), "timeout": str(p["timeout"])},
    rationale=lambda p: (
        f"The last check-ins run out at {listed(seen for seen, _ in _deadlines(p))} ms; the last poll not after the "
        f"earliest of these is at {checkin_reset(p) - p['timeout']} ms; the watchdog strikes {p['timeout']} ms later."
    ),
    wordings=TEXTS["checkin"], conventions=TEXTS["checkin conventions"], distractors=TEXTS["distractors"],
    names={"wdt": WATCHDOGS, "product": PRODUCTS},
    isolate=Question(
        kind="integer", tier="easy", unit="ms",
        draw=lambda draws: {"poll": draws.integer(7, 30), "fault": draws.integer(200, 900),
                            "timeout": draws.integer(40, 150)},
        answer=lambda p: p["fault"] - p["fault"] % p["poll"] + p["timeout"],
        second=lambda p: max(range(0, p["fault"] + 1, p["poll"])) + p["timeout"],
        wordings=TEXTS["checkin isolate"], conventions=("The time is wanted in ms.", "Count the time in ms."),
        rationale=lambda p: f"The last refresh is at {p['fault'] // p['poll'] * p['poll']} ms.",
    ),
)  # fmt: skip

FAMILIES = (RELOAD, WINDOW, CHECKIN)
