"""Baud error budgets: drift between two clocks, what a receiver tolerates, bits of uneven length."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.tables import accepted, listed
from corpora.registers.texts import sections

TEXTS = sections("baud_budget")
UARTS = ("USART1", "UART4", "LPUART2", "SERCOM3", "SCI7", "FLEXCOMM5")
PEERS = ("gateway", "motor drive", "GNSS receiver", "bootloader host", "smart meter", "radio modem")
PARITY = {0: "no parity bit", 1: "one parity bit"}


def _nearest(value: Fraction) -> int:
    return int(value + Fraction(1, 2))


def draw_drift(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "tx_mhz": draws.choice((16, 24, 32, 36, 42, 45, 48, 72, 80, 84)),
            "rx_khz": draws.choice((7373, 8000, 11059, 12000, 14746, 16000, 18432, 20000)),
            "baud": draws.choice((38400, 57600, 74880, 100000, 115200, 128000, 230400, 250000)),
            "data": draws.choice((7, 8, 9)), "parity": draws.choice((0, 1)), "tx_ppm": draws.choice((-1, 1))
            * draws.integer(20, 400) * 25, "rx_ppm": draws.choice((-1, 1)) * draws.integer(20, 400) * 25,
        }  # fmt: skip

    def clear(params: Params) -> bool:
        """Neither divider lies halfway between two integers."""
        ties = (params["tx_mhz"] * 2 * 10**6 % (2 * params["baud"]) == params["baud"],
                params["rx_khz"] * 1000 % (16 * params["baud"]) == 8 * params["baud"])  # fmt: skip
        return not any(ties) and 3 <= drift_percent(params) <= 60

    return draws.until(make, clear)


def drift_percent(params: Params) -> Fraction:
    """Compare the two rates once and scale the difference to the middle of the stop bit."""
    sender_hz = Fraction(params["tx_mhz"] * (10**6 + params["tx_ppm"]))
    receiver_hz = Fraction(params["rx_khz"] * (10**6 + params["rx_ppm"]), 1000)
    divider = _nearest(Fraction(params["tx_mhz"] * 10**6, params["baud"]))
    cycles = 16 * _nearest(Fraction(params["rx_khz"] * 1000, 16 * params["baud"]))
    ratio = (cycles / receiver_hz) / (divider / sender_hz)
    return abs(ratio - 1) * (params["data"] + params["parity"] + Fraction(3, 2)) * 100


def drift_by_edges(params: Params) -> Fraction:
    """Walk both time axes bit by bit to the stop bit, in seconds."""
    wanted = params["baud"]
    clock = params["tx_mhz"] * 10**6
    brr = min((clock // wanted, clock // wanted + 1), key=lambda n: abs(n * wanted - clock))
    clock_rx = params["rx_khz"] * 1000
    low = clock_rx // (16 * wanted)
    div = min((low, low + 1), key=lambda n: abs(n * 16 * wanted - clock_rx))
    bit_tx = Fraction(brr * 10**6, clock * (10**6 + params["tx_ppm"]))
    tick_rx = Fraction(div * 10**6, clock_rx * (10**6 + params["rx_ppm"]))
    edge, sample = Fraction(0), Fraction(0)
    for _ in range(1 + params["data"] + params["parity"]):
        edge, sample = edge + bit_tx, sample + 16 * tick_rx
    return abs(sample + 8 * tick_rx - edge - bit_tx / 2) / bit_tx * 100


def show_drift(params: Params) -> dict[str, str]:
    return {
        "tx_mhz": str(params["tx_mhz"]), "rx_khz": str(params["rx_khz"]), "baud": str(params["baud"]),
        "data": str(params["data"]), "parity": PARITY[params["parity"]], "tx_ppm": f"{params['tx_ppm']:+d}",
        "rx_ppm": f"{params['rx_ppm']:+d}",
    }  # fmt: skip


def drift_text(params: Params) -> str:
    brr = _nearest(Fraction(params["tx_mhz"] * 10**6, params["baud"]))
    div = _nearest(Fraction(params["rx_khz"] * 1000, 16 * params["baud"]))
    return (
        f"The sender divides by {brr}, the receiver by 16*{div}; with both clock errors the bit times differ, and "
        f"{params['data'] + params['parity'] + 1.5} bits pass until the middle of the stop bit."
    )


DRIFT = Family(
    name="baud_frame_drift", domain="baud_budget", kind="quantity", tier="hard", unit="percent", tolerance=0.01,
    draw=draw_drift, answer=drift_percent, second=drift_by_edges, show=show_drift, rationale=drift_text,
    wordings=TEXTS["drift"], conventions=accepted(0.01, TEXTS["drift conventions"]),
    distractors=TEXTS["distractors"], names={"uart": UARTS, "peer": PEERS},
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.01,
        draw=lambda draws: {"error": draws.choice((4, 5, 8, 10, 12, 15, 20, 25)), "bits": draws.integer(7, 12)},
        answer=lambda p: Fraction(p["error"], 10) * (p["bits"] - Fraction(1, 2)),
        second=lambda p: (p["bits"] - 1) * Fraction(p["error"], 10) + Fraction(p["error"], 20),
        show=lambda p: {"error": f"{p['error'] / 10:g}", "bits": str(p["bits"])},
        wordings=TEXTS["drift isolate"], conventions=accepted(0.01),
        rationale=lambda p: f"{p['bits']}-1/2 bits, each off by {p['error'] / 10:g} %.",
    ),
)  # fmt: skip

SAMPLINGS = ((16, 7, 9), (16, 8, 10), (8, 3, 5), (8, 4, 6), (13, 6, 8), (32, 15, 18))


def draw_tolerance(draws: Draws) -> Params:
    sampling = draws.choice(SAMPLINGS)
    return {
        "over": sampling[0], "first": sampling[1], "last": sampling[2], "data": draws.integer(5, 9),
        "parity": draws.choice((0, 1)), "settle": draws.integer(2, 18), "early": draws.integer(1, 12),
    }  # fmt: skip


def tolerance_percent(params: Params) -> Fraction:
    """Solve both inequalities for the deviation of the receiver's bit time."""
    over, before = params["over"], 1 + params["data"] + params["parity"]
    opens = before + Fraction(params["settle"], 100)
    closes = before + 1 - Fraction(params["early"], 100)
    shorter = 1 - over * opens / (over * before + params["first"])
    longer = over * closes / (over * before + params["last"] + 1) - 1
    return min(shorter, longer) * 100


