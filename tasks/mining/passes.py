"""The parses of one file: all of it, again without what was in the way, and with one branch of every `#if`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tree_sitter import Tree

from tasks.mining import blanking, branches, disguises, grammar, spans
from tasks.mining.grammar import Language
from tasks.mining.spans import Span
from tasks.mining.walk import Odd, Walk
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

NAMESPACE = re.compile(rb"namespace[ \t\r\n]+[\w:]*[ \t\r\n]*\{")

WORD_BYTES = b"_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

CAPITALS_APART = bytes(byte if byte == ord("_") or 65 <= byte <= 90 else 32 for byte in range(256))
"""Translation table that leaves capitals, underscores and blanks."""

NEAR_BYTES = 200
CLOSE_BYTES = 40

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
    if first.lost or any(one.reason == "macro_made" for one in first.walk.odd):
        heads = head_words(first)
        words = [*heads, *error_words(first), *disguises.disguised(clean, first.language == "cpp")]
        if first.language == "cpp":
            words += [*blanking.class_heads(clean), *blanking.braced_arguments(clean)]
        lines = macro_lines(first)
        for calls in (lines, []) if lines else ([],):
            again = retry(first, [*words, *calls, *broken_defines(first)], collect)
            if again is not first:
                passes = [again]
                lead += heads
                again.walk.odd += (Odd(start, end, "macro_call", first.walk.line(start)) for start, end in calls)
                break
        if passes[0].lost and (where := torn(passes[0])):
            passes.append(reduced(passes[0], where))
            if still := unsure(passes[0], passes[1], where):
                passes.append(doubted(passes[0], passes[1], where, still))
    return passes, sorted(lead)


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
    return [span for span in where if spans.intersect([span], unread)]


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


def error_words(first: Pass) -> list[Span]:
    """Return the words at errors that stand for something else: attributes, strings, statements.

    A word beside a string is a macro for a string; `return` in an argument list is a statement that a macro places.
    """
    data, found, near, close = first.data, [], [], []
    for start, end in first.errors:
        text, before, after = data[start:end], data[max(0, start - 40) : start].rstrip(), data[end : end + 40].lstrip()
        if text in STATEMENTS:
            alone = after.startswith(b")") and before.endswith(b",")
            found.append((data.rindex(b",", 0, start) if alone else start, end))
        elif WORD.fullmatch(text) and (before.endswith(b'"') or after.startswith(b'"')):
            found.append((start, end))
        line = data.rfind(b"\n", 0, start) + 1
        if storage := STORAGE.match(data, line):
            found.append(storage.span(1))
        near.append((max(0, start - NEAR_BYTES), min(len(data), end + NEAR_BYTES, start + 2 * NEAR_BYTES)))
        close.append((max(0, start - CLOSE_BYTES), min(len(data), end + CLOSE_BYTES, start + 2 * CLOSE_BYTES)))
    near = spans.union(near)
    if not CAPITALS.isdisjoint(b" ".join(data[start:end] for start, end in near).translate(CAPITALS_APART).split()):
        for span in near:
            found += (one.span() for one in CAPITAL.finditer(data, *span) if one.group() in CAPITALS)
    if any(next(hanging(data, *span), None) for span in spans.union(close)):
        found += hanging(data, 0, len(data))
    return [span for span in found if not blanking.in_directive(data, span[0])]


def hanging(data: bytes, start: int, stop: int) -> Iterator[Span]:
    """Yield the words of `HANGING` between two positions that end in capitals and follow a word that is no type."""
    for one in HANGING.finditer(data, start, stop):
        if CAPITAL_END.search(one.group()) and typeless(word_before(data, one.start())):
            yield one.span()


def broken_defines(first: Pass) -> list[Span]:
    """Return the long `#define`s that the parser took to end early: an error or stray code touches them."""
    wrong = spans.union([*first.errors, *((one.start, one.end) for one in first.walk.odd)])
    return [span for span in blanking.long_defines(first.data) if spans.intersect([span], wrong)]


def word_before(data: bytes, position: int) -> bytes:
    """Return the word that only blanks part from `position`, or nothing."""
    text = data[max(0, position - NEAR_BYTES) : position].rstrip(b" \t")
    return text[len(text.rstrip(WORD_BYTES)) :]


def typeless(word: bytes) -> bool:
    """Tell whether a word before a second one is not its type, so that the second is a macro."""
    return word.islower() and not word.endswith(b"_t") and word not in MODIFIERS and word.decode() not in KEYWORDS


def macro_lines(first: Pass) -> list[Span]:
    """Return the macros alone on their lines that are not inside a function read without error."""
    clean = spans.union((head.start, head.end) for head in first.walk.heads if not head.has_error)
    rest = spans.subtract([(0, len(first.data))], clean)
    lines = (line for start, end in rest for line in blanking.macro_lines(first.data, start, end))
    return spans.subtract(spans.union(lines), clean)


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


def torn(first: Pass) -> list[Span]:
    """Return where the parser was lost near a conditional line, so that one branch alone may be read better."""
    heads = ((head.start, head.end) for head in first.walk.heads if head.has_error)
    odd = ((max(0, one.start - NEAR_BYTES), one.end) for one in first.walk.odd if one.reason not in READ)
    near = ((max(0, start - NEAR_BYTES), end + NEAR_BYTES) for start, end in first.errors)
    lost = spans.union([*heads, *odd, *near])
    return [span for span in lost if next(branches.directives(first.data, *span), None)]


def head_words(first: Pass) -> list[Span]:
    """Return the words in capitals that stand in the way before a function's name, found by the error they cause.

    The last one stays where nothing else could be the type, as in `SECTION_TEXT VOID f(VOID)`.
    """
    found: list[Span] = []
    for head in first.walk.heads:
        if not head.has_error or not any(a < head.body_start and b > head.start for a, b in first.errors):
            continue
        found_words = WORD.finditer(first.data, head.start, head.declarator_start)
        words = [match for match in found_words if match.group() not in MODIFIERS]
        capitals = [match for match in words if match.group().isupper() and len(match.group()) > 2]
        if len(capitals) == len(words):
            capitals = capitals[:-1]
        for match in capitals:
            end = match.end()
            found.append(
                (match.start(), blanking.argument_end(first.data, end) if first.data[end : end + 1] == b"(" else end)
            )
    return found
