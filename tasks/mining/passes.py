"""The parses of one file: all of it, again without what was in the way, and with one branch of every `#if`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Tree

from tasks.mining import blanking, branches, disguises, grammar, lexis, obstacles, spans
from tasks.mining.grammar import Language
from tasks.mining.spans import Span
from tasks.mining.walk import Odd, Walk

NAMESPACE = re.compile(rb"namespace[ \t\r\n]+[\w:]*[ \t\r\n]*\{")

LINES = re.compile(
    lexis.BLOCK_COMMENT + rb"|//[^\n]*|^[ \t]*#" + lexis.REST_OF_DIRECTIVE,
    re.MULTILINE,
)
CODE = re.compile(rb"\w")

READ = ("macro_made", "macro_call")
"""Reasons of stretches that the parser read well and that are functions of a macro's making, or may be."""


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
    lost: bool
    """Whether the parser was lost anywhere, said or unsaid; a semicolon that it only missed is no loss."""
    dropped: list[Span] = field(default_factory=list)
    blanked: list[Span] = field(default_factory=list)
    """What was blanked of the bytes of the first pass, the dropped included."""
    hidden: Sequence[Span] = ()
    """Blank stretches that the parser stepped over."""


def over(
    path: str, data: bytes, macros: tuple[str, ...], *, encoding: str, collect: bool
) -> tuple[list[Pass], list[Span]]:
    """Return the passes over a file, the one to prefer first, and the attribute words that none was shown.

    Arguments: `data`, the file in `encoding`, which is UTF-8 or an 8-bit one; `macros`, names blanked before parsing;
    `collect`, whether the first pass gathers declarations.
    """
    seen = blanking.capitals(data)
    lead = [*blanking.named(data, macros, seen), *blanking.attributes(data)]
    tables = list(blanking.number_tables(data))
    language, sure = grammar.sniff(path, blanking.cut_out(data, tables))
    other = [*tables, *blanking.formats(data, seen), *blanking.empty_defines(data)]
    if language == "c":
        other += [*blanking.old_style(data), *blanking.braced_arguments(data)]
    clean = blanking.blank(data if encoding == "utf-8" else data.translate(blanking.ASCII), [*lead, *other])
    first = run(language, clean, collect, hidden=tables)
    if not sure and first.tree.root_node.has_error:
        rival = run("c" if language == "cpp" else "cpp", clean, collect, hidden=tables)
        first = min(first, rival, key=badness)
    passes = [first]
    if first.lost and first.language == "c" and 2 * len(where := torn(first, lost := near_loss(first))) > len(lost):
        passes.append(reduced(first, where))
        if whole(first, passes[1], where):
            return passes, sorted(lead)
    if first.lost or any(one.reason == "macro_made" for one in first.walk.odd):
        best, before_heads = cleared(first, collect)
        if best is not first:
            passes = [best]
            lead += before_heads
        if best.lost and (where := torn(best, near_loss(best))):
            if len(passes) == 1:
                passes.append(reduced(best, where))
            if still := unsure(best, passes[1], where):
                passes.append(doubted(best, passes[1], where, still))
    return passes, sorted(lead)


def cleared(first: Pass, collect: bool) -> tuple[Pass, list[Span]]:
    """Return the pass without all that was in the way of `first`, or `first` where that is no better.

    With it come those words that may stand before a function, of which they are part.
    """
    data, cpp, errors, heads = first.data, first.language == "cpp", first.errors, first.walk.heads
    before_heads = [*obstacles.head_words(data, errors, heads), *obstacles.storage_words(data, errors)]
    words = [
        *before_heads,
        *obstacles.error_words(data, errors),
        *obstacles.broken_defines(data, errors, first.walk.odd),
        *disguises.disguised(data, cpp),
    ]
    if cpp:
        words += [*blanking.class_heads(data), *blanking.braced_arguments(data)]
    lines = obstacles.macro_lines(data, heads)
    for calls in (lines, []) if lines else ([],):
        again = retry(first, [*words, *calls], collect)
        if again is not first:
            again.walk.odd += (Odd(start, end, "macro_call", first.walk.line(start)) for start, end in calls)
            return again, before_heads
    return first, []


def read_well(one: Pass) -> list[Span]:
    """Return the spans of the functions that no error touches."""
    return [(head.start, head.end) for head in one.walk.heads if not head.has_error and not head.broken]


def unsure(first: Pass, one: Pass, where: list[Span]) -> list[Span]:
    """Return the spans of `where` that hold something the reduced pass `one` after `first` did not read.

    A branch dropped inside a function that was read well holds no other function, nor does one without a brace.
    """
    read = spans.union([*read_well(first), *read_well(one)])
    wrong = ((head.start, head.end) for head in one.walk.heads if head.has_error)
    bodies = [span for span in one.dropped if first.data.find(b"{", *span) >= 0]
    unread = spans.union([*one.errors, *spans.subtract(bodies, read), *wrong])
    return [span for span in where if spans.meets(unread, *span)]


def badness(one: Pass) -> int:
    """Return the bytes of a pass that are errors or look like code of no function."""
    return one.gross + sum(odd.end - odd.start for odd in one.walk.odd if odd.reason != "macro_call")


