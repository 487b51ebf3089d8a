"""The block in a reply to a block completion: the reply itself, or what it put into the hole of the whole function."""

import re

from corpora.code.schema import Sample
from tasks.grading import ctree

ANCHOR = 12
"""Tokens on each side of the hole that must come back unchanged when the rest of the function did not."""

BLOCK_ALONE = "the block"
CUT = "the block, cut out of the whole function"
ANCHORED = "the block, cut out of a changed function by its surroundings"
UNCUT = "a whole function in which the hole could not be found"

TOKEN = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\w+|\S""", re.DOTALL)
COMMENT = ("//", "/*")

Word = tuple[str, int, int]


def cut_block(code: str, sample: Sample) -> tuple[str, str]:
    """Return the block that a reply gives and how it was found.

    A reply that defines the function itself is cut where its tokens leave the visible ones: those before the hole and
    those behind it, layout and comments aside. If the model changed other parts too, the tokens next to the hole
    decide; if not even those are there, the reply is taken as it is.
    """
    function = _function(code, sample)
    if function is None:
        return code, BLOCK_ALONE
    given = _words(function)
    words, left, right = _texts(given), _texts(_words(sample.prefix)), _texts(_words(sample.suffix))
    room = len(words) - len(right)
    if words[: len(left)] == left and room >= len(left) and words[room:] == right:
        return _between(function, given, len(left), room), CUT
    start = _find(words, left[-ANCHOR:], 0)
    if start is not None:
        start += len(left[-ANCHOR:])
        near = right[:ANCHOR]
        end = _find(words, near, start) if len(right) > ANCHOR else room if words[room:] == right else None
        if end is not None and end >= start:
            return _between(function, given, start, end), ANCHORED
    return code, UNCUT


def _function(code: str, sample: Sample) -> str | None:
    """Return the text of the sample's function if the reply defines it."""
    data = code.encode()
    root = ctree.parse(data, sample.language or "c", sample.macros)
    function = ctree.find_function(root, sample.function_name)
    if function is None:
        return None
    node = ctree.with_template(function)
    return data[node.start_byte : node.end_byte].decode()


def _words(code: str) -> list[Word]:
    found = ((match.group(), match.start(), match.end()) for match in TOKEN.finditer(code))
    return [word for word in found if not word[0].startswith(COMMENT)]


def _texts(words: list[Word]) -> list[str]:
    return [word[0] for word in words]


def _find(words: list[str], part: list[str], begin: int) -> int | None:
    """Return where the first run of `part` starts, from `begin` on."""
    if not part:
        return None
    return next((at for at in range(begin, len(words) - len(part) + 1) if words[at : at + len(part)] == part), None)


def _between(code: str, found: list[Word], first: int, last: int) -> str:
    """Return the text behind the word before `first` and before the word `last`."""
    start = found[first - 1][2] if first else 0
    end = found[last][1] if last < len(found) else len(code)
    return code[start:end].strip("\r\n")
