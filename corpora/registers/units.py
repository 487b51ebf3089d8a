"""Units of answers: the spellings people use, turned into those of data/units.txt, and conversion by pint.

Case counts where SI makes it count: `m` is milli and `M` mega, `b` is bit and `B` byte. Elsewhere it folds: `KHz`,
`khz` and `KHZ` are kilohertz, `v` is volt. So `5 MS` is five megaseconds or megasiemens, never five milliseconds.
"""

import re
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pint import UnitRegistry

DEFINITIONS = Path(__file__).with_name("data") / "units.txt"
LONGEST = 40

SYMBOLS = {"µ": "μ", "Ω": "Ω", "%": "percent", "°": "deg", "℃": "degC", "‰": "permille", "·": "*", "⋅": "*", "×": "*"}
WORDS = {
    "msec": "ms", "msecs": "ms", "usec": "us", "usecs": "us", "μsec": "us", "μsecs": "us", "nsec": "ns", "nsecs": "ns",
    "secs": "s", "microsec": "us", "millisec": "ms", "mins": "min", "hrs": "hr", "per cent": "percent",
    "percentage": "percent", "parts per million": "ppm", "deg c": "degC", "degc": "degC", "deg celsius": "degC",
    "degrees celsius": "degC", "degree celsius": "degC", "degrees c": "degC", "degcelsius": "degC", "c": "degC",
    "db": "dB", "decibels": "dB", "bits per second": "bit/s", "bit per second": "bit/s", "bytes per second": "byte/s",
    "byte per second": "byte/s", "kilobits per second": "kbit/s", "megabits per second": "Mbit/s",
    "kilobytes per second": "kB/s", "megabytes per second": "MB/s", "bauds": "baud", "symbols per second": "baud",
    "cycles per second": "Hz", "per second": "Hz", "times per second": "Hz", "amps": "A", "octet": "byte",
    "octets": "byte", "kelvins": "kelvin", "kilohm": "kohm", "kilohms": "kohm", "megohm": "Mohm", "megohms": "Mohm",
}  # fmt: skip
"""Spellings in lower case, after `SYMBOLS`."""
BODIES = {
    "hz": "Hz", "v": "V", "a": "A", "s": "s", "sec": "sec", "ohm": "ohm", "ohms": "ohm", "bit": "bit", "bits": "bit",
    "byte": "byte", "bytes": "byte", "baud": "baud", "bd": "baud", "bps": "bps", "volt": "volt", "volts": "volt",
    "amp": "amp", "amps": "amp", "w": "W", "f": "F",
}  # fmt: skip
"""Units whose case folds behind a prefix whose case does not."""
PREFIXES = {"": "", "n": "n", "N": "n", "u": "u", "U": "u", "μ": "μ", "m": "m", "M": "M", "k": "k", "K": "k", "g": "G",
            "G": "G", "p": "p"}  # fmt: skip
PART = re.compile(r"[A-Za-zμΩ]+")
BAUD = re.compile(r"(?<=[kKMG])(?:[Bb]auds?|Bd)$|\b(?:[Bb]auds?|BAUD|Bd)$")
SHAPE = re.compile(r"(?:(?:1 ?/ ?)?{0}(?: ?[*/ ] ?{0})*)?".format(r"[A-Za-zμΩ]+(?:(?:\^|\*\*)-?[12])?"))


class UnknownUnit(ValueError):
    """A text is no unit that is known."""


class OtherDimension(ValueError):
    """A unit measures something else than the one that is asked for."""


class Scale(NamedTuple):
    """How a number in one unit becomes one in another: `factor * x + shift`, exactly."""

    factor: Fraction
    shift: Fraction


@cache
def registry() -> "UnitRegistry[Any]":
    """Return the registry of data/units.txt alone, exact in fractions."""
    from pint import UnitRegistry

    units: UnitRegistry[Any] = UnitRegistry(None, non_int_type=Fraction)
    lines = DEFINITIONS.read_text(encoding="utf-8").splitlines()
    units.load_definitions([line for line in lines if line.strip() and not line.startswith("#")])
    return units


@lru_cache(maxsize=4096)
def scale(spelling: str, asked: str) -> Scale:
    """Return how to turn a number in the unit `spelling` into one in `asked`; an empty unit is a bare number.

    A baud is a symbol a second and, where a rate of bits is asked for, a bit a second, as on a line of two levels.
    Raises UnknownUnit, and OtherDimension where the two measure different things.
    """
    unit, wanted = _parsed(spelling), _parsed(asked)
    if unit.dimensionality != wanted.dimensionality and BAUD.search(spelling):
        unit = _parsed(BAUD.sub("bps", spelling))
    if unit.dimensionality != wanted.dimensionality:
        raise OtherDimension(f"{spelling or 'a bare number'} is no unit of {asked or 'a bare number'}")
    zero, one = (registry().Quantity(Fraction(value), unit).to(wanted).magnitude for value in (0, 1))
    return Scale(Fraction(one) - Fraction(zero), Fraction(zero))


def is_unit(text: str) -> bool:
    """Return whether a text is a unit that is known."""
    try:
        return bool(text.strip()) and _parsed(text) is not None
    except UnknownUnit:
        return False


@lru_cache(maxsize=4096)
def _parsed(spelling: str) -> Any:
    text = _spelled(spelling)
    if len(text) > LONGEST or not SHAPE.fullmatch(text):
        raise UnknownUnit(f"{spelling!r} is no unit")
    for attempt in dict.fromkeys((text, text.lower(), _folded(text))):
        try:
            return registry().parse_units(attempt)
        except Exception:  # pint raises its own errors, tokenize's and others for what it cannot read
            continue
    raise UnknownUnit(f"{spelling!r} is no unit")


def _spelled(spelling: str) -> str:
    """Return a spelling with its symbols and words turned into those of the registry."""
    text = " ".join(spelling.split())
    for symbol, plain in SYMBOLS.items():
        text = text.replace(symbol, plain)
    text = WORDS.get(text.lower() if len(text) > 1 or text == "C" else text, text)
    return re.sub(r"(?<=[A-Za-z]) ?/ ?", "/", re.sub(r"(?<=\w) per (?=\w)", "/", text))


def _folded(text: str) -> str:
    """Return a unit with the case of each part folded as SI allows."""
    return PART.sub(lambda part: _folded_part(part.group()), text)


def _folded_part(part: str) -> str:
    for size in (0, 1):
        prefix, body = part[:size], part[size:]
        if prefix in PREFIXES and body.lower() in BODIES:
            return PREFIXES[prefix] + BODIES[body.lower()]
    return part
