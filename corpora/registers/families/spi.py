"""SPI: modes from edges, the clock divider, and how long a burst takes with its gaps."""

from fractions import Fraction

from corpora.registers.draws import Draws
from corpora.registers.family import Family, Params, Question

PERIPHERALS = ("SPI1", "SPIM0", "SSP2", "QSPI3", "DSPI4", "FLEXSPI5")
DEVICES = ("display controller", "flash memory", "radio transceiver", "accelerometer", "DAC", "shift-register chain")
DISTRACTORS = (
    "$spi draws [310|440|520] uA while idle; its pins tolerate [5.5|4.6] V and each sinks up to [8|20|25] mA. The "
    "internal pull-ups measure between [31|38] kohm and [52|61] kohm.",
    "An erratum of revision [B|C] says that the CRC unit of $spi must stay off while its FIFO threshold is set to "
    "[3|5|7] frames; the workaround adds [11|13|17] instructions to the driver and is already applied.",
    "The package is an LQFP with [48|64|100] pins at a pitch of 0.5 mm; its thermal resistance is [46|54|61] kelvin "
    "per watt.",
)


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


BURST_WORDINGS = (
    "$spi is clocked at $source_mhz MHz; its prescaler divides by 2, 4, 8, 16, 32, 64, 128 or 256. The $device accepts "
    "at most $limit_khz kHz, and the driver picks the fastest allowed clock. One burst sends $words words of $width "
    "bits; the peripheral inserts $gap idle clock periods between two words, and chip select falls $lead clock "
    "periods before the first bit. How long is chip select low?",
    "A $device is wired to $spi. The peripheral's input clock runs at $source_mhz MHz and can be divided by powers of "
    "two from 2 to 256. SCK must not exceed $limit_khz kHz and is set as fast as that allows. For a transfer of $words "
    "frames, $width bits each, chip select is active from $lead SCK periods ahead of the first bit to the end of the "
    "last; $gap SCK periods of silence separate neighbouring frames. Find the time that chip select is active.",
    "Compute the chip-select low time of one transaction on $spi: setup of $lead SCK cycles, then $words data units of "
    "$width bits with $gap SCK cycles between neighbours. SCK is derived from $source_mhz MHz by a divider out of "
    "{2, 4, 8, 16, 32, 64, 128, 256}; the slave, a $device, limits SCK to $limit_khz kHz and the smallest legal divider "
    "is used.",
    "Your logic analyser shows $spi talking to a $device. The source clock is $source_mhz MHz, the divider is the "
    "smallest power of two (2 to 256) for which SCK stays at or below $limit_khz kHz. You expect $lead SCK periods of "
    "lead time, $words words of $width bits, and $gap SCK periods between words. What chip-select pulse width should "
    "the analyser measure?",
    "In the driver of a $device, nCS goes low, $lead SCK periods pass, and $words words are shifted out, $width bits "
    "apiece; between words SCK rests for $gap periods; nCS goes high right after the last bit. SCK comes from a "
    "$source_mhz MHz bus clock of $spi through a divide-by-2^n stage, n = 1..8, chosen so that SCK is the highest not "
    "above $limit_khz kHz. How long does the transaction hold nCS low?",
    "The timing budget for $spi asks for the length of one transaction: $words transfers of $width bits, $gap idle SCK "
    "periods in each of the spaces between them, and $lead SCK periods from the fall of nSS to the first bit. With a "
    "kernel clock of $source_mhz MHz, a power-of-two divider between 2 and 256, and a ceiling of $limit_khz kHz set by "
    "the $device (SCK as high as permitted), what is the length?",
    "A message of $words items ($width bits per item) goes to a $device over $spi. Limits: SCK no more than $limit_khz "
    "kHz. Source: $source_mhz MHz, divisible by 2, 4, 8, ..., 256; use the least division that obeys the limit. "
    "Overheads: $lead SCK periods before the first item, $gap SCK periods between consecutive items, none after the "
    "last. Determine the duration of the message.",
    "How long does the select line of the $device stay asserted if $spi, fed with $source_mhz MHz, sends $words words "
    "of $width bits? The baud-rate divider is the smallest of 2, 4, 8, 16, 32, 64, 128, 256 that yields at most "
    "$limit_khz kHz; select is asserted $lead bit clocks before the first bit, words are $gap bit clocks apart, and "
    "select is released at the end of the last bit.",
)


def burst_text(params: Params) -> str:
    step = divider(params)
    return (
        f"The divider is {step}: {params['source_mhz']} MHz / {step} is the first clock not above "
        f"{params['limit_khz']} kHz. There are {params['words']}*{params['width']} data clocks, "
        f"{params['words'] - 1}*{params['gap']} gap clocks and {params['lead']} lead clocks, each "
        f"{step}/{params['source_mhz']} us long."
    )


ISOLATE_WORDINGS = (
    "SCK runs at $mhz MHz. How long do $words words of $width bits take, sent back to back?",
    "At an SPI clock of $mhz MHz, $words words, $width bits each, are shifted out without a pause. How long is that?",
    "$words SPI words of $width bits follow each other directly at $mhz MHz. Find the duration.",
    "One SPI clock shifts one bit. With a $mhz MHz clock, when are $words gapless words of $width bits through?",
    "Without gaps, how much time do $words frames of $width bits need on an SPI bus with SCK = $mhz MHz?",
    "Give the time to shift $words x $width bits over SPI at $mhz MHz with no idle clocks.",
    "The bus clock is $mhz MHz and each word has $width bits. How long does an uninterrupted run of $words words last?",
    "A shift register is filled with $words words of $width bits at $mhz MHz, one bit a clock. How long is it busy?",
)

BURST = Family(
    name="spi_burst_time", domain="spi", kind="quantity", tier="medium", unit="us", tolerance=0.005,
    draw=draw_burst, answer=burst_us, second=burst_by_steps, wordings=BURST_WORDINGS, rationale=burst_text,
    names={"spi": PERIPHERALS, "device": DEVICES},
    conventions=(
        "One bit takes one SCK period; nothing else adds time.",
        "Each SCK period carries one bit, and there are no delays other than those named.",
    ),
    distractors=DISTRACTORS,
    isolate=Question(
        kind="quantity", tier="easy", unit="us", tolerance=0.005,
        draw=lambda draws: {"mhz": draws.choice((1, 2, 4, 5, 8, 10)), "words": draws.integer(2, 40),
                            "width": draws.choice((8, 16, 32))},
        answer=lambda p: Fraction(p["words"] * p["width"], p["mhz"]),
        second=lambda p: sum((Fraction(1, p["mhz"]) for _ in range(p["words"] * p["width"])), Fraction(0)),
        wordings=ISOLATE_WORDINGS,
        rationale=lambda p: f"{p['words']}*{p['width']} bits at {p['mhz']} bits per microsecond.",
    ),
)  # fmt: skip

FAMILIES = (BURST,)
