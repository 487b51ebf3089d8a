"""Parse canonical source into a flat tree, and match its subtrees against those of a reference."""

from bisect import bisect_left
from collections import Counter
from functools import cache
from typing import NamedTuple

from tree_sitter import Language, Parser

from tasks.grading.keywords import CodeLanguage

Frame = tuple[str, str]
BLOCK: Frame = ("void _() {\n", "\n}\n")
UNIT: Frame = ("", "\n")


@cache
def grammar(language: CodeLanguage) -> Language:
    """Return the tree-sitter grammar of `c` or `cpp`."""
    if language == "c":
        import tree_sitter_c

        return Language(tree_sitter_c.language())
    import tree_sitter_cpp

    return Language(tree_sitter_cpp.language())


class Tree(NamedTuple):
    """The named nodes of a text in source order, outer before inner, as parallel lists; the frame's nodes left out.

    `kind` and `field` are grammar ids (field 0: none), `start` and `stop` byte offsets into `data`, `end` the index
    after the last node inside, `inner` whether the node has any child, named or not, `missing` whether the parser had
    to invent it.
    """

    data: bytes
    kind: list[int]
    field: list[int]
    start: list[int]
    stop: list[int]
    end: list[int]
    inner: list[bool]
    missing: list[bool]
    has_error: bool


def frame(source: str, language: CodeLanguage) -> Frame:
    """Return where `source` is parsed: inside a function body, or as a file of its own if only that reads it.

    Statements, declarations and whole functions all parse inside a body, so a fragment and a function are treated alike;
    what does not (a K&R definition) is read as a file.
    """
    if parse(source, language, BLOCK).has_error and not parse(source, language, UNIT).has_error:
        return UNIT
    return BLOCK


def parse(source: str, language: CodeLanguage, place: Frame = BLOCK) -> Tree:
    """Return the flat tree of `source`; one pass of a cursor, no recursion."""
    before, after = place
    data = (before + source + after).encode("utf-8", "replace")
    tree = Parser(grammar(language)).parse(data)
    lost = tree.root_node.has_error
    kind: list[int] = []
    field: list[int] = []
    start: list[int] = []
    stop: list[int] = []
    end: list[int] = []
    inner: list[bool] = []
    missing: list[bool] = []
    above: list[int] = []
    cursor = tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    node = cursor.node
    while node is not None:
        if node.is_named:
            kind.append(node.kind_id)
            field.append(cursor.field_id or 0)
            start.append(node.start_byte)
            stop.append(node.end_byte)
            end.append(len(kind))
            if lost:
                missing.append(node.is_missing)
            if down():
                above.append(len(kind) - 1)
                inner.append(True)
                node = cursor.node
                continue
            inner.append(False)
        elif lost and node.is_missing:
            kind.append(node.kind_id)
            field.append(0)
            start.append(node.start_byte)
            stop.append(node.end_byte)
            end.append(len(kind))
            inner.append(False)
            missing.append(True)
        while not right():
            if not up():
                node = None
                break
            end[above.pop()] = len(kind)
        else:
            node = cursor.node
    first = max(1, bisect_left(start, len(before)))
    return Tree(
        data,
        kind[first:],
        field[first:],
        start[first:],
        stop[first:],
        [index - first for index in end[first:]],
        inner[first:],
        missing[first:] if lost else [],
        lost,
    )


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


_WHOLE = -1
_STRANGE = -1


def _subtrees(tree: Tree, table: dict[tuple[int, ...], int], grow: bool) -> list[int]:
    """Return the numbers of the subtrees, inner before outer; those the table does not know are left out.

    A leaf is coded by an odd number from its kind and field, a subtree by an even one from its number and field.
    """
    _, kind, field, _, _, end, inner, missing, lost = tree
    numbers: list[int] = []
    above: list[tuple[int, list[int]]] = []
    codes: list[int] = [_WHOLE]
    for index, of in enumerate(kind):
        while above and end[above[-1][0]] <= index:
            codes = _close(above, codes, field, table, grow, numbers)
        if inner[index]:
            above.append((index, codes))
            codes = [of]
        else:
            codes.append((of << 13 | field[index] << 2 | (bool(lost) and missing[index]) << 1) | 1)
    while above:
        codes = _close(above, codes, field, table, grow, numbers)
    _number(codes, table, grow, numbers)
    return numbers


def _close(
    above: list[tuple[int, list[int]]],
    codes: list[int],
    field: list[int],
    table: dict[tuple[int, ...], int],
    grow: bool,
    numbers: list[int],
) -> list[int]:
    number = _number(codes, table, grow, numbers)
    index, outer = above.pop()
    outer.append(_STRANGE if number is None else number << 12 | field[index] << 1 if above else number << 12)
    return outer


def _number(codes: list[int], table: dict[tuple[int, ...], int], grow: bool, numbers: list[int]) -> int | None:
    key = tuple(codes)
    number = table.setdefault(key, len(table)) if grow else table.get(key)
    if number is not None:
        numbers.append(number)
    return number
