"""C source: promotion, write-1-to-clear, sign extension, Q15, timer wrap and precedence, each compiled and run."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from corpora.registers import c_expression
from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("c_source")
OUT = {"out": ("result", "total", "value", "sum", "reading", "answer", "outcome")}
U16, U32 = 0xFFFF, 0xFFFFFFFF


def listing(lines: list[str]) -> str:
    """Return lines of C as a fenced block."""
    return "```c\n" + "\n".join(lines) + "\n```"


def signed(value: int, bits: int) -> int:
    """Return the low bits read as two's complement."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def compiled(lines: list[str], inputs: dict[str, int]) -> CCode:
    """Return the listing as a fragment: its input values come from `a`, so equal shapes compile once."""
    body = "\n".join(lines).replace("$out", "out")
    for index, name in enumerate(inputs):
        body = body.replace(f"<{name}>", f"given[{index}]")
    return CCode(f"const int64_t *given = a;\n{{\n{body}\nreturn out;\n}}", tuple(inputs.values()))


def written(lines: list[str], inputs: dict[str, int]) -> str:
    """Return the listing with its input values written in."""
    text = listing(lines)
    for name, value in inputs.items():
        text = text.replace(f"<{name}>", str(value))
    return text


# Integer promotion: C text and what it means, with a, b unsigned bytes, c a signed byte, n a shift count.
Meaning = Callable[[int, int, int, int], int]
FIRST: tuple[tuple[str, Meaning], ...] = (
    ("~a >> {n}", lambda a, b, c, n: ~a >> n),
    ("(uint8_t)~a >> {n}", lambda a, b, c, n: (255 - a) >> n),
    ("a << {n} ^ b", lambda a, b, c, n: (a << n) ^ b),
    ("(uint8_t)(a << {n}) | b", lambda a, b, c, n: (a << n) % 256 | b),
    ("(a + b) >> {n}", lambda a, b, c, n: (a + b) >> n),
    ("(uint8_t)(a + b) >> {n}", lambda a, b, c, n: (a + b) % 256 >> n),
    ("c * b + {n}", lambda a, b, c, n: c * b + n),
    ("(a - b) >> {n}", lambda a, b, c, n: (a - b) >> n),
)
# The second step sees the 16-bit result t in the place of a.
SECOND: tuple[tuple[str, Meaning], ...] = (
    ("~t >> {n}", lambda t, b, c, n: ~t >> n),
    ("(uint16_t)~t >> {n}", lambda t, b, c, n: (U16 - t) >> n),
    ("(t << {n}) + c", lambda t, b, c, n: (t << n) + c),
    ("t - b * {n}", lambda t, b, c, n: t - b * n),
    ("t + (c < (uint8_t)(b + {n}))", lambda t, b, c, n: t + (c < (b + n) % 256)),
    ("t + (c < b + {n}u)", lambda t, b, c, n: t + (c % 2**32 < b + n)),
    ("(int8_t)t * {n}", lambda t, b, c, n: signed(t, 8) * n),
)


def draw_promotion(draws: Draws) -> Params:
    return {
        "a": draws.integer(0x81, 0xFE), "b": draws.integer(0x31, 0xFE), "c": -draws.integer(2, 127),
        "first": [draws.integer(0, len(FIRST) - 1), draws.integer(1, 5)],
        "then": [draws.integer(0, len(SECOND) - 1), draws.integer(2, 6)],
    }  # fmt: skip


def promotion_lines(params: Params) -> list[str]:
    return [
        "uint8_t a = <a>, b = <b>;", "int8_t c = <c>;",
        f"uint16_t t = {FIRST[params['first'][0]][0].format(n=params['first'][1])};",
        f"uint32_t $out = {SECOND[params['then'][0]][0].format(n=params['then'][1])};",
    ]  # fmt: skip


def promotion_inputs(params: Params) -> dict[str, int]:
    return {key: params[key] for key in ("a", "b", "c")}


def promotion(params: Params) -> int:
    a, b, c = (params[key] for key in ("a", "b", "c"))
    t = FIRST[params["first"][0]][1](a, b, c, params["first"][1]) & U16
    return SECOND[params["then"][0]][1](t, b, c, params["then"][1]) & U32


SMALL = ("~{v}", "-{v}", "~{v} >> 2", "{v} - 256", "{v} << 4", "!{v} - {v}")


