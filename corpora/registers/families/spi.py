"""SPI: modes from edges, the clock divider, and how long a burst takes with its gaps."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question
from corpora.registers.texts import sections

PERIPHERALS = ("SPI1", "SPIM0", "SSP2", "QSPI3", "DSPI4", "FLEXSPI5")
TEXTS = sections("spi")
DEVICES = ("display controller", "flash memory", "radio transceiver", "accelerometer", "DAC", "shift-register chain")


def draw_burst(draws: Draws) -> Params:
    width = draws.choice((8, 16, 24, 32))
    return {
        "source_mhz": draws.choice((48, 64, 72, 84, 100, 120, 168)),
        "limit_khz": draws.choice((1500, 2000, 3300, 5000, 7500, 10000, 13000, 20000)),
        "words": draws.integer(3, 60),
        "width": width,
        "gap": draws.choice((1, 2, 3, 5)),
        "lead": draws.choice((2, 4, 7, 9)),
    }


def divider(params: Params) -> int:
    """Return the smallest power of two from 2 to 256 that keeps the clock at or under its limit."""
    need = Fraction(params["source_mhz"] * 1000, params["limit_khz"])
    return next(step for step in (2, 4, 8, 16, 32, 64, 128, 256) if step >= need)


def burst_us(params: Params) -> Fraction:
    cycles = params["words"] * params["width"] + (params["words"] - 1) * params["gap"] + params["lead"]
    return Fraction(cycles * divider(params), params["source_mhz"])


def burst_by_steps(params: Params) -> Fraction:
    """Walk the transfer edge by edge with a divider found by halving the clock."""
    khz, halvings = Fraction(params["source_mhz"] * 1000), 0
    while halvings == 0 or khz > params["limit_khz"]:
        khz, halvings = khz / 2, halvings + 1
    period_us = 1000 / khz
    elapsed = params["lead"] * period_us
    for word in range(params["words"]):
        elapsed += params["width"] * period_us
        if word + 1 < params["words"]:
            elapsed += params["gap"] * period_us
    return elapsed


def burst_text(params: Params) -> str:
    step = divider(params)
    return (
        f"The divider is {step}: {params['source_mhz']} MHz / {step} is the first clock not above "
        f"{params['limit_khz']} kHz. There are {params['words']}*{params['width']} data clocks, "
        f"{params['words'] - 1}*{params['gap']} gap clocks and {params['lead']} lead clocks, each "
        f"{step}/{params['source_mhz']} us long."
    )


BURST = Family(
    name="spi_burst_time", domain="spi", kind="quantity", tier="medium", unit="us", tolerance=0.005,
    draw=draw_burst, answer=burst_us, second=burst_by_steps, wordings=TEXTS["burst"], rationale=burst_text,
    names={"spi": PERIPHERALS, "device": DEVICES},
    conventions=(
        "One bit takes one SCK period; nothing else adds time.",
        "Each SCK period carries one bit, and there are no delays other than those named.",
    ),
    distractors=TEXTS["distractors"],
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.005,
        draw=lambda draws: {"mhz": draws.choice((1, 2, 4, 5, 8, 10)), "words": draws.integer(2, 40),
                            "width": draws.choice((8, 16, 32))},
        answer=lambda p: Fraction(p["words"] * p["width"], p["mhz"]),
        second=lambda p: sum((Fraction(1, p["mhz"]) for _ in range(p["words"] * p["width"])), Fraction(0)),
        wordings=TEXTS["burst isolate"],
        rationale=lambda p: f"{p['words']}*{p['width']} bits at {p['mhz']} bits per microsecond.",
    ),
)  # fmt: skip


def draw_daisy(draws: Draws) -> Params:
    widths = [draws.choice((8, 10, 12, 14, 16)) for _ in range(draws.choice((2, 3, 3)))]
    count = draws.choice((2, 3, 3, 4))
    return {
        "widths": widths,
        "before": [draws.integer(1, 2**width - 1) for width in widths],
        "bytes": [draws.integer(0, 255) for _ in range(count)],
        "which": draws.integer(1, len(widths)),
    }


def show_daisy(params: Params) -> dict[str, str]:
    return {
        "count": str(len(params["widths"])),
        "widths": ", ".join(map(str, params["widths"])),
        "before": ", ".join(f"0x{value:X}" for value in params["before"]),
        "bytes": ", ".join(f"0x{value:02X}" for value in params["bytes"]),
        "which": str(params["which"]),
    }


def daisy(params: Params) -> int:
    """The chain is one number, device 1 lowest: shift the bytes in and cut the device out."""
    chain = 0
    for width, value in zip(reversed(params["widths"]), reversed(params["before"]), strict=True):
        chain = chain << width | value
    for byte in params["bytes"]:
        chain = chain << 8 | byte
    below = sum(params["widths"][: params["which"] - 1])
    return chain >> below & ((1 << params["widths"][params["which"] - 1]) - 1)


def daisy_by_clocks(params: Params) -> int:
    """Clock every flip-flop of the chain."""
    registers = [
        [int(bit) for bit in f"{value:0{width}b}"]
        for width, value in zip(params["widths"], params["before"], strict=True)
    ]
    for bit in "".join(f"{byte:08b}" for byte in params["bytes"]):
        carried = int(bit)
        for register in registers:
            register.append(carried)
            carried = register.pop(0)
    return int("".join(map(str, registers[params["which"] - 1])), 2)


def daisy_text(params: Params) -> str:
    return (
        f"{8 * len(params['bytes'])} clocks move the bits of the chain up; device {params['which']} keeps the "
        f"{params['widths'][params['which'] - 1]} bits that lie above the "
        f"{sum(params['widths'][: params['which'] - 1])} bits of the devices before it."
    )


DAISY = Family(
    name="spi_daisy_chain", domain="spi", kind="integer", tier="hard", base="hex",
    draw=draw_daisy, show=show_daisy, answer=daisy, second=daisy_by_clocks, rationale=daisy_text,
    names={"spi": PERIPHERALS, "device": DEVICES},
    wordings=TEXTS["daisy"], conventions=TEXTS["daisy conventions"], distractors=TEXTS["distractors"],
    isolate=Question(
        kind="integer", tier="easy", base="hex",
        draw=lambda draws: {"bytes": draws.sample(range(1, 256), 3), "which": draws.integer(1, 3)},
        show=lambda p: {"bytes": ", ".join(f"0x{value:02X}" for value in p["bytes"]), "which": str(p["which"])},
        answer=lambda p: p["bytes"][3 - p["which"]],
        second=lambda p: int.from_bytes(bytes(p["bytes"]), "big") // 256 ** (p["which"] - 1) % 256,
        wordings=TEXTS["daisy isolate"],
        rationale=lambda p: f"The last byte stays in device 1, so device {p['which']} holds byte {4 - p['which']}.",
    ),
)  # fmt: skip

FAMILIES = (BURST, DAISY)
