"""Classic CAN: a bit timing register, what the oscillator may be off, the length of a stuffed frame."""

from fractions import Fraction
from itertools import groupby

from corpora.registers.c_items import CCode
from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import accepted
from corpora.registers.texts import sections

TEXTS = sections("can_timing")
CONTROLLERS = ("CAN1", "FDCAN2", "MCAN0", "FLEXCAN3", "TWAI4", "DCAN5")
TIMING_REGISTERS = ("CAN_BTR", "NBTP", "CTRL1", "BITTIME", "CANBTC")
NODES = ("brake controller", "battery monitor", "door module", "winch drive", "seat heater", "radar head")

# Positions of BRP, TSEG1, TSEG2 and SJW; each field holds its value minus 1.
LAYOUTS = ((0, 16, 20, 24), (16, 8, 0, 25), (24, 18, 15, 22), (0, 8, 14, 6), (20, 0, 4, 8))


def draw_timing(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "clock": draws.choice((8, 12, 16, 18, 20, 24, 30, 32, 36, 40, 42, 45, 48, 54, 60, 64, 80)),
            "kbit": draws.choice((50, 100, 125, 200, 250, 400, 500, 800, 1000)),
            "point": draws.choice((600, 650, 680, 700, 725, 750, 780, 800, 825, 850, 875)),
            "sjw": draws.choice((1, 2, 3, 4)), "quanta": draws.choice((8, 9, 10, 12)),
            "layout": draws.integer(0, len(LAYOUTS) - 1),
        }  # fmt: skip

    return draws.until(make, lambda params: _segments(params) is not None)


def _segments(params: Params) -> tuple[int, int, int] | None:
    """Return BRP, TSEG1 and TSEG2: the nearest sample point, then the smallest BRP, then the larger TSEG1."""
    found = []
    for brp in range(1, 65):
        count, rest = divmod(params["clock"] * 1000, params["kbit"] * brp)
        if rest or not params["quanta"] <= count <= 25:
            continue
        low, high = max(2, count - 8), min(17, count - 2)
        whole = params["point"] * count // 1000
        for sample in (max(low, min(high, whole)), max(low, min(high, whole + 1))):
            found.append((abs(Fraction(sample, count) - Fraction(params["point"], 1000)), brp, -sample, count))
    if not found:
        return None
    _, brp, sample, count = min(found)
    return brp, -sample - 1, count + sample


def timing_word(params: Params) -> int:
    found = _segments(params)
    assert found is not None
    fields = (*found, min(params["sjw"], found[2]))
    return sum((field - 1) << at for field, at in zip(fields, LAYOUTS[params["layout"]], strict=True))


def timing_by_search(params: Params) -> int:
    """Try all pairs of segments; the prescaler follows from the bit rate."""
    best = None
    for tseg1 in range(16, 0, -1):
        for tseg2 in range(2, 9):
            count = 1 + tseg1 + tseg2
            brp, rest = divmod(params["clock"] * 1000, params["kbit"] * count)
            if rest or count < params["quanta"] or not 1 <= brp <= 64:
                continue
            key = (Fraction(abs(params["point"] * count - 1000 * (1 + tseg1)), count), brp, tseg2)
            if best is None or key < best[0]:
                best = key, (brp, tseg1, tseg2, min(tseg2, params["sjw"]))
    assert best is not None
    word = 0
    for value, at in zip(best[1], LAYOUTS[params["layout"]], strict=True):
        word |= (value - 1) << at
    return word


def show_timing(params: Params) -> dict[str, str]:
    brp, tseg1, tseg2, sjw = LAYOUTS[params["layout"]]
    return {key: str(params[key]) for key in ("clock", "kbit", "sjw", "quanta")} | {
        "point": f"{params['point'] / 10:g}",
        "layout": f"BRP-1 in bits {brp + 5}:{brp}, TSEG1-1 in bits {tseg1 + 3}:{tseg1}, TSEG2-1 in bits "
        f"{tseg2 + 2}:{tseg2}, SJW-1 in bits {sjw + 1}:{sjw}",
    }


def timing_text(params: Params) -> str:
    found = _segments(params)
    assert found is not None
    brp, tseg1, tseg2 = found
    count = 1 + tseg1 + tseg2
    return (
        f"BRP={brp} gives {count} quanta a bit; TSEG1={tseg1} and TSEG2={tseg2} sample at {(1 + tseg1) / count:.1%}, "
        f"the nearest to {params['point'] / 10:g} % of all exact settings; SJW={min(params['sjw'], tseg2)}."
    )


