"""Parse canonical source into a flat tree, and match its subtrees against those of a reference."""

import threading
from collections import Counter
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language, Node, Parser

from tasks.grading.keywords import CodeLanguage

BEFORE, AFTER = "void _() {\n", "\n}\n"
"""Every text is parsed as the body of a function: statements, declarations, whole functions, classes and directives
all may stand there, so a fragment and a function are treated alike."""


@cache
def grammar(language: CodeLanguage) -> Language:
    """Return the tree-sitter grammar of `c` or `cpp`."""
    if language == "c":
        import tree_sitter_c

        return Language(tree_sitter_c.language())
    import tree_sitter_cpp

    return Language(tree_sitter_cpp.language())


@dataclass(slots=True)
class Tree:
    """The named nodes of a text in source order, outer before inner, as parallel lists; not the function around it.

    `code` packs the kind of a node (grammar id), its field (0: none), whether the parser had to invent it, and whether
    it has no child at all, named or not; `span` is its byte range in `data`, `end` the index after the last inside.
    """

    data: bytes
    code: list[int]
    span: list[tuple[int, int]]
    end: list[int]
    has_error: bool


KIND, FIELD, FIELD_MASK = 12, 2, 0x3FF
"""Where kind and field stand in a code: `code >> KIND`, `code >> FIELD & FIELD_MASK`."""
_INVENTED, _LEAF = 2, 1


def parse(source: str, language: CodeLanguage) -> Tree:
    """Return the flat tree of `source`; one pass of a cursor, no recursion."""
    data = (BEFORE + source + AFTER).encode("utf-8", "replace")
    tree = _parser(language).parse(data)
    lost = tree.root_node.has_error
    code: list[int] = []
    nodes: list[Node] = []
    end: list[int] = []
    above: list[int] = []
    cursor = tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node = cursor.node
        if node is not None and (node.is_named or (lost and node.is_missing)):
            packed = node.kind_id << KIND | (cursor.field_id or 0) << FIELD
            if lost and node.is_missing:
                packed |= _INVENTED
            nodes.append(node)
            end.append(len(nodes))
            if down():
                above.append(len(nodes) - 1)
                code.append(packed)
                continue
            code.append(packed | _LEAF)
        if right():
            continue
        while up():
            end[above.pop()] = len(nodes)
            if right():
                break
        else:
            break
    first = next((at for at, node in enumerate(nodes) if at and node.start_byte >= len(BEFORE)), len(nodes))
    span = [node.byte_range for node in nodes[first:]]
    return Tree(data, code[first:], span, [index - first for index in end[first:]], lost)


_parsers = threading.local()


def _parser(language: CodeLanguage) -> Parser:
    """Return the parser of this thread; parsers are not shared between threads."""
    parser: Parser | None = getattr(_parsers, language, None)
    if parser is None:
        parser = Parser(grammar(language))
        setattr(_parsers, language, parser)
    return parser


class SubtreeReference:
    """The subtrees of one reference: every node with children, and the text as a whole.

    A subtree is told by the kinds and fields of its named nodes, as an S-expression tells them: names, literals and
    operators do not count (Ren et al. 2020, 3.2). Equal subtrees have one number in `table`; the keys are exact, so
    nothing collides and no hash seed matters.
    """

    def __init__(self, tree: Tree) -> None:
        self.table: dict[tuple[int, ...], int] = {}
        self.counts = Counter(_subtrees(tree, self.table, grow=True))
        self.total = sum(self.counts.values())

    def match(self, tree: Tree) -> float:
        """Return the share of the reference's subtrees that `tree` has too, each counted as often as both have it."""
        found = Counter(_subtrees(tree, self.table, grow=False))
        return sum(min(count, found[number]) for number, count in self.counts.items()) / self.total


_WHOLE = _STRANGE = -1


def _subtrees(tree: Tree, table: dict[tuple[int, ...], int], grow: bool) -> list[int]:
    """Return the numbers of the subtrees, inner before outer; those the table does not know are left out.

    In a key a leaf stands as its code, which is odd, and a subtree as an even one from its number and field.
    """
    numbers: list[int] = []
    above: list[tuple[int, list[int]]] = []
    ends = tree.end
    parts: list[int] = [_WHOLE]
    closing = len(ends)
    for index, code in enumerate(tree.code):
        while index == closing:
            parts, closing = _close(parts, above, tree, table, grow, numbers)
        if code & _LEAF:
            parts.append(code)
        else:
            above.append((index, parts))
            parts = [code >> KIND]
            closing = ends[index]
            if closing == index + 1:
                parts, closing = _close(parts, above, tree, table, grow, numbers)
    while above:
        parts, closing = _close(parts, above, tree, table, grow, numbers)
    number = _number(parts, table, grow)
    if number is not None:
        numbers.append(number)
    return numbers


def _close(
    parts: list[int],
    above: list[tuple[int, list[int]]],
    tree: Tree,
    table: dict[tuple[int, ...], int],
    grow: bool,
    numbers: list[int],
) -> tuple[list[int], int]:
    """End the innermost open subtree; return the parts of the one around it and where that ends."""
    index, outer = above.pop()
    number = _number(parts, table, grow)
    if number is None:
        outer.append(_STRANGE)
    else:
        numbers.append(number)
        outer.append(number << KIND | (tree.code[index] & FIELD_MASK << FIELD if above else 0))
    return outer, tree.end[above[-1][0]] if above else len(tree.end)


def _number(parts: list[int], table: dict[tuple[int, ...], int], grow: bool) -> int | None:
    key = tuple(parts)
    return table.setdefault(key, len(table)) if grow else table.get(key)
