"""Numbers as people and programs write them: integers in any notation, decimals, powers of ten, grouped digits."""

import re
from fractions import Fraction
from typing import NamedTuple

from corpora.registers.family import Base

RADIX: dict[Base, int] = {"dec": 10, "hex": 16, "bin": 2}
LONGEST = 200
LARGEST_EXPONENT = 30

DIGITS = {16: "0-9A-Fa-f", 10: "0-9", 8: "0-7", 2: "01"}
BASE_WORDS = {
    "hexadecimal": 16, "hex": 16, "base 16": 16, "base-16": 16, "binary": 2, "bin": 2, "base 2": 2, "base-2": 2,
    "decimal": 10, "dec": 10, "base 10": 10, "base-10": 10, "octal": 8, "base 8": 8, "base-8": 8,
}  # fmt: skip
_WORDS = "|".join(sorted(BASE_WORDS, key=len, reverse=True))
AFTER = re.compile(rf"^(.*?\S)\s*(?:\(\s*(?:in\s+)?({_WORDS})\s*\)|\s(?:in\s+)?({_WORDS}))$", re.IGNORECASE)
BEFORE = re.compile(rf"^(?:in\s+)?({_WORDS})(?:\s*:\s*|\s+)(\S.*)$", re.IGNORECASE)
SUBSCRIPTED = re.compile(r"^\(?(.*?)\)?\s?⟦(\d+)⟧$")
VERILOG = re.compile(r"^\d{0,4}\s?'\s?s?([hbdo])\s?(.*)$", re.IGNORECASE)
VERILOG_RADIX = {"h": 16, "b": 2, "d": 10, "o": 8}
PREFIXED = re.compile(r"^0([xbo])\s?(\S.*)$", re.IGNORECASE)
PREFIX_RADIX = {"x": 16, "b": 2, "o": 8}
C_SUFFIX = re.compile(r"(?<=[0-9A-Fa-f])(?:[uU][lL]{0,2}|[lL]{1,2}[uU]?)$")
FEWEST_SURE_BITS = 8  # a run of so many 0 and 1 before a `b` is binary even where hexadecimal is asked for

MANTISSA = (
    r"(?:\d{1,3}(?:[ ,_']\d{3})+(?!\d)(?:\.\d+)?|\d+(?:_\d+)+|\d+\.\d{3}(?: \d{3})+(?!\d)|\d+[.,]\d+|\d+\.?|\.\d+)"
)
EXPONENT = r"(?:\s?[eE]\s?([+-]?\d{1,3})|\s?[×xX*·]\s?10\s?\^\s?\(?\s?([+-]?\d{1,3})\s?\)?)"
DECIMAL = re.compile(rf"([+-]?)\s?({MANTISSA}){EXPONENT}?(?![\d^])")
POWER_OF_TEN = re.compile(r"([+-]?)\s?10\s?\^\s?\(?\s?([+-]?\d{1,3})\s?\)?(?!\d)")


class Integer(NamedTuple):
    """An integer as read. `explicit`: its notation was given; `decimal` is how bare digits read in base 10."""

    value: int
    explicit: bool
    decimal: int | None = None


class Decimal(NamedTuple):
    """A number as read, exactly, and the text behind it."""

    value: Fraction
    rest: str


