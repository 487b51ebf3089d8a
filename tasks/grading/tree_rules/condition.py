"""Evaluate the condition of `#if`, where a name may be unknown: true, false, or None for either."""

import re
from collections.abc import Callable, Sequence

Known = int | None
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlL]*")
BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "*": (10, lambda a, b: a * b),
    "/": (10, lambda a, b: a // b if b else 0),
    "%": (10, lambda a, b: a % b if b else 0),
    "+": (9, lambda a, b: a + b),
    "-": (9, lambda a, b: a - b),
    "<<": (8, lambda a, b: a << b if 0 <= b < 64 else 0),
    ">>": (8, lambda a, b: a >> b if 0 <= b < 64 else 0),
    "<": (7, lambda a, b: int(a < b)),
    ">": (7, lambda a, b: int(a > b)),
    "<=": (7, lambda a, b: int(a <= b)),
    ">=": (7, lambda a, b: int(a >= b)),
    "==": (6, lambda a, b: int(a == b)),
    "!=": (6, lambda a, b: int(a != b)),
    "&": (5, lambda a, b: a & b),
    "^": (4, lambda a, b: a ^ b),
    "|": (3, lambda a, b: a | b),
    "&&": (2, lambda a, b: int(bool(a) and bool(b))),
    "||": (1, lambda a, b: int(bool(a) or bool(b))),
}  # fmt: skip
DEEPEST = 100


def integer(text: str) -> int | None:
    """Return the value of an integer literal of C, None if it is none."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits = match.group(1)
    octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    try:
        return int(digits, 8 if octal else 0)
    except ValueError:
        return None


def evaluate(tokens: Sequence[str], defined: Callable[[str], bool | None]) -> bool | None:
    """Return what the condition comes to; one that cannot be read is unknown."""
    reader = _Condition(tokens, defined)
    try:
        value = reader.binary(0, 0)
    except (IndexError, ValueError):
        return None
    return None if value is None or reader.at < len(tokens) else bool(value)


class _Condition:
    def __init__(self, tokens: Sequence[str], defined: Callable[[str], bool | None]) -> None:
        self.tokens, self.defined, self.at = tokens, defined, 0

    def binary(self, least: int, depth: int) -> Known:
        """Read operators that bind at least so closely."""
        if depth > DEEPEST:
            raise ValueError("too deep")
        left = self.unary(depth)
        while self.at < len(self.tokens):
            operator = self.tokens[self.at]
            if operator == "?" and least == 0:
                return self._choice(left, depth)
            closeness, work = BINARY.get(operator, (-1, None))
            if work is None or closeness < max(least, 1):
                break
            self.at += 1
            right = self.binary(closeness + 1, depth + 1)
            left = self._joined(operator, left, right, work)
        return left

    def _joined(self, operator: str, left: Known, right: Known, work: Callable[[int, int], int]) -> Known:
        if operator == "&&" and (left == 0 or right == 0):
            return 0
        if operator == "||" and (left or right):
            return 1
        return None if left is None or right is None else work(left, right)

    def _choice(self, condition: Known, depth: int) -> Known:
        self.at += 1
        yes = self.binary(0, depth + 1)
        self.at += 1
        no = self.binary(0, depth + 1)
        return None if condition is None else yes if condition else no

    def unary(self, depth: int) -> Known:
        """Read one operand."""
        if depth > DEEPEST:
            raise ValueError("too deep")
        token = self.tokens[self.at]
        self.at += 1
        if token in "!-+~":
            value = self.unary(depth + 1)
            if value is None:
                return None
            return {"!": int(not value), "-": -value, "+": value, "~": ~value}[token]
        if token == "(":
            value = self.binary(0, depth + 1)
            if self.tokens[self.at] != ")":
                raise ValueError("no closing bracket")
            self.at += 1
            return value
        if token == "defined":
            return self._defined()
        value = integer(token)
        if value is not None:
            return value
        if self.at < len(self.tokens) and self.tokens[self.at] == "(":
            self._skip()
            return None
        return None if self.defined(token) is not False else 0

    def _defined(self) -> Known:
        token = self.tokens[self.at]
        self.at += 1
        if token == "(":
            token = self.tokens[self.at]
            self.at += 2
        known = self.defined(token)
        return None if known is None else int(known)

    def _skip(self) -> None:
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(self.tokens[self.at], 0)
            self.at += 1
            if depth == 0:
                return
