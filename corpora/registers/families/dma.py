"""DMA: a chain of descriptors in a dump, what bursts cost at boundaries, where a circular transfer stands."""

import struct
from itertools import accumulate

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import dump, listed
from corpora.registers.texts import sections

TEXTS = sections("dma")
ENGINES = ("DMA1", "GPDMA2", "EDMA0", "UDMA3", "XDMAC4", "PDMA5")
BUFFERS = ("rx_ring", "adc_samples", "frame_pool", "trace_log", "tx_lines")
SENSORS = ("ADC1", "SADC2", "ADCIF0", "AFEC3", "SARADC4")

SLOTS = 6
KEEP, SKIP = 0, 1 << 15


def draw_chain(draws: Draws) -> Params:
    base = 0x20000000 + 0x100 * draws.integer(1, 900)
    order = draws.sample(range(SLOTS), draws.integer(3, 5))
    slots = []
    for slot in range(SLOTS):
        place = order.index(slot) if slot in order else -1
        after = order[place + 1] if 0 <= place < len(order) - 1 else None
        stray = base + 16 * draws.integer(0, SLOTS - 1)
        link = 0 if place == len(order) - 1 else stray if after is None else base + 16 * after
        skip = SKIP if place > 0 and draws.integer(0, 3) == 0 else KEEP
        slots.append({
            "source": 0x08000000 + 4 * draws.integer(0, 0xFFFF), "target": 0x20010000 + 4 * draws.integer(0, 0x3FFF),
            "count": draws.integer(2, 600), "size": draws.integer(0, 2), "flags": skip | draws.integer(0, 63) << 16,
            "link": link,
        })  # fmt: skip
    return {"base": base, "order": order, "slots": slots}


def chain_total(params: Params) -> int:
    """Add up what the descriptors were drawn as."""
    visited = [params["slots"][slot] for slot in params["order"]]
    return sum(one["count"] << one["size"] for one in visited if not one["flags"] & SKIP)


def memory(params: Params) -> bytes:
    return b"".join(
        struct.pack("<4I", one["source"], one["target"], one["flags"] | one["size"] << 12 | (one["count"] - 1),
                    one["link"])
        for one in params["slots"]
    )  # fmt: skip


def chain_from_dump(params: Params) -> int:
    """Follow the links through the bytes that the question shows."""
    raw, total = memory(params), 0
    at = params["base"] + 16 * params["order"][0]
    while at:
        word, at = struct.unpack_from("<2I", raw, at - params["base"] + 8)
        if not word & 0x8000:
            total += ((word & 0xFFF) + 1) * (1, 2, 4)[word >> 12 & 3]
    return total


CHAIN_C = """
    struct { uint32_t source, target, control, link; } d;
    uint8_t bytes[96];
    int64_t total = 0;
    for (int i = 0; i < 96; i++) bytes[i] = (uint8_t)a[2 + i];
    for (uint32_t at = (uint32_t)a[1]; at; at = d.link) {
        memcpy(&d, bytes + (at - (uint32_t)a[0]), sizeof d);
        if (!(d.control >> 15 & 1)) total += ((d.control & 0xFFF) + 1) << (d.control >> 12 & 3);
    }
    return total;
"""


def show_chain(params: Params) -> dict[str, str]:
    return {
        "start": f"0x{params['base'] + 16 * params['order'][0]:08X}", "code": dump(memory(params), params["base"]),
    }  # fmt: skip


def chain_text(params: Params) -> str:
    parts = (
        f"{params['base'] + 16 * slot:08X}: "
        + ("skipped" if one["flags"] & SKIP else f"{one['count']} * {1 << one['size']}")
        for slot, one in ((slot, params["slots"][slot]) for slot in params["order"])
    )
    return f"The chain is {'; '.join(parts)}."


