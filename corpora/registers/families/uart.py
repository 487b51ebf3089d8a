"""UART: the fractional divider, the levels of frames, and how long a FIFO waits."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("uart")
NAMES = {"uart": ("USART1", "UART0", "LPUART1", "SCI2", "UARTE0", "FLEXCOMM3", "UART4")}
BAUDS = (4_800, 9_600, 19_200, 31_250, 38_400, 57_600, 76_800, 115_200, 230_400, 250_000, 460_800)


def show_divider(params: Params) -> dict[str, str]:
    fraction = "bits 3:0, in sixteenths" if params["over"] == 16 else "bits 2:0, in eighths, with bit 3 kept at 0"
    return {"clock": str(params["clock"]), "baud": str(params["baud"]), "over": str(params["over"]),
            "fraction": fraction}  # fmt: skip


def divider(params: Params) -> int:
    over = params["over"]
    steps = (2 * params["clock"] + params["baud"]) // (2 * params["baud"])  # clock/baud, half up, in 1/over
    return steps // over << 4 | steps % over


def divider_by_search(params: Params) -> int:
    """Return the register whose exact divider is nearest, the larger one in a tie."""
    over = params["over"]
    exact = Fraction(params["clock"], over * params["baud"])
    whole = int(exact)
    candidates = [(mantissa, part) for mantissa in (whole, whole + 1) for part in range(over)]
    mantissa, part = min(candidates, key=lambda one: (abs(one[0] + Fraction(one[1], over) - exact), -one[0], -one[1]))
    return mantissa * 16 + part


def divider_text(params: Params) -> str:
    exact = params["clock"] / (params["over"] * params["baud"])
    value = divider(params)
    return (
        f"The divider is {exact:.4f}: mantissa {value >> 4}, fraction {value & 15}/{params['over']}, so 0x{value:X}."
    )


def draw_format(draws: Draws) -> Params:
    return {"data": draws.choice((7, 8)), "parity": draws.choice(("no", "even", "odd", "even", "odd")),
            "stop": draws.choice((1, 2))}  # fmt: skip


def draw_line(draws: Draws) -> Params:
    form = draw_format(draws)
    first, second = draws.sample(range(1, 2 ** form["data"]), 2)
    return {**form, "first": first, "second": second}


def format_of(params: Params) -> str:
    plural = "s" if params["stop"] == 2 else ""
    return f"{params['data']} data bits, {params['parity']} parity and {params['stop']} stop bit{plural}"


def line(params: Params) -> int:
    value = 0
    for byte in (params["first"], params["second"]):
        value <<= 1
        for place in range(params["data"]):
            value = value << 1 | byte >> place & 1
        if params["parity"] != "no":
            value = value << 1 | (byte.bit_count() + (params["parity"] == "odd")) % 2
        value = (value << params["stop"]) + (1 << params["stop"]) - 1
    return value


def line_by_text(params: Params) -> int:
    """Write the frames as text and choose the parity bit by trying both."""
    text = ""
    for byte in (params["first"], params["second"]):
        data = format(byte, f"0{params['data']}b")[::-1]
        parity = ""
        if params["parity"] != "no":
            wanted = 0 if params["parity"] == "even" else 1
            parity = next(bit for bit in "01" if (data + bit).count("1") % 2 == wanted)
        text += "0" + data + parity + "1" * params["stop"]
    return int(text, 2)


def draw_deadline(draws: Draws) -> Params:
    depth = draws.choice((4, 8, 16, 32))
    return {
        "baud": draws.choice(BAUDS[1:]), "bits": draws.choice((10, 11, 12)), "depth": depth,
        "level": draws.integer(depth // 4, depth - 1), "latency": draws.choice((1, 2, 3, 5, 6)),
    }  # fmt: skip


def deadline(params: Params) -> Fraction:
    frames = params["depth"] - params["level"] + 1
    return Fraction(frames * params["bits"] * 1_000_000, params["baud"]) - params["latency"]


def deadline_by_arrivals(params: Params) -> Fraction:
    """Let characters arrive until one is lost."""
    frame_us = params["bits"] / Fraction(params["baud"], 1_000_000)
    stored, now, request = 0, Fraction(0), None
    while True:
        now += frame_us
        if stored == params["depth"]:
            assert request is not None
            return now - request - params["latency"]
        stored += 1
        if stored == params["level"]:
            request = now


DIVIDER = Family(
    name="uart_fractional_divider", domain="uart", kind="integer", tier="medium", base="hex",
    draw=lambda draws: {"clock": draws.integer(32, 680) * 250_000, "baud": draws.choice(BAUDS),
                        "over": draws.choice((8, 16))},
    show=show_divider, answer=divider, second=divider_by_search, rationale=divider_text, names=NAMES,
    wordings=TEXTS["divider"], conventions=TEXTS["divider conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"sixteenths": draws.integer(20, 30_000)},
        show=lambda p: {"value": f"{p['sixteenths'] / 16:.4f}".rstrip("0").rstrip(".")},
        answer=lambda p: p["sixteenths"],
        second=lambda p: int(Fraction(f"{p['sixteenths'] / 16:.4f}") * 16),
        wordings=TEXTS["divider isolate"],
        rationale=lambda p: f"{p['sixteenths'] / 16} times 16 is {p['sixteenths']}.",
    ),
)  # fmt: skip

LINE = Family(
    name="uart_line_levels", domain="uart", kind="integer", tier="hard", base="bin",
    draw=draw_line, answer=line, second=line_by_text, names=NAMES,
    show=lambda p: {"first": f"0x{p['first']:02X}", "second": f"0x{p['second']:02X}", "format": format_of(p)},
    rationale=lambda p: f"Start bit, data from bit 0 up, parity, stop for each byte; zeros in front cut: {line(p):b}.",
    wordings=TEXTS["line"], conventions=TEXTS["line conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {**draw_format(draws), "count": draws.integer(2, 40)},
        show=lambda p: {"count": str(p["count"]), "format": format_of(p)},
        answer=lambda p: p["count"] * (1 + p["data"] + (p["parity"] != "no") + p["stop"]),
        second=lambda p: len(("s" + "d" * p["data"] + "p" * (p["parity"][0] in "eo") + "t" * p["stop"]) * p["count"]),
        wordings=TEXTS["line isolate"],
        rationale=lambda p: f"{p['count']} frames of one start bit and {format_of(p)}.",
    ),
)  # fmt: skip

DEADLINE = Family(
    name="uart_fifo_deadline", domain="uart", kind="quantity", tier="hard", unit="us", tolerance=0.003,
    draw=draw_deadline, answer=deadline, second=deadline_by_arrivals, names=NAMES,
    rationale=lambda p: (
        f"After the request {p['depth'] - p['level']} frames fill the FIFO and one more may end: "
        f"{p['depth'] - p['level'] + 1} frames of {p['bits']} bits, less {p['latency']} us."
    ),
    wordings=TEXTS["deadline"], conventions=TEXTS["deadline conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.003,
        draw=lambda draws: {"baud": draws.choice(BAUDS), "bits": draws.choice((10, 11, 12)),
                            "count": draws.integer(2, 30)},
        answer=lambda p: Fraction(p["count"] * p["bits"] * 1_000_000, p["baud"]),
        second=lambda p: sum((Fraction(10**6, p["baud"]) for _ in range(p["count"] * p["bits"])), Fraction(0)),
        wordings=TEXTS["deadline isolate"],
        rationale=lambda p: f"{p['count']}*{p['bits']} bits at {p['baud']} baud.",
    ),
)  # fmt: skip

FAMILIES = (DIVIDER, LINE, DEADLINE)
