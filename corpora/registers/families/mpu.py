"""Memory protection and aliases: a region around a buffer, who may access what, words written through bit-banding."""

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import table
from corpora.registers.texts import sections

TEXTS = sections("mpu")
BUFFERS = ("rx_pool", "dma_area", "key_store", "frame_buf", "shared_mem")
PARTS = ("a safety controller", "a payment terminal", "a flight computer", "a door lock", "a dosing pump")
VARIABLES = ("flags", "io_shadow", "event_bits", "status_word", "lamp_state")


def draw_region(draws: Draws) -> Params:
    def make() -> Params:
        base = draws.choice((0x20000000, 0x20020000, 0x24000000, 0x30040000))
        return {
            "start": base + 32 * draws.integer(0, 0x7FF), "bytes": 32 * draws.integer(9, 900),
            "access": draws.choice((1, 2, 3, 5, 6)), "xn": draws.integer(0, 1), "tex": draws.integer(0, 1),
            "scb": draws.integer(0, 7),
        }  # fmt: skip

    def sensible(params: Params) -> bool:
        size, _ = _region(params)
        return size <= 1 << 17 and region_word(params) >> 8 & 255 != 0

    return draws.until(make, sensible)


def _region(params: Params) -> tuple[int, int]:
    """Return size and base: the highest bit in which first and last byte differ tells the size."""
    first, last = params["start"], params["start"] + params["bytes"] - 1
    size = max(256, 1 << (first ^ last).bit_length())
    return size, first // size * size


def region_word(params: Params) -> int:
    size, base = _region(params)
    eighth = size // 8
    first, last = (params["start"] - base) // eighth, (params["start"] + params["bytes"] - 1 - base) // eighth
    disabled = 0xFF & ~((2 << last) - (1 << first))
    fields = ((params["xn"], 28), (params["access"], 24), (params["tex"], 19), (params["scb"], 16), (disabled, 8),
              (size.bit_length() - 2, 1), (1, 0))  # fmt: skip
    return sum(value << at for value, at in fields)


def region_by_trial(params: Params) -> int:
    """Try sizes from small to large, then test every subregion for a byte of the buffer."""
    start, end = params["start"], params["start"] + params["bytes"]
    exponent = 8
    while end > (start >> exponent << exponent) + 2**exponent:
        exponent += 1
    base, mask = start >> exponent << exponent, 0
    for part in range(8):
        low = base + part * 2 ** (exponent - 3)
        if not any(low <= block < low + 2 ** (exponent - 3) for block in range(start, end, 32)):
            mask |= 1 << part
    word = params["xn"]
    for value, width in ((0, 1), (params["access"], 3), (0, 2), (params["tex"], 3), (params["scb"], 3), (mask, 8),
                         (0, 2), (exponent - 1, 5), (1, 1)):  # fmt: skip
        word = word << width | value
    return word


def region_text(params: Params) -> str:
    size, base = _region(params)
    word = region_word(params)
    return (
        f"The smallest aligned power of two around the buffer is {size} bytes at {base:#010x}, so SIZE = "
        f"{size.bit_length() - 2}; subregions of {size // 8} bytes without a byte of it give SRD = "
        f"{word >> 8 & 255:08b}."
    )


REGION = Family(
    name="mpu_region_attributes", domain="mpu", kind="integer", tier="hard", base="hex",
    draw=draw_region, answer=region_word, second=region_by_trial, rationale=region_text,
    show=lambda p: {"start": f"0x{p['start']:08X}", "bytes": str(p["bytes"]), "access": f"{p['access']:03b}",
                    "xn": str(p["xn"]), "tex": f"{p['tex']:03b}", "scb": f"{p['scb']:03b}"},
    wordings=TEXTS["region"], conventions=TEXTS["region conventions"], distractors=TEXTS["distractors"],
    names={"buffer": BUFFERS, "part": PARTS},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: {"start": draws.integer(1, 9000), "bytes": draws.integer(40, 4000)},
        answer=lambda p: 1 << (p["start"] ^ (p["start"] + p["bytes"] - 1)).bit_length(),
        second=lambda p: next(
            2**power for power in range(6, 20)
            if p["start"] // 2**power == (p["start"] + p["bytes"] - 1) // 2**power
        ),
        show=lambda p: {"start": f"0x{p['start']:04X}", "end": f"0x{p['start'] + p['bytes'] - 1:04X}"},
        wordings=TEXTS["region isolate"],
        rationale=lambda p: "First and last byte must agree in all bits above the size.",
    ),
)  # fmt: skip

