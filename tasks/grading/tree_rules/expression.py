"""Expressions of C in one canonical form: constants worked out, no brackets and casts, operands in one order."""

from collections.abc import Mapping
from functools import lru_cache

from tree_sitter import Node

from tasks.grading.ctree import parse, text
from tasks.grading.tree_rules.condition import BINARY, integer

DEEPEST = 60
"""Below that, an expression is compared as it is written."""
COMMUTATIVE = frozenset({"|", "&", "+", "*", "==", "!=", "^", "||", "&&"})
ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39, '"': 34, "a": 7, "b": 8, "f": 12, "v": 11}
WORDS = {"true": "1", "false": "0", "null": "NULL"}
Constants = Mapping[str, Node]
"""Enumerators and constant variables of the text, each with the expression of its value."""


def canonical(node: Node, constants: Constants, depth: int = 0) -> str:
    """Return the canonical form of an expression."""
    if depth > DEEPEST:
        return "".join(text(node).split())
    kind = node.type
    deeper = depth + 1
    if kind in WORDS:
        return WORDS[kind]
    if kind == "number_literal":
        return _number(text(node))
    if kind == "char_literal":
        return _character(text(node))
    if kind in ("identifier", "field_identifier", "type_identifier"):
        value = constants.get(text(node)) if kind == "identifier" else None
        return canonical(value, constants, deeper) if value is not None else text(node)
    if kind == "parenthesized_expression" and node.named_child_count:
        return canonical(node.named_children[0], constants, deeper)
    if kind == "cast_expression":
        value = node.child_by_field_name("value")
        return canonical(value, constants, deeper) if value is not None else text(node)
    if kind == "unary_expression":
        return _unary(node, constants, deeper)
    if kind == "binary_expression":
        return _binary(node, constants, deeper)
    if kind == "concatenated_string":
        return '"' + "".join(text(part)[1:-1] for part in node.named_children) + '"'
    if node.child_count == 0 or kind == "string_literal":
        return text(node)
    return "".join(canonical(child, constants, deeper) for child in node.children if child.type != "comment")


def number(node: Node, constants: Constants) -> int | None:
    """Return the value of a constant expression, None if it is none."""
    return _as_int(canonical(node, constants))


@lru_cache(maxsize=4096)
def wanted(expression: str) -> str:
    """Return the canonical form of an expression that a rule names."""
    root = parse(f"int _ = {expression};".encode(), "c")
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "init_declarator" and not node.has_error:
            value = node.child_by_field_name("value")
            return canonical(value, {}) if value is not None else expression
        stack += node.children
    return "".join(expression.split())


def _as_int(form: str) -> int | None:
    digits = form.removeprefix("-")
    return int(form) if digits.isdigit() and len(digits) < 40 else None


def _number(literal: str) -> str:
    sign = -1 if literal.startswith("-") else 1
    value = integer(literal.lstrip("+-"))
    if value is not None:
        return str(sign * value)
    try:
        return repr(float(literal.rstrip("fFlL")))
    except ValueError:
        return literal


def _character(literal: str) -> str:
    inner = literal[literal.index("'") + 1 : -1]
    if len(inner) == 1:
        return str(ord(inner))
    return str(ESCAPES[inner[1]]) if len(inner) == 2 and inner[1] in ESCAPES else literal


def _unary(node: Node, constants: Constants, depth: int) -> str:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operator is None or argument is None:
        return "".join(text(node).split())
    form = canonical(argument, constants, depth)
    value = _as_int(form)
    sign = text(operator)
    if value is None:
        return f"{sign}{form}"
    return str({"-": -value, "+": value, "~": ~value, "!": int(not value)}.get(sign, f"{sign}{form}"))


def _binary(node: Node, constants: Constants, depth: int) -> str:
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is None or left is None or right is None:
        return "".join(text(node).split())
    sign = text(operator)
    forms = [canonical(left, constants, depth), canonical(right, constants, depth)]
    values = [_as_int(form) for form in forms]
    if sign in BINARY and values[0] is not None and values[1] is not None:
        return str(BINARY[sign][1](values[0], values[1]))
    if sign in COMMUTATIVE:
        parts = [part for form in forms for part in _operands(form, sign)]
        return f"({sign.join(sorted(parts))})"
    return f"({forms[0]}{sign}{forms[1]})"


def _operands(form: str, sign: str) -> list[str]:
    """The operands of an expression of the same operator, so that A|(B|C) is (A|B)|C."""
    if not (form.startswith("(") and form.endswith(")")):
        return [form]
    parts, depth, start = [], 0, 1
    at = 1
    while at < len(form) - 1:
        if form[at] in "([{":
            depth += 1
        elif form[at] in ")]}":
            depth -= 1
            if depth < 0:
                return [form]
        elif depth == 0 and form.startswith(sign, at):
            parts.append(form[start:at])
            at += len(sign)
            start = at
            continue
        at += 1
    rest = form[start:-1]
    whole = [*parts, rest]
    return whole if len(whole) > 1 and all(whole) and _plain(whole, sign) else [form]


def _plain(parts: list[str], sign: str) -> bool:
    """Whether no part holds another operator at its top, which the split might have misread."""
    return all(not any(char in "|&+*^=!<>-/%?" for char in _top(part)) for part in parts)


def _top(part: str) -> str:
    out, depth = [], 0
    for char in part:
        depth += {"(": 1, ")": -1, "[": 1, "]": -1, "{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            out.append(char)
    return "".join(out[1:])