def integer(text: str, base: Base) -> Integer | None:
    """Return the integer that a text is, or None if it is anything else.

    0x, 0b, 0o, a trailing h, a subscript, a word (`A6 hex`) and Verilog's `8'hA6` are honoured in every base asked
    for. Digits alone are read in that base. A trailing b is a digit where hexadecimal is asked for, unless eight
    binary digits or more stand before it; elsewhere it says binary.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    negative = text.startswith("-")
    body = text[1:].strip() if text[:1] in ("-", "+") else text
    found = _unsigned(body, RADIX[base])
    if found is None or not negative:
        return found
    return Integer(-found.value, found.explicit, None if found.decimal is None else -found.decimal)


def decimal(text: str) -> Decimal | None:
    """Return the number at the start of a text, or None; `1,250` is grouped and `5,56` has a decimal comma."""
    text = text.strip()
    if match := POWER_OF_TEN.match(text):
        power = int(match[2])
        value = Fraction(10) ** power if abs(power) <= LARGEST_EXPONENT else None
    elif match := DECIMAL.match(text):
        value = _decimal(match)
    else:
        return None
    if value is None or match.end() > LONGEST:
        return None
    return Decimal(-value if match[1] == "-" else value, text[match.end() :].strip())


def _decimal(match: re.Match[str]) -> Fraction | None:
    mantissa = re.sub(r"[ _']", "", match[2])
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", mantissa):
        mantissa = mantissa.replace(",", "")
    power = int(match[3] or match[4] or 0)
    if abs(power) > LARGEST_EXPONENT:
        return None
    return Fraction(mantissa.replace(",", ".").rstrip(".")) * Fraction(10) ** power


def _unsigned(text: str, asked: int) -> Integer | None:
    if match := SUBSCRIPTED.match(text):
        radix = int(match[2])
        return _explicit(_bare(match[1]), radix) if radix in DIGITS else None
    if (match := AFTER.match(text)) and (found := _explicit(_bare(match[1]), BASE_WORDS[_word(match[2] or match[3])])):
        return found
    if (match := BEFORE.match(text)) and (found := _explicit(_bare(match[2]), BASE_WORDS[_word(match[1])])):
        return found
    if match := VERILOG.match(text):
        return _explicit(match[2], VERILOG_RADIX[match[1].lower()])
    if text[-1:] in ("h", "H"):
        return _explicit(text[:-1], 16)
    if match := PREFIXED.match(text):
        return _explicit(C_SUFFIX.sub("", match[2]), PREFIX_RADIX[match[1].lower()])
    sure = asked != 16 or len(re.sub(r"[^01]", "", text)) >= FEWEST_SURE_BITS
    if text[-1:] in ("b", "B") and sure and (binary := digits(text[:-1], 2)) is not None:
        return Integer(binary, True)
    if asked == 10 and text[-1:] == "d":
        return _explicit(text[:-1], 10)
    bare = C_SUFFIX.sub("", text)
    value = digits(bare, asked)
    if value is not None:
        return Integer(value, False, digits(bare, 10) if asked != 10 else None)
    whole = decimal(text) if asked == 10 else None
    if whole is not None and not whole.rest and whole.value.denominator == 1:
        return Integer(int(whole.value), False)
    return None


def _word(text: str) -> str:
    return " ".join(text.lower().split())


def _bare(text: str) -> str:
    """Return digits without a prefix that says the same as the word beside them."""
    text = C_SUFFIX.sub("", text.strip())
    match = PREFIXED.match(text)
    return match[2] if match else text.rstrip("hH") if re.fullmatch(r"[0-9A-Fa-f]+[hH]", text) else text


def _explicit(text: str, radix: int) -> Integer | None:
    value = digits(text, radix)
    return None if value is None else Integer(value, True)


def digits(text: str, radix: int) -> int | None:
    """Return the value of digits, grouped or not, or None.

    `_` and `'` may part them anywhere; a comma or spaces part threes in base 10, and groups of one size (2, 4 or 8,
    the first may be shorter) elsewhere.
    """
    text = text.strip()
    digit = f"[{DIGITS[radix]}]"
    if re.fullmatch(rf"{digit}+(?:[_']{digit}+)*", text):
        return int(re.sub(r"[_']", "", text), radix)
    for mark in (",", " "):
        first, *groups = text.split(mark)
        if not groups or not all(re.fullmatch(f"{digit}+", group) for group in (first, *groups)):
            continue
        size = len(groups[0])
        even = all(len(group) == size for group in groups) and len(first) <= size
        if even and size in ((3,) if radix == 10 else (2, 4, 8)):
            return int("".join((first, *groups)), radix)
    return None
