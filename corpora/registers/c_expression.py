"""Expressions of C without parentheses over uint32_t: drawn, parsed by precedence, and evaluated."""

from collections.abc import Mapping, Sequence
from typing import Any

from corpora.registers.draws import Draws

MASK = 0xFFFFFFFF
# Operators of C that are binary and left associative, by how tightly they bind.
LEVELS: tuple[tuple[str, ...], ...] = (
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*",),
)
BINDS = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}
VARIABLES = ("p", "q", "r", "s")
Tree = str | tuple[str, Any, Any]


def parse(tokens: Sequence[str]) -> Tree:
    """Return the tree of an expression: split at the last operator that binds least."""
    if len(tokens) == 1:
        return tokens[0]
    at = min(range(1, len(tokens), 2), key=lambda k: (BINDS[tokens[k]], -k))
    return tokens[at], parse(tokens[:at]), parse(tokens[at + 1 :])


def apply(operator: str, left: int, right: int) -> int:
    """Return what an operator gives on uint32_t; raises ValueError for a shift of 32 or more."""
    if operator in ("<<", ">>") and right > 31:
        raise ValueError("shift count")
    return {
        "|": lambda: left | right, "^": lambda: left ^ right, "&": lambda: left & right,
        "==": lambda: int(left == right), "!=": lambda: int(left != right),
        "<": lambda: int(left < right), ">": lambda: int(left > right),
        "<<": lambda: left << right, ">>": lambda: left >> right,
        "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
    }[operator]() & MASK  # fmt: skip


def value_of(token: str, values: Mapping[str, int]) -> int:
    return values[token] if token in values else int(token.rstrip("u"), 0)


def evaluate(tokens: Sequence[str], values: Mapping[str, int]) -> int:
    """Return the value of an expression, with uint32_t variables and constants."""

    def walk(tree: Tree) -> int:
        if isinstance(tree, str):
            return value_of(tree, values)
        operator, left, right = tree
        return apply(operator, walk(left), walk(right))

    return walk(parse(tokens))


def from_left(tokens: Sequence[str], values: Mapping[str, int]) -> int:
    """Return what a reader gets who knows no precedence."""
    total = value_of(tokens[0], values)
    for operator, token in zip(tokens[1::2], tokens[2::2], strict=True):
        total = apply(operator, total, value_of(token, values))
    return total


def parenthesised(tokens: Sequence[str]) -> str:
    """Return the expression with all parentheses that C implies."""

    def walk(tree: Tree) -> str:
        return tree if isinstance(tree, str) else f"({walk(tree[1])} {tree[0]} {walk(tree[2])})"

    return walk(parse(tokens))


def draw(draws: Draws, operators: int, literals: bool = False) -> dict[str, Any]:
    """Return `tokens` and `values` of an expression in which precedence matters and no shift is too wide."""
    chosen = ("|", "^", "&", "==", "!=", "<", "<<", ">>", "+", "-", "*") if not literals else (
        "|", "&", "^", "==", "<<", ">>", "+", "<")  # fmt: skip

    def make() -> dict[str, Any]:
        values = {} if literals else {name: draws.integer(0x11, 0xFFF) for name in VARIABLES}
        tokens = [draws.choice(VARIABLES) if values else f"{draws.integer(1, 30)}u"]
        for _ in range(operators):
            operator = draws.choice(chosen)
            small = literals or operator in ("<<", ">>", "*") or draws.flag()
            tokens += [operator, f"{draws.integer(1, 9 if operator in ('<<', '>>') else 30)}u" if small
                       else draws.choice(VARIABLES)]  # fmt: skip
        return {"tokens": tokens, "values": values}

    def accept(made: dict[str, Any]) -> bool:
        try:
            return evaluate(**made) not in (0, 1, from_left(**made))
        except ValueError:
            return False

    return draws.until(make, accept)
