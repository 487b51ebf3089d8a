"""A C answer as the rules see it: live code only, its functions, calls, variables, and who calls whom."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tree_sitter import Node

from tasks.grading import ctree
from tasks.grading.ctree import declared, function_name, text
from tasks.grading.facts import CASTS
from tasks.grading.tree_rules.expression import Constants, canonical, number
from tasks.grading.tree_rules.paths import Paths
from tasks.grading.tree_rules.preprocess import Source, TooLarge, preprocess
from tasks.grading.tree_rules.table import FieldHandler, HandlerOf, Where

ENTRIES = {"main": ("main", "app_main")}
"""What a rule calls main is app_main in ESP-IDF."""
UNEVALUATED = frozenset({"sizeof_expression", "alignof_expression", "preproc_def", "preproc_function_def"})
HOPS = 6
STATIC_MACRO = re.compile(r"\bstatic (?=[A-Z][A-Z0-9_]+ \()")
"""`static K_THREAD_STACK_DEFINE(...)`: a macro that defines something, not a type in front of brackets."""
MOST_NODES = 50_000
"""A tree of a hundred lines has about 3,000 nodes; some questions cost the square of a block's."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call by name: of a function, a macro, or the field that holds a function pointer."""

    name: str
    node: Node
    owner: str | None
    arguments: tuple[Node, ...]

    @property
    def line(self) -> int:
        """The 1-based line in the answer."""
        return self.node.start_point[0] + 1


@dataclass(frozen=True, slots=True)
class Variable:
    """A declared variable, parameter or field; `owner` is the function around it, None at file scope."""

    name: str
    type: str
    qualifiers: frozenset[str]
    owner: str | None
    kind: str
    node: Node
    value: Node | None
    is_pointer: bool


@dataclass
class Program:
    """The live code of an answer."""

    source: Source
    root: Node
    functions: dict[str, Node] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    constants: dict[str, Node] = field(default_factory=dict)
    pairs: list[tuple[str, Node, Node, str | None]] = field(default_factory=list)
    """Fields that are given a value: name, value, the node that does it, the function around it."""
    by_owner: dict[str | None, list[Call]] = field(default_factory=dict)
    typedefs: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    _paths: dict[str, Paths] = field(default_factory=dict)

    def paths(self, function: str) -> Paths:
        """Return the ways through a function of the answer."""
        if function not in self._paths:
            self._paths[function] = Paths(self.functions[function], self.constants)
        return self._paths[function]

    def form(self, node: Node) -> str:
        """Return the canonical form of an expression."""
        return canonical(node, self.constants)

    def reachable(self, names: Iterable[str]) -> dict[str, None]:
        """Return the functions of the answer that these are and call, in the order they are found."""
        found = dict.fromkeys(name for name in names if name in self.functions)
        todo = list(found)
        while todo:
            for call in self.by_owner.get(todo.pop(), ()):
                if call.name in self.functions and call.name not in found:
                    found[call.name] = None
                    todo.append(call.name)
        return found

    def reaching(self, names: Iterable[str]) -> set[str]:
        """Return the functions of the answer that call one of the names, themselves or through others."""
        callers: dict[str, set[str]] = {}
        for call in self.calls:
            if call.owner is not None:
                callers.setdefault(call.name, set()).add(call.owner)
        found: set[str] = set()
        todo = list(names)
        while todo:
            more = callers.get(todo.pop(), set()) - found
            found |= more
            todo += more
        return found

    def calls_in(self, names: Iterable[str] | None) -> list[Call]:
        """Return the calls that these functions make, themselves or through others; all calls for None."""
        if names is None:
            return self.calls
        return [call for name in self.reachable(names) for call in self.by_owner.get(name, ())]

    def resolve(self, where: Where) -> list[str]:
        """Return the functions of the answer that `where` means, none if there is none."""
        if isinstance(where, str):
            return [name for name in ENTRIES.get(where, (where,)) if name in self.functions]
        found: dict[str, None] = {}
        if isinstance(where, HandlerOf):
            for call in self.calls:
                if call.name in where.handler_of and where.index < len(call.arguments):
                    found |= dict.fromkeys(self.targets(call.arguments[where.index], call.owner))
        elif isinstance(where, FieldHandler):
            for name, value, _, owner in self.pairs:
                if name in where.handler_in:
                    found |= dict.fromkeys(self.targets(value, owner))
        return list(found)

    def targets(self, node: Node, owner: str | None, hops: int = HOPS) -> Iterator[str]:
        """Yield the functions of the answer that an expression may mean, also through a parameter or a variable."""
        node = bare(node)
        if node.type == "conditional_expression":
            for side in ("consequence", "alternative"):
                part = node.child_by_field_name(side)
                if part is not None and hops:
                    yield from self.targets(part, owner, hops - 1)
        if node.type != "identifier":
            return
        name = text(node)
        if name in self.functions:
            yield name
        elif hops:
            yield from self._through(name, owner, hops - 1)

    def _through(self, name: str, owner: str | None, hops: int) -> Iterator[str]:
        for variable in self.variables:
            if variable.name == name and variable.owner in (owner, None) and variable.value is not None:
                yield from self.targets(variable.value, owner, hops)
        parameters = self.parameters(owner)
        if name in parameters:
            index = parameters.index(name)
            for call in self.calls:
                if call.name == owner and index < len(call.arguments):
                    yield from self.targets(call.arguments[index], call.owner, hops)

    def parameters(self, function: str | None) -> list[str]:
        """Return the names of a function's parameters."""
        return [item.name for item in self.variables if item.owner == function and item.kind == "parameter"]

    def variable(self, name: str, owner: str | None) -> Variable | None:
        """Return the variable of that name that a function sees: its own first, then one at file scope."""
        for scope in (owner, None):
            for item in self.variables:
                if item.name == name and item.owner == scope and item.kind != "field":
                    return item
        return None