CHAIN = Family(
    name="dma_descriptor_chain", domain="dma", kind="integer", tier="hard", unit="byte",
    draw=draw_chain, answer=chain_total, second=chain_from_dump,
    c=lambda p: CCode(CHAIN_C, (p["base"], p["base"] + 16 * p["order"][0], *memory(p))),
    show=show_chain, rationale=chain_text, wordings=TEXTS["chain"], conventions=TEXTS["chain conventions"],
    distractors=TEXTS["distractors"], names={"dma": ENGINES, "buffer": BUFFERS},
    isolate=Question(
        kind="integer", tier="easy", unit="byte",
        draw=lambda draws: {"counts": [draws.integer(2, 40) for _ in range(3)],
                            "sizes": [draws.choice((1, 2, 4)) for _ in range(3)]},
        answer=lambda p: sum(count * size for count, size in zip(p["counts"], p["sizes"], strict=True)),
        second=lambda p: len(b"".join(bytes(p["sizes"][at]) * p["counts"][at] for at in range(3))),
        show=lambda p: {"counts": listed(p["counts"]), "sizes": listed(p["sizes"])},
        wordings=TEXTS["chain isolate"],
        rationale=lambda p: "The products of counts and sizes are added.",
    ),
)  # fmt: skip


def draw_burst(draws: Draws) -> Params:
    def make() -> Params:
        size = draws.choice((1, 2, 4))
        return {
            "start": 0x20000000 + size * draws.integer(0, 0x7FFF), "size": size, "count": draws.integer(150, 1200),
            "beats": draws.choice((4, 8, 16)), "first": draws.integer(3, 9), "next": draws.integer(1, 2),
        }  # fmt: skip

    def cut(params: Params) -> bool:
        """Overlooking the boundaries gives another number."""
        bursts, singles = divmod(params["count"], params["beats"])
        whole = bursts * (params["first"] + (params["beats"] - 1) * params["next"]) + singles * params["first"]
        return burst_cycles(params) != whole

    return draws.until(make, cut)


