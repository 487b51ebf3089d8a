"""Does a text give away the body of a target function? One definition, for making context and for checking it.

Both texts are cut into statements: comments, line continuations and preprocessor conditions go, all white space goes,
and what is left is split at `;`, `{` and `}` (not at the two semicolons of a `for`) and at the ends of directives. So
layout, indentation and brace style do not count. A statement is substantial when it has at least 10 characters and is
not a bare `return x`, `else` or `break`; others are skipped on both sides. A text leaks a target when it holds

* three statements in a row that stand in a row in the target's body, or
* two in a row, if they have at least 40 characters together, or
* the whole body, if that is one or two substantial statements of at least 24 characters together, or
* one statement of the body of at least 120 characters (tables, long conditions).

The body is what follows the first `{` outside parentheses; a target without one (a completion block) counts whole.
Signatures are no leak: headers and classes show them. A lone short statement (`return this->state_;`) is none either:
it stands in any number of unrelated functions, and so do the short idioms that neighbours share.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

MIN_CHARS = 10
MIN_WHOLE_CHARS = 24
MIN_PAIR_CHARS = 40
MIN_ALONE_CHARS = 120
MARK = "/* ... */"

_LITERAL = r'"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])*\''
_COMMENT_OR_LITERAL = re.compile(_LITERAL + r"|//[^\n]*|/\*.*?(?:\*/|\Z)", re.S)
_CONTINUATION = re.compile(r"\\[ \t]*\r?\n")
_PIECE = re.compile(_LITERAL + r"|[;{}()\n]|[^;{}()\n\"']+|[\"']")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SPACE = re.compile(r"\s+")
_PLAIN = re.compile(r"(?:return\(?[-!]?\w*\)?|else|break|continue|do|default:(?:break)?|goto\w+|#(?!define)\w.*)\Z")
_FOR_SEMICOLONS = 2


class Statement(NamedTuple):
    """A normalised statement and the 0-based lines it covers in its text."""

    text: str
    first_line: int
    last_line: int


def statements(text: str) -> list[Statement]:
    """Return the substantial statements of C or C++ text in order, with the lines each covers."""
    clean = _COMMENT_OR_LITERAL.sub(_without_comment, text)
    # A continued line keeps its place in the count: \x0b stands for a newline that does not end the line.
    return _Cutter().cut(_CONTINUATION.sub("\x0b", clean))


def _without_comment(match: re.Match[str]) -> str:
    found = match.group()
    return found if found[0] in "\"'" else " " + "\n" * found.count("\n")


class _Cutter:
    """Cuts clean text into statements, counting lines as it goes."""

    def __init__(self) -> None:
        self.found: list[Statement] = []
        self.parts: list[str] = []
        self.first = self.line = 0
        self.depth = self.semicolons = 0
        self.directive = False

    def cut(self, clean: str) -> list[Statement]:
        fresh = True
        for match in _PIECE.finditer(clean):
            piece = match.group()
            if piece == "\n":
                if self.directive:
                    self.close()
                self.line += 1
                fresh = True
                continue
            if fresh and piece.lstrip().startswith("#"):
                self.close()
                self.directive = True
            fresh = fresh and not piece.strip()
            if piece in "{}" or (piece == ";" and not self.inside_for()):
                self.close()
                continue
            self.depth = max(0, self.depth + (piece == "(") - (piece == ")"))
            if not self.parts:
                self.first = self.line + piece[: len(piece) - len(piece.lstrip())].count("\x0b")
            if piece.strip() or self.parts:
                self.parts.append(piece)
            self.line += piece.count("\x0b")
        self.close()
        return self.found

    def inside_for(self) -> bool:
        self.semicolons += self.depth > 0
        return self.depth > 0 and self.semicolons <= _FOR_SEMICOLONS

    def close(self) -> None:
        joined = _SPACE.sub("", "".join(self.parts))
        if len(joined) >= MIN_CHARS and not _PLAIN.match(joined):
            self.found.append(Statement(joined, self.first, self.line))
        self.parts.clear()
        self.depth = self.semicolons = 0
        self.directive = False


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
def _runs(target: str) -> dict[int, frozenset[tuple[str, ...]]]:
    """Return the runs of statements that give a target away, by their length."""
    lines = tuple(statement.text for statement in statements(body(target)))
    threes = zip(lines, lines[1:], lines[2:], strict=False)
    pairs = {pair for pair in pairwise(lines) if len("".join(pair)) >= MIN_PAIR_CHARS}
    ones = {(line,) for line in lines if len(line) >= MIN_ALONE_CHARS}
    if lines and len("".join(lines)) >= MIN_WHOLE_CHARS:
        ones |= {lines} if len(lines) == 1 else set()
        pairs |= {lines} if len(lines) == 2 else set()
    return {1: frozenset(ones), 2: frozenset(pairs), 3: frozenset(threes)}


def _leaking(found: Sequence[Statement], target: str) -> list[tuple[int, int]]:
    """Return the line ranges (0-based, inclusive) that give `target` away."""
    texts = [statement.text for statement in found]
    return [
        (found[n].first_line, found[n + length - 1].last_line)
        for length, runs in _runs(target).items()
        if runs
        for n in range(len(found) - length + 1)
        if tuple(texts[n : n + length]) in runs
    ]


def leaks(text: str, target: str) -> bool:
    """Tell whether `text` gives away the body of `target`, as the module defines it.

    Arguments: `text` a context item, `target` the whole function definition that a model is asked to write.
    """
    return bool(_leaking(statements(text), target))


def without_leaks(text: str, target: str) -> str:
    """Return `text` with each run of lines that gives `target` away replaced by `/* ... */`; empty if none is left."""
    lines = _LINE.findall(text)
    while ranges := _leaking(statements("".join(lines)), target):
        gone = {number for first, last in ranges for number in range(first, last + 1)}
        kept: list[str] = []
        for number, line in enumerate(lines):
            if number not in gone:
                kept.append(line)
            elif number - 1 not in gone:
                kept.append(f"{line[: len(line) - len(line.lstrip())]}{MARK}\n")
        lines = kept
    left = "".join(lines)
    return left if left.replace(MARK, "").strip() else ""
