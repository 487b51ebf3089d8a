"""Which grammar a file is read with, decided by its content, and one parser and error query a process for each."""

import re
from functools import cache
from typing import Literal

import tree_sitter
import tree_sitter_c
import tree_sitter_cpp

Language = Literal["c", "cpp"]

CPP_SUFFIXES = (".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".inl", ".ino", ".C")
"""Suffixes whose content is C++ whatever it looks like: the C++ grammar reads C as well."""

HINTS = (b"::", b"class", b"namespace", b"template", b"public:", b"private:", b"nullptr", b"virtual ", b"_cast<")
"""A file with none of these bytes is C; most C files are settled by this test alone."""

NOISE = re.compile(
    rb"""/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//(?:[^\n\\]|\\\r?\n|\\.)*+|"(?:[^"\\\n]|\\.|\\\r?\n)*+"|'(?:[^'\\\n]|\\.)*+'"""
)
"""Comments, strings and character constants."""

GUARDED = re.compile(rb"^[ \t]*#[ \t]*if(?:def)?[ \t]+(?:defined[ \t]*\(?[ \t]*)?__cplusplus[\s\S]*?^[ \t]*#[ \t]*(?:else|endif)", re.M)
"""What a C header shows to C++ compilers only, which says nothing about the rest of it."""

SIGNS = re.compile(
    rb"\w[ \t]*::|^[ \t]*class[ \t]+\w+[^;]*?[{:]|^[ \t]*(?:inline[ \t]+)?namespace\b|^[ \t]*template[ \t]*<"
    rb"|^[ \t]*(?:public|private|protected)[ \t]*:|^[ \t]*using[ \t]+\w|^[ \t]*virtual[ \t]|\b(?:static|reinterpret|const)_cast[ \t]*<"
    rb"|\bnullptr\b",
    re.M,
)
"""Words that no C file has outside comments, strings and `#ifdef __cplusplus`."""


@cache
def language(name: Language) -> tree_sitter.Language:
    """Return the grammar, loaded once a process."""
    return tree_sitter.Language(tree_sitter_c.language() if name == "c" else tree_sitter_cpp.language())


@cache
def parser(name: Language) -> tree_sitter.Parser:
    """Return the process's parser of a language."""
    return tree_sitter.Parser(language(name))


@cache
def _errors(name: Language) -> tree_sitter.Query:
    return tree_sitter.Query(language(name), "(ERROR) @error")


def parse(name: Language, data: bytes) -> tree_sitter.Node:
    """Return the root node of `data`; bytes that are not UTF-8 must have been replaced before."""
    return parser(name).parse(data).root_node


def error_spans(name: Language, root: tree_sitter.Node) -> list[tuple[int, int]]:
    """Return the outermost ERROR spans below `root`, in order; empty at no cost when the parse is clean."""
    if not root.has_error:
        return []
    found = tree_sitter.QueryCursor(_errors(name)).captures(root).get("error", [])
    spans: list[tuple[int, int]] = []
    for start, end in sorted((node.byte_range for node in found), key=lambda span: (span[0], -span[1])):
        if end > start and (not spans or end > spans[-1][1]):
            spans.append((start, end))
    return spans


def sniff(path: str, data: bytes) -> tuple[Language, bool]:
    """Return the language of a file by content, and whether that is beyond doubt.

    Only for a C++ suffix does the name decide. Otherwise the words of `SIGNS`, looked for outside comments and strings,
    make a file C++. In doubt (a single sign, or signs only below `#ifdef __cplusplus`) the caller compares both parses.
    """
    if path.endswith(CPP_SUFFIXES):
        return "cpp", True
    if not any(hint in data for hint in HINTS):
        return "c", True
    bare = NOISE.sub(b" ", data)
    signs = len(SIGNS.findall(GUARDED.sub(b"", bare)))
    if signs:
        return "cpp", signs > 1
    return "c", not SIGNS.search(bare)
