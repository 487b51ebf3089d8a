"""What a case of our own format asks: rules over the tree, a scenario or rules over values, and seeded bugs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field

from corpora.firmware.case import Case, Execution, parsed
from corpora.firmware.values.table import ValueRules
from corpora.firmware.yaml_text import read_yaml
from tasks.grading.tree_rules.table import NAME, Rules
from warehouse.errors import CorpusError

TREE, SCENARIO, VALUES = "checks/tree.yaml", "checks/scenario.c", "checks/values.yaml"
CHECKS = (TREE, SCENARIO, VALUES)
NEGATIVES = "checks/negatives.yaml"
CONFIGURATIONS: tuple[Execution, ...] = ("kconfig", "devicetree", "yocto")
"""Executions that read a configuration language; the others compile C and run it."""
FEWEST_NEGATIVES = 3


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Edit(_Part):
    """One edit of the reference: `find` occurs in it exactly once."""

    find: str = Field(min_length=1)
    replace: str


class Negative(_Part):
    """One seeded bug: what it is, how the reference is edited to have it, and the checks that must fail on it."""

    name: str = Field(pattern=NAME, max_length=60)
    bug: str = Field(min_length=1)
    edits: tuple[Edit, ...] = Field(min_length=1)
    must_fail: tuple[str, ...] = Field(min_length=1)


class _Negatives(_Part):
    negatives: tuple[Negative, ...] = Field(min_length=FEWEST_NEGATIVES)


@dataclass(frozen=True)
class Own:
    """The checks of one case: `rules` and `scenario` for C, `values` for a configuration language."""

    rules: Rules | None
    scenario: str | None
    values: ValueRules | None
    negatives: tuple[Negative, ...]
    mutants: Mapping[str, str]


def read(case: Case) -> Own:
    """Return what the case's files under checks/ say; raises CorpusError naming case, file and fault."""
    return _read(_Key(case))


class _Key:
    """A case under its content hash, so that the files of one case are parsed once."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def __hash__(self) -> int:
        return hash(self.case.content_hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.case.content_hash == self.case.content_hash


@lru_cache(maxsize=1024)
def _read(key: _Key) -> Own:
    case = key.case
    configured = case.metadata.execution in CONFIGURATIONS
    needed = (VALUES,) if configured else (TREE, SCENARIO)
    for name in needed:
        if not case.checks.get(name, "").strip():
            raise CorpusError(f"Case {case.id}: {name} is missing or empty.")
    found = Own(
        rules=None if configured else parsed(Rules, *_values(case, TREE)),
        scenario=None if configured else case.checks[SCENARIO],
        values=parsed(ValueRules, *_values(case, VALUES)) if configured else None,
        negatives=_negatives(case),
        mutants={},
    )
    _refuse_twice(case, found)
    mutants = {negative.name: _mutant(case, negative) for negative in found.negatives}
    return Own(found.rules, found.scenario, found.values, found.negatives, mutants)


def refuse_strange(case: Case, texts: Mapping[str, str]) -> None:
    """Raise CorpusError for a file under checks/ that nothing reads."""
    for name in sorted(texts):
        if name.startswith("checks/") and name not in (*CHECKS, NEGATIVES):
            raise CorpusError(
                f"Case {case.id}: {name} is read by nobody; "
                f"a case of this format has {', '.join((*CHECKS, NEGATIVES))}."
            )


def _values(case: Case, name: str) -> tuple[str, object]:
    where = f"Case {case.id}: {name}"
    return where, read_yaml(where, case.checks[name])


def _negatives(case: Case) -> tuple[Negative, ...]:
    where = f"Case {case.id}: {NEGATIVES}"
    if not (case.negatives or "").strip():
        raise CorpusError(f"{where} is missing or empty.")
    listed = read_yaml(where, case.negatives or "")
    if not isinstance(listed, list):
        raise CorpusError(f"{where} must be a list of bugs, each with name, bug, edits and must_fail.")
    return parsed(_Negatives, where, {"negatives": listed}).negatives


def _refuse_twice(case: Case, own: Own) -> None:
    seen: set[str] = set()
    for name in _check_names(own):
        if name in seen:
            raise CorpusError(f"Case {case.id}: two checks are called {name}; rename one.")
        seen.add(name)
    bugs = [negative.name for negative in own.negatives]
    for name in bugs:
        if bugs.count(name) > 1:
            raise CorpusError(f"Case {case.id}: two bugs in {NEGATIVES} are called {name}; rename one.")


def _check_names(own: Own) -> Iterator[str]:
    for rules in (own.rules, own.values):
        if rules is not None:
            yield from (rule.check for rule in (*rules.static, *rules.heuristic))
    if own.values is not None:
        yield from (rule.check for rule in own.values.runtime)


def _mutant(case: Case, negative: Negative) -> str:
    text = case.answer
    for number, edit in enumerate(negative.edits):
        where = f"Case {case.id}: {NEGATIVES}: bug {negative.name}, edit {number + 1}"
        count = text.count(edit.find)
        if count != 1:
            raise CorpusError(f"{where}: `find` occurs {count} times in the reference, not once: {edit.find[:80]!r}.")
        text = text.replace(edit.find, edit.replace)
    if text == case.answer:
        raise CorpusError(f"Case {case.id}: {NEGATIVES}: bug {negative.name} changes nothing.")
    return text