def bare(node: Node) -> Node:
    """Return an expression without brackets, casts and `&`."""
    while True:
        if node.type == "parenthesized_expression" and node.named_child_count:
            node = node.named_children[0]
        elif node.type == "cast_expression" and (value := node.child_by_field_name("value")) is not None:
            node = value
        elif node.type == "pointer_expression" and (inner := node.child_by_field_name("argument")) is not None:
            node = inner
        else:
            return node


def read(code: str) -> Program:
    """Return the program of an answer; raises preprocess.TooLarge."""
    source = preprocess(code)
    code = STATIC_MACRO.sub("", source.text)
    program = Program(source, ctree.parse(code.encode(errors="replace"), "c"))
    if program.root.descendant_count > MOST_NODES:
        raise TooLarge(f"its tree has more than {MOST_NODES} nodes")
    for function in ctree.functions(program.root):
        name = function_name(function)
        if name and name not in program.functions:
            program.functions[name] = function
    _collect(program)
    for call in program.calls:
        program.by_owner.setdefault(call.owner, []).append(call)
    return program


def live(root: Node, constants: Constants) -> Iterator[Node]:
    """Yield the nodes in source order, but what `if (0)` and the like keep from running, and what is only measured."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.type in UNEVALUATED:
            continue
        dead = _dead(node, constants) if node.type in ("if_statement", "while_statement", "for_statement") else None
        stack.extend(child for child in reversed(node.children) if dead is None or child.id != dead.id)


def _dead(node: Node, constants: Constants) -> Node | None:
    condition = node.child_by_field_name("condition")
    value = number(condition, constants) if condition is not None else None
    if value is None:
        return None
    if node.type == "if_statement":
        return node.child_by_field_name("alternative" if value else "consequence")
    return None if value else node.child_by_field_name("body")


def _collect(program: Program) -> None:
    spans = sorted((node.start_byte, node.end_byte, name) for name, node in program.functions.items())
    constants: dict[str, Node] = program.constants
    for node in ctree.walk(program.root):
        if node.type == "enumerator":
            named, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if named is not None and value is not None:
                constants[text(named)] = value
    at, owner = 0, None
    for node in live(program.root, constants):
        while at < len(spans) and node.start_byte >= spans[at][1]:
            at += 1
        owner = spans[at][2] if at < len(spans) and spans[at][0] <= node.start_byte < spans[at][1] else None
        kind = node.type
        if kind == "call_expression":
            _call(program, node, owner)
        elif kind in ("declaration", "parameter_declaration", "field_declaration"):
            _macro_with_value(program, node, owner)
            _declaration(program, node, owner)
        elif kind == "type_definition":
            _typedef(program, node)
        elif kind == "initializer_pair":
            _pair(program, node, owner)
        elif kind == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None and right is not None and left.type == "field_expression":
                named = left.child_by_field_name("field")
                if named is not None:
                    program.pairs.append((text(named), right, node, owner))


def _macro_with_value(program: Program, node: Node, owner: str | None) -> None:
    """Take `BT_CONN_CB_DEFINE(callbacks) = {...}` for the call of a macro that it is."""
    kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    if declarator is not None and declarator.type == "init_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if kind is None or kind.type != "type_identifier" or not text(kind).isupper() or declarator is None:
        return
    if declarator.type == "parenthesized_declarator":
        program.calls.append(Call(text(kind), node, owner, tuple(declarator.named_children)))


def _call(program: Program, node: Node, owner: str | None) -> None:
    called = node.child_by_field_name("function")
    if called is not None and called.type == "field_expression":
        called = called.child_by_field_name("field")
    if called is not None and called.type in ("parenthesized_expression", "pointer_expression"):
        called = bare(called)
    if called is None or called.type not in ("identifier", "field_identifier"):
        return
    arguments = node.child_by_field_name("arguments")
    given = tuple(child for child in arguments.named_children if child.type != "comment") if arguments else ()
    name = text(called)
    if name not in CASTS:
        program.calls.append(Call(name, node, owner, given))


def _declaration(program: Program, node: Node, owner: str | None) -> None:
    kind = {"parameter_declaration": "parameter", "field_declaration": "field"}.get(node.type, "variable")
    if kind == "parameter":
        above = node.parent.parent if node.parent is not None else None
        inside = above.parent if above is not None else None
        while inside is not None and inside.type.endswith("declarator"):
            above, inside = inside, inside.parent
        if inside is None or inside.type != ctree.FUNCTION:
            return
    type_name, qualifiers = type_of(node, program.typedefs)
    for declarator in node.children_by_field_name("declarator"):
        name = declared(declarator)
        if name is None or _is_prototype(declarator):
            continue
        parts = list(ctree.walk(declarator)) if declarator.type != "identifier" else [declarator]
        pointer = any(part.type == "pointer_declarator" for part in parts)
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        stop = value.start_byte if value is not None else declarator.end_byte
        own = {text(part) for part in parts if part.type == "type_qualifier" and part.start_byte < stop}
        # `volatile T *p` points at something volatile, `T *volatile p` is so itself; either is meant by the word.
        program.variables.append(
            Variable(text(name), type_name, qualifiers | own, owner, kind, declarator, value, pointer)
        )
        if kind == "variable" and "const" in qualifiers and value is not None and not pointer and _is_scalar(value):
            program.constants.setdefault(text(name), value)


def _is_scalar(value: Node) -> bool:
    return value.type in (
        "number_literal",
        "binary_expression",
        "parenthesized_expression",
        "char_literal",
        "unary_expression",
    )


def _is_prototype(declarator: Node) -> bool:
    """Whether it declares a function, not a pointer to one."""
    node: Node | None = declarator
    while node is not None and node.type in ("pointer_declarator", "attributed_declarator", "init_declarator"):
        node = node.child_by_field_name("declarator") or next(iter(node.named_children), None)
    if node is None or node.type != "function_declarator":
        return False
    inner = node.child_by_field_name("declarator")
    return inner is None or inner.type != "parenthesized_declarator"


def type_of(node: Node, typedefs: dict[str, tuple[str, frozenset[str]]]) -> tuple[str, frozenset[str]]:
    """Return the name of the type that a declaration has, and its qualifiers and storage classes."""
    qualifiers = {
        text(child) for child in node.children if child.type in ("type_qualifier", "storage_class_specifier")
    }
    kind = node.child_by_field_name("type")
    if kind is None:
        return "", frozenset(qualifiers)
    if kind.type in ("struct_specifier", "union_specifier", "enum_specifier"):
        named = kind.child_by_field_name("name")
        name = f"{kind.type.split('_')[0]} {text(named)}" if named is not None else kind.type.split("_")[0]
    else:
        name = " ".join(text(kind).split())
    if name in typedefs:
        meant, more = typedefs[name]
        return name if meant.startswith(("struct", "union", "enum")) else meant, frozenset(qualifiers) | more
    return name, frozenset(qualifiers)


def _typedef(program: Program, node: Node) -> None:
    meant = type_of(node, program.typedefs)
    for declarator in node.children_by_field_name("declarator"):
        name = declared(declarator)
        if name is not None and declarator.type == "type_identifier":
            program.typedefs[text(name)] = meant


def _pair(program: Program, node: Node, owner: str | None) -> None:
    value = node.child_by_field_name("value")
    names = [child for child in node.children if child.type == "field_designator"]
    if value is not None and names:
        program.pairs.append((text(names[-1]).lstrip(". "), value, node, owner))
