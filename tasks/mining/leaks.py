"""Does a text give away the body of a target function? One definition, used when context is made and when it is checked.

Both texts are cut into statements: comments and line continuations go, all white space goes, and what is left is split
at `;`, `{`, `}` and around preprocessor lines. So layout, indentation and brace style do not count. A statement is
substantial when it has at least 10 characters and is not a bare `return x`, `else` or `break`; others are skipped on
both sides. A text leaks a target when it holds

* two statements that also follow each other in the target's body, or
* one statement of the body of at least 120 characters (tables, long conditions), or
* when the body has a single substantial statement: that one, if it has at least 24 characters.

The body is what follows the first `{` outside parentheses; a target without one (a completion block) counts whole.
Signatures are no leak: headers and classes show them. A lone short statement (`return this->state_;`) is none either:
it stands in any number of unrelated functions.
"""

import re
from functools import lru_cache
from typing import NamedTuple

MIN_CHARS = 10
MIN_ONLY_CHARS = 24
MIN_ALONE_CHARS = 120
MARK = "/* ... */"

_COMMENT_OR_LITERAL = re.compile(
    r'"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?(?:\*/|\Z)', re.S
)
_CONTINUATION = re.compile(r"\\[ \t]*\r?\n")
_PIECE = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\'|[;{}\n]|[^;{}\n"\']+|["\']')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SPACE = re.compile(r"\s+")
_PLAIN = re.compile(r"(?:return\(?[-!]?\w*\)?|else|break|continue|do|default:(?:break)?|goto\w+)\Z")


class Statement(NamedTuple):
    """A normalised statement and the 0-based lines it covers in its text."""

    text: str
    first_line: int
    last_line: int


def _blank(match: re.Match[str]) -> str:
    found = match.group()
    return found if found[0] in "\"'" else " " + "\n" * found.count("\n")


def statements(text: str) -> list[Statement]:
    """Return the substantial statements of C or C++ text in order, with the lines each covers."""
    clean = _COMMENT_OR_LITERAL.sub(_blank, text)
    # A continued line keeps its place in the count: \x0b stands for a newline that does not end the line.
    clean = _CONTINUATION.sub("\x0b", clean)
    found: list[Statement] = []
    parts: list[str] = []
    first = line = 0
    directive, fresh = False, True

    def close() -> None:
        nonlocal directive
        joined = _SPACE.sub("", "".join(parts))
        if len(joined) >= MIN_CHARS and not _PLAIN.match(joined):
            found.append(Statement(joined, first, line))
        parts.clear()
        directive = False

    for match in _PIECE.finditer(clean):
        piece = match.group()
        if piece in ";{}":
            close()
            fresh = False
        elif piece == "\n":
            if directive:
                close()
            line += 1
            fresh = True
        else:
            if fresh and piece.lstrip().startswith("#"):
                close()
                directive = True
            if not parts:
                first = line + piece[: len(piece) - len(piece.lstrip())].count("\x0b")
            if piece.strip() or parts:
                parts.append(piece)
                fresh = False
            line += piece.count("\x0b")
    close()
    return found


def body(target: str) -> str:
    """Return what follows the first `{` outside parentheses, or the whole target if there is none."""
    clean = _COMMENT_OR_LITERAL.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), target)
    depth = 0
    for match in re.finditer(r"[(){]", clean):
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
        elif depth <= 0:
            return target[match.end() :]
    return target


@lru_cache(maxsize=256)
def _fingerprint(target: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """Return the pairs of neighbouring statements and the lone statements that give `target` away."""
    lines = [statement.text for statement in statements(body(target))]
    alone = {line for line in lines if len(line) >= MIN_ALONE_CHARS}
    if len(lines) == 1 and len(lines[0]) >= MIN_ONLY_CHARS:
        alone.add(lines[0])
    return frozenset(zip(lines, lines[1:], strict=False)), frozenset(alone)


def _leaking(text: str, target: str) -> list[tuple[int, int]]:
    """Return the line ranges (0-based, inclusive) of `text` that give `target` away."""
    pairs, alone = _fingerprint(target)
    if not pairs and not alone:
        return []
    found = statements(text)
    ranges = [(s.first_line, s.last_line) for s in found if s.text in alone]
    ranges += [
        (a.first_line, b.last_line) for a, b in zip(found, found[1:], strict=False) if (a.text, b.text) in pairs
    ]
    return ranges


def leaks(text: str, target: str) -> bool:
    """Tell whether `text` gives away the body of `target`, as the module defines it.

    Arguments: `text` a context item, `target` the whole function definition that a model is asked to write.
    """
    return bool(_leaking(text, target))


def without_leaks(text: str, target: str) -> str:
    """Return `text` with the lines that give `target` away replaced by one `/* ... */` a run; empty if nothing is left."""
    lines = _LINE.findall(text)
    while ranges := _leaking("".join(lines), target):
        gone = {number for first, last in ranges for number in range(first, last + 1)}
        kept: list[str] = []
        for number, line in enumerate(lines):
            if number not in gone:
                kept.append(line)
            elif number - 1 not in gone:
                indent = line[: len(line) - len(line.lstrip())]
                kept.append(f"{indent}{MARK}\n")
        lines = kept
    left = "".join(lines)
    return left if left.replace(MARK, "").strip() else ""
