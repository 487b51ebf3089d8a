"""PWM and timers: prescaler, period and compare; capture across overflows; the dead-time code."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("pwm_timers")
NAMES = {"timer": ("TIM3", "TCC0", "FTM2", "TIMER1", "CTIMER4", "GPT5", "TPM1")}
HALF = 32_768
WRAP = 65_536


def draw_pwm(draws: Draws) -> Params:
    return {
        "clock": draws.choice((8_000, 16_000, 48_000, 64_000, 72_000, 84_000, 120_000, 170_000)),
        "frequency": draws.choice((20, 25, 40, 50, 60, 90, 110, 150, 300, 330, 400, 700, 1_100, 1_700)),
        "tenths": draws.integer(21, 979),
    }  # fmt: skip


def pwm(params: Params) -> int:
    hertz = params["clock"] * 1000
    # the least divider with floor(hertz / (divider * frequency)) <= 65536
    scale = hertz // (params["frequency"] * (WRAP + 1)) + 1
    return hertz // (scale * params["frequency"]) * params["tenths"] // 1000


def pwm_by_search(params: Params) -> int:
    """Try prescalers from 0 up and count the high ticks of a period."""
    for psc in range(WRAP):
        counts = int(Fraction(params["clock"] * 1000, psc + 1) / params["frequency"])
        if counts - 1 <= 65_535:
            break
    share = Fraction(params["tenths"], 1000)
    high = int(counts * float(share)) - 2
    while Fraction(high + 1, counts) <= share:
        high += 1
    return high


def pwm_text(params: Params) -> str:
    hertz = params["clock"] * 1000
    scale = hertz // (params["frequency"] * (WRAP + 1)) + 1
    counts = hertz // (scale * params["frequency"])
    return (
        f"PSC = {scale - 1} is the first with ARR + 1 = {counts} within 16 bits; {params['tenths'] / 10} percent "
        f"of it, rounded down, is {pwm(params)}."
    )


def draw_capture(draws: Draws) -> Params:
    """Draw a true history, then log it as late handlers would see it."""
    first = draws.integer(0, 12) * WRAP + draws.choice((draws.integer(0, 9_000), draws.integer(50_000, 65_535)))
    gap = draws.integer(1, 5) * WRAP + draws.integer(-30_000, 30_000)
    logged: list[int] = []
    for edge in (first, first + gap):
        read = edge + draws.integer(40, 20_000)
        # A wrap less than half a period ago may be uncounted still.
        recent = read // WRAP > 0 and read % WRAP < 20_000
        pending = int(recent and draws.choice((True, True, False)))
        logged += [edge % WRAP, read // WRAP - pending, pending]
    keys = ("c1", "n1", "u1", "c2", "n2", "u2")
    return {**dict(zip(keys, logged, strict=True)), "quarters": draws.choice((1, 2, 3, 5, 6, 10, 14))}


def edge(capture: int, count: int, pending: int) -> int:
    """Return the extended timestamp: a pending wrap lies before the edge if the capture is small, else after it."""
    return (count + (pending if capture < HALF else 0)) * WRAP + capture


def draw_logged(draws: Draws) -> Params:
    """Keep logs that fit one history alone: no wrap was counted between an edge and its log."""

    def settled(params: Params) -> bool:
        return all(len(histories(params[f"c{k}"], params[f"n{k}"], params[f"u{k}"])) == 1 for k in (1, 2)) and (
            capture(params) > 0
        )

    return draws.until(lambda: draw_capture(draws), settled)


def histories(capture: int, count: int, pending: int) -> list[int]:
    """Return every time of the edge that could have led to the log, by trying wraps and delays."""
    total = count + pending
    found = []
    for wraps in range(max(0, total - 2), total + 1):
        time = wraps * WRAP + capture
        # the log was taken at time + delay, 0 <= delay < HALF, when `total` wraps had happened
        earliest, latest = max(time, total * WRAP), min(time + HALF, (total + 1) * WRAP) - 1
        if pending:  # the last wrap is uncounted, so it is less than HALF ago
            latest = min(latest, total * WRAP + HALF - 1)
        if earliest <= latest:
            found.append(time)
    return found


def capture(params: Params) -> int:
    return edge(params["c2"], params["n2"], params["u2"]) - edge(params["c1"], params["n1"], params["u1"])


def capture_us(params: Params) -> Fraction:
    return Fraction(capture(params) * params["quarters"], 4)


def capture_by_histories(params: Params) -> Fraction:
    (first,) = histories(params["c1"], params["n1"], params["u1"])
    (second,) = histories(params["c2"], params["n2"], params["u2"])
    return (second - first) * (Fraction(params["quarters"]) / 4)


def capture_text(params: Params) -> str:
    parts = []
    for k, word in ((1, "first"), (2, "second")):
        small = params[f"c{k}"] < HALF
        if params[f"u{k}"]:
            place = "before" if small else "after"
            parts.append(f"the pending wrap lies {place} the {word} edge")
    told = "; ".join(parts) or "no wrap is pending"
    return f"{told}; {capture(params)} counts of {params['quarters'] / 4} us."


def dead_counts(code: int) -> int:
    """Return the dead time of a code in clock periods."""
    if code < 128:
        return code
    if code < 192:
        return (64 + code % 64) * 2
    return (32 + code % 32) * (8 if code < 224 else 16)


def dead(params: Params) -> int:
    """Round up in the range that holds the wanted number of periods."""
    need = -(-params["limit"] * params["clock"] // 1000)
    for top, step, code, first in ((127, 1, 0, 0), (254, 2, 128, 128), (504, 8, 192, 256), (1008, 16, 224, 512)):
        if need <= top:
            return code + max(0, -(-(need - first) // step))
    raise ArithmeticError("no code is long enough")


def dead_by_table(params: Params) -> int:
    period = Fraction(1000, params["clock"])
    return min(code for code in range(256) if dead_counts(code) * period >= params["limit"])


def draw_dead(draws: Draws) -> Params:
    clock = draws.choice((16, 24, 32, 48, 64, 72, 84, 100, 120, 144, 160))
    return {"clock": clock, "limit": draws.integer(130, 1000) * 1000 // clock // 5 * 5}


PWM = Family(
    name="pwm_compare_value", domain="timers", kind="integer", tier="medium",
    draw=draw_pwm, answer=pwm, second=pwm_by_search, rationale=pwm_text, names=NAMES,
    show=lambda p: {"clock": str(p["clock"]), "frequency": str(p["frequency"]), "duty": f"{p['tenths'] / 10:.1f}"},
    wordings=TEXTS["pwm"], conventions=TEXTS["pwm conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"top": draws.integer(99, 4999), "duty": draws.integer(3, 97)},
        answer=lambda p: (p["top"] + 1) * p["duty"] // 100,
        second=lambda p: max(n for n in range(p["top"] + 2) if n * 100 <= p["duty"] * (p["top"] + 1)),
        wordings=TEXTS["pwm isolate"],
        rationale=lambda p: f"{p['duty']} percent of {p['top'] + 1}, rounded down.",
    ),
)  # fmt: skip

CAPTURE = Family(
    name="timer_capture_overflow", domain="timers", kind="quantity", tier="hard", unit="us", tolerance=0.0005,
    draw=draw_logged, answer=capture_us, second=capture_by_histories, rationale=capture_text, names=NAMES,
    show=lambda p: {key: str(p[key]) for key in ("c1", "n1", "u1", "c2", "n2", "u2")}
    | {"tick": f"{p['quarters'] / 4:g}"},
    wordings=TEXTS["capture"], conventions=TEXTS["capture conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"c1": draws.integer(0, 65_535), "c2": draws.integer(0, 65_535),
                            "wraps": draws.integer(1, 9)},
        answer=lambda p: p["wraps"] * WRAP + p["c2"] - p["c1"],
        second=lambda p: (WRAP - p["c1"]) + (p["wraps"] - 1) * WRAP + p["c2"],
        wordings=TEXTS["capture isolate"],
        rationale=lambda p: f"{p['wraps']}*65536 + {p['c2']} - {p['c1']}.",
    ),
)  # fmt: skip

DEAD = Family(
    name="pwm_dead_time_code", domain="timers", kind="integer", tier="hard", base="hex",
    draw=draw_dead, answer=dead, second=dead_by_table, names=NAMES,
    rationale=lambda p: (
        f"{p['limit']} ns are {p['limit'] * p['clock'] / 1000:g} periods; code 0x{dead(p):X} gives "
        f"{dead_counts(dead(p))}, the code below it {dead_counts(dead(p) - 1)}."
    ),
    wordings=TEXTS["dead"], conventions=TEXTS["dead conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"clock": draws.choice((16, 24, 48, 64, 72, 84)), "limit": draws.integer(20, 400) * 5},
        answer=lambda p: -(-p["limit"] * p["clock"] // 1000),
        second=lambda p: next(n for n in range(10_000) if n * Fraction(1000, p["clock"]) >= p["limit"]),
        wordings=TEXTS["dead isolate"],
        rationale=lambda p: f"{p['limit']} ns times {p['clock']} MHz, rounded up.",
    ),
)  # fmt: skip

FAMILIES = (PWM, CAPTURE, DEAD)
