"""Completion points: places in a function where a model is asked for one token or one block (paper, section III-B).

A token is one identifier, literal or operator. A block is one compound statement or a run of consecutive statements
of one body; it does something, it is not the whole body, and where the function is long enough it has at least
`MIN_BLOCK_TOKENS` and at most `MAX_BLOCK_SHARE` of the body. The visible parts and the hidden text rebuild the
function byte for byte: a point is a span of the original text, whatever was blanked for the parser.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tree_sitter import Node

from tasks.grading import ctree
from tasks.grading.ctree import leaves, walk
from tasks.grading.facts import does_work
from tasks.ids import pick
from tasks.mining.blanking import in_directive

Level = Literal["token", "block"]
LEVELS: tuple[Level, ...] = ("token", "block")

MIN_BLOCK_TOKENS = 12
MAX_BLOCK_SHARE = 0.6
MAX_BLOCK_LINES = 30
MAX_RUN = 6
MAX_LITERAL_BYTES = 18
"""Longer strings are prose that no reader of the code could know."""

IDENTIFIERS = frozenset({"identifier", "field_identifier", "type_identifier"})
LITERALS = frozenset({"number_literal", "char_literal", "string_literal", "true", "false", "NULL", "nullptr"})
OPERATORS = frozenset(
    {
        "=", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "&&", "||", "<<",
        ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "->",
    }
)  # fmt: skip
EXPRESSIONS = frozenset(
    {
        "assignment_expression",
        "binary_expression",
        "unary_expression",
        "update_expression",
        "pointer_expression",
        "field_expression",
    }
)
COMPOUND = frozenset(
    {
        "if_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "try_statement",
        "compound_statement",
    }
)
SIMPLE = frozenset(
    {
        "expression_statement",
        "declaration",
        "return_statement",
        "break_statement",
        "continue_statement",
        "goto_statement",
        "labeled_statement",
        "throw_statement",
        "co_return_statement",
    }
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Point:
    """One place: bytes into the UTF-8 text of the function, the kind of what is hidden, and the three parts."""

    level: Level
    kind: str
    start_byte: int
    end_byte: int
    prefix: str
    hidden: str
    suffix: str


def points(
    text: str, language: str, key: str, *, macros: Sequence[str] = (), per_level: int = 2
) -> dict[Level, list[Point]]:
    """Return up to `per_level` points of each level, apart from each other, drawn by the hash of `key`.

    Args:
        text: one whole function definition.
        language: `c` or `cpp`.
        key: what the draw depends on, the function's id.
        macros: names blanked before parsing (`Source.macros`).
    """
    data = text.encode()
    root = ctree.parse(data, language, macros)
    functions = ctree.functions(root)
    body = functions[0].child_by_field_name("body") if functions else None
    if body is None or root.has_error:
        return {level: [] for level in LEVELS}
    drawn: dict[Level, list[Point]] = {}
    for level, groups in (("token", [_tokens(data, body)]), ("block", _blocks(data, body))):
        spans: list[tuple[str, Span]] = []
        for number in range(per_level):
            chosen = _draw(groups, [span for _, span in spans], key, level, number)
            if chosen is not None:
                spans.append(chosen)
        drawn[level] = [_point(level, kind, data, span) for kind, span in spans]  # type: ignore[index, arg-type]
    return drawn


def _draw(
    groups: list[list[tuple[str, Span]]], taken: list[Span], key: str, level: str, number: int
) -> tuple[str, Span] | None:
    """Draw a group, then one of its candidates apart from those taken, so that no group crowds another out."""
    free = [
        left
        for group in groups
        if (left := [one for one in group if all(one[1][1] <= start or end <= one[1][0] for start, end in taken)])
    ]
    if not free:
        return None
    group = free[pick(len(free), "completion group", key, level, number)]
    return group[pick(len(group), "completion point", key, level, number)]


def _point(level: Level, kind: str, data: bytes, span: Span) -> Point:
    start, end = span
    return Point(level, kind, start, end, data[:start].decode(), data[start:end].decode(), data[end:].decode())


def _tokens(data: bytes, body: Node) -> list[tuple[str, Span]]:
    found = []
    for leaf in leaves(body):
        kind = token_kind(leaf)
        if kind is not None and not in_directive(data, leaf.start_byte):
            found.append((kind, (leaf.start_byte, leaf.end_byte)))
    return found


def token_kind(leaf: Node) -> str | None:
    """Return `identifier`, `literal` or `operator` for a token that can be asked for, else None."""
    if leaf.type in IDENTIFIERS:
        return "identifier"
    if leaf.type in LITERALS:
        return "literal" if leaf.end_byte - leaf.start_byte <= MAX_LITERAL_BYTES else None
    parent = leaf.parent
    if leaf.type in OPERATORS and parent is not None and parent.type in EXPRESSIONS:
        return "operator"
    return None


def _blocks(data: bytes, body: Node) -> list[list[tuple[str, Span]]]:
    """Return the compound statements and the runs that may be hidden; of a short function, what it has."""
    compound: list[tuple[str, Span]] = []
    runs: list[tuple[str, Span]] = []
    singles: list[tuple[str, Span]] = []
    for statements in _bodies(body):
        for first, node in enumerate(statements):
            for last in range(first, min(first + MAX_RUN, len(statements))):
                span = (node.start_byte, statements[last].end_byte)
                if last > first:
                    runs.append(("run", span))
                elif node.type in COMPOUND:
                    compound.append((node.type, span))
                else:
                    singles.append((node.type, span))
    starts = [leaf.start_byte for leaf in leaves(body)]
    groups = [_fitting(group, data, body, starts, strict=True) for group in (compound, runs)]
    if not any(groups):
        groups = [_fitting(group, data, body, starts, strict=False) for group in (compound, runs, singles)]
    return [group for group in groups if group]


def _bodies(body: Node) -> Iterator[list[Node]]:
    """Yield the lists of consecutive statements below a body; a preprocessor line ends a list, a comment does not."""
    for node in walk(body):
        if node.type not in ("compound_statement", "case_statement"):
            continue
        run: list[Node] = []
        for child in node.named_children:
            if child.type in COMPOUND or child.type in SIMPLE:
                run.append(child)
            elif child.type != "comment":
                if run:
                    yield run
                run = []
        if run:
            yield run


def _fitting(
    group: list[tuple[str, Span]], data: bytes, body: Node, starts: list[int], *, strict: bool
) -> list[tuple[str, Span]]:
    from bisect import bisect_left

    room = len(starts) - 2
    kept = []
    for kind, (start, end) in group:
        tokens = bisect_left(starts, end) - bisect_left(starts, start)
        if tokens >= room:
            continue
        if strict and not (MIN_BLOCK_TOKENS <= tokens <= MAX_BLOCK_SHARE * room):
            continue
        if not strict and tokens < MIN_BLOCK_TOKENS // 3:
            continue
        if data.count(b"\n", start, end) < MAX_BLOCK_LINES and does_work(body, start, end):
            kept.append((kind, (start, end)))
    return kept
