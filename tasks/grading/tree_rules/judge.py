"""Judge the rules of a case on an answer: one check a rule, with what was expected and what was seen."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from tasks.contract import Check, Status
from tasks.grading.ctree import text, walk
from tasks.grading.tree_rules import table
from tasks.grading.tree_rules.expression import wanted
from tasks.grading.tree_rules.loops import looped, stands_in_loop
from tasks.grading.tree_rules.preprocess import TooLarge
from tasks.grading.tree_rules.program import Call, Program, Variable, bare, read
from tasks.grading.tree_rules.releases import Leaks
from tasks.grading.tree_rules.results import unused
from tasks.grading.tree_rules.shared import unguarded

Found = tuple[bool, str]
"""Whether a rule holds, and what was seen."""
TOO_DEEP = "it is nested too deep to be read"
NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})


class Answer:
    """The program of one answer, read once, when the first rule asks for it."""

    def __init__(self, code: str) -> None:
        self.code = code

    @cached_property
    def program(self) -> Program | str:
        """The program, or why the answer cannot be read."""
        try:
            return read(self.code)
        except TooLarge as error:
            return str(error)
        except RecursionError:
            return TOO_DEEP


def checks(layer: str, rules: Sequence[table.Asked], answer: Answer) -> tuple[Check, ...]:
    """Return one check a rule; an answer that cannot be read fails each and says why."""
    return tuple(_check(layer, rule, answer) for rule in rules)


def _check(layer: str, rule: table.Asked, answer: Answer) -> Check:
    program = answer.program
    try:
        holds, saw = (False, program) if isinstance(program, str) else judge(rule, program)
    except RecursionError:
        holds, saw = False, TOO_DEEP
    status = Status.PASS if holds else Status.FAIL
    return Check(layer=layer, check=rule.check, status=status, expected=rule.expected or words(rule), saw=saw)


def words(rule: BaseModel) -> str:
    """Return a rule as its file says it, without its check's name."""
    said = rule.model_dump(exclude={"check", "expected", "rule"}, exclude_defaults=True, by_alias=True)
    return f"{rule.rule} {_plain(said)}"  # type: ignore[attr-defined]


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "/".join(_plain(item) for item in value)
    return str(value)


def judge(rule: table.Asked, program: Program) -> Found:
    """Return whether the rule holds for the program, and what was seen."""
    return JUDGES[type(rule)](rule, program)


def _scope(where: table.Where | None, program: Program) -> list[str] | None:
    return None if where is None else program.resolve(where)


def _at(calls: Sequence[Call]) -> str:
    return ", ".join(f"{call.name} in line {call.line}" for call in calls[:5])


def _fits(call: Call, asked: Sequence[table.Argument], program: Program) -> bool:
    for item in asked:
        if item.index >= len(call.arguments):
            return False
        node = call.arguments[item.index]
        if item.is_ is not None and not _is_one_of(node, item.is_, call.owner, program):
            return False
        if item.mentions is not None and not _mentions(node, item.mentions, call.owner, program):
            return False
    return True


def _is_one_of(node: Any, expressions: Sequence[str], owner: str | None, program: Program) -> bool:
    forms = {wanted(expression) for expression in expressions}
    return any(program.form(value) in forms for value in _values(node, owner, program))


def _mentions(node: Any, names: Sequence[str], owner: str | None, program: Program) -> bool:
    return any(
        part.type in NAMES and text(part) in names for value in _values(node, owner, program) for part in walk(value)
    )


def _values(node: Any, owner: str | None, program: Program, hops: int = 3) -> list[Any]:
    """The expression, and those that a plain variable or a parameter in its place may have been given."""
    found = [node]
    inner = bare(node)
    if inner.type != "identifier" or not hops:
        return found
    name = text(inner)
    variable = program.variable(name, owner)
    if variable is None:
        return found
    if variable.kind == "parameter":
        index = program.parameters(owner).index(name)
        for call in program.calls:
            if call.name == owner and index < len(call.arguments):
                found += _values(call.arguments[index], call.owner, program, hops - 1)
    elif variable.value is not None:
        found += _values(variable.value, owner, program, hops - 1)
    return found


def _asked(rule: table.Calls | table.NotCalls) -> tuple[table.Argument, ...]:
    asked = rule.argument
    return asked if isinstance(asked, tuple) else (asked,) if asked is not None else ()


def _includes(rule: table.Includes, program: Program) -> Found:
    found = [name for name in program.source.includes if name in rule.header]
    return bool(found), f"includes {', '.join(program.source.includes) or 'nothing'}"


