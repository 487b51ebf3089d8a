"""The rules that can be asked of a C answer, as types: one class a rule, its fields the rule's keys."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

NAME = r"^[a-z][a-z0-9_]*$"


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _in_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _as_text(value: Any) -> Any:
    return str(value) if type(value) is int else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed), Field(min_length=1)]
"""One name or several, of which any will do."""
Value = Annotated[str, BeforeValidator(_as_text)]
"""An expression of C, compared after macros and constants are worked out: 500 is 500U is (5 * 100)."""
Values = Annotated[tuple[Value, ...], BeforeValidator(_in_list), Field(min_length=1)]


class Part(BaseModel):
    """A piece of a rule; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class HandlerOf(Part):
    """The function that is handed over as argument `index` (from 0) of a call, whatever its name."""

    handler_of: Names
    index: int = Field(ge=0)


class FieldHandler(Part):
    """The function that initialises, or is assigned to, a field of this name: `.probe = my_probe`."""

    handler_in: Names


Where = str | HandlerOf | FieldHandler
"""A function: its name, or the way it is registered."""


class Argument(Part):
    """What argument `index` (from 0) must be: one of `is`, or an expression that mentions one of `mentions`."""

    index: int = Field(ge=0)
    is_: Values | None = Field(None, alias="is")
    mentions: Names | None = None


class Rule(Part):
    """What every rule has: the name of its check, and the words that a report says were expected."""

    check: str = Field(pattern=NAME, max_length=80)
    expected: str | None = None


class Includes(Rule):
    """One of the headers is included."""

    rule: Literal["includes"]
    header: Names


class Defines(Rule):
    """A function of one of the names is defined."""

    rule: Literal["defines"]
    function: Names


class Calls(Rule):
    """At least `min` calls of the named functions, in what `in` does or anywhere, each with such arguments."""

    rule: Literal["calls"]
    call: Names
    in_: Where | None = Field(None, alias="in")
    min: int = Field(1, ge=1)
    argument: tuple[Argument, ...] | Argument | None = None


class NotCalls(Rule):
    """No call of any of the named functions, in what `in` does or anywhere."""

    rule: Literal["not_calls"]
    call: Names
    in_: Where | None = Field(None, alias="in")
    argument: tuple[Argument, ...] | Argument | None = None


class Ordered(Rule):
    """Along `in` (main), own functions read in place: a call of `first`, and no call of `then` before it."""

    rule: Literal["ordered"]
    first: Names
    then: Names
    in_: Where = Field("main", alias="in")


class ResultUsed(Rule):
    """The value of every call is tested, kept and read, returned, or handed on; there is at least one call."""

    rule: Literal["result_used"]
    call: Names
    in_: Where | None = Field(None, alias="in")


class Declares(Rule):
    """A variable, parameter or field with this name, type and qualifiers, each where given."""

    rule: Literal["declares"]
    name: Names | None = None
    type: Names | None = None
    qualifiers: Names | None = None


class SharedIsVolatile(Rule):
    """What `isr` writes at file scope and others use is volatile, atomic, or touched only between calls that lock."""

    rule: Literal["shared_is_volatile"]
    isr: Where


class Initialises(Rule):
    """A field is given a value, by an initializer or an assignment: one of `is`, where that is given."""

    rule: Literal["initialises"]
    type: Names | None = None
    field: Names
    is_: Values | None = Field(None, alias="is")


class Uses(Rule):
    """One of the names appears in the code, as a function, macro, type, constant or field."""

    rule: Literal["uses"]
    name: Names
    in_: Where | None = Field(None, alias="in")


class NotUses(Rule):
    """None of the names appears in the code."""

    rule: Literal["not_uses"]
    name: Names
    in_: Where | None = Field(None, alias="in")


class Reaches(Rule):
    """`from` calls one of the functions, itself or through functions of the answer."""

    rule: Literal["reaches"]
    from_: Where = Field(alias="from")
    call: Names


class NotReaches(Rule):
    """`from` calls none of the functions, neither itself nor through functions of the answer."""

    rule: Literal["not_reaches"]
    from_: Where = Field(alias="from")
    calls: Names


class InLoop(Rule):
    """A call of one of the functions stands in a loop, or in a function that is called in one."""

    rule: Literal["in_loop"]
    call: Names
    in_: Where | None = Field(None, alias="in")


class ReleasedOnReturn(Rule):
    """No path from a call of `acquire` to a return of the same function goes without a call of `release`."""

    rule: Literal["released_on_return"]
    acquire: Names
    release: Names


def _unnamed(value: Any) -> Any:
    """The parts of a rule need no name of their own."""
    return [{"check": "part", **item} if isinstance(item, dict) else item for item in value]


class AnyOf(Rule):
    """One of several rules holds; those have no `check` of their own."""

    rule: Literal["any_of"]
    of: Annotated[tuple["Asked", ...], BeforeValidator(_unnamed)] = Field(min_length=1)


Leaf = (
    Includes | Defines | Calls | NotCalls | Ordered | ResultUsed | Declares | SharedIsVolatile | Initialises | Uses
    | NotUses | Reaches | NotReaches | InLoop | ReleasedOnReturn
)  # fmt: skip
Asked = Annotated[Leaf | AnyOf, Field(discriminator="rule")]
AnyOf.model_rebuild()


class Rules(Part):
    """`checks/tree.yaml`: the rules of the two layers that only read."""

    static: tuple[Asked, ...] = Field(min_length=1)
    heuristic: tuple[Asked, ...] = Field(min_length=1)
