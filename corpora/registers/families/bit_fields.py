"""Bit fields: several fields in one write, a signed field with its scale, and bit-band aliases."""

from fractions import Fraction
from typing import Any

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("bit_fields")
NAMES = {
    "block": ("ADC2", "RTC", "LCDC", "CRYP", "SAI1", "HRTIM", "DSI0"),
    "reg": ("CFGR", "CTRLA", "MODE1", "SETUP", "CR2", "PARAM", "OPTR"),
}
LABELS = ("PRE", "SEL", "GAIN", "WIN", "DIV", "THR", "LVL", "SRC")
FLAGS = ("OVF", "ERR", "EOC", "TMO")


def draw_update(draws: Draws) -> Params:
    """Lay out three or four fields and two W1C flags with gaps, from bit 31 down."""
    labels = draws.sample(LABELS, draws.choice((3, 4)))
    flags = draws.sample(FLAGS, 2)
    order = draws.shuffled([*labels, *flags])
    fields: list[list[Any]] = []
    top = 31 - draws.integer(0, 2)
    for label in order:
        width = 1 if label in flags else draws.integer(2, 5)
        fields.append([label, top, top - width + 1, label in flags])
        top -= width + draws.choice((0, 0, 1, 2))
    old = draws.integer(0x10000000, 0xFFFFFFFF)
    for label, high, _, is_flag in fields:
        if is_flag and (label == flags[0] or draws.flag()):  # at least one flag is set and tempts
            old |= 1 << high
    widths = {label: high - low + 1 for label, high, low, _ in fields}
    changed = draws.sample(labels, 2)
    return {
        "old": old,
        "fields": fields,
        "changes": [[name, draws.integer(0, 2 ** widths[name] - 1)] for name in changed],
    }


def update(params: Params) -> int:
    word, new = params["old"], dict(params["changes"])
    for label, high, low, is_flag in params["fields"]:
        mask = (1 << high + 1) - (1 << low)
        if is_flag:
            word &= ~mask
        elif label in new:
            word = word & ~mask | new[label] << low
    return word


def update_by_text(params: Params) -> int:
    """Edit the register as a string of 32 digits."""
    digits = list(f"{params['old']:032b}")
    for label, high, low, is_flag in params["fields"]:
        for name, value in params["changes"]:
            if name == label:
                digits[31 - high : 32 - low] = list(f"{value:0{high - low + 1}b}")
        if is_flag:
            digits[31 - high] = "0"
    return int("".join(digits), 2)


def span(high: int, low: int) -> str:
    return f"[{high}:{low}]" if high != low else f"[{high}]"


def show_update(params: Params) -> dict[str, str]:
    fields = [f"{name} {span(high, low)}{' (W1C)' * flag}" for name, high, low, flag in params["fields"]]
    changes = [f"{name} = {value}" for name, value in params["changes"]]
    return {"old": f"0x{params['old']:08X}", "fields": ", ".join(fields), "changes": " and ".join(changes)}


def draw_insert(draws: Draws) -> Params:
    width, low = draws.integer(2, 6), draws.integer(1, 9)
    return {"word": draws.integer(0x1000, 0xFFFF), "high": low + width - 1, "low": low,
            "value": draws.integer(0, 2**width - 1)}  # fmt: skip


def insert(params: Params) -> int:
    mask = (2 << params["high"]) - (1 << params["low"])
    return params["word"] & ~mask | params["value"] << params["low"]


def insert_by_text(params: Params) -> int:
    digits, width = f"{params['word']:016b}", params["high"] - params["low"] + 1
    return int(digits[: 15 - params["high"]] + f"{params['value']:0{width}b}" + digits[16 - params["low"] :], 2)


def draw_decode(draws: Draws) -> Params:
    width, low = draws.integer(11, 16), draws.integer(3, 12)
    raw = draws.integer(2 ** (width - 1) - 2 ** (width - 2), 2**width - 1)  # negative two times out of three
    offset = draws.integer(-40, 60)
    rest = draws.integer(0, 0xFFFFFFFF) & ~(((1 << width) - 1) << low)
    return {
        "word": rest | raw << low, "high": low + width - 1, "low": low, "offset": offset,
        "hundredths": draws.choice((125, 250, 500, 1000, 3125)), "shunt": draws.choice((1, 2, 4, 5, 10, 20, 50)),
    }  # fmt: skip


def signed(params: Params) -> int:
    width = params["high"] - params["low"] + 1
    raw = params["word"] >> params["low"] & (1 << width) - 1
    return raw - (raw >> width - 1 << width)


def decode(params: Params) -> Fraction:
    return Fraction((signed(params) - params["offset"]) * params["hundredths"], 100 * params["shunt"])


def decode_by_weights(params: Params) -> Fraction:
    """Add the weight of each bit, the top one negative, and use Ohm's law in volts and ohms."""
    bits = f"{params['word']:032b}"[31 - params["high"] : 32 - params["low"]]
    value = -int(bits[0]) * 2 ** (len(bits) - 1)
    for place, bit in enumerate(reversed(bits[1:])):
        value += int(bit) * 2**place
    volts = (value - params["offset"]) * Fraction(params["hundredths"], 100) / 10**6
    return volts / Fraction(params["shunt"], 1000) * 1000


