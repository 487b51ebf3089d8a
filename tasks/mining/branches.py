"""A file reduced to one branch of every `#if`, at equal length, for a parser that cannot follow the others.

tree-sitter reads all branches at once, so an `if (a) {` in one and an `if (b) {` in the other leave it a brace short and
the function is lost with everything after it. One consistent choice of branches parses.
"""

import re
from dataclasses import dataclass, field

from tasks.mining.blanking import SPACES, Span

DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>(?:[^\n\\]|\\\r?\n|\\.)*+)", re.MULTILINE
)
COMMENT = re.compile(rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//.*")
REACH_BYTES = 4_000
NEGATION = re.compile(rb"^!\s*(?=[A-Za-z_(])")


@dataclass
class _Level:
    keep: bool
    """Whether what encloses this `#if` is kept."""
    taken: bool = False
    """Whether a branch of this `#if` has been kept."""
    live: bool = False


@dataclass
class Reduction:
    """`data` with conditional lines and all branches but one turned to spaces; `dropped` are those branches."""

    data: bytes
    dropped: list[Span] = field(default_factory=list)


def _key(word: bytes, rest: bytes) -> tuple[bytes, bool]:
    """Return the condition in a normal form, and whether the directive asks for its truth (True) or its opposite."""
    text = b"".join(COMMENT.sub(b"", rest).split())
    if word in (b"ifdef", b"ifndef"):
        return text, word == b"ifdef"
    positive = True
    if NEGATION.match(text) and b"&&" not in text and b"||" not in text:
        text, positive = text[1:], False
    text = re.sub(rb"^defined\(?(\w+)\)?$", rb"\1", text)
    if text in (b"0", b"FALSE", b"false"):
        return b"1", not positive
    return text.strip(b"()") or text, positive


def reduce(data: bytes, *, optimistic: bool, cpp: bool) -> Reduction:
    """Keep one branch of every `#if`: the first where `optimistic`, else the last; a condition seen before is answered
    as before, `0`, `1` and `__cplusplus` as they are, and an include guard always holds."""
    known: dict[bytes, bool] = {b"1": True, b"__cplusplus": cpp}
    levels: list[_Level] = []
    pieces: list[bytes] = []
    dropped: list[Span] = []
    at = 0

    def emit(end: int) -> None:
        text = data[at:end]
        if not levels or (levels[-1].keep and levels[-1].live):
            pieces.append(text)
        else:
            pieces.append(text.translate(SPACES))
            if text.strip():
                dropped.append((at, end))

    for match in DIRECTIVE.finditer(data):
        word, rest = match.group("word", "rest")
        emit(match.start())
        at = match.end()
        pieces.append(match.group().translate(SPACES))
        if word.startswith(b"if"):
            level = _Level(keep=not levels or (levels[-1].keep and levels[-1].live))
            levels.append(level)
        elif not levels:
            continue
        elif word == b"endif":
            levels.pop()
            continue
        else:
            level = levels[-1]
        if word == b"else":
            level.live = not level.taken
        elif level.taken:
            level.live = False
        elif level.keep:
            key, positive = _key(word, rest)
            if key not in known:
                guard = word == b"ifndef" and re.match(rb"\s*#[ \t]*define[ \t]+" + re.escape(key) + rb"\b", data[at : at + 200])
                known[key] = positive if optimistic or guard else not positive
            level.live = known[key] == positive
        level.taken = level.taken or level.live
    emit(len(data))
    return Reduction(b"".join(pieces), dropped)


def balance(data: bytes, start: int, end: int) -> Span:
    """Widen a span by whole lines so that every `#else` and `#endif` in it has its `#if`, and the reverse.

    The start stays where it is when a statement or another body would come in; each way at most `REACH_BYTES`.
    """
    level = lowest = 0
    for match in DIRECTIVE.finditer(data, start, end):
        word = match.group("word")
        if word.startswith(b"if"):
            level += 1
        else:
            lowest = min(lowest, level - 1)
            level -= word == b"endif"
    return _back(data, start, -lowest), _forward(data, end, level - lowest)


def _back(data: bytes, start: int, missing: int) -> int:
    opened: list[int] = []
    for match in DIRECTIVE.finditer(data, max(0, start - REACH_BYTES), start) if missing else ():
        word = match.group("word")
        if word.startswith(b"if"):
            opened.append(match.start())
        elif word == b"endif" and opened:
            opened.pop()
    if not missing or len(opened) < missing:
        return start
    gap = COMMENT.sub(b"", data[opened[-missing] : start])
    return start if b";" in gap or b"}" in gap else opened[-missing]


def _forward(data: bytes, end: int, depth: int) -> int:
    for match in DIRECTIVE.finditer(data, end, min(len(data), end + REACH_BYTES)) if depth else ():
        word = match.group("word")
        if word.startswith(b"if"):
            depth += 1
        elif word == b"endif":
            depth -= 1
            if not depth:
                return match.end()
    return end
