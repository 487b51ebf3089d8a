"""Values that a configuration comes to, under their names, whatever the language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tasks.grading.tree_rules.condition import integer


@dataclass(frozen=True)
class Value:
    """One value: its words (list entries, cells, strings) and the whole as text."""

    words: tuple[str, ...]
    whole: str

    @property
    def number(self) -> int | None:
        """The value as a number, if it is one."""
        return as_number(self.whole)


class Values(Protocol):
    """What the rules look values up in."""

    def find(self, name: str, node: object | None) -> Value | None:
        """Return the value of that name, of a property of the node where a language has nodes."""
        ...

    def refers(self, value: Value, to: str, cell: int) -> bool:
        """Return whether a cell of the value refers to what has this path or label."""
        ...


@dataclass(frozen=True)
class Plain:
    """Values by name, in a language without nodes."""

    values: Mapping[str, Value] = field(default_factory=dict)

    def find(self, name: str, node: object | None) -> Value | None:
        """Return the value of that name."""
        return self.values.get(name)

    def refers(self, value: Value, to: str, cell: int) -> bool:
        """Return False: nothing refers to anything here."""
        return False


class Missing(Exception):
    """A program that reads the language is not here; the message says what to install."""


class Unreadable(Exception):
    """The text is not in the language; the message says where and why."""


def text_value(text: str) -> Value:
    """Return a text as a value whose words are those between spaces."""
    return Value(tuple(text.split()), text.strip())


def list_value(words: Sequence[str]) -> Value:
    """Return a list as a value."""
    return Value(tuple(words), " ".join(words))


def as_number(text: str) -> int | None:
    """Return the number that a text is in any notation of C, or None."""
    sign = -1 if text.startswith("-") else 1
    value = integer(text.lstrip("-"))
    return None if value is None else sign * value


def same(one: str, other: str) -> bool:
    """Return whether two words are the same, numbers in whatever notation."""
    left, right = as_number(one), as_number(other)
    return one == other if left is None or right is None else left == right