def tolerance_by_halving(params: Params) -> Fraction:
    """Bisect the deviation in steps of 2^-44, asking each time whether every sample lands in the usable part."""
    scale, over = 1 << 44, params["over"]
    before = 1 + params["data"] + params["parity"]

    def lands(deviation: int) -> bool:
        opens = (100 * before + params["settle"]) * over * scale
        closes = (100 * before + 100 - params["early"]) * over * scale
        ticks = (
            over * before + position + delay
            for position in range(params["first"], params["last"] + 1) for delay in (0, 1)
        )  # fmt: skip
        return all(opens <= 100 * tick * (scale + deviation) <= closes for tick in ticks)

    good, bad = 0, scale // 4
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if lands(middle) and lands(-middle) else (good, middle)
    return Fraction(100 * good, scale)


TOLERANCE = Family(
    name="baud_receiver_tolerance", domain="baud_budget", kind="quantity", tier="hard", unit="percent",
    tolerance=0.01, draw=draw_tolerance, answer=tolerance_percent, second=tolerance_by_halving,
    show=lambda p: {key: str(p[key]) for key in ("over", "first", "last", "data", "settle", "early")}
    | {"parity": PARITY[p["parity"]]},
    rationale=lambda p: (
        f"The stop bit is bit {1 + p['data'] + p['parity']} counted from 0. A short receiver bit is limited by sample "
        f"{p['first']} found at once, a long one by sample {p['last']} found one sample late; the smaller margin wins."
    ),
    wordings=TEXTS["tolerance"], conventions=accepted(0.01, TEXTS["tolerance conventions"]),
    distractors=TEXTS["distractors"], names={"uart": UARTS, "peer": PEERS},
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.01,
        draw=lambda draws: {"allowed": draws.choice((20, 25, 30, 35, 40, 45)), "bits": draws.integer(7, 12)},
        answer=lambda p: p["allowed"] / (p["bits"] - Fraction(1, 2)),
        second=lambda p: Fraction(2 * p["allowed"], 2 * p["bits"] - 1),
        wordings=TEXTS["tolerance isolate"], conventions=accepted(0.01),
        rationale=lambda p: f"{p['allowed']} % of a bit spread over {p['bits'] - 0.5} bits.",
    ),
)  # fmt: skip


