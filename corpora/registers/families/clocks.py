"""Clock trees: a PLL inside its limits, a timer behind prescalers, the digital calibration of an RTC."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import accepted
from corpora.registers.texts import sections

TEXTS = sections("clocks")
PLL_REGISTERS = ("RCC_PLLCFGR", "CKGU_PLL", "SYS_PLL_CTRL", "PLL0_CONF", "CLK_PLLSET", "SCG_PLLREG")
OSCILLATORS = ("HSE", "XOSC", "OSC_HF", "EXTAL", "OSC32M")
TIMERS = ("TIM2", "TIM9", "CTIMER4", "TC3", "GPTM1", "FTM5")
CLOCK_REGISTERS = ("RCC_CFGR", "CKGU_DIV", "SYS_CLKDIV", "CLK_BUSDIV", "SCG_DIVS")
RTCS = ("RTC", "RTC0", "SRTC", "CALRTC", "BKP_RTC")
CALIBRATION = ("RTC_CALR", "RTC_TRIM", "SRTC_COMP", "CAL_REG", "BKP_ADJ")

# Positions of M, N, the code of P, the source bit and Q in the configuration word.
LAYOUTS = ((0, 6, 16, 22, 24), (26, 8, 4, 0, 18), (8, 16, 6, 15, 28), (20, 11, 0, 2, 4))
POST = (2, 4, 6, 8)


def draw_pll(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "hse": draws.choice((8, 10, 12, 15, 16, 18, 20, 24, 25, 26, 27)),
            "sysclk": draws.choice((60, 72, 75, 80, 84, 90, 96, 100, 108, 120, 125, 144, 150, 160, 168, 175, 180)),
            "vco_min": draws.choice((100, 150, 192)),
            "vco_max": draws.choice((344, 400, 432)),
            "side": draws.choice((30, 48, 50, 60)),
            "layout": draws.integer(0, len(LAYOUTS) - 1),
        }

    return draws.until(make, lambda params: _settings(params) is not None)


def _settings(params: Params) -> tuple[int, int, int] | None:
    """Return M, N and P, or None where the limits leave none."""
    hse, sysclk = params["hse"], params["sysclk"]
    for m in range(-(-hse // 2), hse + 1):
        for p in POST:
            n, rest = divmod(sysclk * p * m, hse)
            if rest == 0 and 50 <= n <= 432 and params["vco_min"] <= sysclk * p <= params["vco_max"]:
                return m, n, p
    return None


def pll_word(params: Params) -> int:
    found = _settings(params)
    assert found is not None
    m, n, p = found
    q = max(2, -(-params["sysclk"] * p // params["side"]))
    fields = (m, n, p // 2 - 1, 1, q)
    return sum(value << at for value, at in zip(fields, LAYOUTS[params["layout"]], strict=True))


def pll_by_search(params: Params) -> int:
    """Try every N and P, keep the legal ones and rank them by the two wishes."""
    legal = []
    for n in range(50, 433):
        for p in POST:
            m, rest = divmod(params["hse"] * n, params["sysclk"] * p)
            if rest or m == 0 or not m <= params["hse"] <= 2 * m:
                continue
            vco = Fraction(params["hse"] * n, m)
            if params["vco_min"] <= vco <= params["vco_max"]:
                legal.append((-Fraction(params["hse"], m), vco, m, n, p))
    _, vco, m, n, p = min(legal)
    q = next(q for q in range(2, 32) if vco / q <= params["side"])
    m_at, n_at, p_at, source_at, q_at = LAYOUTS[params["layout"]]
    return (m << m_at) | (n << n_at) | ({2: 0, 4: 1, 6: 2, 8: 3}[p] << p_at) | (1 << source_at) | (q << q_at)


def show_pll(params: Params) -> dict[str, str]:
    m_at, n_at, p_at, source_at, q_at = LAYOUTS[params["layout"]]
    keys = ("hse", "sysclk", "vco_min", "vco_max", "side")
    return {key: str(params[key]) for key in keys} | {
        "layout": f"M in bits {m_at + 5}:{m_at}, N in bits {n_at + 8}:{n_at}, P/2-1 in bits {p_at + 1}:{p_at}, "
        f"the source select in bit {source_at}, Q in bits {q_at + 3}:{q_at}"
    }


def pll_text(params: Params) -> str:
    found = _settings(params)
    assert found is not None
    m, n, p = found
    vco = params["sysclk"] * p
    q = max(2, -(-vco // params["side"]))
    return (
        f"M={m} gives the highest VCO input ({params['hse']}/{m} MHz, not above 2) for which N is whole; P={p} the "
        f"lowest VCO output in range, {vco} MHz, so N={n}; Q={q} is the first divider with {vco}/{q} MHz not above "
        f"{params['side']} MHz."
    )


PLL = Family(
    name="clock_pll_register", domain="clocks", kind="integer", tier="hard", base="hex",
    draw=draw_pll, answer=pll_word, second=pll_by_search, show=show_pll, rationale=pll_text,
    wordings=TEXTS["pll"], conventions=TEXTS["pll conventions"], distractors=TEXTS["distractors"],
    names={"pllreg": PLL_REGISTERS, "osc": OSCILLATORS},
    isolate=Question(
        kind="quantity", tier="easy", unit="MHz", tolerance=0.002,
        draw=lambda draws: {"hse": draws.choice((8, 12, 16, 20, 24, 25)), "m": draws.choice((4, 5, 8, 10)),
                            "n": draws.integer(60, 200), "p": draws.choice(POST)},
        answer=lambda p: Fraction(p["hse"] * p["n"], p["m"] * p["p"]),
        second=lambda p: 1 / (Fraction(1, p["hse"]) * p["m"] / p["n"] * p["p"]),
        wordings=TEXTS["pll isolate"], conventions=accepted(0.002),
        rationale=lambda p: f"{p['hse']} MHz / {p['m']} * {p['n']} / {p['p']}.",
    ),
)  # fmt: skip

AHB = {1: 0b0101, 2: 0b1000, 4: 0b1001, 8: 0b1010, 16: 0b1011, 64: 0b1100, 128: 0b1101}
APB = {1: 0b010, 2: 0b100, 4: 0b101, 8: 0b110, 16: 0b111}


def draw_timer(draws: Draws) -> Params:
    ahb, apb1 = draws.choice((1, 2, 4, 8)), draws.choice((1, 2, 4, 8, 16))
    apb2 = draws.choice([divider for divider in APB if divider != apb1])
    noise = (draws.integer(0, 0xFFFF) << 16) | draws.integer(0, 3)
    return {
        "sysclk": draws.choice((48, 64, 72, 80, 96, 100, 120, 144, 168, 180)),
        "divs": [ahb, apb1, apb2],
        "cfgr": noise | (AHB[ahb] << 4) | (APB[apb1] << 10) | (APB[apb2] << 13),
        "bus": draws.choice((1, 2)),
        "psc": draws.choice((0, 3, 7, 11, 15, 23, 35, 47, 71, 99)),
        "arr": draws.integer(99, 4999),
        "rcr": draws.choice((0, 1, 2, 4, 7, 9)),
    }


def timer_us(params: Params) -> Fraction:
    """Decode the divider word."""
    word = params["cfgr"]
    hpre, ppre = (word >> 4) & 15, (word >> (10 if params["bus"] == 1 else 13)) & 7
    ahb = 1 if hpre < 8 else (2, 4, 8, 16, 64, 128, 256, 512)[hpre - 8]
    apb = 1 if ppre < 4 else 2 << (ppre - 4)
    clock = Fraction(params["sysclk"], ahb * apb) * (1 if apb == 1 else 2)
    return (params["psc"] + 1) * (params["arr"] + 1) * (params["rcr"] + 1) / clock


def timer_by_periods(params: Params) -> Fraction:
    """Lengthen the period stage by stage, from the dividers and not from the word."""
    period = Fraction(1, params["sysclk"]) * params["divs"][0]
    halved = params["divs"][params["bus"]] > 1
    for _ in range(params["divs"][params["bus"]].bit_length() - 1):
        period *= 2
    if halved:
        period /= 2
    for stage in ("psc", "arr", "rcr"):
        period += period * params[stage]
    return period


def show_timer(params: Params) -> dict[str, str]:
    return {
        "sysclk": str(params["sysclk"]), "cfgr": f"0x{params['cfgr']:08X}", "bus": f"APB{params['bus']}",
        "psc": str(params["psc"]), "arr": str(params["arr"]), "rcr": str(params["rcr"]),
    }  # fmt: skip


def timer_text(params: Params) -> str:
    ahb, apb = params["divs"][0], params["divs"][params["bus"]]
    return (
        f"The word holds AHB /{ahb} and APB{params['bus']} /{apb}; the timer gets "
        f"{'the bus clock' if apb == 1 else 'twice the bus clock'}. An update takes ({params['psc']}+1)*"
        f"({params['arr']}+1)*({params['rcr']}+1) of its periods."
    )


TIMER = Family(
    name="clock_timer_update", domain="clocks", kind="quantity", tier="hard", unit="us", tolerance=0.002,
    draw=draw_timer, answer=timer_us, second=timer_by_periods, show=show_timer, rationale=timer_text,
    wordings=TEXTS["timer"], conventions=accepted(0.002, TEXTS["timer conventions"]), distractors=TEXTS["distractors"],
    names={"timer": TIMERS, "cfg": CLOCK_REGISTERS},
    isolate=Question(
        kind="quantity", tier="easy", unit="MHz", tolerance=0.002,
        draw=lambda draws: {"hclk": draws.choice((48, 64, 72, 80, 96, 120, 144, 160, 168, 176)),
                            "div": draws.choice((1, 2, 4, 8, 16))},
        answer=lambda p: Fraction(p["hclk"] * (1 if p["div"] == 1 else 2), p["div"]),
        second=lambda p: {1: Fraction(p["hclk"]), 2: Fraction(p["hclk"]), 4: Fraction(p["hclk"], 2),
                          8: Fraction(p["hclk"], 4), 16: Fraction(p["hclk"], 8)}[p["div"]],
        wordings=TEXTS["timer isolate"], conventions=accepted(0.002),
        rationale=lambda p: f"{p['hclk']}/{p['div']} MHz" + ("." if p["div"] == 1 else ", doubled for the timer."),
    ),
)  # fmt: skip


def _ppm(params: Params) -> Fraction:
    """Return the deviation of the crystal at its working temperature."""
    from_turnover = params["temp"] - params["turn"]
    return Fraction(params["ppm10"], 10) - Fraction(params["curve"], 1000) * from_turnover**2


def draw_rtc(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "ppm10": draws.integer(-1800, 3000), "curve": draws.choice((34, 35, 36, 38, 40, 42)),
            "turn": draws.choice((22, 25, 27, 30)), "temp": draws.integer(-40, 85),
        }  # fmt: skip

    def clear(params: Params) -> bool:
        masked = _ppm(params) * 2**20 / 10**6
        return 20 < abs(masked) < 500 and abs(masked % 1 - Fraction(1, 2)) > Fraction(1, 20)

    return draws.until(make, clear)


def rtc_word(params: Params) -> int:
    masked = round(_ppm(params) * 2**20 / 10**6)
    return masked if masked >= 0 else 1 << 15 | (masked + 512)


def rtc_by_search(params: Params) -> int:
    """Try every setting and keep the one whose rate is nearest to 32768 Hz."""
    # The deviation times 10^10 is a whole number: tenths of ppm and thousandths of ppm are given.
    off_by = params["ppm10"] * 1000 - 10 * params["curve"] * (params["temp"] - params["turn"]) ** 2
    up, down = 32768 * (10**10 + off_by) << 20, 10**10

    def off(setting: tuple[int, int]) -> float:
        cycles = 2**20 + setting[1] - 512 * setting[0]
        return abs(up - 32768 * down * cycles) / cycles

    plus, minus = min(((plus, minus) for plus in (0, 1) for minus in range(512)), key=off)
    return plus << 15 | minus


RTC = Family(
    name="clock_rtc_calibration", domain="clocks", kind="integer", tier="hard", base="hex",
    draw=draw_rtc, answer=rtc_word, second=rtc_by_search,
    show=lambda p: {"ppm": f"{p['ppm10'] / 10:+.1f}", "curve": f"0.{p['curve']:03d}", "turn": str(p["turn"]),
                    "temp": str(p["temp"])},
    rationale=lambda p: (
        f"At {p['temp']} degC the crystal is off by {float(_ppm(p)):.3f} ppm, so {round(_ppm(p) * 2**20 / 10**6)} "
        "pulses of 2^20 must be removed; a negative number needs PLUS, which adds 512."
    ),
    wordings=TEXTS["rtc"], conventions=TEXTS["rtc conventions"], distractors=TEXTS["distractors"],
    names={"rtc": RTCS, "calr": CALIBRATION},
    isolate=Question(
        kind="quantity", tier="easy", unit="ppm", tolerance=0.01,
        draw=lambda draws: {"removed": draws.integer(8, 500), "power": draws.choice((18, 19, 20))},
        answer=lambda p: Fraction(p["removed"] * 10**6, 2 ** p["power"]),
        second=lambda p: 10**6 - Fraction(10**6 * (2 ** p["power"] - p["removed"]), 2 ** p["power"]),
        wordings=TEXTS["rtc isolate"], conventions=accepted(0.01),
        rationale=lambda p: f"{p['removed']} of 2^{p['power']} pulses are missing.",
    ),
)  # fmt: skip

FAMILIES = (PLL, TIMER, RTC)
