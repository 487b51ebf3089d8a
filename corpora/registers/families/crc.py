"""Check sums: a CRC under any parameters, which bit was hit, a checksum updated without the rest of the header."""

from functools import cache

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

TEXTS = sections("crc")
PROTOCOLS = ("a sensor bus", "a bootloader", "a radio frame", "a battery gauge", "a memory card", "a lighting bus")
ROUTERS = ("a gateway", "an edge router", "a firewall", "a bridge node", "a border router")
NEWNESS = {True: "yes", False: "no"}

POLYS = {8: (0x07, 0x1D, 0x2F, 0x31, 0x39, 0x9B, 0xD5), 16: (0x1021, 0x8005, 0x3D65, 0x0589, 0x8BB7, 0xC867)}


def draw_crc(draws: Draws) -> Params:
    width = draws.choice((8, 16))
    top = (1 << width) - 1
    return {
        "width": width, "poly": draws.choice(POLYS[width]), "init": draws.choice((0, top, draws.integer(1, top))),
        "refin": draws.flag(), "refout": draws.flag(), "xorout": draws.choice((0, top, draws.integer(1, top))),
        "bytes": [draws.integer(0, 255) for _ in range(3 if width == 8 else 2)],
    }  # fmt: skip


def reverse(value: int, width: int) -> int:
    """Return the lowest `width` bits of the value in opposite order."""
    return int(f"{value:0{width}b}"[::-1], 2)


def crc_value(params: Params) -> int:
    """Shift the message through the register bit by bit, as in the Rocksoft model."""
    width, value = params["width"], params["init"]
    for byte in params["bytes"]:
        value ^= (reverse(byte, 8) if params["refin"] else byte) << (width - 8)
        for _ in range(8):
            value = (value << 1 ^ params["poly"] if value >> (width - 1) else value << 1) & ((1 << width) - 1)
    return int((reverse(value, width) if params["refout"] else value) ^ params["xorout"])


@cache
def _table(poly: int, width: int) -> tuple[int, ...]:
    """Return the table of the register that shifts right."""
    low, rows = reverse(poly, width), []
    for row in range(256):
        for _ in range(8):
            row = row >> 1 ^ (low if row & 1 else 0)
        rows.append(row)
    return tuple(rows)


def crc_by_table(params: Params) -> int:
    """Use a table of 256 entries in the mirrored form."""
    width, rows = params["width"], _table(params["poly"], params["width"])
    value = reverse(params["init"], width)
    for byte in params["bytes"]:
        value = value >> 8 ^ rows[(value ^ (byte if params["refin"] else reverse(byte, 8))) & 255]
    return int((value if params["refout"] else reverse(value, width)) ^ params["xorout"])


CRC_C = """
    int width = (int)a[0], count = (int)a[6];
    uint32_t top = 1u << (width - 1), value = (uint32_t)a[2];
    for (int i = 0; i < count * 8; i++) {
        int at = a[3] ? i % 8 : 7 - i % 8;
        uint32_t feed = ((uint32_t)a[7 + i / 8] >> at & 1) ^ (value & top ? 1 : 0);
        value = value << 1 & (2 * top - 1);
        if (feed) value ^= (uint32_t)a[1];
    }
    if (a[4]) {
        uint32_t back = 0;
        for (int i = 0; i < width; i++) back |= (value >> i & 1) << (width - 1 - i);
        value = back;
    }
    return value ^ (uint32_t)a[5];
"""


def show_crc(params: Params) -> dict[str, str]:
    digits = params["width"] // 4
    return {
        "width": str(params["width"]), "refin": NEWNESS[params["refin"]], "refout": NEWNESS[params["refout"]],
        "bytes": " ".join(f"{byte:02X}" for byte in params["bytes"]),
    } | {key: f"0x{params[key]:0{digits}X}" for key in ("poly", "init", "xorout")}  # fmt: skip


