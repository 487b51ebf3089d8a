"""Single edits of C and C++ code, found in its syntax tree: the raw material of seeded bugs, and stub bodies."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tree_sitter import Node

from tasks.grading import ctree
from tasks.grading.ctree import leaves, text, walk
from tasks.grading.facts import calls
from tasks.grading.signatures import head_end, parameter_list
from tasks.ids import digest, pick
from tasks.mining.completion import OPERATORS, token_kind

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
WRONG_OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&",
    "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<=", "++": "--",
    "--": "++",
}  # fmt: skip
OTHER_TYPES = {"void": "int", "bool": "int", "int": "long", "float": "double", "double": "float"}
INTEGER = re.compile(r"(0[xX][0-9A-Fa-f]+|[1-9][0-9]*|0)([uUlL]*)")


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes of the whole text (prefix, code and suffix together) to be replaced by a text."""

    start_byte: int
    end_byte: int
    text: str


@dataclass(frozen=True)
class Piece:
    """Code to be edited and the visible text around it; `key` is what draws depend on."""

    prefix: str
    code: str
    suffix: str
    language: str
    key: str
    macros: tuple[str, ...]

    @classmethod
    def of(cls, prefix: str, code: str, suffix: str, language: str, key: str, macros: Sequence[str]) -> "Piece":
        """Return the piece between `prefix` and `suffix`."""
        return cls(prefix, code, suffix, language, key, tuple(macros))

    @property
    def whole(self) -> bool:
        """Whether the piece is a whole function."""
        return not self.prefix and not self.suffix

    @cached_property
    def data(self) -> bytes:
        """The bytes that offsets count in."""
        return (self.prefix + self.code + self.suffix).encode()

    @cached_property
    def span(self) -> tuple[int, int]:
        """Where the code stands in `data`."""
        start = len(self.prefix.encode())
        return start, start + len(self.code.encode())

    @cached_property
    def root(self) -> Node:
        """The tree of the whole text, with the first branch of every `#if` where one tears it."""
        return ctree.readings(self.data, self.language, self.macros)[0]

    @cached_property
    def function(self) -> Node | None:
        """The definition that holds the code."""
        return next(iter(ctree.functions(self.root)), None)

    @property
    def name(self) -> str | None:
        """The name of that function."""
        return ctree.function_name(self.function) if self.function is not None else None

    def nodes(self) -> Iterator[Node]:
        """Yield the nodes that lie inside the code."""
        start, end = self.span
        for node in walk(self.root, start, end):
            if start <= node.start_byte and node.end_byte <= end:
                yield node

    def apply(self, edit: Edit) -> str:
        """Return the code after the edit."""
        start, end = self.span
        left, right = self.data[start : edit.start_byte], self.data[edit.end_byte : end]
        return left.decode() + edit.text + right.decode()


def invented_calls(piece: Piece) -> Iterator[Edit]:
    """Rename a call to a name that no project has; where nothing is called, call such a name first."""
    start, end = piece.span
    called = [call for call in calls(piece.root, start, end) if not call.name.endswith("_cast")]
    for call in called:
        # Underscores at the front mark families of builtins, in which any name would pass.
        name = f"{call.name.lstrip('_')}_x{digest(piece.key, call.name, length=6)}"
        yield Edit(call.start_byte, call.start_byte + len(call.name.encode()), name)
    if not called:
        body = piece.function.child_by_field_name("body") if piece.whole and piece.function is not None else None
        at = body.start_byte + 1 if body is not None else start
        yield Edit(at, at, f"\n  prepare_x{digest(piece.key, length=6)}();\n  ")


def changed_signatures(piece: Piece) -> Iterator[Edit]:
    """Swap two parameters, remove one, add one, or return another type."""
    if piece.function is None:
        return
    given = parameter_list(piece.function)
    if given is not None:
        named = [node for node in given.named_children if node.type != "comment" and text(node) != "void"]
        for left, right in pairwise(named):
            between = piece.data[left.end_byte : right.start_byte].decode()
            yield Edit(left.start_byte, right.end_byte, f"{text(right)}{between}{text(left)}")
        for number, node in enumerate(named):
            if number:
                yield Edit(named[number - 1].end_byte, node.end_byte, "")
        if named:
            yield Edit(named[-1].end_byte, named[-1].end_byte, ", int extra")
        else:
            yield Edit(given.start_byte, given.end_byte, "(int extra)")
    kind = piece.function.child_by_field_name("type") or _converted_to(piece.function)
    if kind is not None:
        yield Edit(kind.start_byte, kind.end_byte, OTHER_TYPES.get(text(kind), "int"))


def broken_syntax(piece: Piece) -> Iterator[Edit]:
    """Drop a closing brace, parenthesis, bracket or semicolon, else add a parenthesis that nothing opened."""
    start, end = piece.span
    for leaf in leaves(piece.root, start, end):
        if leaf.type in ("}", ")", "]", ";") and start <= leaf.start_byte and leaf.end_byte <= end:
            yield Edit(leaf.start_byte, leaf.end_byte, "")
    yield Edit(end, end, ")")