def show_decode(params: Params) -> dict[str, str]:
    texts = {key: str(params[key]) for key in ("high", "low", "shunt", "offset")}
    return {**texts, "word": f"0x{params['word']:08X}", "step": f"{params['hundredths'] / 100:g}"}


def draw_band(draws: Draws) -> Params:
    region, base = draws.choice(((0x40000000, 0x42000000), (0x20000000, 0x22000000)))
    return {
        "region": region, "base": base, "start": draws.integer(1, 0x3FF) * 0x400,
        "offset": draws.integer(0, 63) * 4, "bit": draws.integer(0, 31),
        "offset2": draws.integer(0, 63) * 4, "bit2": draws.integer(0, 31),
    }  # fmt: skip


def alias_of(base: int, byte_offset: int, bit: int) -> int:
    return base + 32 * byte_offset + 4 * bit


def band(params: Params) -> int:
    return alias_of(params["base"], params["start"] + params["offset2"], params["bit2"])


def band_by_steps(params: Params) -> int:
    """Go from the known alias to the other, one word of alias per bit between them."""
    known = alias_of(params["base"], params["start"] + params["offset"], params["bit"])
    bits = 8 * params["offset2"] + params["bit2"] - 8 * params["offset"] - params["bit"]
    return known + 4 * bits


def show_band(params: Params) -> dict[str, str]:
    alias = alias_of(params["base"], params["start"] + params["offset"], params["bit"])
    return {
        "alias": f"0x{alias:08X}", "offset": f"0x{params['offset']:02X}", "bit": str(params["bit"]),
        "offset2": f"0x{params['offset2']:02X}", "bit2": str(params["bit2"]),
    }  # fmt: skip


def draw_alias(draws: Draws) -> Params:
    region, base = draws.choice(((0x40000000, 0x42000000), (0x20000000, 0x22000000)))
    return {"region": region, "base": base, "address": region + draws.integer(1, 0xFFFF), "bit": draws.integer(0, 7)}


UPDATE = Family(
    name="field_update", domain="bit_fields", kind="integer", tier="hard", base="hex",
    draw=draw_update, show=show_update, answer=update, second=update_by_text, names=NAMES,
    rationale=lambda p: f"{show_update(p)['changes']}, W1C flags 0, the rest kept: 0x{update(p):08X}.",
    wordings=TEXTS["update"], conventions=TEXTS["update conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex", draw=draw_insert, answer=insert, second=insert_by_text,
        show=lambda p: {"word": f"0x{p['word']:04X}", "high": str(p["high"]), "low": str(p["low"]),
                        "value": str(p["value"])},
        wordings=TEXTS["update isolate"],
        rationale=lambda p: f"Clear bits {p['high']} to {p['low']} and add {p['value']} << {p['low']}.",
    ),
)  # fmt: skip

DECODE = Family(
    name="field_signed_current", domain="bit_fields", kind="quantity", tier="medium", unit="mA", tolerance=0.001,
    draw=lambda draws: draws.until(lambda: draw_decode(draws), lambda p: abs(signed(p) - p["offset"]) > 8),
    show=show_decode, answer=decode, second=decode_by_weights, names=NAMES,
    rationale=lambda p: (
        f"The field is {signed(p)}; less {p['offset']}, times {p['hundredths'] / 100:g} uV, "
        f"over {p['shunt']} milliohm."
    ),
    wordings=TEXTS["decode"], conventions=TEXTS["decode conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: (lambda bits: {"bits": bits, "raw": draws.integer(2 ** (bits - 2), 2**bits - 1)})(
            draws.integer(6, 14)),
        show=lambda p: {"bits": str(p["bits"]), "raw": f"0x{p['raw']:X}"},
        answer=lambda p: p["raw"] - 2 ** p["bits"] if p["raw"] >= 2 ** (p["bits"] - 1) else p["raw"],
        second=lambda p: (p["raw"] ^ 1 << p["bits"] - 1) - (1 << p["bits"] - 1),
        wordings=TEXTS["decode isolate"],
        rationale=lambda p: f"Bit {p['bits'] - 1} weighs minus 2^{p['bits'] - 1}.",
    ),
)  # fmt: skip

BAND = Family(
    name="bit_band_alias", domain="bit_fields", kind="integer", tier="medium", base="hex",
    draw=draw_band, show=show_band, answer=band, second=band_by_steps, names=NAMES,
    rationale=lambda p: (
        f"32 bytes of alias a byte and 4 a bit: move by 32*({p['offset2']} - {p['offset']}) + "
        f"4*({p['bit2']} - {p['bit']})."
    ),
    wordings=TEXTS["band"], conventions=TEXTS["band conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex", draw=draw_alias,
        show=lambda p: {**{key: f"0x{p[key]:08X}" for key in ("region", "base", "address")}, "bit": str(p["bit"])},
        answer=lambda p: alias_of(p["base"], p["address"] - p["region"], p["bit"]),
        second=lambda p: p["base"] + 4 * (8 * (p["address"] - p["region"]) + p["bit"]),
        wordings=TEXTS["band isolate"], conventions=TEXTS["band isolate conventions"],
        rationale=lambda p: f"0x{p['base']:X} + 32*0x{p['address'] - p['region']:X} + 4*{p['bit']}.",
    ),
)  # fmt: skip

FAMILIES = (UPDATE, DECODE, BAND)
