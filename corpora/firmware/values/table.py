"""What `checks/values.yaml` can ask of the values that a configuration comes to, one class a rule."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tasks.grading.tree_rules.table import NAME


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _texts(value: Any) -> Any:
    return [_text(item) for item in _listed(value)]


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return "y" if value else "n"
    return str(value) if isinstance(value, int) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_texts), Field(min_length=1)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NodeOf(_Part):
    """Nodes of a device tree: those with one of the paths or labels, that have the compatible, below such a parent.

    `having` are properties with their values. A path may be a label, `alias:NAME`,
    `chosen:NAME` or `compatible:NAME`.
    """

    path: Texts | None = None
    compatible: str | None = None
    parent: str | None = None
    having: Mapping[str, Annotated[str, BeforeValidator(_text)]] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "NodeOf":
        if not (self.path or self.compatible or self.parent or self.having):
            raise ValueError("say path, compatible, parent or having")
        return self


class ValueRule(_Part):
    """What every rule has: its check, the words of a report, and which value: a symbol, a variable or a property.

    `of` may list several names, of which the first that there is counts. `node` says whose property, in device trees;
    `given` names one of the file's situations, where it has several.
    """

    check: str = Field(pattern=NAME, max_length=80)
    expected: str | None = None
    of: Texts
    node: NodeOf | None = None
    given: str | None = None


class Is(ValueRule):
    """The value is one of `is`; numbers are compared as numbers, whatever their notation."""

    rule: Literal["is"]
    is_: Texts = Field(alias="is")


class Within(ValueRule):
    """The value is a number between `least` and `most`, both included."""

    rule: Literal["within"]
    least: int | None = None
    most: int | None = None


class Has(ValueRule):
    """Every one of `items` is among the value's words (cells, strings, list entries)."""

    rule: Literal["has"]
    items: Texts


class Lacks(ValueRule):
    """None of `items` is among the value's words; a value that is not there has none."""

    rule: Literal["lacks"]
    items: Texts


class Matches(ValueRule):
    """One of the value's words, or the whole, matches the regular expression from beginning to end."""

    rule: Literal["matches"]
    pattern: str


class NoMatch(ValueRule):
    """Neither the whole value nor one of its words matches the regular expression from beginning to end."""

    rule: Literal["no_match"]
    pattern: str


class Present(ValueRule):
    """There is such a value."""

    rule: Literal["present"]


class Absent(ValueRule):
    """There is no such value."""

    rule: Literal["absent"]


class Below(ValueRule):
    """The value is a number smaller than that of `than`."""

    rule: Literal["below"]
    than: str


class RefersTo(ValueRule):
    """The property refers to the node with this path or label, as its cell number `cell`."""

    rule: Literal["refers_to"]
    to: str
    cell: int = Field(0, ge=0)


AskedValue = Annotated[
    Is | Within | Has | Lacks | Matches | NoMatch | Present | Absent | Below | RefersTo, Field(discriminator="rule")
]


class ValueRules(_Part):
    """`checks/values.yaml`: the rules of a layer ask the text as written (static, heuristic) or what it comes to.

    `given` are situations by name: for kconfig, fragments that other people's configuration adds; for yocto, the
    overrides of another build, such as its machine. For yocto, `recipe` is the name of the recipe's file, and
    `sources` what its SRC_URI can fetch: `file:NAME` beside it, `upstream:NAME` elsewhere.
    """

    given: Mapping[str, str] = {}
    sources: Mapping[str, str] = {}
    recipe: str | None = Field(None, pattern=r"^[a-z0-9][a-z0-9.+-]*_[a-z0-9.+-]+\.bb$")
    static: tuple[AskedValue, ...] = Field(min_length=1)
    runtime: tuple[AskedValue, ...] = Field(min_length=1)
    heuristic: tuple[AskedValue, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _knows_its_situations(self) -> "ValueRules":
        for rule in (*self.static, *self.runtime, *self.heuristic):
            if rule.given is not None and rule.given not in self.given:
                raise ValueError(
                    f"check {rule.check} asks for the situation {rule.given}, which `given` does not have"
                )
        return self