def flipped_comparisons(piece: Piece) -> Iterator[Edit]:
    """Put `<=` for `<`, `!=` for `==`, and so on."""
    yield from _operators(piece, COMPARISONS)


def wrong_operators(piece: Piece) -> Iterator[Edit]:
    """Put `-` for `+`, `||` for `&&`, and so on."""
    yield from _operators(piece, WRONG_OPERATORS)


def negated_conditions(piece: Piece) -> Iterator[Edit]:
    """Negate the condition of an `if` or a `while`."""
    for node in piece.nodes():
        condition = node.child_by_field_name("condition")
        if node.type in ("if_statement", "while_statement") and condition is not None:
            inner = piece.data[condition.start_byte + 1 : condition.end_byte - 1].decode()
            yield Edit(condition.start_byte, condition.end_byte, f"(!({inner.strip()}))")


def off_by_ones(piece: Piece) -> Iterator[Edit]:
    """Add one to an integer."""
    for node in piece.nodes():
        match = INTEGER.fullmatch(text(node)) if node.type == "number_literal" else None
        if match:
            digits, suffix = match.groups()
            more = f"{int(digits, 16) + 1:#x}" if digits[:2] in ("0x", "0X") else str(int(digits) + 1)
            yield Edit(node.start_byte, node.end_byte, more + suffix)


def dropped_statements(piece: Piece) -> Iterator[Edit]:
    """Drop an expression statement that is not all there is."""
    for node in piece.nodes():
        parent = node.parent
        if node.type == "expression_statement" and parent is not None and parent.type in (
            "compound_statement", "case_statement",
        ):  # fmt: skip
            yield Edit(node.start_byte, node.end_byte, "")


def swapped_arguments(piece: Piece) -> Iterator[Edit]:
    """Swap two neighbouring arguments of a call."""
    for node in piece.nodes():
        if node.type != "argument_list":
            continue
        given = [child for child in node.named_children if child.type != "comment"]
        for left, right in pairwise(given):
            if text(left) != text(right):
                between = piece.data[left.end_byte : right.start_byte].decode()
                yield Edit(left.start_byte, right.end_byte, f"{text(right)}{between}{text(left)}")


def other_tokens(piece: Piece) -> list[str]:
    """Return tokens of the class of the piece, which is one token: those of its function first, then made-up ones."""
    start, end = piece.span
    tokens = list(leaves(piece.root))
    own = next((leaf for leaf in tokens if (leaf.start_byte, leaf.end_byte) == (start, end)), None)
    kind = token_kind(own) if own is not None else "identifier"
    token = piece.code
    same = dict.fromkeys(text(leaf) for leaf in tokens if own is not None and leaf.type == own.type)
    alike = dict.fromkeys(text(leaf) for leaf in tokens if token_kind(leaf) == kind)
    near = [other for other in same if other != token and kind != "operator"]
    candidates = near or [other for other in alike if other != token]
    first = pick(len(candidates), "wrong token", piece.key) if candidates else 0
    made_up = {
        "identifier": [f"{token}_x", f"x_{token}"],
        "literal": [other for other in ("1", "2", "0x7f") if other != token],
        "operator": [other for other in sorted(OPERATORS) if other != token],
    }
    return [*candidates[first:], *candidates[:first], *made_up.get(kind or "identifier", [])]


def stub(data: bytes, function: Node, language: str) -> str:
    """Return a definition's signature with a body that returns a constant of its type."""
    head = data[: head_end(function)].decode().rstrip()
    body = _nothing(data, function, language)
    return f"{head} {{\n  {body}\n}}\n" if body else f"{head} {{\n}}\n"


def _nothing(data: bytes, function: Node, language: str) -> str:
    kind = function.child_by_field_name("type")
    declarator = function.child_by_field_name("declarator")
    if kind is None or declarator is None:
        return "return {};" if _converted_to(function) is not None else ""
    word = text(kind)
    if declarator.type == "pointer_declarator":
        return "return NULL;" if language == "c" else "return nullptr;"
    if declarator.type == "reference_declarator":
        return f"static {word} value{{}};\n  return value;"
    if word == "void":
        return ""
    if word == "bool":
        return "return false;"
    if kind.type in ("primitive_type", "sized_type_specifier"):
        return "return 0;"
    return "return {};" if language == "cpp" else f"return ({word}){{0}};"


def _converted_to(function: Node) -> Node | None:
    """Return the type of a conversion operator, which has no return type of its own."""
    declarator = function.child_by_field_name("declarator")
    name = ctree.declared(declarator) if declarator is not None else None
    part = ctree.last_part(name) if name is not None else None
    return part.child_by_field_name("type") if part is not None and part.type == "operator_cast" else None


def _operators(piece: Piece, table: dict[str, str]) -> Iterator[Edit]:
    for node in piece.nodes():
        if node.type in ("binary_expression", "assignment_expression", "update_expression"):
            sign = node.child_by_field_name("operator")
            if sign is not None and text(sign) in table:
                yield Edit(sign.start_byte, sign.end_byte, table[text(sign)])