def small(params: Params) -> int:
    v = params["value"]
    return (~v, -v, ~v >> 2, v - 256, v << 4, (v == 0) - v)[params["shape"]]


def small_c(params: Params) -> CCode:
    return CCode(f"uint8_t v = a[0];\nreturn {SMALL[params['shape']].format(v='v')};", (params["value"],))


# Write-1-to-clear: what a line does to the register, and an event of the hardware between lines.
W1C_LINES = {
    "or": "$reg |= 0x{:04X};", "assign": "$reg = 0x{:04X};", "and": "$reg &= 0x{:04X};", "xor": "$reg ^= 0x{:04X};",
    "event": "/* here the hardware sets the flags 0x{:04X} */",
}  # fmt: skip
LAYOUTS = ((0x000F, 0x0FF0, 0xF000), (0xF00F, 0x03F0, 0x0C00), (0x00FF, 0x7F00, 0x8000), (0x3C3C, 0x8181, 0x4242))


def draw_w1c(draws: Draws) -> Params:
    w1c, rw, ro = draws.choice(LAYOUTS)
    kinds = draws.shuffled(["or", draws.choice(("and", "xor")), "event", draws.choice(("or", "assign", "xor", "and"))])
    steps = [
        [kind, draws.integer(1, U16) & w1c or w1c if kind == "event" else draws.integer(1, U16)] for kind in kinds
    ]
    return {
        "w1c": w1c,
        "rw": rw,
        "ro": ro,
        "start": draws.integer(1, U16) & (w1c | rw | ro) | w1c & 0x2405,
        "steps": steps,
    }


def w1c(params: Params) -> int:
    flags, plain = params["start"] & params["w1c"], params["start"] & params["rw"]
    fixed = params["start"] & params["ro"]
    for kind, value in params["steps"]:
        read = flags | plain | fixed
        if kind == "event":
            flags |= value
            continue
        data = {"or": read | value, "assign": value, "and": read & value, "xor": read ^ value}[kind]
        flags &= ~data
        plain = data & params["rw"]
    return flags | plain | fixed


W1C_PRELUDE = """static uint32_t @reg, @w1c, @rw, @ro;
static uint32_t @rd(void) { return @reg; }
static void @wr(uint32_t v) {
    for (int bit = 0; bit < 16; bit++) {
        uint32_t one = 1u << bit;
        if (@w1c & one) { if (v & one) @reg &= ~one; }
        else if (@rw & one) { @reg = v & one ? @reg | one : @reg & ~one; }
    }
}"""
W1C_CALLS = {"or": "@wr(@rd() | v);", "assign": "@wr(v);", "and": "@wr(@rd() & v);", "xor": "@wr(@rd() ^ v);",
             "event": "@reg |= v;"}  # fmt: skip


def w1c_c(params: Params) -> CCode:
    lines = ["@reg = a[0]; @w1c = a[1]; @rw = a[2]; @ro = a[3]; uint32_t v;"]
    for index, (kind, _) in enumerate(params["steps"]):
        lines.append(f"v = a[{4 + index}]; {W1C_CALLS[kind]}")
    values = (params["start"], params["w1c"], params["rw"], params["ro"], *(value for _, value in params["steps"]))
    return CCode("\n".join([*lines, "return @reg;"]), values, W1C_PRELUDE)


def show_w1c(params: Params) -> dict[str, str]:
    masks = {key: f"0x{params[key]:04X}" for key in ("start", "w1c", "rw", "ro")}
    return {**masks, "code": listing([W1C_LINES[kind].format(value) for kind, value in params["steps"]])}


