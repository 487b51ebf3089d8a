"""The formula language of check blocks: parsed, walked and limited, never evaluated as code.

An expression is Python's, of numbers, names of inputs, arithmetic, bit operations, comparisons, `and`, `or`, `not`,
`a if c else b` and the functions in `FUNCTIONS`, which may carry the prefix `math.`. Nothing else is in it: no other
attributes, no strings, no subscripts, no lambdas. Limits keep any expression quick: its length, its nesting, the bits
of an integer.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from warehouse.errors import CorpusError

Number = int | float | bool

LONGEST = 2000
DEEPEST = 60
MOST_BITS = 8192

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.RShift: operator.rshift,
}  # fmt: skip
"""Operators that cannot make a number much larger than both sides; `**` and `<<` are limited on their own."""
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert, ast.Not: operator.not_,
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "int": int, "float": float, "abs": abs, "min": min, "max": max, "round": round, "ceil": math.ceil,
    "floor": math.floor, "trunc": math.trunc, "log2": math.log2, "log10": math.log10, "log": math.log,
    "sqrt": math.sqrt, "exp": math.exp, "gcd": math.gcd, "lcm": math.lcm, "sin": math.sin, "cos": math.cos,
    "tan": math.tan, "atan": math.atan, "radians": math.radians, "degrees": math.degrees, "fabs": math.fabs,
}  # fmt: skip
CONSTANTS = {"pi": math.pi, "e": math.e}


def evaluate(expression: str, inputs: Mapping[str, Number]) -> Number:
    """Return the value of `expression` over its named `inputs`.

    Raises CorpusError, naming the expression, for what is not of the language, an unknown name, a division by zero, a
    value without a number, or a number beyond the limits.
    """
    if len(expression) > LONGEST:
        raise _refused(expression, f"it is longer than {LONGEST} characters")
    for name, value in inputs.items():
        if not isinstance(value, int | float):
            raise _refused(expression, f"the input {name} is {value!r} and no number")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        value = _value(tree.body, inputs, 0)
    except _Refusal as refusal:
        raise _refused(expression, str(refusal)) from None
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError) as error:
        raise _refused(expression, f"{type(error).__name__}: {error}") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise _refused(expression, f"its value is {value}")
    return value


def exact(value: Number) -> Fraction:
    """Return a value as the fraction that its shortest decimal says, so that 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


class _Refusal(Exception):
    """What in the expression is not of the language."""


def _refused(expression: str, why: str) -> CorpusError:
    shown = expression if len(expression) <= 80 else f"{expression[:77]}..."
    return CorpusError(f"The formula {shown!r} cannot be computed: {why}.")


def _value(node: ast.expr, inputs: Mapping[str, Number], depth: int) -> Number:
    if depth > DEEPEST:
        raise _Refusal(f"it is nested deeper than {DEEPEST} levels")

    def value(inner: ast.expr) -> Number:
        return _value(inner, inputs, depth + 1)

    match node:
        case ast.Constant(value=bool() | int() | float() as number):
            return _limited(number)
        case ast.Name(id=name):
            if name in inputs:
                return _limited(inputs[name])
            raise _Refusal(f"{name} is none of its inputs ({', '.join(inputs) or 'it has none'})")
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand):
            return _limited(UNARY[type(op)](value(operand)))
        case ast.BinOp(left=left, op=op, right=right):
            return _limited(_binary(op, value(left), value(right)))
        case ast.BoolOp(op=op, values=parts):
            return _logical(op, parts, value)
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [value(side) for side in (left, *others)]
            return all(_compare(op, *pair) for op, pair in zip(ops, pairwise(sides), strict=True))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return value(body) if value(test) else value(orelse)
        case ast.Call(func=func, args=args, keywords=[]):
            return _limited(_function(func)(*(value(argument) for argument in args)))
    raise _Refusal(f"{type(node).__name__} is not part of the language")


def _binary(op: ast.operator, left: Number, right: Number) -> Number:
    """Return the result of an operator, refused before it is computed where it would be too large."""
    match op:
        case ast.Pow():
            if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > MOST_BITS:
                raise _Refusal(f"{left}**{right} has more than {MOST_BITS} bits")
            result = left**right
            if isinstance(result, complex):
                raise _Refusal(f"{left}**{right} is no real number")
            return result
        case ast.LShift():
            if not isinstance(right, int) or right > MOST_BITS:
                raise _Refusal(f"a shift by {right} is beyond {MOST_BITS} bits")
            return operator.lshift(left, right)
    if type(op) not in BINARY:
        raise _Refusal(f"the operator {type(op).__name__} is not part of the language")
    return BINARY[type(op)](left, right)


def _logical(op: ast.boolop, parts: list[ast.expr], value: Callable[[ast.expr], Number]) -> Number:
    """Return what Python's `and` and `or` do: the first value that decides, the others not computed."""
    last: Number = False
    for part in parts:
        last = value(part)
        if bool(last) is isinstance(op, ast.Or):
            break
    return last


def _compare(op: ast.cmpop, left: Number, right: Number) -> bool:
    if type(op) not in COMPARE:
        raise _Refusal(f"the comparison {type(op).__name__} is not part of the language")
    return COMPARE[type(op)](left, right)


def _function(func: ast.expr) -> Callable[..., Any]:
    match func:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math"), attr=name) if name in FUNCTIONS:
            return FUNCTIONS[name]
    raise _Refusal(f"{ast.unparse(func)[:40]} is no function of the language")


def _limited(value: Any) -> Number:
    if not isinstance(value, int | float):
        raise _Refusal(f"{value!r} is no number")
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise _Refusal(f"a number has more than {MOST_BITS} bits")
    return value
