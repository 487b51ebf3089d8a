"""The functions of one file: parse, parse again what was lost, merge, and say what no parse could read."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tree_sitter import Tree

from tasks.mining import blanking, branches, grammar, spans
from tasks.mining.grammar import Language
from tasks.mining.records import Function, Unread
from tasks.mining.spans import Span
from tasks.mining.walk import Head, Odd, Walk

CAPITALS = re.compile(rb"[A-Za-z_]\w*")
MODIFIERS = frozenset(b"static inline extern const volatile register constexpr virtual explicit friend unsigned struct".split())
COMMENTED = re.compile(
    rb"""("(?:[^"\\\n]|\\[\s\S])*+"|'(?:[^'\\\n]|\\[\s\S])*+')|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//(?:[^\n\\]|\\[\s\S])*+"""
)
LINES = re.compile(rb"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*|^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*+", re.MULTILINE)
CODE = re.compile(rb"\w")
BLANK_LINE = re.compile(rb"\n[ \t\r\f\v]*(?=\n)")
READ = ("macro_made", "macro_call")
"""Reasons of stretches that the parser read well and that are functions of a macro's making, or may be."""

BRACES = re.compile(grammar.NOISE.pattern + rb"|[{}]")
NEAR_BYTES = 200
COMMENTS = re.compile(rb"/(?:\*(?:[^*]|\*(?!/))*+(?:\*/)?|/(?:[^\n\\]|\\[\s\S])*+)")
CONDITIONAL = re.compile(rb"^[ \t]*#", re.MULTILINE)


@dataclass
class Pass:
    """One parse of a file: what it shows, what it lost (`errors`), how badly (`gross`, in bytes, with what was read
    inside), and what it was not shown (`dropped`)."""

    language: Language
    data: bytes
    tree: Tree
    walk: Walk
    errors: list[Span]
    gross: int
    dropped: list[Span] = field(default_factory=list)

    @property
    def lost(self) -> bool:
        """Whether the parser was lost anywhere, said or unsaid."""
        return self.tree.root_node.has_error or any(odd.reason not in READ for odd in self.walk.odd)


@dataclass
class Reading:
    """What all passes over a file agree on. `first` is the pass that symbols are taken from."""

    language: Language
    first: Pass
    functions: list[Function]
    unread: list[Unread]
    error_bytes: int


def read(path: str, data: bytes, macros: tuple[str, ...], *, encoding: str, collect: bool) -> tuple[Reading, list]:
    """Return the functions of a file and the (kind, node) pairs of its declarations, if `collect` asks for them.

    Arguments: `data`, the file in `encoding`, which is UTF-8 or an 8-bit one; `macros`, names blanked before parsing.
    """
    lead = [*blanking.named(data, macros), *blanking.attributes(data)]
    language, sure = grammar.sniff(path, data)
    other = [*blanking.number_tables(data), *blanking.formats(data), *blanking.empty_defines(data)]
    if language == "c":
        other += blanking.old_style(data)
    clean = blanking.blank(data if encoding == "utf-8" else data.translate(blanking.ASCII), [*lead, *other])
    first = run(language, clean, collect)
    if not sure and first.tree.root_node.has_error:
        rival = run("c" if language == "cpp" else "cpp", clean, collect)
        first = min(first, rival, key=lambda one: one.gross)
    passes = [first]
    if first.lost or any(one.reason == "macro_made" for one in first.walk.odd):
        words = [*blanking.named(clean, present(clean)), *blanking.class_heads(clean), *head_words(first)]
        passes = [retry(first, [*words, *error_words(first), *blanking.long_defines(clean), *blanking.braced_arguments(clean)], collect)]
        lead += words if passes[0] is not first else []
        lines = outside(passes[0], blanking.macro_lines(clean))
        before, passes = passes[0], [retry(passes[0], lines, collect)]
        if passes[0] is not before:
            passes[0].walk.odd += (Odd(start, end, "macro_call", before.walk.line(start)) for start, end in lines)
        if passes[0].lost and (where := torn(passes[0])):
            passes.append(reduced(passes[0], optimistic=True))
            if spans.intersect(where, spans.union([*passes[1].errors, *passes[1].dropped])):
                passes.append(reduced(passes[0], optimistic=False))
    return merge(data, encoding, passes, sorted(lead)), passes[0].walk.declared


