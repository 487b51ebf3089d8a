"""Whether an answer is right: read by fixed rules as what the question asks for, compared exactly or within tolerance.

No model grades. What cannot be read as one value is wrong, and so is hedging between two.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from corpora.registers import numbers
from corpora.registers.family import Base, Kind
from corpora.registers.markup import plain, undressed
from corpora.registers.units import OtherDimension, UnknownUnit, is_unit, scale
from tasks.inference.answer_line import answer_line
from warehouse.errors import CorpusError

LONGEST = 300
HEDGED = re.compile(
    r"^(?:(?:approximately|approx\.?|about|around|roughly|nearly|exactly|circa|ca\.|just|it is|it's|is)(?=[\s\d.+-])"
    r"|≈|~|≃|≅|∼|=|:|→|±|\+/-)\s*",
    re.IGNORECASE,
)
TAIL = re.compile(r"[\s,]+(?:approximately|approx|or so|in total|total|exactly|rounded)$", re.IGNORECASE)
CHAIN = re.compile(r"\s*(?:(?<![<>=!])=(?![=<>])|≈|→|⇒|->|=>)\s*")
OR = re.compile(r"\s+or\s+|\s+i\.e\.,?\s+|\s*;\s+|,?\s+(?:aka|equivalently)\s+", re.IGNORECASE)
PARENTHESIS = re.compile(r"^(.*\S)\s*[(\[]([^()\[\]]*)[)\]]$")
SPREAD = re.compile(rf"^(?:±|\+/-)\s*{numbers.MANTISSA}{numbers.EXPONENT}?(?!\d)\s*")
OVER = re.compile(r"^/\s*(?=[\d.])")
COUNTED = re.compile(
    r"bits?|bytes?|ticks?|counts?|cycles?|clocks?|steps?|words?|entry|entries|samples?|frames?|levels?|tasks?|slots?"
    r"|lsbs?|codes?|quant(?:a|um)|tq|edges?|pulses?|blocks?|pages?|transfers?|interrupts?|packets?|periods?"
    r"|(?:wait )?states?",
    re.IGNORECASE,
)
"""Nouns behind an integer of a question that names no unit."""
PREFIX_ALONE = {"k": 10**3, "K": 10**3, "M": 10**6}
UNPREFIXED = ("Hz", "ohm", "bit/s", "byte", "V", "A")
CHOICE_CUT = re.compile(r"\s*(?:[,;:.]\s|\s[-–—]\s|—|\s?\(|\bbecause\b|\bsince\b|\bas\b)")
ARTICLE = re.compile(r"^(?:it(?: is|'s)|the|option|choice|answer)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Key:
    """What an answer is held against: the canonical answer of an item and how replies are compared with it.

    `answer` is `166`, `0xA6` or `0b1010`; a decimal number in `unit`; or one of `choices`. `tolerance` is relative.
    """

    kind: Kind
    answer: str
    unit: str = ""
    tolerance: float = 0.0
    base: Base = "dec"
    choices: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Verdict(NamedTuple):
    """Whether there was an answer line, whether it could be read, whether it is right, and what was read."""

    answered: bool
    readable: bool
    correct: bool
    saw: str


class Unreadable(ValueError):
    """A text is no answer of the kind that is asked for."""


def judge(reply: str, key: Key) -> Verdict:
    """Return the verdict on a reply, or on the answer line taken from it."""
    line, _ = answer_line(reply)
    if not line:
        return Verdict(False, False, False, "no line ANSWER: <value>")
    given = plain(line.removeprefix("ANSWER:"))
    try:
        correct, saw = compare(given, key)
    except (Unreadable, UnknownUnit, OtherDimension) as reason:
        return Verdict(True, isinstance(reason, OtherDimension), False, f"{given[:80]}: {reason}")
    return Verdict(True, True, correct, saw)


def compare(given: str, key: Key) -> tuple[bool, str]:
    """Return whether a bare answer is right and how it was read.

    Raises Unreadable, UnknownUnit or OtherDimension for what is no answer of the kind.
    """
    if not given or len(given) > LONGEST:
        raise Unreadable("nothing to read" if not given else "too long for one value")
    if key.kind == "choice":
        chosen = choice(given, key)
        return chosen == key.answer, chosen
    parts = OR.split(given)
    if key.kind == "integer":
        values = [integer(part, key) for part in parts]
        wanted = _wanted_integer(key.answer)
        return all(value == wanted for value in values), " or ".join(f"{value} ({value:#x})" for value in values)
    amounts = [quantity(part, key) for part in parts]
    target, room = Fraction(key.answer), Fraction(str(key.tolerance))
    right = all(abs(amount - target) <= room * abs(target) for amount in amounts)
    return right, " or ".join(f"{float(amount):.9g} {key.unit}".strip() for amount in amounts)


@lru_cache(maxsize=4096)
def _wanted_integer(answer: str) -> int:
    try:
        return int(answer, 0)
    except ValueError:
        raise CorpusError(f"The key {answer!r} is no integer; write it as 166, 0xA6 or 0b10100110.") from None


def integer(given: str, key: Key) -> int:
    """Return the integer that a text states; of an equation the side whose notation is explicit, else the last.

    Bare digits beside an explicit restatement (`166 (0xA6)`) are read as the one of their two readings that it gives.
    """
    read = [_integer_part(part, key) for part in CHAIN.split(given) if part.strip()]
    found = [one for one in read if one is not None]
    if not found or read[-1] is None:
        raise Unreadable("no integer")
    explicit = [one for one in found if one.explicit]
    return explicit[-1].value if explicit else found[-1].value


def _integer_part(text: str, key: Key) -> numbers.Integer | None:
    text = _unhedged(text)
    found = numbers.integer(text, key.base) or _counted(text, key)
    if found is not None:
        return found
    match = PARENTHESIS.match(text)
    if match is None:
        return None
    head, inside = _integer_part(match[1], key), numbers.integer(undressed(match[2]).lstrip("=≈ "), key.base)
    if head is None or head.explicit or inside is None or not inside.explicit:
        return head
    return inside if inside.value in (head.value, head.decimal) else head


def _counted(text: str, key: Key) -> numbers.Integer | None:
    """Read an integer with its unit behind it, or a counted noun where the question names no unit."""
    if key.base == "dec":
        number = numbers.decimal(text)
        if number is None or not number.rest:
            return None
        if not key.unit:
            whole = number.value.denominator == 1 and COUNTED.fullmatch(number.rest) is not None
            return numbers.Integer(int(number.value), True) if whole else None
        by, shift = scale(number.rest, key.unit)
        value = by * number.value + shift
        return numbers.Integer(int(value), True) if value.denominator == 1 else None
    head, _, word = text.rpartition(" ")
    fits = is_unit(word) and scale(word, key.unit) == (1, 0) if key.unit else COUNTED.fullmatch(word) is not None
    return numbers.integer(head, key.base) if head and fits else None


def quantity(given: str, key: Key) -> Fraction:
    """Return the amount that a text states, in the unit of the key; a bare number is in that unit already."""
    parts = [part for part in CHAIN.split(given) if part.strip()]
    read = [_amount(part, key) for part in parts]
    if not read:
        raise Unreadable("no number")
    failure = read[-1]
    if isinstance(failure, ValueError):
        raise failure
    found = [one for one in read if not isinstance(one, ValueError)]
    with_unit = [amount for amount, explicit in found if explicit]
    return with_unit[-1] if with_unit else found[-1][0]


def _amount(text: str, key: Key) -> tuple[Fraction, bool] | ValueError:
    """Return an amount and whether its unit was given, or what keeps the text from being one."""
    text = _unhedged(text)
    number = numbers.decimal(text)
    if number is None:
        return Unreadable("no number")
    value, rest = number
    if (below := OVER.match(rest)) and (divisor := numbers.decimal(rest[below.end() :])) and divisor.value:
        value, rest = value / divisor.value, divisor.rest
    rest = SPREAD.sub("", rest)
    if match := PARENTHESIS.match(f"_ {rest}"):
        rest = match[1].removeprefix("_").strip()
        rest = match[2] if not rest and is_unit(undressed(match[2])) else rest
    rest = undressed(TAIL.sub("", rest))
    if not rest:
        return value, False
    if rest in PREFIX_ALONE and key.unit in UNPREFIXED:
        return value * PREFIX_ALONE[rest], True
    try:
        by, shift = scale(rest, key.unit)
    except (UnknownUnit, OtherDimension) as reason:
        return reason
    return by * value + shift, True


def _unhedged(text: str) -> str:
    text = undressed(text)
    while (bare := undressed(HEDGED.sub("", text))) != text:
        text = bare
    return TAIL.sub("", text)


def choice(given: str, key: Key) -> str:
    """Return the choice that a text names, itself or by an alias, alone or before an explanation.

    An explanation that names another choice makes the text no answer. Raises Unreadable.
    """
    names = _names(key.choices or (key.answer,), tuple((one, tuple(others)) for one, others in key.aliases.items()))
    if whole := names.get(_folded(given)) or names.get(_folded(ARTICLE.sub("", given))):
        return whole
    cut = CHOICE_CUT.search(given)
    if cut and (
        head := names.get(_folded(given[: cut.start()])) or names.get(_folded(ARTICLE.sub("", given[: cut.start()])))
    ):
        rest = f" {_folded(given[cut.end() :])} "
        others = {name for name, chosen in names.items() if chosen != head and len(name) > 1 and f" {name} " in rest}
        if not others:
            return head
    raise Unreadable("none of the choices, or more than one")


@lru_cache(maxsize=4096)
def _names(choices: tuple[str, ...], aliases: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    """Return the folded spellings of each choice; a choice outranks an alias, and what two claim is neither's."""
    spelled: dict[str, str] = {}
    claimed: set[str] = set()
    for one, others in aliases:
        for other in others:
            name = _folded(other)
            if spelled.setdefault(name, one) != one:
                claimed.add(name)
    for name in claimed:
        del spelled[name]
    return spelled | {_folded(one): one for one in choices}


def _folded(text: str) -> str:
    """Return a spelling without case, and with one space for any run of blanks, hyphens and underscores."""
    return " ".join(re.sub(r"[-_\s]+", " ", undressed(text).casefold()).split())
