"""One-line mutants of a reference: a line deleted, an operator swapped, a constant changed, a `&` or `volatile` lost.

Comments and strings are left alone. Which of the possible mutants are taken is a hash of the case and the mutant, kind
by kind in turn, so that a run anywhere takes the same.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest

from corpora.firmware.case import Case
from corpora.firmware.language import language_of

_C = r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|^[ \t]*#[ \t]*include[^\n]*"""
_HASH = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
MASKED = {
    "c": re.compile(_C, re.DOTALL | re.MULTILINE),
    "devicetree": re.compile(_C, re.DOTALL | re.MULTILINE),
    "kconfig": _HASH,
    "bitbake": _HASH,
}
OPERATORS = {
    "==": "!=", "!=": "==", "<=": "<", ">=": ">", "<": "<=", ">": ">=", "&&": "||", "||": "&&", "++": "--", "--": "++",
    "+=": "-=", "-=": "+=", "|=": "&=", "<<": ">>", ">>": "<<",
}  # fmt: skip
OPERATOR = re.compile(r"(?<![-+<>=&|!])(==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\|=|<<|>>|(?<=\s)[<>](?=\s))(?![=<>&|+-])")
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*\b)(?!\.)")
ADDRESS = re.compile(r"(?<=[(,] )&(?=[A-Za-z_])|(?<=\()&(?=[A-Za-z_])")
NEGATION = re.compile(r"(?<=[(&| ])!(?=[A-Za-z_(])")
VOLATILE = re.compile(r"\bvolatile\s+")
SWITCH = re.compile(r"(?<==)[yn]$", re.MULTILINE)
STATUS = re.compile(r'(?<=status = ")okay(?=")')


@dataclass(frozen=True)
class LineMutant:
    """One mutant: what was done, in which 1-based line, and the whole text."""

    kind: str
    line: int
    text: str

    @property
    def name(self) -> str:
        """A name for reports."""
        return f"{self.kind} in line {self.line}"


def line_mutants(case: Case, most: int) -> list[LineMutant]:
    """Return up to `most` mutants of the case's reference, each kind in turn."""
    groups = [
        sorted(work(case.answer, language_of(case)), key=lambda mutant: _rank(case.id, mutant)) for work in KINDS
    ]
    turns = [mutant for turn in zip_longest(*groups) for mutant in turn if mutant is not None]
    return sorted(turns[:most], key=lambda mutant: (mutant.line, mutant.kind, mutant.text))


def _rank(case: str, mutant: LineMutant) -> str:
    return sha256(f"{case}\0{mutant.kind}\0{mutant.text}".encode()).hexdigest()


def _masked(text: str, language: str) -> str:
    """The text with comments and strings blanked, in the same places."""
    return MASKED[language].sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _deletions(text: str, language: str) -> Iterator[LineMutant]:
    masked, start = _masked(text, language).split("\n"), 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        plain = masked[number - 1].rstrip()
        if _is_statement(plain, line, language):
            yield LineMutant("a line deleted", number, text[:start] + text[start + len(line) :])
        start += len(line)


def _is_statement(plain: str, line: str, language: str) -> bool:
    """Whether the line can go without leaving half a statement."""
    if (
        not plain.strip()
        or line.rstrip().endswith("\\")
        or any(plain.count(a) != plain.count(b) for a, b in ("()", "{}"))
    ):
        return False
    return language in ("kconfig", "bitbake") or plain.endswith((";", ","))


def _swap(kind: str, pattern: re.Pattern[str], change: Callable[[str], str], languages: tuple[str, ...]) -> "Work":
    def work(text: str, language: str) -> Iterator[LineMutant]:
        if language not in languages:
            return
        for match in pattern.finditer(_masked(text, language) if pattern is not STATUS else text):
            changed = text[: match.start()] + change(match.group()) + text[match.end() :]
            yield LineMutant(kind, text.count("\n", 0, match.start()) + 1, changed)

    return work


def _other_number(literal: str) -> str:
    value = int(literal, 16 if literal[:2].lower() == "0x" else 10)
    return hex(value + 1) if literal[:2].lower() == "0x" else str(value + 1)


Work = Callable[[str, str], Iterator[LineMutant]]
ALL = ("c", "devicetree", "kconfig", "bitbake")
KINDS: tuple[Work, ...] = (
    _deletions,
    _swap("an operator swapped", OPERATOR, lambda sign: OPERATORS[sign], ("c",)),
    _swap("a constant changed", NUMBER, _other_number, ALL),
    _swap("a & dropped", ADDRESS, lambda _: "", ("c",)),
    _swap("a ! dropped", NEGATION, lambda _: "", ("c",)),
    _swap("volatile dropped", VOLATILE, lambda _: "", ("c",)),
    _swap("a switch turned", SWITCH, lambda word: "n" if word == "y" else "y", ("kconfig",)),
    _swap("a node disabled", STATUS, lambda _: "disabled", ("devicetree",)),
)
