"""Why a reply failed: one of EmbedEval's patterns, by a table of rules over check, layer, message and code.

`taxonomy.toml` is the table: the first rule all of whose conditions hold decides, and its name is given with the
pattern. EmbedEval classifies by check names alone and leaves three failures of four unknown; here what the compiler
said, what a sanitizer saw and what stands in the code count too. Its eight patterns have no place for text that is not
code, so `malformed` is kept apart and counts as unknown where those eight are asked for (`seed_pattern`).
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from warehouse.errors import WarehouseError
from warehouse.stats.columns import same_length
from warehouse.stats.estimate import Estimate
from warehouse.stats.proportions import wilson

if TYPE_CHECKING:
    import polars as pl

UNKNOWN, MALFORMED = "unknown", "malformed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed check, as the `checks` table has it, with the code it judged and the platform the sample asks for."""

    layer: str
    check: str
    saw: str = ""
    expected: str = ""
    code: str = ""
    platform: str | None = None


class Found(NamedTuple):
    """The pattern of a failure and the rule that gave it; no rule gives `unknown` and an empty name."""

    pattern: str
    rule: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table; a condition that is None or empty is not asked."""

    name: str
    pattern: str
    layers: frozenset[str] = frozenset()
    check: re.Pattern[str] | None = None
    message: re.Pattern[str] | None = None
    code: re.Pattern[str] | None = None
    lacks: re.Pattern[str] | None = None
    about: str | None = None
    step: str | None = None


@dataclass(frozen=True, slots=True)
class Platform:
    """How the names of a platform begin, and the platforms whose names are its own too."""

    name: str
    names: re.Pattern[str]
    headers: re.Pattern[str]
    aliases: frozenset[str]
    uses: frozenset[str] = field(default_factory=frozenset)


class Taxonomy(NamedTuple):
    """Patterns with what they mean, the rules in the order they are tried, and the platforms."""

    patterns: Mapping[str, str]
    rules: tuple[Rule, ...]
    platforms: tuple[Platform, ...]


@cache
def taxonomy() -> Taxonomy:
    """Return the table in taxonomy.toml; raises WarehouseError naming the rule whose key or pattern is not known."""
    return read_taxonomy(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def read_taxonomy(text: str) -> Taxonomy:
    """Return the taxonomy that a TOML text declares; raises WarehouseError naming the rule that is wrong."""
    table = tomllib.loads(text)
    patterns: dict[str, str] = table["patterns"]
    platforms = tuple(
        Platform(name, _start(row["names"]), _start(row["headers"]), frozenset(row["aliases"]),
                 frozenset(row.get("uses", ())))
        for name, row in table["platform"].items()
    )  # fmt: skip
    return Taxonomy(patterns, tuple(_rule(row, patterns) for row in table["rule"]), platforms)


def classify(failure: Failure, rules: Taxonomy | None = None) -> Found:
    """Return the pattern of a failed check and the name of the rule, by the first rule whose conditions all hold."""
    table = rules or taxonomy()
    view = _View(failure, table.platforms)
    rule = next((rule for rule in table.rules if view.fits(rule)), None)
    return Found(rule.pattern, rule.name) if rule else Found(UNKNOWN, "")


def seed_pattern(pattern: str) -> str:
    """Return the pattern among EmbedEval's eight: text that is no code has none there."""
    return UNKNOWN if pattern == MALFORMED else pattern


class Vote(NamedTuple):
    """The pattern of a reply by majority of its failed checks; `confidence` is its share of the `votes`."""

    pattern: str
    rule: str
    confidence: float
    votes: int


def classify_reply(failures: Sequence[Failure], rules: Taxonomy | None = None) -> Vote:
    """Return the pattern of a reply by majority over its failed checks, given in the order the grader lists them.

    A check that no rule knows votes only where no other does. A tie goes to the check listed first, which is the
    earlier layer. Raises WarehouseError for no failed checks.
    """
    if not failures:
        raise WarehouseError("A reply without a failed check has no failure pattern; give its failed checks.")
    found = [classify(failure, rules) for failure in failures]
    known = [one for one in found if one.pattern != UNKNOWN] or found
    votes = Counter(one.pattern for one in known)
    pattern = max(votes, key=lambda name: votes[name])  # of equals, the one met first
    rule = next(one.rule for one in known if one.pattern == pattern)
    return Vote(pattern, rule, votes[pattern] / len(known), len(known))