def retry(first: Pass, words: list[Span], collect: bool) -> Pass:
    """Parse again without `words`; return that pass if it is no worse, else `first`."""
    if not words:
        return first
    words = spans.union(words)
    again = run(first.language, blanking.blank(first.data, words), collect, first, words)
    return again if again.gross <= first.gross else first


def error_words(first: Pass) -> list[Span]:
    """Return the words that the parser took for an error and that stand for something else.

    A word beside a string is a macro for a string; `return` in an argument list is a statement that a macro places.
    """
    found = []
    for start, end in first.errors:
        text, before, after = first.data[start:end], first.data[max(0, start - 40) : start], first.data[end : end + 40]
        if text in (b"return", b"goto", b"break", b"continue"):
            alone = after.lstrip().startswith(b")") and before.rstrip().endswith(b",")
            found.append((first.data.rindex(b",", 0, start) if alone else start, end))
        elif CAPITALS.fullmatch(text) and (before.rstrip().endswith(b'"') or after.lstrip().startswith(b'"')):
            found.append((start, end))
    return found


def outside(first: Pass, lines: Iterable[Span]) -> list[Span]:
    """Return the lines that are not inside a function read without error."""
    clean = [(head.start, head.end) for head in first.walk.heads if not head.has_error]
    return spans.subtract(spans.union(lines), spans.union(clean))


def run(language: Language, data: bytes, collect: bool, before: Pass | None = None, blanked: Sequence[Span] = ()) -> Pass:
    """Parse and walk once; `before` is a pass over the same bytes without the spans `blanked`."""
    tree = grammar.parse(language, data) if before is None else grammar.parse_again(language, before.tree, data, blanked)
    walk = Walk(data, collect)
    walk.visit(tree.root_node)
    return Pass(language, data, tree, walk, *grammar.error_spans(tree.root_node))


def reduced(first: Pass, optimistic: bool) -> Pass:
    """Parse with one branch of every `#if`."""
    reduction = branches.reduce(first.data, optimistic=optimistic, cpp=first.language == "cpp")
    made = run(first.language, reduction.data, False, first, reduction.blanked)
    made.dropped = reduction.dropped
    return made


def torn(first: Pass) -> list[Span]:
    """Return where the parser was lost near a conditional line, so that one branch alone may be read better."""
    heads = ((head.start, head.end) for head in first.walk.heads if head.has_error)
    odd = ((max(0, one.start - NEAR_BYTES), one.end) for one in first.walk.odd if one.reason not in READ)
    near = ((max(0, start - NEAR_BYTES), end + NEAR_BYTES) for start, end in first.errors)
    lost = spans.union([*heads, *odd, *near])
    return [span for span in lost if next(branches.directives(first.data, *span), None)]


def present(data: bytes) -> tuple[str, ...]:
    """Return the attribute words of the general table that occur in the file."""
    return tuple(word for word in blanking.WORDS if word.encode() in data)


def head_words(first: Pass) -> list[Span]:
    """Return the words in capitals that stand in the way before a function's name, found by the error they cause.

    The last one stays where nothing else could be the type, as in `SECTION_TEXT VOID f(VOID)`.
    """
    found: list[Span] = []
    for head in first.walk.heads:
        if not head.has_error or not any(a < head.body_start and b > head.start for a, b in first.errors):
            continue
        words = [match for match in CAPITALS.finditer(first.data, head.start, head.declarator_start)]
        words = [match for match in words if match.group() not in MODIFIERS]
        capitals = [match for match in words if match.group().isupper() and len(match.group()) > 2]
        if len(capitals) == len(words):
            capitals = capitals[:-1]
        for match in capitals:
            end = match.end()
            found.append((match.start(), blanking.argument_end(first.data, end) if first.data[end : end + 1] == b"(" else end))
    return found


