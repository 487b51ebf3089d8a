"""I2C: the bytes of an address phase, the length of a transfer, and the timing register."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("i2c")
NAMES = {
    "bus": ("I2C1", "TWI0", "I2C3", "LPI2C2", "FMPI2C4", "SERCOM5", "IIC6"),
    "device": ("pressure sensor", "port expander", "fuel gauge", "codec", "light sensor", "touch controller", "PMIC"),
}


def draw_wire(draws: Draws) -> Params:
    bits = draws.choice((7, 8, 10))
    address = draws.integer(0x80, 0x3FF) if bits == 10 else draws.integer(0x08, 0x77)
    return {"bits": bits, "address": address, "register": draws.integer(0x0100, 0xFFFF), "high_first": draws.flag()}


def show_wire(params: Params) -> dict[str, str]:
    address = {
        7: f"the 7-bit address 0x{params['address']:02X}",
        8: f"the 8-bit write address 0x{params['address'] * 2:02X}",
        10: f"the 10-bit address 0x{params['address']:03X}",
    }[params["bits"]]
    order = "high byte first" if params["high_first"] else "low byte first"
    return {"address": address, "register": f"0x{params['register']:04X}", "order": order}


def wire(params: Params) -> int:
    pointer = params["register"].to_bytes(2, "big" if params["high_first"] else "little")
    address = params["address"]
    if params["bits"] == 10:
        first = 0xF0 | address >> 8 << 1
        sent = [first, address & 0xFF, *pointer, first | 1]
    else:
        sent = [address << 1, *pointer, address << 1 | 1]
    return int.from_bytes(bytes(sent), "big")


def wire_by_bits(params: Params) -> int:
    """Write the levels of SDA as text, bit by bit as they are clocked."""
    register = f"{params['register']:016b}"
    pointer = register if params["high_first"] else register[8:] + register[:8]
    if params["bits"] == 10:
        address = f"{params['address']:010b}"
        levels = "11110" + address[:2] + "0" + address[2:] + pointer + "11110" + address[:2] + "1"
    else:
        address = f"{params['address']:07b}"
        levels = address + "0" + pointer + address + "1"
    return int(levels, 2)


def wire_text(params: Params) -> str:
    size = 2 if params["bits"] == 10 else 1
    return (
        f"{show_wire(params)['address']}: {size} address byte(s) with a write bit, two of register number, and one "
        f"address byte with a read bit make 0x{wire(params):X}."
    )


def time_us(params: Params) -> Fraction:
    clocks = 3 + 9 * (2 + params["writes"] + params["reads"])
    return Fraction(clocks * 1000, params["khz"]) + params["reads"] * params["stretch"]


def time_by_events(params: Params) -> Fraction:
    """Add up the trace symbol by symbol."""
    bit = 1 / Fraction(params["khz"], 1000)
    trace = ["S", "byte", *["byte"] * params["writes"], "S", "byte", *["stretched"] * params["reads"], "P"]
    cost = {"S": bit, "P": bit, "byte": 8 * bit + bit, "stretched": 9 * bit + params["stretch"]}
    return sum((cost[symbol] for symbol in trace), Fraction(0))


def timing(params: Params) -> int:
    low, high = (Fraction(params[key] * params["mhz"], 1000) for key in ("low", "high"))  # in kernel clock periods
    scale = max(-(-low // 256), -(-high // 256))
    scll, sclh = (int(-(-phase // scale)) - 1 for phase in (low, high))
    return int(scale - 1) << 28 | sclh << 8 | scll


def timing_by_search(params: Params) -> int:
    """Try every field value until the phases are long enough."""
    for presc in range(16):
        # (count + 1) * (presc + 1) / mhz us >= limit ns
        found = [
            next((n for n in range(256) if (n + 1) * (presc + 1) * 1000 >= params[key] * params["mhz"]), None)
            for key in ("low", "high")
        ]
        if None not in found:
            scll, sclh = found
            return presc * 2**28 + (sclh or 0) * 2**8 + (scll or 0)
    raise ArithmeticError("no prescaler is large enough")


def timing_text(params: Params) -> str:
    word = timing(params)
    presc, sclh, scll = word >> 28, word >> 8 & 0xFF, word & 0xFF
    return (
        f"PRESC = {presc} is the first at which both phases need at most 256 ticks of {presc + 1}/{params['mhz']} us; "
        f"then SCLL = {scll} and SCLH = {sclh}, so the word is 0x{word:X}."
    )


WIRE = Family(
    name="i2c_wire_bytes", domain="i2c", kind="integer", tier="medium", base="hex",
    draw=draw_wire, show=show_wire, answer=wire, second=wire_by_bits, rationale=wire_text, names=NAMES,
    wordings=TEXTS["wire"], conventions=TEXTS["wire conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"address": draws.integer(0x08, 0x77), "read": int(draws.flag())},
        show=lambda p: {"addr": f"0x{p['address']:02X}", "direction": "read" if p["read"] else "write"},
        answer=lambda p: p["address"] * 2 + p["read"],
        second=lambda p: int(f"{p['address']:b}{p['read']}", 2),
        wordings=TEXTS["wire isolate"], conventions=TEXTS["wire isolate conventions"],
        rationale=lambda p: f"0x{p['address']:02X} shifted left by one, with {p['read']} as its lowest bit.",
    ),
)  # fmt: skip

TIME = Family(
    name="i2c_transfer_time", domain="i2c", kind="quantity", tier="medium", unit="us", tolerance=0.002,
    draw=lambda draws: {
        "khz": draws.choice((80, 100, 125, 250, 340, 400, 800, 1000)), "writes": draws.integer(1, 4),
        "reads": draws.integer(2, 40), "stretch": draws.choice((3, 6, 7, 12, 17, 22, 35)),
    },
    answer=time_us, second=time_by_events, names=NAMES,
    rationale=lambda p: (
        f"2 address bytes, {p['writes']} written and {p['reads']} read bytes of nine clocks, three clocks for start, "
        f"repeated start and stop, all at {p['khz']} kHz, plus {p['reads']} times {p['stretch']} us."
    ),
    wordings=TEXTS["time"], conventions=TEXTS["time conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.002,
        draw=lambda draws: {"count": draws.integer(2, 60), "khz": draws.choice((50, 100, 200, 400, 500, 1000))},
        answer=lambda p: Fraction(p["count"] * 9000, p["khz"]),
        second=lambda p: sum((Fraction(1000, p["khz"]) for _ in range(p["count"]) for _ in range(9)), Fraction(0)),
        wordings=TEXTS["time isolate"],
        rationale=lambda p: f"{p['count']} times nine clocks of {Fraction(1000, p['khz'])} us.",
    ),
)  # fmt: skip

TIMING = Family(
    name="i2c_timing_register", domain="i2c", kind="integer", tier="hard", base="hex",
    draw=lambda draws: {
        "mhz": draws.choice((8, 16, 24, 32, 48, 64, 72, 80, 100, 120)),
        "low": draws.integer(13, 260) * 100, "high": draws.integer(6, 230) * 100,
    },
    answer=timing, second=timing_by_search, rationale=timing_text, names=NAMES,
    wordings=TEXTS["timing"], conventions=TEXTS["timing conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"tick": draws.choice((20, 25, 40, 50, 75, 125)), "limit": draws.integer(30, 900) * 10},
        answer=lambda p: -(-p["limit"] // p["tick"]) - 1,
        second=lambda p: next(n for n in range(10_000) if (n + 1) * p["tick"] >= p["limit"]),
        wordings=TEXTS["timing isolate"],
        rationale=lambda p: f"{p['limit']}/{p['tick']} rounded up, less one.",
    ),
)  # fmt: skip

FAMILIES = (WIRE, TIME, TIMING)