TIMING = Family(
    name="can_timing_register", domain="can_timing", kind="integer", tier="hard", base="hex",
    draw=draw_timing, answer=timing_word, second=timing_by_search, show=show_timing, rationale=timing_text,
    wordings=TEXTS["timing"], conventions=TEXTS["timing conventions"], distractors=TEXTS["distractors"],
    names={"can": CONTROLLERS, "btr": TIMING_REGISTERS},
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.005,
        draw=lambda draws: {"tseg1": draws.integer(4, 16), "tseg2": draws.integer(2, 8)},
        answer=lambda p: Fraction(100 * (1 + p["tseg1"]), 1 + p["tseg1"] + p["tseg2"]),
        second=lambda p: 100 - Fraction(100 * p["tseg2"], 1 + p["tseg1"] + p["tseg2"]),
        wordings=TEXTS["timing isolate"], conventions=accepted(0.005),
        rationale=lambda p: f"(1+{p['tseg1']}) of {1 + p['tseg1'] + p['tseg2']} quanta lie before the sample point.",
    ),
)  # fmt: skip


def draw_oscillator(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "clock": draws.choice((16, 20, 24, 32, 36, 40, 48)), "kbit": draws.choice((100, 125, 200, 250, 500)),
            "brp": draws.integer(1, 20), "metres": draws.integer(2, 120), "loop": draws.integer(24, 50) * 5,
            "jump": draws.choice((1, 2, 3, 4)),
        }  # fmt: skip

    return draws.until(make, lambda params: _split(params) is not None)


def _split(params: Params) -> tuple[int, int, int, int] | None:
    """Return quanta a bit, PROP, PS1 and PS2, or None where they do not work out."""
    count, rest = divmod(params["clock"] * 1000, params["kbit"] * params["brp"])
    delay_ns = 2 * (params["metres"] * 5 + params["loop"])
    prop = -(-delay_ns * params["clock"] // (1000 * params["brp"]))
    left = count - 1 - prop
    if rest or not 8 <= count <= 25 or prop > 8 or not 4 <= left <= 16:
        return None
    return count, prop, left - left // 2, left // 2


def oscillator_percent(params: Params) -> Fraction:
    split = _split(params)
    assert split is not None
    count, _, ps1, ps2 = split
    jump = min(params["jump"], ps1, ps2)
    return 100 * min(Fraction(jump, 20 * count), Fraction(min(ps1, ps2), 2 * (13 * count - ps2)))


def oscillator_by_halving(params: Params) -> Fraction:
    """Bisect the deviation in steps of 2^-50 and let both clocks run quantum by quantum."""
    quantum_ns = Fraction(1000 * params["brp"], params["clock"])
    count = int(Fraction(10**6, params["kbit"]) / quantum_ns)
    prop = 1
    while prop * quantum_ns < 2 * (5 * params["metres"] + params["loop"]):
        prop += 1
    ps1 = ps2 = 0
    for turn in range(count - 1 - prop):
        ps1, ps2 = (ps1 + 1, ps2) if turn % 2 == 0 else (ps1, ps2 + 1)
    jump, scale = min(params["jump"], ps2), 1 << 50

    def holds(deviation: int) -> bool:
        slip = 2 * deviation  # one node fast, one slow: slip in quanta of 2^-50 each quantum
        return slip * 10 * count <= jump * scale and slip * (13 * count - ps2) <= min(ps1, ps2) * scale

    good, bad = 0, scale // 8
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return Fraction(100 * good, scale)


def oscillator_text(params: Params) -> str:
    split = _split(params)
    assert split is not None
    count, prop, ps1, ps2 = split
    return (
        f"A quantum lasts {1000 * params['brp'] / params['clock']:g} ns, a bit {count} of them; the delay takes "
        f"{prop}, which leaves PS1={ps1}, PS2={ps2} and SJW={min(params['jump'], ps2)}. The two conditions allow "
        f"SJW/(20*{count}) and {min(ps1, ps2)}/(2*(13*{count}-{ps2}))."
    )


OSCILLATOR = Family(
    name="can_oscillator_tolerance", domain="can_timing", kind="quantity", tier="hard", unit="percent",
    tolerance=0.01, draw=draw_oscillator, answer=oscillator_percent, second=oscillator_by_halving,
    rationale=oscillator_text, wordings=TEXTS["oscillator"],
    conventions=accepted(0.01, TEXTS["oscillator conventions"]), distractors=TEXTS["distractors"],
    names={"can": CONTROLLERS, "node": NODES},
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.01,
        draw=lambda draws: {"count": draws.integer(8, 25), "jump": draws.integer(2, 4)},
        answer=lambda p: Fraction(100 * p["jump"], 20 * p["count"]),
        second=lambda p: Fraction(p["jump"], p["count"]) * 100 / 10 / 2,
        wordings=TEXTS["oscillator isolate"], conventions=accepted(0.01),
        rationale=lambda p: f"{p['jump']} quanta over 10*{p['count']} quanta, shared by two nodes.",
    ),
)  # fmt: skip


