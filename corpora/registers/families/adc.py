"""ADC: codes behind a divider, a supply as reference, effective bits, and the length of a scan."""

import math
from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("adc")
NAMES = {"adc": ("ADC1", "SAADC", "ADC12_B", "SAR0", "ADC3", "AFEC0", "HSADC")}


def draw_code(draws: Draws) -> Params:
    return {
        "input": draws.integer(900, 24_000), "top": draws.choice((10, 22, 33, 47, 68, 100, 150, 220)),
        "bottom": draws.choice((4, 10, 15, 22, 27, 33)), "bits": draws.choice((10, 12, 14)),
        "reference": draws.choice((1200, 2048, 2500, 3000, 3300)), "left": draws.flag(),
    }  # fmt: skip


def accepted_code(draws: Draws) -> Params:
    """Draw an input that mostly stays under full scale, and saturates now and then."""
    rare = draws.choice((0, 0, 0, 0, 0, 0, 1))
    return draws.until(lambda: draw_code(draws), lambda p: bool(rare) or pin_mv(p) < p["reference"])


def pin_mv(params: Params) -> Fraction:
    return Fraction(params["input"] * params["bottom"], params["top"] + params["bottom"])


def code(params: Params) -> int:
    value = min(int(pin_mv(params) * 2 ** params["bits"] / params["reference"]), 2 ** params["bits"] - 1)
    return value << (16 - params["bits"]) if params["left"] else value


def approximate(pin: Fraction, reference: Fraction, bits: int) -> str:
    """Weigh the pin against the converter's own DAC, bit by bit from the top, and return the bits."""
    digits, tried = "", Fraction(0)
    for place in range(1, bits + 1):
        weight = reference / 2**place
        keep = tried + weight <= pin
        tried += weight * keep
        digits += str(int(keep))
    return digits


def code_by_approximation(params: Params) -> int:
    """Let the current through the divider make the pin voltage, and convert it by successive approximation."""
    current = Fraction(params["input"], params["top"] + params["bottom"])  # uA
    digits = approximate(current * params["bottom"], Fraction(params["reference"]), params["bits"])
    return int(digits.ljust(16, "0") if params["left"] else digits, 2)


def show_code(params: Params) -> dict[str, str]:
    texts = {key: str(params[key]) for key in ("input", "top", "bottom", "bits", "reference")}
    return {**texts, "alignment": "left-aligned" if params["left"] else "right-aligned"}


def draw_supply(draws: Draws) -> Params:
    factory = draws.choice((3000, 3300))
    calibration = draws.integer(1480, 1680)
    return {
        "factory": factory, "calibration": calibration, "now": calibration + draws.integer(-170, 500),
        "channel": draws.integer(600, 3900), "parts": draws.choice((2, 3, 4, 5, 6, 11)),
    }  # fmt: skip


def supply(params: Params) -> Fraction:
    vdda = Fraction(params["factory"] * params["calibration"], params["now"])
    return params["channel"] * vdda / 4095 * params["parts"]


def supply_by_bandgap(params: Params) -> Fraction:
    """Go through the voltage of the internal reference, never through the supply."""
    bandgap = Fraction(params["calibration"], 4095) * params["factory"]
    per_code = bandgap / params["now"]
    return sum((per_code * params["channel"] for _ in range(params["parts"])), Fraction(0))


def draw_effective(draws: Draws) -> Params:
    return {"tenths": draws.integer(560, 860), "range": draws.choice((1200, 1800, 2048, 2500, 3000, 3300, 5000)),
            "ratio": draws.choice((2, 4, 8, 16, 32, 64, 128, 256))}  # fmt: skip


def effective(params: Params) -> Fraction:
    bits = (params["tenths"] / 10 - 1.76) / 6.02 + math.log2(params["ratio"]) / 2
    return Fraction(params["range"] * 1000 / 2**bits)


def effective_by_noise(params: Params) -> Fraction:
    """Start from one conversion's step and let it shrink with the root of the number of averaged samples."""
    single = params["range"] * 1000 * math.exp(-math.log(2) * (params["tenths"] - 17.6) / 60.2)
    return Fraction(single / math.sqrt(params["ratio"]))


def draw_scan(draws: Draws) -> Params:
    channels = draws.sample(range(19), draws.integer(3, 5))
    half_cycles = [draws.choice((3, 15, 27, 57, 83, 111, 143, 479)) for _ in channels]
    return {
        "channels": channels, "half_cycles": half_cycles, "bus_mhz": draws.choice((48, 64, 72, 80, 84, 168)),
        "prescaler": draws.choice((2, 4, 6, 8, 12)), "repeat": draws.choice((2, 4, 8, 16)),
        "bits": draws.choice((8, 10, 12, 16)),
    }  # fmt: skip


def show_scan(params: Params) -> dict[str, str]:
    texts = {key: str(params[key]) for key in ("bus_mhz", "prescaler", "repeat", "bits")}
    listed = [
        f"channel {channel} ({half / 2} cycles of sampling)"
        for channel, half in zip(params["channels"], params["half_cycles"], strict=True)
    ]
    return {**texts, "channels": ", ".join(listed)}


def scan(params: Params) -> Fraction:
    half = sum(params["half_cycles"]) + len(params["channels"]) * (2 * params["bits"] + 1)
    return Fraction(half * params["repeat"] * params["prescaler"], 2 * params["bus_mhz"])