def burst_cycles(params: Params) -> int:
    """Cut the transfer at the boundaries and divide each piece."""
    start, size, left = params["start"], params["size"], params["count"]
    piece, total = min(left, (1024 - start % 1024) // size), 0
    while left:
        bursts, singles = divmod(piece, params["beats"])
        total += bursts * (params["first"] + (params["beats"] - 1) * params["next"]) + singles * params["first"]
        left -= piece
        piece = min(left, 1024 // size)
    return total


def burst_by_beats(params: Params) -> int:
    """Issue one access after the other, deciding for each what the bus does."""
    at, size, beats = params["start"], params["size"], params["beats"]
    end, total = params["start"] + params["count"] * size, 0
    while at < end:
        stop = at + beats * size
        if stop <= end and at // 1024 == (stop - 1) // 1024:
            total += params["first"]
            for _ in range(beats - 1):
                total += params["next"]
            at = stop
        else:
            total += params["first"]
            at += size
    return total


def burst_text(params: Params) -> str:
    whole = params["first"] + (params["beats"] - 1) * params["next"]
    pieces, at, left = [], params["start"], params["count"]
    while left:
        piece = min(left, (1024 - at % 1024) // params["size"])
        pieces.append(f"{piece} = {piece // params['beats']}*{params['beats']} + {piece % params['beats']}")
        at, left = at + piece * params["size"], left - piece
    return (
        f"Elements up to each boundary: {'; '.join(pieces)}. A burst takes {whole} cycles, a single {params['first']}."
    )


BURST = Family(
    name="dma_burst_cycles", domain="dma", kind="integer", tier="hard",
    draw=draw_burst, answer=burst_cycles, second=burst_by_beats, rationale=burst_text,
    show=lambda p: {key: str(p[key]) for key in ("size", "count", "beats", "first", "next")}
    | {"start": f"0x{p['start']:08X}"},
    wordings=TEXTS["burst"], conventions=TEXTS["burst conventions"], distractors=TEXTS["distractors"],
    names={"dma": ENGINES, "buffer": BUFFERS},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: {"offset": 4 * draws.integer(128, 255), "words": draws.integer(300, 1500)},
        answer=lambda p: (p["offset"] + 4 * p["words"] - 1) // 1024 - p["offset"] // 1024,
        second=lambda p: len({at // 1024 for at in range(p["offset"], p["offset"] + 4 * p["words"], 4)}) - 1,
        show=lambda p: {"offset": f"0x{0x20000000 + p['offset']:08X}", "words": str(p["words"])},
        wordings=TEXTS["burst isolate"],
        rationale=lambda p: f"The block ends {p['offset'] + 4 * p['words']} bytes after 0x20000000.",
    ),
)  # fmt: skip


def draw_circular(draws: Draws) -> Params:
    def make() -> Params:
        channels = draws.integer(3, 6)
        return {
            "mhz": draws.choice((9, 12, 14, 18, 21, 24, 30)), "period": draws.choice((50, 64, 80, 100, 125, 200)),
            "samples": [draws.choice((3, 15, 28, 56, 84, 112, 144)) for _ in range(channels)],
            "length": draws.integer(20, 120), "time": draws.integer(3000, 19999),
        }  # fmt: skip

    def clear(params: Params) -> bool:
        ends = list(accumulate(sample + 12 for sample in params["samples"]))
        within = params["time"] % params["period"] * params["mhz"]
        return ends[-1] < params["period"] * params["mhz"] and 0 < within < ends[-1] and within not in ends

    return draws.until(make, clear)


def circular_left(params: Params) -> int:
    scans, within = divmod(params["time"], params["period"])
    ends = accumulate(sample + 12 for sample in params["samples"])
    done = scans * len(params["samples"]) + sum(end < within * params["mhz"] for end in ends)
    return params["length"] - done % params["length"]


def circular_by_events(params: Params) -> int:
    """Start each conversion at its time and count the register down, in ADC cycles."""
    left, start = params["length"], 0
    limit, period = params["time"] * params["mhz"], params["period"] * params["mhz"]
    while start < limit:
        now = start
        for sample in params["samples"]:
            now += sample + 12
            if now > limit:
                return left
            left = left - 1 or params["length"]
        start += period
    return left


def circular_text(params: Params) -> str:
    scans, within = divmod(params["time"], params["period"])
    done = sum(end < within * params["mhz"] for end in accumulate(sample + 12 for sample in params["samples"]))
    items = scans * len(params["samples"]) + done
    return (
        f"{scans} scans are complete and {done} conversions of the next one: {items} items, which is "
        f"{items % params['length']} into a buffer of {params['length']}."
    )


CIRCULAR = Family(
    name="dma_circular_position", domain="dma", kind="integer", tier="hard",
    draw=draw_circular, answer=circular_left, second=circular_by_events, rationale=circular_text,
    show=lambda p: {key: str(p[key]) for key in ("mhz", "period", "length", "time")}
    | {"samples": listed(p["samples"])},
    wordings=TEXTS["circular"], conventions=TEXTS["circular conventions"], distractors=TEXTS["distractors"],
    names={"dma": ENGINES, "buffer": BUFFERS, "adc": SENSORS},
    isolate=Question(
        kind="integer", tier="easy",
        draw=lambda draws: {"length": draws.integer(20, 90), "items": draws.integer(100, 999)},
        answer=lambda p: p["length"] - p["items"] % p["length"],
        second=lambda p: [*range(p["length"], 0, -1)][p["items"] - p["items"] // p["length"] * p["length"]],
        wordings=TEXTS["circular isolate"],
        rationale=lambda p: f"{p['items']} mod {p['length']} = {p['items'] % p['length']} items of this round.",
    ),
)  # fmt: skip

FAMILIES = (CHAIN, BURST, CIRCULAR)
