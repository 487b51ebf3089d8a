"""What the grammars cannot place although a compiler can, because macros or pointers to members disguise it.

The rest of a file reads well once it is blanked. Every pattern begins with one literal byte or word, which is searched
fast: a set of bytes or a `\\b` in front costs twenty times as much.
"""

import re
from collections.abc import Iterator

from tasks.mining.blanking import PARENTHESIS, argument_end, in_directive
from tasks.mining.spans import Span

ASSEMBLER = re.compile(rb"ASM(?<=__ASM)(?:__)?\s+(?:volatile|__volatile__|__volatile|__VOLATILE|goto)\s*(?=\()")
"""`__ASM volatile ("nop" : : : "memory")`: operands of an assembler statement, which only the keyword may have."""

STRING_MACRO = re.compile(rb"\"\s++([A-Z][A-Z0-9_]++)(?=\s*+[\"(,)])")
"""`"a" SECRET("b")`: a macro that brings a string, behind another."""

HAS_INCLUDE = re.compile(rb"__has_include[ \t]*(\([^)\n]*\))")
"""`#if __has_include(<a.h>)`: no expression has the name of a header."""

NO_ARGUMENT = re.compile(
    rb",(?:(?=\s*+[,)])"
    rb"|\s*+(?:return|goto|break|continue)\b[^;(){}]*+(?:\([^;(){}]*+\)[^;(){}]*+)*+;?(?=\s*+\))"
    rb"|\s*+(?:const\s++|unsigned\s++)++[a-z]\w*+[\s*]*+(?=\)))"
)
"""The comma before what only a macro takes: nothing, `LIST(a, )`; a statement, `CHECK(p, return -1;)`; a type of two
words, `va_arg(p, unsigned int)`."""

NO_NAME = re.compile(rb"\*\s++=\s*+(?:0|NULL|nullptr)(?=\s*+[,)>])")
"""The value of a parameter without a name: `enable_if<T>::type * = nullptr`."""

STAR_AND_COMMA = re.compile(rb"\*\s*+,")
POINTER_TYPE = re.compile(rb"\w\(((?:(?:const|struct|union|unsigned)\s+)*[A-Za-z_]\w*[\s*]*)\Z")
"""A pointer type as the first argument: `CAST(void *, p)`."""

MEMBER = re.compile(
    rb"\*(?<=[:>.]\*)(?:(?<=::\*)(?=[ \t]*[A-Za-z_)])|(?<=->\*)(?<!operator->\*)|(?<=[A-Za-z_)\]]\.\*)(?=[A-Za-z_(]))"
)
SCOPE_BEFORE = re.compile(rb"(?:\b[A-Za-z_]\w*(?:<[^<>;{}]*>)?(?:::)?)+\Z")
"""A pointer to a member, `X::*f`, and its use, `a->*f`: without `X::` and the star they read as plain C."""

CALLED = re.compile(rb"([A-Za-z_]\w*)\s*\Z")
TYPE_BYTES = 80
SCOPE_BYTES = 200
CALL_BYTES = 600


def in_macro(data: bytes, position: int) -> bool:
    """Tell whether the parentheses around a position are those of a name in capitals or of a cast, or of `va_arg`."""
    start = max(0, position - CALL_BYTES)
    depth = 0
    for match in reversed(list(PARENTHESIS.finditer(data, start, position))):
        depth += 1 if match.group() == b")" else -1
        if depth < 0:
            name = CALLED.search(data, max(start, match.start() - TYPE_BYTES), match.start())
            return name is not None and (name[1].isupper() or name[1].endswith((b"_cast", b"va_arg")))
    return False


def disguised(data: bytes, cpp: bool) -> Iterator[Span]:
    """Yield the spans to blank of a file that the parser was lost in; `cpp` says that it is C++."""
    for match in ASSEMBLER.finditer(data):
        if (end := argument_end(data, match.end())) > match.end() and not in_directive(data, match.start()):
            yield match.start() - 2, end
    for match in STRING_MACRO.finditer(data):
        if not in_directive(data, match.start()) and not data.endswith(b'extern "C', 0, match.start()):
            start, end = match.span(1)
            stop = argument_end(data, end) if data[end : end + 1] == b"(" else end
            yield start, end if data.count(b'"', end, stop) % 2 else stop
    yield from (match.span(1) for match in HAS_INCLUDE.finditer(data))
    yield from (match.span() for match in NO_NAME.finditer(data))
    for match in NO_ARGUMENT.finditer(data):
        if in_macro(data, match.start()):
            yield match.span()
    for match in STAR_AND_COMMA.finditer(data):
        kind = POINTER_TYPE.search(data, max(0, match.start() - TYPE_BYTES), match.start())
        if kind and in_macro(data, match.start()):
            yield kind.start(1), match.end()
    for match in MEMBER.finditer(data) if cpp else ():
        star = match.start()
        if data[star - 1 : star] == b":":
            scope = SCOPE_BEFORE.search(data, max(0, star - SCOPE_BYTES), star - 2)
            yield scope.start() if scope else star - 2, star
        else:
            yield star, star + 1
