"""Judge rules over values: one check a rule, with what was expected and what was seen."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corpora.firmware.values import table
from corpora.firmware.values.model import Value, Values, same
from tasks.contract import Check, Status
from tasks.grading.tree_rules.judge import words

Found = tuple[bool, str]
SAW_CHARS = 300
PATTERN_CHARS = 20_000
"""Longer values are not matched, so that no answer makes a pattern slow."""


def checks(layer: str, rules: Sequence[table.AskedValue], values: Mapping[str | None, Values]) -> tuple[Check, ...]:
    """Return one check a rule. `values` are those of each situation, None for the one without a name."""
    return tuple(_check(layer, rule, *judge(rule, values[rule.given])) for rule in rules)


def unread(layer: str, rules: Sequence[table.AskedValue], why: str) -> tuple[Check, ...]:
    """Return a failure of each rule: the text cannot be read, so it has no values."""
    return tuple(_check(layer, rule, False, why) for rule in rules)


def _check(layer: str, rule: table.AskedValue, holds: bool, saw: str) -> Check:
    status = Status.PASS if holds else Status.FAIL
    return Check(
        layer=layer, check=rule.check, status=status, expected=rule.expected or words(rule), saw=saw[:SAW_CHARS]
    )


def judge(rule: table.AskedValue, values: Values) -> Found:
    """Return whether the rule holds for the values, and what was seen."""
    found = next((value for name in rule.of if (value := values.find(name, rule.node)) is not None), None)
    if isinstance(rule, table.Absent):
        return found is None, "it is not there" if found is None else _seen(found)
    if found is None:
        return isinstance(rule, table.Lacks | table.NoMatch), f"{'/'.join(rule.of)} is not there"
    if isinstance(rule, table.Present):
        return True, _seen(found)
    if isinstance(rule, table.Below):
        other = values.find(rule.than, rule.node)
        limit = other.number if other is not None else None
        holds = found.number is not None and limit is not None and found.number < limit
        return holds, f"{_seen(found)}, and {rule.than} is {other.whole if other is not None else 'not there'}"
    if isinstance(rule, table.RefersTo):
        return values.refers(found, rule.to, rule.cell), _seen(found)
    return JUDGES[type(rule)](rule, found), _seen(found)


def _seen(value: Value) -> str:
    return value.whole or "an empty value"


def _is(rule: table.Is, value: Value) -> bool:
    return any(same(value.whole, wanted) for wanted in rule.is_)


def _within(rule: table.Within, value: Value) -> bool:
    number = value.number
    above = rule.least is None or (number is not None and number >= rule.least)
    return number is not None and above and (rule.most is None or number <= rule.most)


def _has(rule: table.Has, value: Value) -> bool:
    return all(any(same(word, item) for word in value.words) for item in rule.items)


def _lacks(rule: table.Lacks, value: Value) -> bool:
    return not any(same(word, item) for word in value.words for item in rule.items)


def _matches(rule: table.Matches | table.NoMatch, value: Value) -> bool:
    pattern = re.compile(rule.pattern, re.DOTALL)
    return any(pattern.fullmatch(text) for text in (value.whole, *value.words) if len(text) <= PATTERN_CHARS)


JUDGES: dict[type, Callable[[Any, Value], bool]] = {
    table.Is: _is,
    table.Within: _within,
    table.Has: _has,
    table.Lacks: _lacks,
    table.Matches: _matches,
    table.NoMatch: lambda rule, value: not _matches(rule, value),
}
