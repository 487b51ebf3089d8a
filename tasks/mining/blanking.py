"""Words that stand where the grammar allows no token, replaced by spaces of equal length so that spans stay true."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from tasks.mining import lexis
from tasks.mining.spans import Span
from tasks.mining.words import ATTRIBUTES, NOT_NAMES, WRAPPERS

SPACES = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
"""Translation table: everything but line ends becomes a space."""

ASCII = bytes(byte if byte < 128 else ord("_") for byte in range(256))
"""Translation table that makes any 8-bit text readable to the parsers at equal length."""

NO_CAPITALS = bytes(byte for byte in range(256) if byte not in b"_ABCDEFGHIJKLMNOPQRSTUVWXYZ")

DUNDER = re.compile(rb"__[A-Za-z]\w*")
CLASS_HEAD = re.compile(rb"[ \t]+([A-Z][A-Z0-9_]{2,}(?:[ \t]*\([^()\n]*\))?)(?=\s+\w+\s*(?:final\s*)?[:{])")
SKIP = rb"(?:\s++|" + lexis.BLOCK_COMMENT + rb")*+"
OLD_STYLE = re.compile(
    rb"\)(?P<declarations>(?:" + SKIP + rb"(?!return\b|goto\b|else\b)[A-Za-z_][\w\s*,\[\]]*+;)++)"
    + SKIP + rb"\{"
)  # fmt: skip
OLD_HEAD = re.compile(rb"([A-Za-z_]\w*)[ \t]*\([ \t\r\n]*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*$")
PARENTHESIS = re.compile(rb"[()]")
BRACED = re.compile(rb"\(\s*\{")
CAPITALS_BEFORE = re.compile(rb"[A-Z][A-Z0-9_]+$")
EMPTY_DEFINE = re.compile(rb"#[ \t]*+define[ \t]+\w+(?:\([^()\n]*\))?[ \t]+(?=\r?\n)")
ON_ONE_LINE = rb"[^\n\\]*+(?:\\[^\r\n][^\n\\]*+)*+"
LONG_DEFINE = re.compile(rb"#[ \t]*+define[ \t]+\w" + ON_ONE_LINE + rb"(?:\\\r?\n" + ON_ONE_LINE + rb")++")
FORMAT = re.compile(rb"PRI[diouxX](?:LEAST|FAST)?(?:8|16|32|64|MAX|PTR)\b")
MACRO_LINE = re.compile(rb"\n[ \t]*([A-Z][A-Z0-9_]{2,})(?=\(|[ \t]*\r?\n)")
AFTER_LINE = re.compile(rb"[ \t]*(?://[^\n]*)?\r?\n\s*(?:[A-Za-z_~}#/]|\Z)")
NUMBERS = re.compile(rb"[0-9A-Fa-fxXuUlL,.\s+-]++")

ARGUMENT_BYTES = 2_000
BIG_BYTES = 16_384
LONG_TABLE_BYTES = 2_048
SAMPLED = 32
"""Every how many bytes a big file is looked at first."""


def word_at(data: bytes, position: int) -> bool:
    """Tell whether the byte at `position` is part of an identifier; outside the data none is."""
    byte = data[position : position + 1] if position >= 0 else b""
    return byte.isalnum() or byte == b"_"


def in_directive(data: bytes, position: int) -> bool:
    """Tell whether `position` is on a line that starts with `#`."""
    return data[data.rfind(b"\n", 0, position) + 1 : position].lstrip()[:1] == b"#"


def argument_end(data: bytes, position: int) -> int:
    """Return the end of the argument list that starts at `position`, or `position` if none closes near."""
    depth = 0
    for match in PARENTHESIS.finditer(data, position, position + ARGUMENT_BYTES):
        depth += 1 if match.group() == b"(" else -1
        if depth <= 0:
            return match.end() if depth == 0 else position
    return position


def blank(data: bytes, spans: Iterable[Span]) -> bytes:
    """Return `data` with the spans turned to spaces, line ends kept; the length does not change."""
    pieces: list[bytes] = []
    at = 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        start = max(start, at)
        pieces += (data[at:start], data[start:end].translate(SPACES))
        at = end
    return b"".join((*pieces, data[at:])) if pieces else data


def cut_out(data: bytes, spans: Sequence[Span]) -> bytes:
    """Return `data` without the spans, which are in order and do not overlap."""
    bounds = [0, *(position for span in spans for position in span), len(data)]
    return b"".join(data[bounds[i] : bounds[i + 1]] for i in range(0, len(bounds), 2)) if spans else data


def capitals(data: bytes) -> bytes:
    """Return the capitals and underscores of `data`: a word of them that is not in here is nowhere in `data`."""
    return data.translate(None, NO_CAPITALS)


@cache
def spelled(names: tuple[str, ...]) -> tuple[tuple[bytes, bool, bool], ...]:
    """Return each name's bytes, whether it is a prefix, and whether it has only what `capitals` keeps."""
    words = ((name.rstrip("*").encode(), name.endswith("*")) for name in names)
    return tuple((word, prefix, word == capitals(word)) for word, prefix in words if word)