def classified(checks: "pl.DataFrame", rules: Taxonomy | None = None) -> "pl.DataFrame":
    """Return failed checks with the columns `pattern` and `rule` added.

    Needs the columns `layer` and `check`; uses `saw`, `expected`, `code` and `platform` where they are there. Every
    row is taken for a failure: filter on the status first.
    """
    import polars as pl

    names = [name for name in ("layer", "check", "saw", "expected", "code", "platform") if name in checks.columns]
    if names[:2] != ["layer", "check"]:
        raise WarehouseError("Failed checks are told by their columns layer and check, and one is not there.")
    found = [
        classify(Failure(**{name: value for name, value in row.items() if value is not None}), rules)
        for row in checks.select(names).iter_rows(named=True)
    ]
    return checks.with_columns(
        pl.Series("pattern", [one.pattern for one in found], dtype=pl.String),
        pl.Series("rule", [one.rule for one in found], dtype=pl.String),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Known causes against patterns found. `counts[i][j]` are failures of cause `patterns[i]` found as `patterns[j]`.

    `right` is the share found as their cause and `unknown` the share that no rule knows, each over `n` failures.
    `recall` is right per cause and `precision` right per pattern found, None where there is none.
    """

    patterns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    n: int
    right: Estimate
    unknown: Estimate
    recall: tuple[float | None, ...]
    precision: tuple[float | None, ...]


def confusion(causes: Sequence[str], found: Sequence[str], *, level: float = 0.95,
              rules: Taxonomy | None = None) -> Confusion:  # fmt: skip
    """Return how failures of known cause were classified; raises WarehouseError for a name that is no pattern."""
    import numpy as np

    same_length(causes=np.empty(len(causes)), found=np.empty(len(found)))
    patterns = tuple((rules or taxonomy()).patterns)
    strange = next((name for name in (*causes, *found) if name not in patterns), None)
    if strange is not None:
        raise WarehouseError(f"{strange!r} is no failure pattern; the patterns are {', '.join(patterns)}.")
    pairs = Counter(zip(causes, found, strict=True))
    counts = tuple(tuple(pairs[cause, pattern] for pattern in patterns) for cause in patterns)
    right = [pairs[name, name] for name in patterns]
    of_cause, of_found = [sum(row) for row in counts], [sum(column) for column in zip(*counts, strict=True)]
    n = len(causes)
    return Confusion(
        patterns=patterns,
        counts=counts,
        n=n,
        right=wilson(sum(right), n, level=level),
        unknown=wilson(of_found[patterns.index(UNKNOWN)], n, level=level),
        recall=tuple(hit / size if size else None for hit, size in zip(right, of_cause, strict=True)),
        precision=tuple(hit / size if size else None for hit, size in zip(right, of_found, strict=True)),
    )


class _View:
    """A failure as the rules look at it."""

    def __init__(self, failure: Failure, platforms: tuple[Platform, ...]) -> None:
        self.layer = failure.layer
        self.words = " ".join(WORDS.findall(failure.check)).lower()
        self.message = first_error(failure.saw)
        self.code = without_noise(failure.code)
        self.platforms = platforms
        self.platform = failure.platform

    def fits(self, rule: Rule) -> bool:
        """Return whether all conditions of a rule hold."""
        return (
            (not rule.layers or self.layer in rule.layers)
            and (rule.check is None or bool(rule.check.search(self.words)))
            and (rule.message is None or bool(rule.message.search(self.message)))
            and (rule.code is None or bool(rule.code.search(self.code)))
            and (rule.lacks is None or (bool(self.code) and not rule.lacks.search(self.code)))
            and (rule.about is None or self.about(rule.about))
            and (rule.step is None or rule.step == self.step())
        )

    def about(self, what: str) -> bool:
        """Return whether a name the message quotes is another platform's, or one that the code declares later on."""
        names = quoted(self.message)
        if what == "later":
            return any(_declares(self.code, name) for name in names)
        own = self.own()
        return any(self.foreign(name, own) for name in names)

    def foreign(self, name: str, own: frozenset[str]) -> bool:
        """Return whether a name begins as some platform's names do, and as none of its own."""
        whose = {one.name for one in self.platforms if one.names.match(name) or one.headers.match(name)}
        return bool(whose) and not whose & own

    def own(self) -> frozenset[str]:
        """Return the platforms whose names the sample may use: as it says, else those most of its code is of."""
        named = [one for one in self.platforms if self.platform == one.name or self.platform in one.aliases]
        if not named:
            names = [*NAME.findall(self.code), *INCLUDED.findall(self.code)]
            of = [sum(bool(one.names.match(name) or one.headers.match(name)) for name in names)
                  for one in self.platforms]  # fmt: skip
            named = [one for one, count in zip(self.platforms, of, strict=True) if count and count == max(of)]
        return frozenset(name for one in named for name in (one.name, *one.uses))

    def step(self) -> str:
        """Return whether the step that `a before b` or `a after b` asks for is in the code; without code it is."""
        action, *rest = ORDER.split(self.words)
        stems = [word[:STEM] for word in action.split() if len(word) > 2 and word not in EMPTY_WORDS]
        if not self.code or not stems or not rest:
            return "there"
        text = " ".join(NAME.findall(self.code)).lower()
        return "there" if any(stem in text for stem in stems) else "gone"


WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
NAME = re.compile(r"[A-Za-z_]\w*")
INCLUDED = re.compile(r"#\s*include\s*[<\"]([^>\"]+)[>\"]")
ORDER = re.compile(r"\b(?:before|after|precedes|prior|until|then)\b")
EMPTY_WORDS = frozenset({"the", "called", "call", "set", "done", "checked", "all", "and"})
STEM = 5
NOISE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
QUOTED = re.compile(r"['‘`\"“]([^'’\"”`\s]+)['’\"”]")
LISTED = re.compile(r"invented API: ([^\n]*)")
HEADER = re.compile(r"fatal error: ([^\s:]+): No such file", re.IGNORECASE)
ERROR = re.compile(r"^.*(?:\berror\b|undefined reference|ERROR: ).*$", re.MULTILINE)


def first_error(text: str) -> str:
    """Return the first error a compiler, linker or sanitizer printed, else the whole text.

    Later errors are mostly what the first brought about; warnings stand each for themselves.
    """
    found = ERROR.search(text)
    return found.group() if found else text


@lru_cache(maxsize=256)
def without_noise(code: str) -> str:
    """Return code without comments and strings; what is left of `#include "a.h"` is read before."""
    return NOISE.sub(lambda found: found.group() if _is_include(code, found.start()) else " ", code).strip()


def quoted(message: str) -> list[str]:
    """Return the names and headers that a message puts in quotes or lists, in order."""
    names = [*HEADER.findall(message), *QUOTED.findall(message)]
    names += [name.strip() for found in LISTED.findall(message) for name in found.split(",")]
    return [name for name in names if name]


def _is_include(code: str, start: int) -> bool:
    line = code[code.rfind("\n", 0, start) + 1 : start].strip()
    return line.startswith("#") and line.endswith("include")


def _declares(code: str, name: str) -> bool:
    if not name.isidentifier():
        return False
    kind = r"(?!return\b|goto\b|case\b|else\b|typedef\b)[A-Za-z_][\w \t*]*[\s*]"
    pattern = (
        rf"^[ \t]*{kind}{name}\s*(?:\([^;{{]*\)\s*\{{|=|;|\[)|^[ \t]*#[ \t]*define[ \t]+{name}\b|\}}\s*{name}\s*;"
    )
    return re.search(pattern, code, re.MULTILINE) is not None


def _start(beginnings: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in beginnings))


