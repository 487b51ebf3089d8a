"""Split C and C++ text into tokens: comments dropped, literals whole, layout forgotten."""

import re
from typing import NamedTuple

_COMMENT = r"//(?:\\\r?\n|[^\n])*|/\*(?:.*?\*/|.*\Z)"
_STRING = r'(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"'
_CHARACTER = r"(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'"
_RAW_STRING = r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
_NUMBER = r"\.?\d(?:[eEpP][+-]|'\w|[\w.])*"
_WORD = r"(?:[^\W\d]|\$)[\w$]*"
_PUNCTUATOR = r"\.\.\.|<=>|<<=|>>=|->\*|::|->|\.\*|\+\+|--|<<|>>|&&|\|\||##|[-+*/%&|^<>=!]=|\S"
_SKIPPED = rf"(?:\s+|\\\r?\n|{_COMMENT})+"
_PLAIN = rf"{_STRING}|{_CHARACTER}|{_WORD}|{_NUMBER}|{_PUNCTUATOR}"
_DIRECTIVE = r'\#(?:[^\n\\/"\']|\\\r?\n|\\.|/\*.*?\*/|/(?![/*])|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])+'|[\"'])*"

_FAST = re.compile(rf"{_SKIPPED}|({_PLAIN})", re.DOTALL)
_FULL = re.compile(rf"{_SKIPPED}|(?P<raw>{_RAW_STRING})|(?P<directive>{_DIRECTIVE})|(?P<plain>{_PLAIN})", re.DOTALL)
_INCLUDE = re.compile(r"#\s*(include(?:_next)?|import|embed)\s*(<[^>\n]*>)")

# What follows a token in the canonical text. To the grammars `[[` and `]]` are one token each: brackets take no space.
_JOINT = {";": ";\n", "{": "{\n", "}": "}\n", "[": "[", "]": "]"}


class Lexed(NamedTuple):
    """The tokens of a text, and the same text laid out in one canonical way: equal tokens, equal source."""

    tokens: list[str]
    source: str


def tokens(text: str) -> list[str]:
    """Return the tokens of C or C++ `text`. Never fails: an unclosed quote or a stray character is a token."""
    return lex(text).tokens


def lex(text: str) -> Lexed:
    """Return tokens and canonical source. Directives keep their own line; a line splice is layout."""
    if "#" in text or 'R"' in text:
        return _lex_lines(text)
    found = list(filter(None, _FAST.findall(text)))
    return Lexed(found, _join(found))


def _join(found: list[str]) -> str:
    joint = _JOINT.get
    return "".join([joint(token) or token + " " for token in found])


def _lex_lines(text: str) -> Lexed:
    found: list[str] = []
    lines: list[str] = []
    start = 0
    for match in _FULL.finditer(text):
        kind = match.lastgroup
        if kind == "directive":
            lines += (_join(found[start:]), "\n", _directive(match["directive"], found), "\n")
            start = len(found)
        elif kind == "raw" or kind == "mark":
            found.append(match["raw"])
        elif kind == "plain":
            found.append(match["plain"])
    lines.append(_join(found[start:]))
    return Lexed(found, "".join(lines).lstrip("\n"))


def _directive(line: str, found: list[str]) -> str:
    """Append the tokens of one preprocessor line to `found` and return the line on one row without comments."""
    include = _INCLUDE.match(line)
    if include:
        found += ("#", include[1], include[2])
        return f"#{include[1]} {include[2]}"
    row = " ".join(re.sub(rf"{_STRING}|{_CHARACTER}|({_COMMENT}|\\\r?\n)", _blank, line, flags=re.DOTALL).split(" "))
    row = re.sub(r"\s+", " ", row).replace("# ", "#", 1)
    found.append("#")
    found += filter(None, _FAST.findall(row[1:]))
    return row


def _blank(match: re.Match[str]) -> str:
    return " " if match[1] else match[0]
