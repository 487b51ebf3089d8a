"""What a sample is gated with: its reference, a stub, and wrong answers of the kinds that models give."""

from collections.abc import Iterator
from fractions import Fraction

from corpora.registers.answers import Key, judge
from corpora.registers.family import BASE_WORDS, plain
from tasks.contract import Mutant

TARGET = "correct"
OTHER_NOTATION = {"dec": "0x", "hex": "", "bin": "0x"}
STUBS = {"integer": ("0", "1"), "quantity": ("0", "1"), "choice": ("unknown",)}
OTHER_UNITS = ("V", "s")
MOST_OPTIONS = 3


def reference(key: Key) -> str:
    """Return the reply that must pass."""
    return f"ANSWER: {key.answer}{' ' + key.unit if key.kind == 'quantity' and key.unit else ''}"


def stub(key: Key) -> str:
    """Return the reply of who does not try: 0 where that is wrong, else 1; no choice at all."""
    return next(text for value in STUBS[key.kind] if not judge(text := f"ANSWER: {value}", key).correct)


def mutants(key: Key) -> tuple[Mutant, ...]:
    """Return wrong answers, each with the fault it has; one that the key makes right after all is left out."""
    made = (
        Mutant(name=name, text=f"ANSWER: {value}", target=TARGET)
        for name, value in {"integer": _integers, "quantity": _quantities, "choice": _choices}[key.kind](key)
    )
    return tuple(mutant for mutant in made if not judge(mutant.text, key).correct)


def _integers(key: Key) -> Iterator[tuple[str, str]]:
    """Yield off by one, one bit flipped, the sign turned, and the digits of one notation under another."""
    value = int(key.answer, 0)
    yield "off_by_one", _written(value + 1, key)
    yield "wrong_bit", _written(value ^ (1 << max(abs(value).bit_length() - 2, 1)), key)
    yield "wrong_sign", _written(-value, key)
    yield (
        f"read_as_{BASE_WORDS[key.base]}",
        OTHER_NOTATION[key.base]
        + (str(value) if key.base == "hex" else key.answer.removeprefix("0b").removeprefix("-")),
    )


def _written(value: int, key: Key) -> str:
    return str(value) if key.base == "dec" else f"{value:#x}" if key.base == "hex" else f"{value:#b}"


def _quantities(key: Key) -> Iterator[tuple[str, str]]:
    """Yield a prefix too large and too small, a value just out of tolerance, and the right number of another unit."""
    value, unit = Fraction(key.answer), f" {key.unit}" if key.unit else ""
    yield "prefix_too_large", plain(value * 1000 or Fraction(1)) + unit
    yield "prefix_too_small", plain(value / 1000 or Fraction(-1)) + unit
    yield "just_outside", plain(value * (1 + 2 * Fraction(str(key.tolerance)))) + unit
    yield "wrong_dimension", f"{key.answer} {next(other for other in OTHER_UNITS if other not in key.unit)}"


def _choices(key: Key) -> Iterator[tuple[str, str]]:
    """Yield the other choices, the first few where there are many."""
    others = [one for one in key.choices if one != key.answer]
    for number, other in enumerate(others[:MOST_OPTIONS], start=1):
        yield f"wrong_option_{number}", other
    if not others:
        yield "no_option", "none of them"