CRC = Family(
    name="crc_any_parameters", domain="crc", kind="integer", tier="hard", base="hex",
    draw=draw_crc, answer=crc_value, second=crc_by_table, show=show_crc,
    c=lambda p: CCode(CRC_C, (p["width"], p["poly"], p["init"], int(p["refin"]), int(p["refout"]), p["xorout"],
                              len(p["bytes"]), *p["bytes"])),
    rationale=lambda p: "After each byte the register holds " + ", ".join(
        f"0x{crc_value(p | {'bytes': p['bytes'][:count], 'refout': False, 'xorout': 0}):0{p['width'] // 4}X}"
        for count in range(1, len(p["bytes"]) + 1)
    ) + f"; reflected: {NEWNESS[p['refout']]}, then XOR with 0x{p['xorout']:X}.",
    wordings=TEXTS["crc"], conventions=TEXTS["crc conventions"], distractors=TEXTS["distractors"],
    names={"protocol": PROTOCOLS},
    isolate=Question(
        kind="integer", tier="medium", base="hex",
        draw=lambda draws: {"poly": draws.choice(POLYS[8]), "value": draws.integer(128, 255),
                            "bit": draws.integer(0, 1)},
        answer=lambda p: (p["value"] << 1 ^ (0 if p["bit"] else p["poly"])) & 255,
        second=lambda p: 2 * p["value"] - 256 if p["bit"] else (2 * p["value"] - 256) ^ p["poly"],
        show=lambda p: {"poly": f"0x{p['poly']:02X}", "value": f"0x{p['value']:02X}", "bit": str(p["bit"])},
        wordings=TEXTS["crc isolate"],
        rationale=lambda p: f"The top bit is 1, the bit is {p['bit']}" + ("." if p["bit"] else ": they differ."),
    ),
)  # fmt: skip

HIT_POLYS = (0x07, 0x1D, 0x2F, 0x31, 0x9B, 0xA7, 0xD5)


def crc8(data: list[int], poly: int) -> int:
    """Return the CRC of 8 bits, most significant bit first, initial value 0."""
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value << 1) ^ (poly | 0x100 if value & 0x80 else 0)
    return value