# Sign extension of a sample of two bytes: lines of C, and what they give for hi, lo.
DECODERS: tuple[tuple[tuple[str, ...], Callable[[int, int], int]], ...] = (
    (("int16_t raw = (int16_t)(hi << 8 | lo);", "int32_t v = raw >> 4;"),
     lambda hi, lo: signed(hi << 8 | lo, 16) >> 4),
    (("uint16_t raw = (uint16_t)(hi << 8 | lo);", "int32_t v = raw >> 4;"), lambda hi, lo: (hi << 8 | lo) >> 4),
    (("int16_t raw = (int16_t)(hi << 8 | lo);", "int32_t v = raw / 16;"),
     lambda hi, lo: int(Fraction(signed(hi << 8 | lo, 16), 16))),
    (("uint16_t raw = (uint16_t)((hi & 0x0F) << 8 | lo);", "int32_t v = (int16_t)(raw << 4) >> 4;"),
     lambda hi, lo: signed(hi % 16 << 8 | lo, 12)),
    (("int32_t v = (int8_t)hi * 256 | (int8_t)lo;",), lambda hi, lo: signed(hi, 8) * 256 | signed(lo, 8)),
    (("int32_t v = (int8_t)hi * 256 + (int8_t)lo;",), lambda hi, lo: signed(hi, 8) * 256 + signed(lo, 8)),
    (("uint16_t raw = (uint16_t)((hi & 0x0F) << 8 | lo);", "if (raw & 0x800) raw |= 0xF000;", "int32_t v = raw;"),
     lambda hi, lo: (hi % 16 << 8 | lo) + (0xF000 if hi & 8 else 0)),
    (("int32_t v = (hi & 0x0F) << 8 | lo;", "if (v > 0x7FF) v -= 0x1000;"),
     lambda hi, lo: signed(hi % 16 << 8 | lo, 12)),
)  # fmt: skip


def draw_sign(draws: Draws) -> Params:
    return {"hi": draws.integer(0x88, 0xFE) | 0x08, "lo": draws.integer(0x10, 0xFF), "way": draws.integer(0, 7),
            "factor": draws.choice((3, 5, 7, 9)), "offset": draws.integer(-90, 90)}  # fmt: skip


def sign(params: Params) -> int:
    return DECODERS[params["way"]][1](params["hi"], params["lo"]) * params["factor"] + params["offset"]


def sign_lines(params: Params) -> list[str]:
    return [*DECODERS[params["way"]][0], f"int32_t $out = v * {params['factor']} + <offset>;"]


def sign_c(params: Params) -> CCode:
    inputs = {key: params[key] for key in ("hi", "lo", "offset")}
    return compiled(["uint8_t hi = <hi>, lo = <lo>;", *sign_lines(params)], inputs)


# Q15: how the accumulator is scaled down, and how the result is kept in 16 bits.
SCALES: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("acc >> 15", lambda acc: acc >> 15),
    ("(acc + (1 << 14)) >> 15", lambda acc: acc + (1 << 14) >> 15),
    ("acc / 32768", lambda acc: int(Fraction(acc, 32768))),
)


def draw_q15(draws: Draws) -> Params:
    def sample() -> int:
        return draws.choice((1, -1)) * draws.integer(4_000, 32_767)

    return {**{key: sample() for key in ("x0", "x1", "k0", "k1")}, "gain": draws.choice((2, 3, 5)),
            "scale": draws.integer(0, 2), "saturates": draws.choice((True, True, False))}  # fmt: skip


def q15_lines(params: Params) -> list[str]:
    keep = ["if (r > 32767) r = 32767;", "if (r < -32768) r = -32768;"] if params["saturates"] else []
    return [
        "int16_t x[2] = {<x0>, <x1>}, k[2] = {<k0>, <k1>};",
        "int32_t acc = (int32_t)x[0] * k[0] + (int32_t)x[1] * k[1];",
        f"int32_t r = ({SCALES[params['scale']][0]}) * {params['gain']};", *keep, "int16_t $out = (int16_t)r;",
    ]  # fmt: skip


def q15_inputs(params: Params) -> dict[str, int]:
    return {key: params[key] for key in ("x0", "x1", "k0", "k1")}


def q15(params: Params) -> int:
    acc = params["x0"] * params["k0"] + params["x1"] * params["k1"]
    r = SCALES[params["scale"]][1](acc) * params["gain"]
    return max(-32768, min(32767, r)) if params["saturates"] else signed(r, 16)


# Timer differences: a cast that is right, or one of those that are not.
DELTAS: dict[str, tuple[str, Callable[[int], int]]] = {
    "right": ("(uint16_t)(t[{j}] - t[{i}])", lambda d: d & U16),
    "int": ("(t[{j}] - t[{i}])", lambda d: d),
    "byte": ("(uint8_t)(t[{j}] - t[{i}])", lambda d: d & 0xFF),
    "signed": ("(int16_t)(t[{j}] - t[{i}])", lambda d: signed(d, 16)),
    "early": ("((uint16_t)t[{j}] - (uint16_t)t[{i}])", lambda d: d),
}


