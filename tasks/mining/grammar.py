"""Which grammar a file is read with, decided by its content, and one parser and error query a process for each."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal

import tree_sitter
import tree_sitter_c
import tree_sitter_cpp

from tasks.mining import lexis, spans
from tasks.mining.spans import Span

Language = Literal["c", "cpp"]

CPP_SUFFIXES = (".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".ino", ".C")
"""Suffixes whose content is C++ whatever it looks like: the C++ grammar reads C as well."""

HINTS = (b"class ", b"namespace", b"template", b"nullptr", b"virtual ")
MORE_HINTS = (re.compile(rb":(?:(?<=::)|(?<=public:)|(?<=private:)|(?<=protected:))"), re.compile(rb"<(?<=_cast<)"))
"""A file with none of these is C; most C files are settled by this test alone. Patterns that begin with one literal
byte are searched faster than several longer strings."""

HINT_BYTES = 32_768
"""A file with the suffix of C that is C++ says so in its first part; a header may say so at its end."""

HEADS_BYTES = (1_024, 8_192)
"""Two signs in the first part of a file settle it."""

NOISE = re.compile(b"|".join((lexis.BLOCK_COMMENT, lexis.LINE_COMMENT, lexis.STRING, lexis.CHARACTER)))
"""Comments, strings and character constants."""

GUARDED = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def)?[ \t]+(?:defined[ \t]*\(?[ \t]*)?__cplusplus[\s\S]*?^[ \t]*#[ \t]*(?:else|endif)", re.M
)
"""What a C header shows to C++ compilers only, which says nothing about the rest of it."""

SIGNS = re.compile(
    rb"::[~A-Za-z_]|class[ \t]+\w+[^;(){}=*]*[{:]|namespace\b[\s\w:]*\{|template[ \t]*<|public[ \t]*:|private[ \t]*:"
    rb"|protected[ \t]*:|using[ \t]+\w+|virtual[ \t]|_cast[ \t]*<|nullptr\b"
)
"""What no C file has outside comments, strings and `#ifdef __cplusplus`; each alternative begins with a literal."""


@cache
def language(name: Language) -> tree_sitter.Language:
    """Return the grammar, loaded once a process."""
    return tree_sitter.Language(tree_sitter_c.language() if name == "c" else tree_sitter_cpp.language())


@cache
def parser(name: Language) -> tree_sitter.Parser:
    """Return the process's parser of a language."""
    return tree_sitter.Parser(language(name))


def parse(name: Language, data: bytes, hidden: Sequence[Span] = ()) -> tree_sitter.Tree:
    """Return the tree of `data`; bytes that are not UTF-8 must have been replaced before.

    Arguments: `hidden`, spans in order that the parser steps over without reading their bytes.
    """
    return _parse(name, data, None, hidden)


def _parse(name: Language, data: bytes, old: tree_sitter.Tree | None, hidden: Sequence[Span]) -> tree_sitter.Tree:
    chosen = tree_sitter.Parser(language(name), included_ranges=shown(data, hidden)) if hidden else parser(name)
    return chosen.parse(data) if old is None else chosen.parse(data, old)


def shown(data: bytes, hidden: Iterable[Span]) -> list[tree_sitter.Range]:
    """Return the ranges of `data` around the spans `hidden`."""
    ranges, at, here, row = [], 0, (0, 0), 0
    for start, end in (*hidden, (len(data), len(data))):
        points = []
        for before, position in ((at, start), (start, end)):
            row += data.count(b"\n", before, position)
            points.append((row, position - data.rfind(b"\n", 0, position) - 1))
        ranges.append(tree_sitter.Range(here, points[0], at, start))
        at, here = end, points[1]
    return ranges


def parse_again(
    name: Language, tree: tree_sitter.Tree, data: bytes, blanked: Iterable[Span], hidden: Sequence[Span] = ()
) -> tree_sitter.Tree:
    """Return the tree of `data`: what `tree` was made from, with the spans `blanked`. What did not change is reused.

    Arguments: `hidden`, what was hidden from the parser when it made `tree`.

    Tree-sitter's incremental parsing: a file is read again at the cost of the stretches that differ or had errors.
    """
    old = tree.copy()
    row, line, at = 0, 0, 0
    for start, end in spans.union(blanked):
        row += data.count(b"\n", at, start)
        line = data.rfind(b"\n", 0, start) + 1
        first = (row, start - line)
        row += data.count(b"\n", start, end)
        line = data.rfind(b"\n", 0, end) + 1
        last = (row, end - line)
        old.edit(start, end, end, first, last, last)
        at = end
    return _parse(name, data, old, hidden)


READABLE = (
    "_definition",
    "_declaration",
    "_statement",
    "comment",
    "preproc_include",
    "preproc_def",
    "preproc_function_def",
)
"""Endings of the kinds of nodes that an ERROR may hold whole: those the parser did read."""


def error_spans(root: tree_sitter.Node) -> tuple[list[Span], int]:
    """Return the spans of the outermost ERROR nodes below `root` without the whole items in them, in order; and the
    bytes of those nodes with everything in them, which tells a bad parse from a worse one.

    Only nodes that hold an error are entered.
    """
    if not root.has_error:
        return [], 0
    found: list[Span] = []
    gross = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.is_error:
            stack += [child for child in node.children if child.has_error]
            continue
        at = node.start_byte
        gross += node.end_byte - at
        for child in node.children:
            if not child.has_error and (child.type == "declaration" or child.type.endswith(READABLE)):
                found.append((at, child.start_byte))
                at = child.end_byte
        found.append((at, node.end_byte))
    return sorted(span for span in found if span[1] > span[0]), gross


def sniff(path: str, data: bytes) -> tuple[Language, bool]:
    """Return the language of a file by content, and whether that is beyond doubt.

    Only for a C++ suffix does the name decide. Otherwise the words of `SIGNS`, looked for outside comments and
    strings, make a file C++. In doubt (a single sign, or signs only below `#ifdef __cplusplus`) the caller compares
    both parses.
    """
    if path.endswith(CPP_SUFFIXES):
        return "cpp", True
    looked_at = data[:HINT_BYTES] if path.endswith(".c") else data
    if not any(hint in looked_at for hint in HINTS) and not any(hint.search(looked_at) for hint in MORE_HINTS):
        return "c", True
    for part in (*(data[:size] for size in HEADS_BYTES), data):
        bare = NOISE.sub(b" ", part)
        signs = signs_in(GUARDED.sub(b"", bare) if b"__cplusplus" in bare else bare)
        if signs > 1 or len(part) == len(data):
            break
    if signs:
        return "cpp", signs > 1
    return "c", not signs_in(bare)


def signs_in(bare: bytes) -> int:
    """Return how many signs of C++ there are, counting to two."""
    count = 0
    for match in SIGNS.finditer(bare):
        start = match.start()
        before = bare[start - 1 : start]
        word = before.isalnum() or before == b"_"
        count += word if match.group().startswith((b"::", b"_cast")) else not word
        if count > 1:
            break
    return count