def merge(data: bytes, encoding: str, passes: list[Pass], lead: list[Span]) -> Reading:
    """Join the passes: a function read without error wins over one read with errors, an earlier pass over a later."""
    first = passes[0]
    starts = [span[0] for span in lead]
    taken = spans.Taken()
    chosen: list[tuple[Head, Pass]] = []
    if len(passes) == 1 and not first.errors:
        chosen = [(moved(data, head, lead, starts), first) for head in first.walk.heads]
        for head, _ in chosen:
            taken.add(head.start, head.end)
    else:
        ranked = sorted(
            ((head, index) for index, one in enumerate(passes) for head in one.walk.heads),
            key=lambda pair: (pair[0].has_error, pair[0].broken, (pair[1] or 3) if pair[0].has_error else pair[1], pair[0].start),
        )
        for head, index in ranked:
            head = moved(data, head, lead, starts)
            if head.has_error:
                head = replace(head, end=min(head.end, brace_end(passes[index].data, head.body_start)))
            if b"#" in data[head.start : head.end]:
                start, end = branches.balance(data, head.start, head.end)
                if (start, end) != (head.start, head.end) and not taken.overlaps(start, end):
                    head = replace(head, start=start, end=end)
            if taken.add(head.start, head.end):
                chosen.append((head, passes[index]))
        chosen.sort(key=lambda pair: pair[0].start)
    unread, error_bytes = lost(data, passes, taken)
    for head, one in chosen:
        if head.has_error:
            error_bytes += spans.size(spans.intersect(one.errors, [(head.start, head.end)]))
    return Reading(first.language, first, build(data, encoding, [head for head, _ in chosen]), unread, error_bytes)


def moved(data: bytes, head: Head, lead: list[Span], starts: list[int]) -> Head:
    """Return the head with the attribute words before it, which the parser was not shown, taken in again."""
    start = head.start
    at = bisect_right(starts, start - 1) - 1
    while at >= 0:
        before, end = lead[at]
        gap = data[end:start]
        macro_call = data[end - 1 : end] == b")" and not data.startswith(b"__", before)
        if gap.strip() or (macro_call and b"\n" in gap):
            break
        start = before
        at -= 1
    return head if start == head.start else replace(head, start=start)


def brace_end(data: bytes, start: int) -> int:
    """Return the end of the braces that open at `start`, by counting outside comments and strings."""
    depth = 0
    for match in BRACES.finditer(data, start):
        token = match.group()
        depth += (token == b"{") - (token == b"}")
        if not depth:
            return match.end()
    return len(data)


def lost(data: bytes, passes: list[Pass], taken: spans.Taken) -> tuple[list[Unread], int]:
    """Return what no pass could read, in order, and how many bytes that is (functions made by macros were read)."""
    first = passes[0]
    odd = [one for one in first.walk.odd if not taken.overlaps(one.start, one.end)]
    for head in first.walk.heads:
        if head.has_error and not taken.holds(head.start):
            stop = next((start for start, _ in taken.spans if start > head.start), head.end)
            odd.append(Odd(head.start, min(stop, head.end), "swallowed", head.name))
    errors = first.errors
    for one in passes[1:]:
        errors = spans.intersect(errors, spans.union([*one.errors, *one.dropped]))
    errors = spans.subtract(errors, spans.union([*taken.spans, *((one.start, one.end) for one in odd)]))
    for start, end in errors:
        text = first.data[start:end]
        if CODE.search(LINES.sub(b"", text)):
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
        start, end, body = head.start, head.end, head.body_start
        line += data.count(b"\n", position, start)
        position = start
        text = data[start:end]
        lines = text.count(b"\n")
        functions.append(
            Function(
                name=head.name,
                qualified_name=head.qualified_name,
                signature=data[start:body].decode(encoding).rstrip(),
                start_byte=start,
                end_byte=end,
                body_start_byte=body,
                start_line=line,
                end_line=line + lines,
                loc=lines + 1 - len(BLANK_LINE.findall(text)),
                body_hash=body_hash(data[body:end]),
                comment=comment_above(data, start, head.comments, encoding),
                trivial=head.trivial,
                has_error=head.has_error,
                conditional=b"#" in text and CONDITIONAL.search(text) is not None,
            )
        )
    return functions


def body_hash(body: bytes) -> str:
    """Return a hash of a function body that spaces, line ends and comments do not change."""
    if b"//" in body or b"/*" in body:
        quoted = b'"' in body or b"'" in body
        body = COMMENTED.sub(rb"\1", body) if quoted else COMMENTS.sub(b"", body)
    return hashlib.blake2b(body.translate(None, b" \t\r\n\f\v"), digest_size=8).hexdigest()


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