KEYS = {"name", "pattern", "layer", "check", "message", "code", "lacks", "about", "step"}
CHOICES = {"about": ("foreign", "later"), "step": ("there", "gone")}


def _rule(row: Mapping[str, Any], patterns: Mapping[str, str]) -> Rule:
    name = row.get("name", "without a name")
    strange = sorted(row.keys() - KEYS)
    if strange or not row.keys() - {"name", "pattern"}:
        raise WarehouseError(
            f"The rule {name!r} has {', '.join(strange) or 'no condition'}; the keys are {', '.join(sorted(KEYS))}."
        )
    if row.get("pattern") not in patterns:
        raise WarehouseError(f"The rule {name!r} gives {row.get('pattern')!r}, which is no pattern of the table.")
    for key, choices in CHOICES.items():
        if row.get(key, choices[0]) not in choices:
            raise WarehouseError(f"The rule {name!r} has {key} {row[key]!r}; give {' or '.join(choices)}.")
    try:
        compiled = {
            key: re.compile(row[key], re.IGNORECASE) for key in ("check", "message", "code", "lacks") if key in row
        }
    except re.error as error:
        raise WarehouseError(
            f"The rule {name!r} holds a regular expression that does not compile: {error}."
        ) from error
    return Rule(name, row["pattern"], frozenset(row.get("layer", ())), about=row.get("about"), step=row.get("step"),
                **compiled)  # fmt: skip