def crc15(bits: str) -> int:
    """Return the CRC of classic CAN over a string of bits."""
    value = 0
    for bit in bits:
        value = (value << 1) ^ (0x4599 if int(bit) ^ (value >> 14) else 0)
        value &= 0x7FFF
    return value


def draw_frame(draws: Draws) -> Params:
    data = [draws.choice((0x00, 0xFF, 0x07, 0xF0, 0x1F, 0x83, draws.integer(0, 255)))
            for _ in range(draws.integer(1, 4))]  # fmt: skip
    identifier = draws.choice((draws.integer(0, 0x7FF), draws.integer(0, 0x40), draws.integer(0x780, 0x7EF)))
    return {"id": identifier, "data": data, "crc": crc15(_header(identifier, data))}


def _header(identifier: int, data: list[int]) -> str:
    return f"0{identifier:011b}000{len(data):04b}" + "".join(f"{byte:08b}" for byte in data)


def frame_bits(params: Params) -> int:
    """Count stuff bits run by run."""
    bits = _header(params["id"], params["data"]) + f"{params['crc']:015b}"
    stuffed, carried = 0, 0
    for _, group in groupby(bits):
        extra, rest = divmod(len(list(group)) + carried, 5)
        carried = int(extra > 0 and rest == 0)  # a stuff bit at the end of a run is the first bit of the next
        stuffed += extra
    return len(bits) + stuffed + 10


def frame_by_sending(params: Params) -> int:
    """Shift the frame out bit by bit as a transmitter does."""
    sent = 0
    last, run = None, 0
    fields = [(0, 1), (params["id"], 11), (0, 3), (len(params["data"]), 4), *((byte, 8) for byte in params["data"]),
              (params["crc"], 15)]  # fmt: skip
    for value, width in fields:
        for at in reversed(range(width)):
            bit = value >> at & 1
            run = run + 1 if bit == last else 1
            last, sent = bit, sent + 1
            if run == 5:
                last, run, sent = 1 - bit, 1, sent + 1
    unstuffed = {"CRC delimiter": 1, "ACK slot": 1, "ACK delimiter": 1, "end of frame": 7}
    return sent + sum(unstuffed.values())


FRAME_C = """
    uint64_t bits = (uint64_t)a[0] << 7 | (uint64_t)a[1];
    int count = 19, run = 0, last = -1, sent = 0;
    for (int i = 0; i < a[1]; i++) { bits = bits << 8 | (uint64_t)a[3 + i]; count += 8; }
    for (int part = 0; part < 2; part++) {
        uint64_t from = part ? (uint64_t)a[2] : bits;
        for (int i = (part ? 15 : count) - 1; i >= 0; i--) {
            int bit = from >> i & 1;
            run = bit == last ? run + 1 : 1;
            last = bit;
            sent++;
            if (run == 5) { last = !bit; run = 1; sent++; }
        }
    }
    return sent + 10;
"""

FRAME = Family(
    name="can_frame_length", domain="can_timing", kind="integer", tier="hard",
    draw=draw_frame, answer=frame_bits, second=frame_by_sending,
    c=lambda p: CCode(FRAME_C, (p["id"], len(p["data"]), p["crc"], *p["data"])),
    show=lambda p: {"id": f"0x{p['id']:03X}", "data": " ".join(f"{byte:02X}" for byte in p["data"]),
                    "crc": f"0x{p['crc']:04X}"},
    rationale=lambda p: (
        f"The {34 + 8 * len(p['data'])} bits from SOF to the CRC get "
        f"{frame_bits(p) - 44 - 8 * len(p['data'])} stuff bits; 10 unstuffed bits follow."
    ),
    wordings=TEXTS["frame"], conventions=TEXTS["frame conventions"], distractors=TEXTS["distractors"],
    names={"can": CONTROLLERS, "node": NODES},
    isolate=Question(
        kind="integer", tier="medium",
        draw=lambda draws: {"bits": "".join(
            draws.choice("01") * draws.integer(1, 9) for _ in range(draws.integer(4, 8)))},
        answer=lambda p: len(p["bits"]) + _stuffed(p["bits"]),
        second=lambda p: len(_stuff(p["bits"])),
        wordings=TEXTS["frame isolate"],
        rationale=lambda p: f"With stuff bits: {_stuff(p['bits'])}.",
    ),
)  # fmt: skip


def _stuffed(bits: str) -> int:
    last, run, count = "", 0, 0
    for bit in bits:
        run = run + 1 if bit == last else 1
        last = bit
        if run == 5:
            last, run, count = "10"[int(bit)], 1, count + 1
    return count


def _stuff(bits: str) -> str:
    """Insert stuff bits into a growing text whenever it ends in five equal bits."""
    out = ""
    for bit in bits:
        out += bit
        if out.endswith(("00000", "11111")):
            out += {"0": "1", "1": "0"}[bit]
    return out


FAMILIES = (TIMING, OSCILLATOR, FRAME)