def draw_wrap(draws: Draws) -> Params:
    times, now = [], draws.integer(40_000, 65_000)
    for _ in range(4):
        times.append(now & U16)
        now += draws.integer(9_000, 60_000)
    kinds = draws.shuffled(["right", draws.choice(("int", "early")), draws.choice(("byte", "signed"))])
    return {"times": times, "kinds": kinds, "factors": [draws.choice((1, 2, 3)) for _ in kinds]}


def wrap(params: Params) -> int:
    total, times = 0, params["times"]
    for i, (kind, factor) in enumerate(zip(params["kinds"], params["factors"], strict=True)):
        total += DELTAS[kind][1](times[i + 1] - times[i]) * factor
    return total & U32


def wrap_lines(params: Params) -> list[str]:
    lines = ["uint16_t t[4] = {<t0>, <t1>, <t2>, <t3>};", "uint32_t $out = 0;"]
    for i, (kind, factor) in enumerate(zip(params["kinds"], params["factors"], strict=True)):
        lines.append(f"$out += {DELTAS[kind][0].format(i=i, j=i + 1)} * {factor};")
    return lines


def wrap_inputs(params: Params) -> dict[str, int]:
    return {f"t{k}": value for k, value in enumerate(params["times"])}


def draw_difference(draws: Draws) -> Params:
    bits = draws.choice((8, 16))
    return {"bits": bits, "start": draws.integer(2 ** (bits - 1), 2**bits - 1), "now": draws.integer(0, 2**bits - 1)}


def precedence_lines(params: Params) -> list[str]:
    return [f"$out = {' '.join(params['tokens'])};"]


def precedence_c(params: Params) -> CCode:
    names = params["values"]
    lines = [f"uint32_t {name} = a[{index}];" for index, name in enumerate(names)]
    return CCode(
        "\n".join([*lines, f"uint32_t out = {' '.join(params['tokens'])};", "return out;"]), tuple(names.values())
    )


def show_precedence(params: Params) -> dict[str, str]:
    values: dict[str, Any] = params["values"]
    return {"values": ", ".join(f"{name} = 0x{value:X}" for name, value in values.items()),
            "code": listing(precedence_lines(params))}  # fmt: skip


PROMOTION = Family(
    name="c_integer_promotion", domain="c_source", kind="integer", tier="hard", base="hex", names=OUT,
    draw=draw_promotion, answer=promotion, c=lambda p: compiled(promotion_lines(p), promotion_inputs(p)),
    show=lambda p: {"code": written(promotion_lines(p), promotion_inputs(p))},
    rationale=lambda p: f"Operands are promoted to int before each operator and cut when stored: 0x{promotion(p):X}.",
    wordings=TEXTS["promotion"], conventions=TEXTS["promotion conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", names={"var": ("x", "mask", "flags", "b", "level", "code")},
        draw=lambda draws: {"value": draws.integer(1, 255), "shape": draws.integer(0, len(SMALL) - 1)},
        show=lambda p: {"value": str(p["value"]), "expression": SMALL[p["shape"]].format(v="$var")},
        answer=small, c=small_c, wordings=TEXTS["promotion isolate"],
        rationale=lambda p: f"The uint8_t {p['value']} becomes an int first.",
    ),
)  # fmt: skip

W1C = Family(
    name="c_write_one_to_clear", domain="c_source", kind="integer", tier="hard", base="hex",
    draw=draw_w1c, show=show_w1c, answer=w1c, c=w1c_c,
    names={"reg": ("SR", "INTFLAG", "ISR", "STAT", "IFS0", "EVST", "MISR")},
    rationale=lambda p: f"Flags that are read as 1 are written back as 1 and cleared: 0x{w1c(p):04X}.",
    wordings=TEXTS["w1c"], conventions=TEXTS["w1c conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"start": draws.integer(0x11, 0xFF), "written": draws.integer(1, 0xFE)},
        show=lambda p: {key: f"0x{value:02X}" for key, value in p.items()},
        answer=lambda p: p["start"] & ~p["written"],
        second=lambda p: sum(1 << n for n in range(8) if p["start"] >> n & 1 and not p["written"] >> n & 1),
        wordings=TEXTS["w1c isolate"], rationale=lambda p: "Each written 1 clears its flag.",
    ),
)  # fmt: skip

