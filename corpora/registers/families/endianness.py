"""Order on the wire: fields of mixed byte order, signals in a CAN payload, bits that two devices shift differently."""

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import table
from corpora.registers.texts import sections

TEXTS = sections("endianness")
PROTOCOLS = ("an inverter", "a flow meter", "a battery pack", "a weighbridge", "a GNSS module", "a servo amplifier")
MESSAGES = ("EngineData", "PackState", "WheelInfo", "ChargerStat", "TiltReport")
LINKS = ("SPI2", "SSP0", "SAI1", "MCBSP3", "I2S4")

ORDERS = ("big-endian", "little-endian", "word-swapped")
NAMES = ("p", "q", "r")


def draw_fields(draws: Draws) -> Params:
    fields, at = [], draws.integer(0, 2)
    for size in draws.shuffled((2, draws.choice((3, 2)), 4)):
        order = draws.integer(0, 2 if size == 4 else 1)
        fields.append([at, size, draws.integer(0, 1), order])
        at += size + draws.choice((0, 0, 1))
    return {"bytes": [draws.integer(0, 255) for _ in range(14)], "fields": fields,
            "signs": [draws.choice((-1, 1)) for _ in range(3)]}  # fmt: skip


def _field(data: list[int], at: int, size: int, signed: int, order: int) -> int:
    """Weight each byte by its place."""
    places = {0: range(size - 1, -1, -1), 1: range(size), 2: (1, 0, 3, 2)}[order]
    value = sum(data[at + index] << 8 * place for index, place in enumerate(places))
    return value - (1 << 8 * size) if signed and value >> (8 * size - 1) else value


def fields_sum(params: Params) -> int:
    return sum(sign * _field(params["bytes"], *field)
               for sign, field in zip(params["signs"], params["fields"], strict=True))  # fmt: skip


def fields_by_slices(params: Params) -> int:
    """Cut the bytes out and let Python convert them."""
    raw, total = bytes(params["bytes"]), 0
    for sign, (at, size, signed, order) in zip(params["signs"], params["fields"], strict=True):
        part = raw[at : at + size]
        if order == 2:
            part = part[2:] + part[:2]
        total += sign * int.from_bytes(part, "little" if order == 1 else "big", signed=bool(signed))
    return total


FIELDS_C = """
    int64_t total = 0;
    for (int f = 0; f < 3; f++) {
        const int64_t *field = a + 14 + 5 * f;
        int size = (int)field[1];
        uint32_t value = 0;
        for (int i = 0; i < size; i++) {
            int from = field[3] == 0 ? i : field[3] == 1 ? size - 1 - i : i ^ 2;
            value = value << 8 | (uint8_t)a[field[0] + from];
        }
        int shift = 32 - 8 * size;
        total += field[4] * (field[2] ? (int64_t)((int32_t)(value << shift) >> shift) : (int64_t)value);
    }
    return total;
"""


def show_fields(params: Params) -> dict[str, str]:
    rows = [(name, at, f"{'int' if signed else 'uint'}{8 * size}", ORDERS[order])
            for name, (at, size, signed, order) in zip(NAMES, params["fields"], strict=True)]  # fmt: skip
    terms = "".join(f" {'+-'[sign < 0]} {name}" for sign, name in zip(params["signs"], NAMES, strict=True))
    return {
        "bytes": " ".join(f"{byte:02X}" for byte in params["bytes"]),
        "code": table(("name", "offset", "type", "order"), rows),
        "sum": terms.removeprefix(" + ").lstrip().replace("- p", "-p", 1),
    }


FIELDS = Family(
    name="wire_mixed_fields", domain="endianness", kind="integer", tier="hard",
    draw=draw_fields, answer=fields_sum, second=fields_by_slices, show=show_fields,
    c=lambda p: CCode(FIELDS_C, (*p["bytes"], *(value for field, sign in zip(p["fields"], p["signs"], strict=True)
                                                for value in (*field, sign)))),
    rationale=lambda p: "; ".join(
        f"{name} = {_field(p['bytes'], *field)}" for name, field in zip(NAMES, p["fields"], strict=True)
    ) + ".",
    wordings=TEXTS["fields"], conventions=TEXTS["fields conventions"], distractors=TEXTS["distractors"],
    names={"device": PROTOCOLS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"bytes": [draws.integer(0, 255) for _ in range(2)], "order": draws.integer(0, 1)},
        answer=lambda p: _field(p["bytes"], 0, 2, 0, p["order"]),
        second=lambda p: int.from_bytes(bytes(p["bytes"]), ("big", "little")[p["order"]]),
        show=lambda p: {"bytes": " ".join(f"{byte:02X}" for byte in p["bytes"]), "order": ORDERS[p["order"]]},
        wordings=TEXTS["fields isolate"],
        rationale=lambda p: f"The {('first', 'second')[p['order']]} byte counts 256-fold.",
    ),
)  # fmt: skip


