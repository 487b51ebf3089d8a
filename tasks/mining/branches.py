"""A file reduced to one branch of every `#if`, at equal length, for a parser that cannot follow the others.

tree-sitter reads all branches at once, so an `if (a) {` in one and an `if (b) {` in the other leave it a brace short
and the function is lost with everything after it. One consistent choice of branches parses.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tasks.mining import lexis
from tasks.mining.blanking import blank
from tasks.mining.spans import Span, meets

DIRECTIVE = re.compile(
    rb"#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?P<rest>" + lexis.REST_OF_DIRECTIVE + rb")"
)
COMMENT = re.compile(lexis.BLOCK_COMMENT + rb"|//.*")
REACH_BYTES = 4_000
NEGATION = re.compile(rb"^!\s*(?=[A-Za-z_(])")


@dataclass
class _Level:
    keep: bool
    """Whether what encloses this `#if` is kept."""
    start: int
    hopeful: bool
    """Whether its first branch is the one to keep."""
    taken: bool = False
    """Whether a branch of this `#if` has been kept."""
    live: bool = False
    lines: list[Span] = field(default_factory=list)
    branches: list[Span] = field(default_factory=list)


@dataclass
class Reduction:
    """`data` with the spans `blanked` turned to spaces, which are conditional lines and all branches but one; of these
    `dropped` are the branches."""

    data: bytes
    blanked: list[Span] = field(default_factory=list)
    dropped: list[Span] = field(default_factory=list)


def directives(data: bytes, start: int = 0, end: int | None = None) -> Iterator[re.Match[bytes]]:
    """Yield the conditional lines whose `#` is in the span, from that `#` on, with their `word` and the `rest`."""
    for match in DIRECTIVE.finditer(data, start, len(data) if end is None else end):
        at = match.start()
        if not data[data.rfind(b"\n", 0, at) + 1 : at].strip():
            yield match


@lru_cache(maxsize=4096)
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


def reduce(
    data: bytes, *, optimistic: bool, cpp: bool, where: list[Span] | None = None, doubted: Sequence[Span] = ()
) -> Reduction:
    """Keep one branch of every `#if` that meets `where` (sorted spans; None for all of them), others stay as they are.

    It is the first branch where `optimistic` and the `#if` meets no span of `doubted`, else the last. A condition seen
    before is answered as before, `0`, `1` and `__cplusplus` as they are. An `#ifndef` that defines its name holds, as
    an include guard does, and the name is defined below. Given `where`, so does a condition around most of the file,
    whose lines stay if it has no other branch: a tree from before is of use only below the same nodes.
    """
    certain = {b"1": True, b"__cplusplus": cpp}
    known: dict[bool, dict[bytes, bool]] = {True: certain.copy(), False: certain.copy()}
    levels: list[_Level] = []
    blanked: list[Span] = []
    dropped: list[Span] = []
    at = 0
    found = list(directives(data))
    around = set() if where is None else _around_most(found, len(data))
    ends = _ends(found, len(data)) if doubted else {}

    def drop(end: int) -> None:
        if levels and not (levels[-1].keep and levels[-1].live) and data[at:end].strip():
            levels[-1].branches.append((at, end))

    def close(end: int) -> None:
        level = levels.pop()
        if not level.keep:
            levels[-1].lines += level.lines
            levels[-1].branches += level.branches
        elif level.start in around and not level.branches:
            pass
        elif where is None or meets(where, level.start, end):
            blanked.extend((*level.lines, *level.branches))
            dropped.extend(level.branches)

    for match in found:
        word, rest = match.group("word", "rest")
        drop(match.start())
        at = match.end()
        if word.startswith(b"if"):
            start = match.start()
            hopeful = optimistic and not (doubted and meets(doubted, start, ends[start]))
            levels.append(_Level(not levels or (levels[-1].keep and levels[-1].live), start, hopeful))
        elif not levels:
            blanked.append(match.span())
            continue
        level = levels[-1]
        level.lines.append(match.span())
        if word == b"endif":
            close(at)
            continue
        if word == b"else":
            level.live = not level.taken
        elif level.taken:
            level.live = False
        elif level.keep:
            key, positive = _key(word, rest)
            answers = known[level.hopeful]
            defines = word == b"ifndef" and re.match(
                rb"\s*#[ \t]*define[ \t]+" + re.escape(key) + rb"\b", data[at : at + 200]
            )
            if key not in answers:
                answers[key] = positive if level.hopeful or defines or match.start() in around else not positive
            level.live = answers[key] == positive
            if defines and level.live:
                known[True][key] = known[False][key] = True
        level.taken = level.taken or level.live
    drop(len(data))
    while levels:
        close(len(data))
    blanked.sort()
    return Reduction(blank(data, blanked), blanked, sorted(dropped))


def _ends(found: list[re.Match[bytes]], size: int) -> dict[int, int]:
    """Return where each `#if` ends, by its start; `size` for one without an end."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in found:
        if match.group("word").startswith(b"if"):
            opened.append(match.start())
            ends[opened[-1]] = size
        elif match.group("word") == b"endif" and opened:
            ends[opened.pop()] = match.end()
    return ends


def _around_most(found: list[re.Match[bytes]], size: int) -> set[int]:
    """Return where the `#if`s start whose first branch is more than half of a file of `size` bytes."""
    around: set[int] = set()
    opened: list[int] = []
    for match in found:
        word = match.group("word")
        if word.startswith(b"if"):
            opened.append(match.start())
            continue
        if opened and opened[-1] >= 0 and 2 * (match.start() - opened[-1]) > size:
            around.add(opened[-1])
        if word == b"endif":
            opened = opened[:-1]
        elif opened:
            opened[-1] = -1
    return around


def balance(data: bytes, start: int, end: int) -> Span:
    """Widen a span by whole lines so that every `#else` and `#endif` in it has its `#if`, and the reverse.

    A side stays where it is when more than another head or tail of the same body would come in.
    """
    level = lowest = 0
    for match in directives(data, start, end):
        word = match.group("word")
        if word.startswith(b"if"):
            level += 1
        else:
            lowest = min(lowest, level - 1)
            level -= word == b"endif"
    return _back(data, start, -lowest), _forward(data, end, level - lowest)


def _back(data: bytes, start: int, missing: int) -> int:
    opened: list[int] = []
    for match in directives(data, max(0, start - REACH_BYTES), start) if missing else ():
        word = match.group("word")
        if word.startswith(b"if"):
            opened.append(match.start())
        elif word == b"endif" and opened:
            opened.pop()
    if not missing or len(opened) < missing:
        return start
    gap = COMMENT.sub(b"", data[opened[-missing] : start])
    other_head = gap.count(b"{") > gap.count(b"}") or not (b";" in gap or b"}" in gap)
    return opened[-missing] if other_head else start


def _forward(data: bytes, end: int, depth: int) -> int:
    for match in directives(data, end, min(len(data), end + REACH_BYTES)) if depth else ():
        word = match.group("word")
        if word.startswith(b"if"):
            depth += 1
        elif word == b"endif":
            depth -= 1
            if not depth:
                return end if b"{" in COMMENT.sub(b"", data[end : match.start()]) else match.end()
    return end