SIGN = Family(
    name="c_sign_extension", domain="c_source", kind="integer", tier="medium", names=OUT,
    draw=draw_sign, answer=sign, c=sign_c,
    show=lambda p: {
        "high": f"0x{p['hi']:02X}", "low": f"0x{p['lo']:02X}",
        "code": written(["/* uint8_t hi, lo; */", *sign_lines(p)], {"offset": p["offset"]}),
    },
    rationale=lambda p: f"v is {DECODERS[p['way']][1](p['hi'], p['lo'])} as decoded; then scaled: {sign(p)}.",
    wordings=TEXTS["sign"], conventions=TEXTS["sign conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", draw=lambda draws: {"value": draws.integer(0x60, 0xFF)},
        show=lambda p: {"value": f"0x{p['value']:02X}"}, answer=lambda p: signed(p["value"], 8),
        c=lambda p: CCode("return (int8_t)a[0];", (p["value"],)), wordings=TEXTS["sign isolate"],
        rationale=lambda p: f"{p['value']} less 256 if bit 7 is set.",
    ),
)  # fmt: skip

Q15 = Family(
    name="c_q15_requantise", domain="c_source", kind="integer", tier="hard", names=OUT,
    draw=draw_q15, answer=q15, c=lambda p: compiled(q15_lines(p), q15_inputs(p)),
    show=lambda p: {"code": written(q15_lines(p), q15_inputs(p))},
    rationale=lambda p: f"The 32-bit sum, scaled down and times {p['gain']}, kept in 16 bits: {q15(p)}.",
    wordings=TEXTS["q15"], conventions=TEXTS["q15 conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", tolerance=0.001,
        draw=lambda draws: {"raw": draws.integer(3_000, 32_767) - 35_768 * draws.flag()},
        answer=lambda p: Fraction(p["raw"], 32768),
        second=lambda p: sum((Fraction(1, 2**k) * (p["raw"] >> 15 - k & 1) for k in range(1, 16)), Fraction(0))
        - (p["raw"] < 0),
        wordings=TEXTS["q15 isolate"], rationale=lambda p: f"{p['raw']}/32768.",
    ),
)  # fmt: skip

WRAP = Family(
    name="c_timer_wrap", domain="c_source", kind="integer", tier="hard", base="hex", names=OUT,
    draw=draw_wrap, answer=wrap, c=lambda p: compiled(wrap_lines(p), wrap_inputs(p)),
    show=lambda p: {"code": written(wrap_lines(p), wrap_inputs(p))},
    rationale=lambda p: f"Only a difference cast to uint16_t survives the wrap; the sum is 0x{wrap(p):X}.",
    wordings=TEXTS["wrap"], conventions=TEXTS["wrap conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", draw=draw_difference,
        answer=lambda p: (p["now"] - p["start"]) % 2 ** p["bits"],
        second=lambda p: len(range(p["start"], p["now"] + (2 ** p["bits"] if p["now"] < p["start"] else 0))),
        wordings=TEXTS["wrap isolate"], rationale=lambda p: f"({p['now']} - {p['start']}) modulo 2^{p['bits']}.",
    ),
)  # fmt: skip

PRECEDENCE = Family(
    name="c_operator_precedence", domain="c_source", kind="integer", tier="hard", base="hex", names=OUT,
    draw=lambda draws: c_expression.draw(draws, operators=6), show=show_precedence, c=precedence_c,
    answer=lambda p: c_expression.evaluate(p["tokens"], p["values"]),
    rationale=lambda p: f"It means {c_expression.parenthesised(p['tokens'])}.",
    wordings=TEXTS["precedence"], conventions=TEXTS["precedence conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", draw=lambda draws: c_expression.draw(draws, operators=2, literals=True),
        show=lambda p: {"expression": " ".join(p["tokens"])}, c=precedence_c,
        answer=lambda p: c_expression.evaluate(p["tokens"], p["values"]), wordings=TEXTS["precedence isolate"],
        rationale=lambda p: f"It means {c_expression.parenthesised(p['tokens'])}.",
    ),
)  # fmt: skip

FAMILIES = (PROMOTION, W1C, SIGN, Q15, WRAP, PRECEDENCE)