def draw_hit(draws: Draws) -> Params:
    def make() -> Params:
        poly, data = draws.choice(HIT_POLYS), [draws.integer(0, 255) for _ in range(2)]
        sent, place = [*data, crc8(data, poly)], draws.integer(0, 23)
        sent[place // 8] ^= 0x80 >> place % 8
        return {"poly": poly, "bytes": sent}

    return draws.until(make, lambda params: len(_hits(params)) == 1)


def _hits(params: Params) -> list[int]:
    """Return every bit whose correction makes the CRC right."""
    found = []
    for place in range(24):
        data = list(params["bytes"])
        data[place // 8] ^= 0x80 >> place % 8
        if crc8(data, params["poly"]) == 0:
            found.append(place)
    return found


def hit_place(params: Params) -> int:
    """Compare the remainder of the received bits with the powers of x."""
    syndrome = crc8(params["bytes"], params["poly"])
    # crc8 multiplies by x^8, so the last bit of the message leaves x^8 mod poly.
    power, place = params["poly"], 23
    while power != syndrome:
        power = power << 1 ^ (params["poly"] | 0x100 if power & 0x80 else 0)
        place -= 1
    return place


def hit_by_trial(params: Params) -> int:
    return _hits(params)[0]


HIT = Family(
    name="crc_locate_bit", domain="crc", kind="integer", tier="hard",
    draw=draw_hit, answer=hit_place, second=hit_by_trial,
    show=lambda p: {"poly": f"0x{p['poly']:02X}", "bytes": " ".join(f"{byte:02X}" for byte in p["bytes"])},
    rationale=lambda p: (
        f"The CRC of all three bytes is 0x{crc8(p['bytes'], p['poly']):02X} instead of 0, which is what a single 1 at "
        f"bit {hit_place(p)} leaves."
    ),
    wordings=TEXTS["hit"], conventions=TEXTS["hit conventions"], distractors=TEXTS["distractors"],
    names={"protocol": PROTOCOLS},
    isolate=Question(
        kind="integer", tier="medium", base="hex",
        draw=lambda draws: {key: draws.integer(1, 255) for key in ("one", "two", "three")},
        answer=lambda p: p["one"] ^ p["two"] ^ p["three"],
        second=lambda p: sum(
            ((p["one"] >> at) + (p["two"] >> at) + (p["three"] >> at)) % 2 << at for at in range(8)
        ),
        show=lambda p: {key: f"0x{p[key]:02X}" for key in ("one", "two", "three")},
        wordings=TEXTS["hit isolate"],
        rationale=lambda p: "With initial value 0 and no final XOR, a CRC is linear.",
    ),
)  # fmt: skip


def draw_update(draws: Draws) -> Params:
    words = [
        0x4500 | draws.choice((0, 0x10, 0xB8)),
        draws.integer(40, 1500),
        draws.integer(0, 0xFFFF),
        0x4000,
        draws.integer(2, 128) << 8 | draws.choice((6, 17)),
        0,
        *(draws.integer(256, 0xFFFF) for _ in range(4)),
    ]
    source = [0xC0A8, draws.integer(1, 0xFFFE)]
    return {"words": words, "before": _checksum(words), "source": source}  # fmt: skip


def _checksum(words: list[int]) -> int:
    """Return the complement of the one's complement sum of all words."""
    total = sum(words)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _changes(params: Params) -> list[tuple[int, int]]:
    """Return the old and the new value of each changed word: time to live, source address."""
    words = params["words"]
    return [(words[4], words[4] - 0x100), (words[6], params["source"][0]), (words[7], params["source"][1])]


def updated(checksum: int, changes: list[tuple[int, int]]) -> int:
    """Update a checksum by the old and new values of words, as RFC 1624, equation 3, says: HC' = ~(~HC + ~m + m')."""
    total = ~checksum & 0xFFFF
    for old, new in changes:
        total += (~old & 0xFFFF) + new
        total = (total & 0xFFFF) + (total >> 16)
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def update_in_full(params: Params) -> int:
    """Rewrite the header, whose other words the question does not show, and sum it up modulo 0xFFFF."""
    words = list(params["words"])
    words[4] -= 0x100
    words[6:8] = params["source"]
    return 0xFFFF - (sum(words) - 1) % 0xFFFF - 1


UPDATE_C = """
    uint32_t total = (uint16_t)~a[0];
    for (int i = 0; i < 3; i++) total += (uint16_t)~a[1 + 2 * i] + (uint32_t)a[2 + 2 * i];
    while (total >> 16) total = (total & 0xFFFF) + (total >> 16);
    return (uint16_t)~total;
"""


def _address(words: list[int]) -> str:
    return ".".join(str(part) for word in words for part in divmod(word, 256))


UPDATE = Family(
    name="crc_checksum_update", domain="crc", kind="integer", tier="hard", base="hex",
    draw=draw_update, answer=lambda p: updated(p["before"], _changes(p)), second=update_in_full,
    c=lambda p: CCode(UPDATE_C, (p["before"], *(value for pair in _changes(p) for value in pair))),
    show=lambda p: {"before": f"0x{p['before']:04X}", "ttl": str(p["words"][4] >> 8),
                    "proto": str(p["words"][4] & 255), "old": _address(p["words"][6:8]), "new": _address(p["source"])},
    rationale=lambda p: "~(~HC + ~m + m') over the pairs " + ", ".join(
        f"0x{old:04X} to 0x{new:04X}" for old, new in _changes(p)
    ) + ".",
    wordings=TEXTS["update"], conventions=TEXTS["update conventions"], distractors=TEXTS["distractors"],
    names={"router": ROUTERS},
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"one": draws.integer(0x1000, 0xFFFF), "two": draws.integer(0x1000, 0xFFFF)},
        answer=lambda p: (p["one"] + p["two"] - 1) % 0xFFFF + 1,
        second=lambda p: (p["one"] + p["two"] & 0xFFFF) + (p["one"] + p["two"] >> 16),
        show=lambda p: {"one": f"0x{p['one']:04X}", "two": f"0x{p['two']:04X}"},
        wordings=TEXTS["update isolate"],
        rationale=lambda p: f"0x{p['one'] + p['two']:X} with its carry added at the bottom.",
    ),
)  # fmt: skip

FAMILIES = (CRC, HIT, UPDATE)
