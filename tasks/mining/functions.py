"""The functions of one file: what its passes agree on, and what none of them could read."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from tree_sitter import Node

from tasks.mining import branches, grammar, passes, spans
from tasks.mining.grammar import Language
from tasks.mining.passes import READ, Pass
from tasks.mining.records import Function, Unread
from tasks.mining.spans import Span
from tasks.mining.walk import Head, Odd

BRACES = re.compile(grammar.NOISE.pattern + rb"|\{|\}")
CONDITIONAL = re.compile(rb"^[ \t]*#", re.MULTILINE)


@dataclass
class Reading:
    """What all passes over a file agree on. `first` is the pass whose `declared` nodes symbols are made of."""

    language: Language
    first: Pass
    functions: list[Function]
    unread: list[Unread]
    error_bytes: int
    declared: list[tuple[str, Node]]


def read(path: str, data: bytes, macros: tuple[str, ...], *, encoding: str, collect: bool) -> Reading:
    """Return the functions of a file, and the declarations that symbols are made of if `collect` asks for them.

    Arguments: `data`, the file in `encoding`, which is UTF-8 or an 8-bit one; `macros`, names blanked before parsing.
    """
    made, lead = passes.over(path, data, macros, encoding=encoding, collect=collect)
    reading = merge(data, encoding, made, lead)
    lost_spans = [
        (one.start_byte, one.end_byte) for one in reading.unread if one.reason in ("parse_error", "swallowed")
    ]
    if any(data.find(b"{", start, end) >= 0 for start, end in lost_spans):
        made.append(passes.alone(made[0], spans.union(lost_spans)))
        if made[-1].walk.heads:
            reading = merge(data, encoding, made, lead)
    return reading


def merge(data: bytes, encoding: str, made: list[Pass], lead: list[Span]) -> Reading:
    """Join the passes: a function read without error wins over one read with errors, an earlier pass over a later."""
    first = made[0]
    taken = spans.Taken()
    if len(made) == 1 and not first.errors:
        heads = [moved(data, head, lead) for head in first.walk.heads] if lead else first.walk.heads
        if first.walk.odd or first.lost:
            for head in heads:
                taken.add(head.start, head.end)
        unread, error_bytes = lost(data, made, taken)
    else:
        chosen = choose(data, made, lead, taken)
        heads = [head for head, _ in chosen]
        unread, error_bytes = lost(data, made, taken)
        for head, one in chosen:
            if head.has_error:
                error_bytes += spans.size(spans.intersect(one.errors, [(head.start, head.end)]))
    return Reading(first.language, first, build(data, encoding, heads), unread, error_bytes, first.walk.declared)


def choose(data: bytes, made: list[Pass], lead: list[Span], taken: spans.Taken) -> list[tuple[Head, Pass]]:
    """Return the best heads of all passes that do not overlap, in order, and take their spans."""
    chosen: list[tuple[Head, Pass]] = []
    ranked = sorted(
        ((head, index) for index, one in enumerate(made) for head in one.walk.heads),
        key=lambda pair: (
            pair[0].has_error,
            pair[0].broken,
            (pair[1] or 3) if pair[0].has_error else pair[1],
            pair[0].start,
        ),
    )
    for head, index in ranked:
        if lead:
            head = moved(data, head, lead)
        if head.has_error:
            head = head._replace(end=min(head.end, brace_end(made[index].data, head.body_start)))
        if data.find(b"#", head.start, head.end) >= 0:
            start, end = branches.balance(data, head.start, head.end)
            if (start, end) != (head.start, head.end) and not taken.overlaps(start, end):
                head = head._replace(start=start, end=end)
        if taken.add(head.start, head.end):
            chosen.append((head, made[index]))
    return sorted(chosen, key=lambda pair: pair[0].start)


def moved(data: bytes, head: Head, lead: list[Span]) -> Head:
    """Return the head with the attribute words before it, which the parser was not shown, taken in again."""
    start = head.start
    at = bisect_left(lead, (start, 0)) - 1
    while at >= 0:
        before, end = lead[at]
        gap = data[end:start]
        macro_call = data[end - 1 : end] == b")" and not data.startswith(b"__", before)
        if gap.strip() or (macro_call and b"\n" in gap):
            break
        start = before
        at -= 1
    return head if start == head.start else head._replace(start=start)


def brace_end(data: bytes, start: int) -> int:
    """Return the end of the braces that open at `start`, by counting outside comments and strings."""
    depth = 0
    for match in BRACES.finditer(data, start):
        token = match.group()
        depth += (token == b"{") - (token == b"}")
        if not depth:
            return match.end()
    return len(data)


def lost(data: bytes, made: list[Pass], taken: spans.Taken) -> tuple[list[Unread], int]:
    """Return what no pass could read, in order, and how many bytes that is (functions made by macros were read)."""
    first = made[0]
    if len(made) == 1 and not first.walk.odd and not first.lost:
        return [], 0
    odd = [one for one in first.walk.odd if not taken.overlaps(one.start, one.end)]
    for head in first.walk.heads:
        if head.has_error and not taken.holds(head.start):
            stop = next((start for start, _ in taken.spans if start > head.start), head.end)
            odd.append(Odd(head.start, min(stop, head.end), "swallowed", head.name))
    errors = first.errors
    for other in made[1:]:
        errors = spans.intersect(errors, spans.union([*other.errors, *other.dropped]))
    errors = spans.subtract(errors, spans.union([*taken.spans, *((one.start, one.end) for one in odd)]))
    for start, end in errors:
        text = first.data[start:end]
        if passes.holds_code(text):
            at = start + len(text) - len(text.lstrip())
            odd.append(Odd(at, start + len(text.rstrip()), "parse_error", first.walk.line(at)))
    odd.sort(key=lambda one: (one.start, one.end))
    unread, line, position = [], 1, 0
    for one in odd:
        line += data.count(b"\n", position, one.start)
        position = one.start
        unread.append(Unread(one.start, one.end, line, one.reason, one.detail))
    return unread, spans.size(spans.union((one.start, one.end) for one in odd if one.reason not in READ))


def build(data: bytes, encoding: str, heads: list[Head]) -> list[Function]:
    """Return the records of the heads, which are in order of their start."""
    functions, line, position = [], 1, 0
    for head in heads:
        start, end, body_start = head.start, head.end, head.body_start
        line += data.count(b"\n", position, start)
        position = start
        functions.append(
            Function(
                head.name,
                head.qualified_name,
                data[start:body_start].decode(encoding).rstrip(),
                start,
                end,
                body_start,
                line,
                line + data.count(b"\n", start, end),
                comment_above(data, start, head.comments, encoding) if head.comments else None,
                head.trivial,
                head.has_error,
                data.find(b"#", start, end) >= 0 and CONDITIONAL.search(data[start:end]) is not None,
            )
        )
    return functions


def comment_above(data: bytes, start: int, comments: tuple[Span, ...], encoding: str) -> str | None:
    """Return the comments that end on the line above `start`, with no blank line between, as they are written."""
    first, below = None, start
    for begin, end in reversed(comments):
        line_start = data.rfind(b"\n", 0, begin) + 1
        gap = data[end:below]
        if gap.strip() or gap.count(b"\n") > 1 or data[line_start:begin].strip(b" \t\xef\xbb\xbf"):
            break
        first, below = begin, begin
    if first is None:
        return None
    return data[first : max(end for _, end in comments)].decode(encoding)