def scan_by_steps(params: Params) -> Fraction:
    """Run the sequencer: sample, convert, repeat."""
    cycle_us = 1 / (Fraction(params["bus_mhz"]) / params["prescaler"])
    now = Fraction(0)
    for half in params["half_cycles"]:
        for _ in range(params["repeat"]):
            now += Fraction(half, 2) * cycle_us
            now += (params["bits"] + Fraction(1, 2)) * cycle_us
    return now


CODE = Family(
    name="adc_register_code", domain="adc", kind="integer", tier="medium", base="hex",
    draw=accepted_code, show=show_code, answer=code, second=code_by_approximation, names=NAMES,
    rationale=lambda p: (
        f"The pin is at {float(pin_mv(p)):.3f} mV; times 2^{p['bits']}/{p['reference']}, rounded down and limited, "
        f"{show_code(p)['alignment']}: 0x{code(p):X}."
    ),
    wordings=TEXTS["code"], conventions=TEXTS["code conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"bits": draws.choice((8, 10, 12)), "reference": draws.choice((1200, 2500, 3300, 5000)),
                            "input": draws.integer(40, 1190)},
        answer=lambda p: p["input"] * 2 ** p["bits"] // p["reference"],
        second=lambda p: int(approximate(Fraction(p["input"]), Fraction(p["reference"]), p["bits"]), 2),
        wordings=TEXTS["code isolate"], conventions=TEXTS["code isolate conventions"],
        rationale=lambda p: f"{p['input']}/{p['reference']} of {2 ** p['bits']}, rounded down.",
    ),
)  # fmt: skip

SUPPLY = Family(
    name="adc_supply_reference", domain="adc", kind="quantity", tier="medium", unit="mV", tolerance=0.002,
    draw=draw_supply, answer=supply, second=supply_by_bandgap, names=NAMES,
    show=lambda p: {key: str(p[key]) for key in ("factory", "calibration", "now", "channel")}
    | {"ratio": f"1/{p['parts']}"},
    rationale=lambda p: (
        f"The supply is {p['factory']}*{p['calibration']}/{p['now']} mV, the pin at {p['channel']}/4095 of it, and "
        f"the input {p['parts']} times the pin."
    ),
    wordings=TEXTS["supply"], conventions=TEXTS["supply conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="mV", tolerance=0.002,
        draw=lambda draws: {key: draw_supply(draws)[key] for key in ("factory", "calibration", "now")},
        answer=lambda p: Fraction(p["factory"] * p["calibration"], p["now"]),
        second=lambda p: Fraction(p["factory"]) / (Fraction(p["now"]) / p["calibration"]),
        wordings=TEXTS["supply isolate"],
        rationale=lambda p: f"A higher supply gives a lower code: {p['factory']}*{p['calibration']}/{p['now']}.",
    ),
)  # fmt: skip

EFFECTIVE = Family(
    name="adc_effective_step", domain="adc", kind="quantity", tier="medium", unit="uV", tolerance=0.01,
    draw=draw_effective, answer=effective, second=effective_by_noise, names=NAMES,
    show=lambda p: {"sinad": f"{p['tenths'] / 10:.1f}", "range": str(p["range"]), "ratio": str(p["ratio"])},
    rationale=lambda p: (
        f"ENOB = ({p['tenths'] / 10:.1f} - 1.76)/6.02 plus {math.log2(p['ratio']) / 2} bits from averaging; "
        f"{p['range']} mV over two to that power."
    ),
    wordings=TEXTS["effective"], conventions=TEXTS["effective conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", tolerance=0.002,
        draw=lambda draws: {"tenths": draws.integer(400, 1100)},
        show=lambda p: {"sinad": f"{p['tenths'] / 10:.1f}"},
        answer=lambda p: (Fraction(p["tenths"], 10) - Fraction("1.76")) / Fraction("6.02"),
        second=lambda p: Fraction(10 * p["tenths"] - 176, 602),
        wordings=TEXTS["effective isolate"], conventions=TEXTS["effective isolate conventions"],
        rationale=lambda p: f"({p['tenths'] / 10:.1f} - 1.76) / 6.02.",
    ),
)  # fmt: skip

SCAN = Family(
    name="adc_scan_time", domain="adc", kind="quantity", tier="hard", unit="us", tolerance=0.002,
    draw=draw_scan, show=show_scan, answer=scan, second=scan_by_steps, names=NAMES,
    rationale=lambda p: (
        f"One pass has {sum(p['half_cycles']) / 2} sampling cycles and {len(p['channels'])} times "
        f"{p['bits']}.5 cycles; times {p['repeat']}, at {p['bus_mhz']}/{p['prescaler']} MHz."
    ),
    wordings=TEXTS["scan"], conventions=TEXTS["scan conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.002,
        draw=lambda draws: {"half": 2 * draws.integer(13, 250) + 1, "mhz": draws.choice((48, 64, 72, 80, 84)),
                            "prescaler": draws.choice((2, 4, 6, 8))},
        show=lambda p: {"cycles": f"{p['half'] / 2}", "mhz": str(p["mhz"]), "prescaler": str(p["prescaler"])},
        answer=lambda p: Fraction(p["half"] * p["prescaler"], 2 * p["mhz"]),
        second=lambda p: Fraction(p["half"], 2) / (Fraction(p["mhz"]) / p["prescaler"]),
        wordings=TEXTS["scan isolate"],
        rationale=lambda p: f"{p['half'] / 2} cycles of {p['prescaler']}/{p['mhz']} us.",
    ),
)  # fmt: skip

FAMILIES = (CODE, SUPPLY, EFFECTIVE, SCAN)