def named(data: bytes, names: tuple[str, ...], seen: bytes | None = None) -> Iterator[Span]:
    """Yield the spans of macro names, each with its argument list if one follows directly; `NAME*` is a prefix.

    Arguments: `seen`, the `capitals` of `data` if at hand, which are searched faster.
    """
    seen = capitals(data) if seen is None else seen
    for word, prefix, capital in spelled(names):
        at = -1 if capital and word not in seen else data.find(word)
        while at >= 0:
            end = at + len(word)
            if prefix:
                while word_at(data, end):
                    end += 1
            if not word_at(data, at - 1) and not word_at(data, end) and not in_directive(data, at):
                if data[end : end + 1] == b"(":
                    end = argument_end(data, end)
                yield at, end
            at = data.find(word, end)


def attributes(data: bytes) -> Iterator[Span]:
    """Yield the spans of the attribute words of `ATTRIBUTES` with their arguments, and of `WRAPPERS` around a name."""
    for match in DUNDER.finditer(data):
        word = match.group()
        if word in ATTRIBUTES:
            start, end = match.span()
            if word_at(data, start - 1) or in_directive(data, start):
                continue
            at = end
            while data[at : at + 1] in (b" ", b"\t") and word.startswith((b"__attribute", b"__declspec")):
                at += 1
            yield start, argument_end(data, at) if data[at : at + 1] == b"(" else end
        elif word in WRAPPERS and not in_directive(data, match.start()):
            end = argument_end(data, match.end())
            if end > match.end():
                yield match.start(), match.end() + 1
                yield end - 1, end


def formats(data: bytes, seen: bytes | None = None) -> Iterator[Span]:
    """Yield the spans of `PRIu32` and its like beside a string: the C++ grammar wants strings only.

    Arguments: `seen`, the `capitals` of `data` if at hand.
    """
    if b"PRI" not in (capitals(data) if seen is None else seen):
        return
    for match in FORMAT.finditer(data):
        start, end = match.span()
        if data[max(0, start - 2) : start].rstrip().endswith(b'"') or data[end : end + 2].lstrip().startswith(b'"'):
            yield start, end


def macro_lines(data: bytes, start: int = 0, stop: int | None = None) -> Iterator[Span]:
    """Yield the spans of macros alone on their lines without a semicolon: `SUB_SENSOR(voltage)`, `PACK_BEGIN`.

    Arguments: `start`, `stop`, where the names are looked for.
    """
    for match in MACRO_LINE.finditer(data, start, len(data) if stop is None else stop):
        start, end = match.span(1)
        if data[end : end + 1] == b"(":
            end = argument_end(data, end)
        if AFTER_LINE.match(data, end):
            yield start, end


def empty_defines(data: bytes) -> Iterator[Span]:
    """Yield the spans of `#define NAME ` with only spaces behind: the grammars take the next line for its value."""
    for match in EMPTY_DEFINE.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        if not data[line : match.start()].strip():
            yield line, match.end()


def long_defines(data: bytes) -> Iterator[Span]:
    """Yield the spans of `#define`s of several lines: a comment or a `#` in one can end it early for the parser."""
    for match in LONG_DEFINE.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        if not data[line : match.start()].strip():
            yield line, match.end()


def braced_arguments(data: bytes) -> Iterator[Span]:
    """Yield the braces in the arguments of `ATTRIBUTES({TAG, value})`, which no C expression has without a type."""
    for match in BRACED.finditer(data):
        start = match.start()
        if not CAPITALS_BEFORE.search(data, max(0, start - 60), start):
            continue
        end = argument_end(data, start)
        arguments = data[start:end]
        if b";" not in arguments:
            yield from ((start + i, start + i + 1) for i, byte in enumerate(arguments) if byte in b"{}")


def class_heads(data: bytes) -> Iterator[Span]:
    """Yield the spans of export macros in `class EXPORT_API Name {`."""
    for word in (b"class", b"struct", b"union"):
        at = data.find(word)
        while at >= 0:
            end = at + len(word)
            match = CLASS_HEAD.match(data, end)
            if match and not word_at(data, at - 1):
                yield match.span(1)
            at = data.find(word, end)


def old_style(data: bytes) -> Iterator[Span]:
    """Yield the spans of K&R parameter declarations: tree-sitter-c loses a K&R function that returns a pointer."""
    for match in OLD_STYLE.finditer(data):
        head = OLD_HEAD.search(data, max(0, match.start() - 400), match.start())
        if head and head.group(1) not in NOT_NAMES:
            yield match.span("declarations")


def other_share(data: bytes) -> float:
    """Return which share of the bytes cannot be in a table of numbers."""
    return len(data.translate(None, b"0123456789abcdefABCDEFxX, \t\r\n")) / len(data)


def number_tables(data: bytes) -> Iterator[Span]:
    """Yield the spans of numbers in long tables of a big file that is mostly numbers, so that parsing it is fast."""
    if len(data) < BIG_BYTES or other_share(data[::SAMPLED]) > 0.4 or other_share(data) > 1 / 3:
        return
    for match in NUMBERS.finditer(data):
        start, end = match.span()
        if end - start < LONG_TABLE_BYTES:
            continue
        if word_at(data, start - 1):
            start = data.find(b",", start, end) + 1
        stop = data.rfind(b",", start, end) + 1
        if 0 < start < stop:
            yield start, stop