def _defines(rule: table.Defines, program: Program) -> Found:
    found = any(program.resolve(name) for name in rule.function)
    return found, f"defines {', '.join(program.functions) or 'no function'}"


def _calls(rule: table.Calls, program: Program) -> Found:
    scope = _scope(rule.in_, program)
    if scope == []:
        return False, "there is no such function to look in"
    named = [call for call in program.calls_in(scope) if call.name in rule.call]
    found = [call for call in named if _fits(call, _asked(rule), program)]
    if found or not named:
        return len(found) >= rule.min, f"{len(found)} such calls"
    arguments = "; ".join(", ".join(text(node) for node in call.arguments) for call in named[:5])
    return False, f"{_at(named)} with {arguments}"


def _not_calls(rule: table.NotCalls, program: Program) -> Found:
    scope = _scope(rule.in_, program)
    if scope == []:
        return False, "there is no such function to look in"
    found = [call for call in program.calls_in(scope) if call.name in rule.call and _fits(call, _asked(rule), program)]
    return _nothing(program) if not program.functions else (not found, _at(found) or "no such call")


def _nothing(program: Program) -> Found:
    return False, "there is no function at all"


def _ordered(rule: table.Ordered, program: Program) -> Found:
    starts = program.resolve(rule.in_)
    if not starts:
        return False, "there is no such function to look in"
    for start in starts:
        names = [call.name for call in _in_order(program, start)]
        first = next((at for at, name in enumerate(names) if name in rule.first), None)
        then = next((at for at, name in enumerate(names) if name in rule.then), None)
        if first is None or then is None:
            return False, f"no call of {'/'.join(rule.first if first is None else rule.then)} along {start}"
        if then < first:
            return False, f"{names[then]} comes before {names[first]}"
    return True, "in this order"


def _in_order(program: Program, start: str) -> list[Call]:
    """The calls along a function, inner before outer, own functions in place of their calls, each once in itself."""
    found: list[Call] = []
    todo: list[tuple[str, Call | None]] = [(start, None)]
    open_: list[str] = []
    budget = 20_000
    while todo and budget:
        budget -= 1
        kind, call = todo.pop()
        if call is None:
            if kind == "":
                open_.pop()
                continue
            own = sorted(program.by_owner.get(kind, ()), key=lambda item: (item.node.end_byte, -item.node.start_byte))
            open_.append(kind)
            todo.append(("", None))
            todo += [("call", item) for item in reversed(own)]
            continue
        found.append(call)
        if call.name in program.functions and call.name not in open_:
            todo.append((call.name, None))
    return found


def _result_used(rule: table.ResultUsed, program: Program) -> Found:
    scope = _scope(rule.in_, program)
    if scope == []:
        return False, "there is no such function to look in"
    named = [call for call in program.calls_in(scope) if call.name in rule.call and call.owner is not None]
    if not named:
        return False, f"no call of {'/'.join(rule.call)}"
    lost = list(unused(program, named))
    return not lost, f"the value is unused of {_at(lost)}" if lost else f"{len(named)} calls, each used"


def _declares(rule: table.Declares, program: Program) -> Found:
    fitting = [item for item in program.variables if _is_declared_so(item, rule)]
    if fitting:
        return True, f"{fitting[0].name} in line {fitting[0].node.start_point[0] + 1}"
    near = [item for item in program.variables if rule.name and item.name in rule.name]
    return False, "; ".join(f"{' '.join(sorted(item.qualifiers))} {item.type} {item.name}" for item in near) or "none"


def _is_declared_so(item: Variable, rule: table.Declares) -> bool:
    types = (
        {item.type, item.type.partition(" ")[2]}
        if item.type.startswith(("struct ", "enum ", "union "))
        else {item.type}
    )
    return (
        (rule.name is None or item.name in rule.name)
        and (rule.type is None or bool(types & set(rule.type)))
        and (rule.qualifiers is None or set(rule.qualifiers) <= item.qualifiers)
    )


def _shared(rule: table.SharedIsVolatile, program: Program) -> Found:
    isrs = program.resolve(rule.isr)
    if not isrs:
        return False, "there is no such function"
    bad = [item.name for item in unguarded(program, isrs)]
    return (
        not bad,
        f"neither volatile, atomic nor locked: {', '.join(bad)}" if bad else "every shared variable is guarded",
    )


def _initialises(rule: table.Initialises, program: Program) -> Found:
    seen: list[str] = []
    for name, value, node, owner in program.pairs:
        if name not in rule.field or (rule.type is not None and not _is_of(node, owner, rule.type, program)):
            continue
        if rule.is_ is None or _is_one_of(value, rule.is_, owner, program):
            return True, f"{name} in line {node.start_point[0] + 1}"
        seen.append(f"{name} = {text(value)}")
    return False, "; ".join(seen[:5]) or "the field is given no value"