def _walk(start: int, length: int) -> list[int]:
    """Return the bit numbers of a Motorola signal, most significant first."""
    places = [start]
    while len(places) < length:
        places.append(places[-1] + 15 if places[-1] % 8 == 0 else places[-1] - 1)
    return places


def draw_signals(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "bytes": [draws.integer(0, 255) for _ in range(8)],
            "motorola": [draws.integer(0, 40), draws.integer(10, 18), draws.integer(0, 1)],
            "intel": [draws.integer(0, 45), draws.integer(10, 18), draws.integer(0, 1)],
        }

    def apart(params: Params) -> bool:
        first = set(_walk(*params["motorola"][:2]))
        second = set(range(params["intel"][0], sum(params["intel"][:2])))
        return not first & second and max(first | second) < 64

    return draws.until(make, apart)


def _signed(value: int, length: int, signed: int) -> int:
    return value - (1 << length) if signed and value >> (length - 1) else value


def signals_difference(params: Params) -> int:
    """Read the payload as one big number of either order and shift the signals out."""
    start, length, signed = params["motorola"]
    low = 63 - (8 * (start // 8) + 7 - start % 8) - (length - 1)
    raw = int.from_bytes(bytes(params["bytes"]), "big") >> low & ((1 << length) - 1)
    first = _signed(raw, length, signed)
    start, length, signed = params["intel"]
    raw = int.from_bytes(bytes(params["bytes"]), "little") >> start & ((1 << length) - 1)
    return first - _signed(raw, length, signed)


def signals_by_bits(params: Params) -> int:
    """Pick the signals' bits one by one from numbered bits."""
    bits = [byte >> at & 1 for byte in params["bytes"] for at in range(8)]
    values = []
    for places, signed in (
        (_walk(*params["motorola"][:2]), params["motorola"][2]),
        (list(range(params["intel"][0], sum(params["intel"][:2])))[::-1], params["intel"][2]),
    ):
        value = -bits[places[0]] if signed else bits[places[0]]
        for place in places[1:]:
            value = 2 * value + bits[place]
        values.append(value)
    return values[0] - values[1]


SIGNALS_C = """
    int64_t value[2] = {0, 0};
    for (int s = 0; s < 2; s++) {
        const int64_t *signal = a + 8 + 3 * s;
        int bit = (int)signal[0], length = (int)signal[1];
        uint32_t raw = 0;
        for (int i = 0; i < length; i++) {
            uint32_t one = (uint32_t)a[bit / 8] >> bit % 8 & 1;
            raw = s ? raw | one << i : raw << 1 | one;
            bit = s ? bit + 1 : bit % 8 ? bit - 1 : bit + 15;
        }
        value[s] = raw;
        if (signal[2] && raw >> (length - 1)) value[s] -= (int64_t)1 << length;
    }
    return value[0] - value[1];
"""


def show_signals(params: Params) -> dict[str, str]:
    rows = [(name, params[key][0], params[key][1], order, ("unsigned", "signed")[params[key][2]])
            for name, key, order in (("x", "motorola", "Motorola"), ("y", "intel", "Intel"))]  # fmt: skip
    return {
        "bytes": " ".join(f"{byte:02X}" for byte in params["bytes"]),
        "code": table(("signal", "start bit", "length", "byte order", "value type"), rows),
    }


SIGNALS = Family(
    name="wire_can_signals", domain="endianness", kind="integer", tier="hard",
    draw=draw_signals, answer=signals_difference, second=signals_by_bits, show=show_signals,
    c=lambda p: CCode(SIGNALS_C, (*p["bytes"], *p["motorola"], *p["intel"])),
    rationale=lambda p: (
        f"x consists of the bits {', '.join(map(str, _walk(*p['motorola'][:2])))} from the most significant on, y of "
        f"{p['intel'][0]} to {sum(p['intel'][:2]) - 1} from the least significant on; x - y = {signals_difference(p)}."
    ),
    wordings=TEXTS["signals"], conventions=TEXTS["signals conventions"], distractors=TEXTS["distractors"],
    names={"message": MESSAGES},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: {"bytes": [draws.integer(0, 255), draws.integer(0, 255)], "length": draws.integer(9, 12)},
        answer=lambda p: (p["bytes"][0] << 8 | p["bytes"][1]) >> (16 - p["length"]),
        second=lambda p: int(f"{p['bytes'][0]:08b}{p['bytes'][1]:08b}"[: p["length"]], 2),
        show=lambda p: {"bytes": " ".join(f"{byte:02X}" for byte in p["bytes"]), "length": str(p["length"])},
        wordings=TEXTS["signals isolate"],
        rationale=lambda p: f"The first {p['length']} bits of {p['bytes'][0]:08b} {p['bytes'][1]:08b}.",
    ),
)  # fmt: skip

FIRST = ("most significant bit first", "least significant bit first")


def draw_shift(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "bytes": [draws.integer(1, 254) for _ in range(4)], "sends": draws.integer(0, 1),
            "takes": draws.integer(0, 1), "frame": draws.choice((8, 16, 32)), "stores": draws.integer(0, 1),
            "reads": draws.integer(0, 1),
        }  # fmt: skip

    def mixed(params: Params) -> bool:
        plain = bytes(params["bytes"])
        return shift_word(params) not in (int.from_bytes(plain, "big"), int.from_bytes(plain, "little"))

    return draws.until(make, mixed)


def _reverse(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)


def shift_word(params: Params) -> int:
    """Transform whole bytes: reversed where the devices disagree, then regrouped by frame."""
    data = [_reverse(byte, 8) if params["sends"] else byte for byte in params["bytes"]]
    step = params["frame"] // 8
    memory: list[int] = []
    for at in range(0, 4, step):
        group = data[at : at + step]
        if params["takes"]:
            group = [_reverse(byte, 8) for byte in reversed(group)]
        memory += reversed(group) if params["stores"] else group
    weights = range(4) if params["reads"] else range(3, -1, -1)
    return sum(byte << 8 * place for byte, place in zip(memory, weights, strict=True))


def shift_by_bits(params: Params) -> int:
    """Send bit after bit and shift each into the receiver's register."""
    wire = [byte >> (at if params["sends"] else 7 - at) & 1 for byte in params["bytes"] for at in range(8)]
    memory = b""
    for start in range(0, 32, params["frame"]):
        register = 0
        for bit in wire[start : start + params["frame"]]:
            if params["takes"]:
                register = register >> 1 | bit << (params["frame"] - 1)
            else:
                register = register << 1 | bit
        memory += register.to_bytes(params["frame"] // 8, "little" if params["stores"] else "big")
    return int.from_bytes(memory, "little" if params["reads"] else "big")


SHIFT_C = """
    uint8_t memory[4];
    int width = (int)a[6], at = 0;
    uint32_t frame = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t bit = (uint32_t)a[i / 8] >> (a[4] ? i % 8 : 7 - i % 8) & 1;
        if (i % width == 0) frame = 0;
        frame = a[5] ? frame | bit << i % width : frame << 1 | bit;
        if ((i + 1) % width == 0)
            for (int b = 0; b < width / 8; b++)
                memory[at++] = (uint8_t)(frame >> 8 * (a[7] ? b : width / 8 - 1 - b));
    }
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) word |= (uint32_t)memory[i] << 8 * (a[8] ? i : 3 - i);
    return word;
"""

SHIFT = Family(
    name="wire_shift_order", domain="endianness", kind="integer", tier="hard", base="hex",
    draw=draw_shift, answer=shift_word, second=shift_by_bits,
    c=lambda p: CCode(SHIFT_C, (*p["bytes"], p["sends"], p["takes"], p["frame"], p["stores"], p["reads"])),
    show=lambda p: {"bytes": " ".join(f"{byte:02X}" for byte in p["bytes"]), "sends": FIRST[p["sends"]],
                    "takes": FIRST[p["takes"]], "frame": str(p["frame"]), "stores": ORDERS[p["stores"]],
                    "reads": ORDERS[p["reads"]]},
    rationale=lambda p: (
        "Bits on the wire: " + " ".join(
            f"{_reverse(byte, 8) if p['sends'] else byte:08b}" for byte in p["bytes"]
        ) + f"; frames of {p['frame']} bits are taken {FIRST[p['takes']]}."
    ),
    wordings=TEXTS["shift"], conventions=TEXTS["shift conventions"], distractors=TEXTS["distractors"],
    names={"link": LINKS, "device": PROTOCOLS},
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"byte": draws.integer(1, 254)},
        answer=lambda p: _reverse(p["byte"], 8),
        second=lambda p: sum((p["byte"] >> at & 1) << (7 - at) for at in range(8)),
        show=lambda p: {"byte": f"0x{p['byte']:02X}"},
        wordings=TEXTS["shift isolate"],
        rationale=lambda p: f"{p['byte']:08b} backwards.",
    ),
)  # fmt: skip

FAMILIES = (FIELDS, SIGNALS, SHIFT)
