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

FAMILIES = (BURST,)