def _is_of(node: Any, owner: str | None, types: Sequence[str], program: Program) -> bool:
    """Whether the object whose field is set has one of the types; one whose type is not in the answer may."""
    if node.type == "assignment_expression":
        base = node.child_by_field_name("left")
        while base is not None and base.type in (
            "field_expression",
            "subscript_expression",
            "parenthesized_expression",
        ):
            base = base.child_by_field_name("argument") or (base.named_children[0] if base.named_children else None)
        variable = program.variable(text(base), owner) if base is not None else None
        return variable is None or _named(variable.type, types)
    above = node.parent
    while above is not None and above.type not in ("compound_statement", "translation_unit"):
        kind = (
            above.child_by_field_name("type") if above.type in ("declaration", "compound_literal_expression") else None
        )
        if kind is not None:
            return _named(" ".join(text(kind).split()), types)
        above = above.parent
    return True


def _named(type_name: str, types: Sequence[str]) -> bool:
    return any(
        type_name in (name, f"struct {name}", f"union {name}") or f"struct {type_name}" == name for name in types
    )


def _used_names(where: table.Where | None, program: Program) -> dict[str, int]:
    scope = _scope(where, program)
    roots = [program.root] if scope is None else [program.functions[name] for name in program.reachable(scope)]
    found: dict[str, int] = {}
    for root in roots:
        for node in walk(root):
            if node.type in NAMES:
                found.setdefault(text(node), node.start_point[0] + 1)
    return found if scope is not None else {**dict.fromkeys(program.source.words, 0), **found}


def _uses(rule: table.Uses, program: Program) -> Found:
    names = _used_names(rule.in_, program)
    found = [name for name in rule.name if name in names]
    return bool(found), f"uses {', '.join(found)}" if found else "none of them"


def _not_uses(rule: table.NotUses, program: Program) -> Found:
    if not program.functions:
        return _nothing(program)
    names = _used_names(rule.in_, program)
    found = [name for name in rule.name if name in names]
    return not found, f"uses {', '.join(found)}" if found else "none of them"


def _reaches(rule: table.Reaches, program: Program) -> Found:
    starts = program.resolve(rule.from_)
    if not starts:
        return False, "there is no such function to start from"
    found = [call for call in program.calls_in(starts) if call.name in rule.call]
    return bool(found), _at(found) or f"{', '.join(starts)} calls none of them"


def _not_reaches(rule: table.NotReaches, program: Program) -> Found:
    starts = program.resolve(rule.from_)
    if not starts:
        return False, "there is no such function to start from"
    found = [call for call in program.calls_in(starts) if call.name in rule.calls]
    return not found, _at(found) or f"{', '.join(starts)} calls none of them"


def _in_loop(rule: table.InLoop, program: Program) -> Found:
    scope = _scope(rule.in_, program)
    if scope == []:
        return False, "there is no such function to look in"
    owners = looped(program)
    named = [call for call in program.calls_in(scope) if call.name in rule.call]
    found = [call for call in named if call.owner in owners or stands_in_loop(call.node)]
    return bool(found), _at(found) or (f"{_at(named)}, outside any loop" if named else "no such call")


def _released(rule: table.ReleasedOnReturn, program: Program) -> Found:
    leaks = Leaks(program, rule.acquire, rule.release)
    if not leaks.functions():
        return False, f"no call of {'/'.join(rule.acquire)}"
    lines = [f"{name} in line {line}" for name, line in leaks.lines()]
    return not lines, f"not released at the return of {', '.join(lines[:5])}" if lines else "released on every way"


def _any_of(rule: table.AnyOf, program: Program) -> Found:
    told = []
    for part in rule.of:
        holds, saw = judge(part, program)
        if holds:
            return True, saw
        told.append(saw)
    return False, "; ".join(told)


JUDGES: dict[type, Callable[[Any, Program], Found]] = {
    table.Includes: _includes,
    table.Defines: _defines,
    table.Calls: _calls,
    table.NotCalls: _not_calls,
    table.Ordered: _ordered,
    table.ResultUsed: _result_used,
    table.Declares: _declares,
    table.SharedIsVolatile: _shared,
    table.Initialises: _initialises,
    table.Uses: _uses,
    table.NotUses: _not_uses,
    table.Reaches: _reaches,
    table.NotReaches: _not_reaches,
    table.InLoop: _in_loop,
    table.ReleasedOnReturn: _released,
    table.AnyOf: _any_of,
}
