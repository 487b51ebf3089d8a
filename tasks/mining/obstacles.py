"""The words in the way of a parser that was lost, found by where it was lost: what they mean only a compiler knows."""

import re
from collections.abc import Iterator

from tasks.mining import blanking, spans
from tasks.mining.spans import Span
from tasks.mining.walk import Head, Odd
from tasks.mining.words import CAPITALS, KEYWORDS, MODIFIERS, STATEMENTS

WORD = re.compile(rb"\b[A-Za-z_]\w*")
CAPITAL = re.compile(rb"[A-Z](?<!\w\w)[A-Z_]+(?!\w)")
"""A word of capitals only. A search is fast where the pattern begins with a set of bytes and not with `\\b`."""

HANGING = re.compile(rb"[A-Z](?<=[ \t].)\w*+(?<=[A-Z0-9_])(?=\s*+[,)])")
CAPITAL_END = re.compile(rb"_[A-Z0-9_]+\Z")
"""`position DEBUG_ARGUMENT,`: a macro that brings its own comma, if `typeless` says so of the word before it."""

STORAGE = re.compile(
    rb"[ \t]*(?:(?:static|extern|const|volatile|inline)[ \t]+)*([A-Z_][A-Z0-9_]{2,})[ \t]+"
    rb"(?:(?:static|inline|const|volatile|unsigned|signed|struct|enum|union)[ \t]+)*"
    rb"[A-Za-z_]\w*[ \t*]+[A-Za-z_]\w*[ \t]*[\[=;,(]"
)
"""A line that declares a type and a name behind one more word, which is a macro: `DMA_DATA uint8_t buffer[8];`."""

NOT_BLANK = re.compile(rb"\S")
PARAMETER = re.compile(
    rb"[(,]\s*+([A-Z][A-Z0-9_]{2,}+)\s++(?:(?:const|volatile|unsigned|struct)\s++)*+[A-Za-z_]\w*+[\s*&]++"
    rb"[A-Za-z_]\w*+\s*+(?=[,)\[])"
)
"""A parameter behind one more word: `f(UNUSED int a)`."""

TRAILER_BEFORE = re.compile(rb"\)(?:\s*(?:const|volatile))?\Z")
"""What stands before `NOEXCEPT` in `f() const NOEXCEPT {`."""

WORD_BYTES = b"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

CAPITALS_APART = bytes(32 if byte in blanking.NO_CAPITALS else byte for byte in range(256))
"""Translation table that leaves capitals, underscores and blanks."""

CLOSE_BYTES = 40
NEAR_BYTES = 200


def error_words(data: bytes, errors: list[Span]) -> list[Span]:
    """Return the words at errors that stand for something else: attributes, strings, statements.

    A word beside a string is a macro for a string; `return` in an argument list is a statement that a macro places.
    """
    found, near, close = [], [], []
    for start, end in errors:
        text, before, after = data[start:end], data[max(0, start - 40) : start].rstrip(), data[end : end + 40].lstrip()
        if text in STATEMENTS:
            alone = after.startswith(b")") and before.endswith(b",")
            found.append((data.rindex(b",", 0, start) if alone else start, end))
        elif WORD.fullmatch(text):
            string = before.endswith(b'"') or after.startswith(b'"')
            if string or (text.isupper() and TRAILER_BEFORE.search(before)):
                found.append((start, end))
        near.append((max(0, start - NEAR_BYTES), min(len(data), end + NEAR_BYTES, start + 2 * NEAR_BYTES)))
        close.append((max(0, start - CLOSE_BYTES), min(len(data), end + CLOSE_BYTES, start + 2 * CLOSE_BYTES)))
    near = spans.union(near)
    for span in near:
        found += (one.span(1) for one in PARAMETER.finditer(data, *span))
    if not CAPITALS.isdisjoint(b" ".join(data[start:end] for start, end in near).translate(CAPITALS_APART).split()):
        for span in near:
            found += (one.span() for one in CAPITAL.finditer(data, *span) if one.group() in CAPITALS)
    if any(next(hanging(data, *span), None) for span in spans.union(close)):
        found += hanging(data, 0, len(data))
    return [span for span in found if not blanking.in_directive(data, span[0])]


def storage_words(data: bytes, errors: list[Span]) -> list[Span]:
    """Return the words of `STORAGE` on the lines where errors begin."""
    lines: set[int] = set()
    for start, _ in errors:
        if text := NOT_BLANK.search(data, start):
            lines.add(data.rfind(b"\n", 0, text.start()) + 1)
    return [found.span(1) for line in sorted(lines) if (found := STORAGE.match(data, line))]


def hanging(data: bytes, start: int, stop: int) -> Iterator[Span]:
    """Yield the words of `HANGING` between two positions that end in capitals and follow a word that is no type."""
    for one in HANGING.finditer(data, start, stop):
        if CAPITAL_END.search(one.group()) and typeless(word_before(data, one.start())):
            yield one.span()


def broken_defines(data: bytes, errors: list[Span], odd: list[Odd]) -> list[Span]:
    """Return the long `#define`s that the parser took to end early: an error or stray code touches them."""
    wrong = spans.union([*errors, *((one.start, one.end) for one in odd)])
    return [span for span in blanking.long_defines(data) if spans.meets(wrong, *span)]


def word_before(data: bytes, position: int) -> bytes:
    """Return the word that only blanks part from `position`, or nothing."""
    text = data[max(0, position - NEAR_BYTES) : position].rstrip(b" \t")
    return text[len(text.rstrip(WORD_BYTES)) :]


def typeless(word: bytes) -> bool:
    """Tell whether a word before a second one is not its type, so that the second is a macro."""
    return word.islower() and not word.endswith(b"_t") and word not in MODIFIERS and word.decode() not in KEYWORDS


def macro_lines(data: bytes, heads: list[Head]) -> list[Span]:
    """Return the macros alone on their lines that are not inside a function read without error."""
    clean = spans.union((head.start, head.end) for head in heads if not head.has_error)
    rest = spans.subtract([(0, len(data))], clean)
    lines = (line for start, end in rest for line in blanking.macro_lines(data, start, end))
    return spans.subtract(spans.union(lines), clean)


def head_words(data: bytes, errors: list[Span], heads: list[Head]) -> list[Span]:
    """Return the words in capitals that stand in the way before a function's name, found by the error they cause.

    The last one stays where nothing else could be the type, as in `SECTION_TEXT VOID f(VOID)`.
    """
    found: list[Span] = []
    for head in heads:
        if not head.has_error or not any(a < head.body_start and b > head.start for a, b in errors):
            continue
        found_words = WORD.finditer(data, head.start, head.declarator_start)
        words = [match for match in found_words if match.group() not in MODIFIERS]
        capitals = [match for match in words if match.group().isupper() and len(match.group()) > 2]
        if len(capitals) == len(words):
            capitals = capitals[:-1]
        for match in capitals:
            end = match.end()
            found.append((match.start(), blanking.argument_end(data, end) if data[end : end + 1] == b"(" else end))
    return found
