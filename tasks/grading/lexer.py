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
# What a plain scan for tokens would read wrongly, and what could hide it from view.
_LINES = re.compile(
    rf"{_COMMENT}|(?P<raw>(?<![\w$]){_RAW_STRING})|{_STRING}|(?<![\w$]){_CHARACTER}|(?P<directive>{_DIRECTIVE})",
    re.DOTALL,
)
_REMARK = re.compile(rf"{_STRING}|{_CHARACTER}|({_COMMENT}|\\\r?\n)", re.DOTALL)
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
    start = at = 0
    for match in _LINES.finditer(text):
        if match["raw"] is None and match["directive"] is None:
            continue
        found += filter(None, _FAST.findall(text, at, match.start()))
        at = match.end()
        if match["raw"] is not None:
            found.append(match["raw"])
        else:
            lines += (_join(found[start:]), "\n", _directive(match["directive"], found), "\n")
            start = len(found)
    found += filter(None, _FAST.findall(text, at))
    lines.append(_join(found[start:]))
    return Lexed(found, "".join(lines).lstrip("\n"))


def _directive(line: str, found: list[str]) -> str:
    """Append the tokens of one preprocessor line to `found` and return the line on one row without comments."""
    include = _INCLUDE.match(line)
    if include:
        found += ("#", include[1], include[2])
        return f"#{include[1]} {include[2]}"
    if "/" in line or "\n" in line:
        line = _REMARK.sub(_blank, line)
    row = " ".join(line[1:].split())
    found.append("#")
    found += filter(None, _FAST.findall(row))
    return "#" + row


def _blank(match: re.Match[str]) -> str:
    return " " if match[1] else match[0]