def retry(first: Pass, words: list[Span], collect: bool) -> Pass:
    """Parse again without `words`; return that pass if it is no worse, else `first`."""
    if not words:
        return first
    words = spans.union(words)
    again = run(first.language, blanking.blank(first.data, words), collect, first, words)
    return again if again.gross <= first.gross else first


def run(
    language: Language,
    data: bytes,
    collect: bool,
    before: Pass | None = None,
    blanked: Sequence[Span] = (),
    hidden: Sequence[Span] = (),
    known: frozenset[Span] = frozenset(),
) -> Pass:
    """Parse and walk once; `before` is a pass over the same bytes without the spans `blanked`.

    Arguments: `hidden`, blank stretches that the parser steps over; `known`, functions that the walk leaves out.
    """
    if before is None:
        tree = grammar.parse(language, data, hidden)
    else:
        hidden = before.hidden
        tree = grammar.parse_again(language, before.tree, data, blanked, hidden)
    walk = Walk(language, data, collect, known)
    walk.visit(tree.root_node)
    errors, gross = grammar.error_spans(tree.root_node)
    lost = (
        bool(errors) or any(head.has_error for head in walk.heads) or any(odd.reason not in READ for odd in walk.odd)
    )
    return Pass(language, data, tree, walk, errors, gross, lost, hidden=hidden)


def reduced(first: Pass, where: list[Span]) -> Pass:
    """Parse with the first branch of every `#if` that meets `where`; what `first` read well is not listed again."""
    reduction = branches.reduce(first.data, optimistic=True, cpp=first.language == "cpp", where=where)
    made = run(first.language, reduction.data, False, first, reduction.blanked, known=frozenset(read_well(first)))
    made.blanked, made.dropped = reduction.blanked, reduction.dropped
    return made


def doubted(first: Pass, one: Pass, where: list[Span], still: list[Span]) -> Pass:
    """Parse as the reduced pass `one` did, but with the last branch of every `#if` that meets `still`."""
    reduction = branches.reduce(first.data, optimistic=True, cpp=first.language == "cpp", where=where, doubted=still)
    before, after = spans.union(one.blanked), spans.union(reduction.blanked)
    changed = [*spans.subtract(before, after), *spans.subtract(after, before)]
    known = frozenset([*read_well(first), *read_well(one)])
    made = run(first.language, reduction.data, False, one, changed, known=known)
    made.dropped = reduction.dropped
    return made


def alone(first: Pass, lost: list[Span]) -> Pass:
    """Parse what was lost by itself: what broke the parser often stands before it. Of the scopes there, only the
    namespaces opened before all functions are known."""
    top = min((head.start for head in first.walk.heads), default=0)
    opened = (match.span() for match in NAMESPACE.finditer(first.data, 0, top))
    rest = spans.subtract([(0, len(first.data))], spans.union([*lost, *opened]))
    hidden = [(start, max(start, first.data.rfind(b"\n", start, end))) for start, end in rest]
    made = run(first.language, blanking.blank(first.data, rest), False, hidden=hidden)
    known = sorted(((head.start, head.qualified_name) for head in first.walk.heads), reverse=True)
    made.walk.heads = [
        head._replace(broken=True, qualified_name=enclosed(head.qualified_name, head.start, known))
        for head in made.walk.heads
        if not head.has_error
    ]
    made.dropped = rest
    return made


def enclosed(name: str, start: int, known: list[tuple[int, str]]) -> str:
    """Return a name with the scope that the nearest function before it has around the same class."""
    owner = name.split("::")[0]
    for _, other in (one for one in known if one[0] < start):
        parts = other.split("::")
        if "::" in name and owner in parts[:-1]:
            return "::".join([*parts[: parts.index(owner)], name])
    return name


def whole(first: Pass, one: Pass, where: list[Span]) -> bool:
    """Tell whether the reduced pass `one` after `first` read all that was lost in `where`."""
    if one.lost or unsure(first, one, where):
        return False
    read = spans.union([*read_well(first), *read_well(one)])
    dropped = spans.intersect(first.errors, spans.union(one.dropped))
    return not any(holds_code(first.data[start:end]) for start, end in spans.subtract(dropped, read))


def holds_code(text: bytes) -> bool:
    """Tell whether a text has more than comments and preprocessor lines."""
    return CODE.search(LINES.sub(b"", text)) is not None


def near_loss(first: Pass) -> list[Span]:
    """Return where the parser was lost, with what stands near."""
    heads = ((head.start, head.end) for head in first.walk.heads if head.has_error)
    odd = ((max(0, one.start - obstacles.NEAR_BYTES), one.end) for one in first.walk.odd if one.reason not in READ)
    near = ((max(0, start - obstacles.NEAR_BYTES), end + obstacles.NEAR_BYTES) for start, end in first.errors)
    return spans.union([*heads, *odd, *near])


def torn(first: Pass, lost: list[Span]) -> list[Span]:
    """Return those of the spans `lost` that hold a conditional line, so that one branch alone may be read better."""
    return [span for span in lost if next(branches.directives(first.data, *span), None)]