RIGHTS = ("no access", "read only", "read and write")


def draw_access(draws: Draws) -> Params:
    def make() -> Params:
        base = draws.choice((0x20000000, 0x24010000, 0x30040000, 0x38000000))
        regions = []
        for exponent in (13, draws.choice((11, 12)), draws.choice((10, 11)), draws.choice((9, 10))):
            place = draws.integer(0, (1 << 13 >> exponent) - 1) << exponent
            srd = draws.choice((0, draws.integer(1, 254), draws.integer(1, 254)))
            regions.append([base + place, 1 << exponent, srd, draws.integer(0, 2)])
        order = draws.shuffled(range(4))
        accesses = [[base + 4 * draws.integer(0, 0x7FF), draws.integer(0, 1)] for _ in range(8)]
        return {"regions": [regions[at] for at in order], "accesses": accesses}

    return draws.until(make, lambda params: 2 <= fault_mask(params).bit_count() <= 6)


def fault_mask(params: Params) -> int:
    """Look for the highest region that claims each address."""
    mask = 0
    for bit, (address, write) in enumerate(params["accesses"]):
        right = 0
        for base, size, srd, granted in reversed(params["regions"]):
            offset = address - base
            if 0 <= offset < size and not srd >> (offset * 8 // size) & 1:
                right = granted
                break
        mask |= (right < (2 if write else 1)) << bit
    return mask


def faults_by_painting(params: Params) -> int:
    """Paint a map of 64-byte cells, region over region, and look the accesses up in it."""
    paint: dict[int, int] = {}
    for base, size, srd, granted in params["regions"]:
        eighth = size // 8
        for part in range(8):
            if (srd & 1 << part) == 0:
                low = base + part * eighth
                paint |= dict.fromkeys(range(low // 64, (low + eighth) // 64), granted)
    failed = [paint.get(address // 64, 0) < 1 + write for address, write in params["accesses"]]
    return int("".join("01"[one] for one in reversed(failed)), 2)


FAULT_C = """
    int64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        uint32_t address = (uint32_t)a[16 + 2 * i], right = 0;
        for (int r = 0; r < 4; r++) {
            uint32_t base = (uint32_t)a[4 * r], size = (uint32_t)a[4 * r + 1], srd = (uint32_t)a[4 * r + 2];
            if ((address & ~(size - 1)) == base && !(srd & 1u << (address - base) / (size / 8)))
                right = (uint32_t)a[4 * r + 3];
        }
        if (a[17 + 2 * i] ? right != 2 : right == 0) mask |= 1 << i;
    }
    return mask;
"""


def show_access(params: Params) -> dict[str, str]:
    regions = table(("region", "base", "bytes", "SRD", "unprivileged"), [
        (number, f"0x{base:08X}", size, f"0x{srd:02X}", RIGHTS[granted])
        for number, (base, size, srd, granted) in enumerate(params["regions"])
    ])  # fmt: skip
    accesses = [f"{bit}: {'write' if write else 'read'} 0x{address:08X}"
                for bit, (address, write) in enumerate(params["accesses"])]  # fmt: skip
    return {"code": regions, "accesses": ", ".join(accesses)}


def access_text(params: Params) -> str:
    parts = []
    for bit, (address, _) in enumerate(params["accesses"]):
        claimed = [number for number, (base, size, srd, _) in enumerate(params["regions"])
                   if 0 <= address - base < size and not srd >> ((address - base) * 8 // size) & 1]  # fmt: skip
        parts.append(f"{bit} by {f'region {claimed[-1]}' if claimed else 'none'}")
    return f"The accesses are governed: {', '.join(parts)}."


ACCESS = Family(
    name="mpu_overlapping_faults", domain="mpu", kind="integer", tier="hard", base="hex",
    draw=draw_access, answer=fault_mask, second=faults_by_painting,
    c=lambda p: CCode(FAULT_C, tuple(value for row in (*p["regions"], *p["accesses"]) for value in row)),
    show=show_access, rationale=access_text, wordings=TEXTS["access"], conventions=TEXTS["access conventions"],
    distractors=TEXTS["distractors"], names={"part": PARTS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: draws.until(
            lambda: {"offset": 4 * draws.integer(0, 0x3FF), "power": draws.integer(9, 12)},
            lambda p: p["offset"] < 1 << p["power"],
        ),
        answer=lambda p: p["offset"] >> (p["power"] - 3),
        second=lambda p: sum(p["offset"] >= part * 2 ** p["power"] // 8 for part in range(1, 8)),
        show=lambda p: {"offset": f"0x{p['offset']:03X}", "size": str(1 << p["power"])},
        wordings=TEXTS["access isolate"],
        rationale=lambda p: f"A subregion has {(1 << p['power']) // 8} bytes.",
    ),
)  # fmt: skip


def draw_alias(draws: Draws) -> Params:
    home = 4 * draws.integer(0, 0x3FFF)
    writes = []
    for _ in range(7):
        offset = draws.choice((home, home, home, home + 4))
        byte, bit = draws.integer(0, 3), draws.integer(0, 7)
        writes.append([0x22000000 + (offset + byte) * 32 + bit * 4, draws.integer(0, 9)])
    return {"home": home, "before": draws.integer(0, 0xFFFFFFFF), "writes": writes}


def alias_word(params: Params) -> int:
    """Turn each alias address into the number of a bit of the word."""
    word = params["before"]
    for address, value in params["writes"]:
        bit = (address - 0x22000000) // 4 - params["home"] * 8
        if 0 <= bit < 32:
            word = word | 1 << bit if value % 2 else word & ~(1 << bit)
    return int(word)


def alias_by_memory(params: Params) -> int:
    """Keep the bytes of both words as lists of bits and write into them."""
    memory = {
        params["home"] + at: [params["before"] >> (8 * at + bit) & 1 for bit in range(8)] for at in range(4)
    } | {params["home"] + at: [0] * 8 for at in range(4, 8)}  # fmt: skip
    for address, value in params["writes"]:
        offset = address & 0x1FFFFFF
        memory[offset >> 5][offset >> 2 & 7] = value & 1
    return sum(one << (8 * at + bit) for at in range(4) for bit, one in enumerate(memory[params["home"] + at]))


ALIAS_C = """
    uint8_t bytes[8] = {a[1], a[1] >> 8, a[1] >> 16, a[1] >> 24};
    for (int i = 0; i < 7; i++) {
        uint32_t offset = (uint32_t)a[2 + 2 * i] - 0x22000000u;
        uint8_t *byte = &bytes[offset / 32 - (uint32_t)a[0]], mask = 1u << (offset % 32) / 4;
        *byte = a[3 + 2 * i] & 1 ? *byte | mask : *byte & ~mask;
    }
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | bytes[1] << 8 | bytes[0];
"""

ALIAS = Family(
    name="mpu_bitband_word", domain="mpu", kind="integer", tier="hard", base="hex",
    draw=draw_alias, answer=alias_word, second=alias_by_memory,
    c=lambda p: CCode(ALIAS_C, (p["home"], p["before"], *(value for write in p["writes"] for value in write))),
    show=lambda p: {"home": f"0x{0x20000000 + p['home']:08X}", "before": f"0x{p['before']:08X}",
                    "code": "\n".join(f"*(volatile uint32_t *)0x{address:08X} = {value};"
                                      for address, value in p["writes"])},
    rationale=lambda p: "The bits written are " + ", ".join(
        f"{(address - 0x22000000) // 4 - p['home'] * 8} = {value % 2}" for address, value in p["writes"]
    ) + "; numbers above 31 belong to the next word.",
    wordings=TEXTS["alias"], conventions=TEXTS["alias conventions"], distractors=TEXTS["distractors"],
    names={"variable": VARIABLES},
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"offset": 4 * draws.integer(0, 0x3FFF), "bit": draws.integer(0, 31)},
        answer=lambda p: 0x22000000 + 32 * p["offset"] + 4 * p["bit"],
        second=lambda p: 0x22000000 | (p["offset"] << 5) + (p["bit"] << 2),
        show=lambda p: {"address": f"0x{0x20000000 + p['offset']:08X}", "bit": str(p["bit"])},
        wordings=TEXTS["alias isolate"],
        rationale=lambda p: f"32 * 0x{p['offset']:X} + 4 * {p['bit']} above 0x22000000.",
    ),
)  # fmt: skip

FAMILIES = (REGION, ACCESS, ALIAS)