def draw_modulated(draws: Draws) -> Params:
    def make() -> Params:
        return {
            "clock": draws.choice((32768, 65536, 131072, 500000, 1000000, 1048576, 2000000)),
            "baud": draws.choice((4800, 9600, 14400, 19200, 31250, 38400, 57600, 115200)),
            "pattern": draws.integer(1, 254), "data": draws.choice((7, 8)), "parity": draws.choice((0, 1)),
        }  # fmt: skip

    def sensible(params: Params) -> bool:
        rest = Fraction(params["clock"], params["baud"])
        near = abs(Fraction(params["pattern"].bit_count(), 8) - rest % 1) < Fraction(1, 5)
        return 2 <= rest <= 60 and near and 2 <= modulated_percent(params) <= 80

    return draws.until(make, sensible)


def modulated_percent(params: Params) -> Fraction:
    """Add up the modulation and compare each edge with its ideal place, in bits."""
    rate = Fraction(params["clock"], params["baud"])
    base, extra, worst = int(rate), 0, Fraction(0)
    for bit in range(2 + params["data"] + params["parity"]):
        extra += params["pattern"] >> (bit % 8) & 1
        worst = max(worst, abs((base * (bit + 1) + extra) / rate - (bit + 1)))
    return worst * 100


def modulated_by_ticks(params: Params) -> Fraction:
    """Toggle a line clock by clock and note when each bit ends."""
    clock, baud = params["clock"], params["baud"]
    bits = f"{params['pattern']:08b}"[::-1]
    ends: list[int] = []
    tick, left = 0, clock // baud + int(bits[0])
    while len(ends) < 2 + params["data"] + params["parity"]:
        tick, left = tick + 1, left - 1
        if left == 0:
            ends.append(tick)
            left = clock // baud + int(bits[len(ends) % 8])
    return max(abs(Fraction(end * baud, clock) - number) for number, end in enumerate(ends, 1)) * 100


def modulated_text(params: Params) -> str:
    order = listed(params["pattern"] >> bit & 1 for bit in range(8))
    return (
        f"Bits last {params['clock'] // params['baud']} clocks plus 0 or 1 in the order {order}; sums are compared "
        f"with multiples of {params['clock'] / params['baud']:.4f} clocks."
    )


MODULATED = Family(
    name="baud_modulated_edges", domain="baud_budget", kind="quantity", tier="hard", unit="percent", tolerance=0.01,
    draw=draw_modulated, answer=modulated_percent, second=modulated_by_ticks, rationale=modulated_text,
    show=lambda p: {"clock": str(p["clock"]), "baud": str(p["baud"]), "pattern": f"0x{p['pattern']:02X}",
                    "data": str(p["data"]), "parity": PARITY[p["parity"]]},
    wordings=TEXTS["modulated"], conventions=accepted(0.01, TEXTS["modulated conventions"]),
    distractors=TEXTS["distractors"], names={"uart": UARTS, "peer": PEERS},
    isolate=Question(
        kind="quantity", tier="easy", unit="percent", tolerance=0.01,
        draw=lambda draws: draws.until(
            lambda: {"clock": 1000 * draws.integer(300, 4000),
                     "baud": draws.choice((9600, 14400, 28800, 38400, 57600, 115200, 230400))},
            lambda p: p["clock"] >= 2 * p["baud"] and p["clock"] % p["baud"] * 200 > p["clock"],
        ),
        answer=lambda p: 100 - Fraction(100 * p["baud"] * (p["clock"] // p["baud"]), p["clock"]),
        second=lambda p: Fraction(p["clock"] % p["baud"] * 100, p["clock"]),
        wordings=TEXTS["modulated isolate"], conventions=accepted(0.01),
        rationale=lambda p: f"A bit lasts {p['clock'] // p['baud']} clocks instead of {p['clock'] / p['baud']:.4f}.",
    ),
)  # fmt: skip

FAMILIES = (DRIFT, TOLERANCE, MODULATED)
