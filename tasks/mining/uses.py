"""The names a function uses and did not declare itself, by the role each plays: one walk over its own text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tree_sitter import Node

from tasks.mining.grammar import Language, parse
from tasks.mining.words import KEYWORDS

Role = Literal["call", "method", "type", "value", "scope", "macro"]
"""`call` f(…) and A::f(…); `method` x.f(…) and x->f(…); `scope` the A of A::f; `macro` a name in an #if condition."""

SCOPES = frozenset({
    "function_definition", "compound_statement", "for_statement", "for_range_loop", "lambda_expression",
    "catch_clause", "if_statement", "while_statement", "switch_statement",
})  # fmt: skip
CONDITIONAL = frozenset({"preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"})
DECLARING = frozenset({
    "declaration", "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration",
    "for_range_loop", "type_definition",
})  # fmt: skip
DECLARATORS = frozenset({
    "init_declarator", "pointer_declarator", "reference_declarator", "array_declarator", "function_declarator",
    "parenthesized_declarator", "structured_binding_declarator", "attributed_declarator", "variadic_declarator",
})  # fmt: skip
ATTRIBUTES = frozenset({"attribute_declaration", "attribute_specifier", "ms_declspec_modifier"})
TYPE_PARAMETERS = frozenset({"type_parameter_declaration", "variadic_type_parameter_declaration"})
DEEPEST_CALL = 16
CASTS = frozenset({"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast"})


@dataclass(frozen=True, slots=True)
class Use:
    """A name used in a role: how often, where first (byte offset in the text), and whether only below `#if`.

    `within` are the names called around every mention of it (they may be macros that drop their arguments). `scope` is
    what stands before `::` (its last part), or `this` for a method called on the object itself.
    """

    role: Role
    name: str
    scope: str
    count: int
    first: int
    conditional: bool
    within: frozenset[str] = frozenset()


class Where(NamedTuple):
    """What stands around a name: an `#if`, and the calls whose arguments hold it."""

    conditional: bool
    within: tuple[str, ...]


Mention = tuple[Role, str, str, int, Where]


@dataclass(slots=True)
class _Frame:
    node: Node | None
    role: str
    where: Where


def uses(text: str, language: Language) -> list[Use]:
    """Return the names that a function uses, in order of first use, without its parameters, locals and own name.

    Arguments: `text` the function as it stands in its file; `language` the grammar to read it with.
    """
    data = text.encode()
    found: dict[tuple[Role, str, str], list[tuple[int, Where]]] = {}
    tree = parse(language, data)
    for role, name, scope, offset, where in _Walk(data).run(tree.root_node):
        if name not in KEYWORDS:
            found.setdefault((role, name, scope), []).append((offset, where))
    listed = [
        Use(
            role, name, scope, len(mentions), min(offset for offset, _ in mentions),
            all(where.conditional for _, where in mentions),
            frozenset.intersection(*(frozenset(where.within) for _, where in mentions)),
        )
        for (role, name, scope), mentions in found.items()
    ]  # fmt: skip
    return sorted(listed, key=lambda use: (use.first, use.role, use.name))


class _Walk:
    """Depth first with an explicit stack, so that no depth of expressions overflows."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.scopes: list[set[str]] = [set()]
        self.types: set[str] = set()
        self.stack: list[_Frame] = []

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def local(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    def run(self, root: Node) -> Iterator[Mention]:
        self.stack.append(_Frame(root, "", Where(False, ())))
        while self.stack:
            frame = self.stack.pop()
            if frame.node is None:
                self.scopes.pop()
                continue
            yield from self.visit(frame.node, frame.role, frame.where)

    def push(self, children: list[tuple[Node, str]], where: Where) -> None:
        self.stack.extend(_Frame(node, role, where) for node, role in reversed(children))

    def visit(self, node: Node, role: str, where: Where) -> Iterator[Mention]:
        kind = node.type
        if kind in ("identifier", "type_identifier", "field_identifier", "namespace_identifier"):
            yield from self.name(node, role, "", where)
            return
        if kind == "qualified_identifier":
            yield from self.qualified(node, role, where)
            return
        if kind in ATTRIBUTES:
            return
        if kind in SCOPES:
            self.scopes.append(set())
            self.stack.append(_Frame(None, "", where))
        if kind in CONDITIONAL:
            # Conditions are read as macros; what stands below them is seen or not as the build decides.
            self.push(
                [(c, "macro" if f in ("condition", "name") else "") for c, f in _fields(node)],
                where._replace(conditional=True),
            )
            return
        inner = where
        if kind == "call_expression" and len(where.within) < DEEPEST_CALL:
            called = node.child_by_field_name("function")
            if called is not None and called.type == "identifier":
                inner = where._replace(within=(*where.within, self.text(called)))
        self.push([(child, self.child_role(node, child, field, role)) for child, field in _fields(node)], inner)
        if kind == "call_expression" and (called := node.child_by_field_name("function")) is not None:
            yield from self.called(called, where)

    def child_role(self, node: Node, child: Node, field: str | None, role: str) -> str:
        kind = node.type
        if role == "macro":
            return "macro"
        if kind == "call_expression" and field == "function":
            return "called"
        if role == "called" and field == "name":
            return "called"
        if kind in DECLARING and field == "declarator":
            return "type_name" if kind == "type_definition" else "bind"
        if kind in DECLARATORS and (field == "declarator" or kind == "structured_binding_declarator" or field is None):
            return role if role in ("bind", "own", "type_name") else ("bind" if child.type in DECLARATORS else "")
        if kind == "function_definition" and field == "declarator":
            return "own"
        if kind in ("struct_specifier", "union_specifier", "enum_specifier", "class_specifier") and field == "name":
            return "type_name" if node.child_by_field_name("body") is not None else ""
        if kind in TYPE_PARAMETERS:
            return "type_name"
        if (kind == "enumerator" and field == "name") or (kind == "lambda_capture_initializer" and field == "left"):
            return "bind"
        return ""

    def name(self, node: Node, role: str, scope: str, where: Where) -> Iterator[Mention]:
        text = self.text(node)
        if role == "bind":
            self.scopes[-1].add(text)
        elif role == "type_name":
            self.types.add(text)
        elif role == "macro":
            yield "macro", text, "", node.start_byte, where
        elif role in ("own", "called") or (node.type == "field_identifier" and role != "value"):
            return
        elif node.type == "type_identifier":
            if scope or text not in self.types:
                yield "type", text, scope, node.start_byte, where
        elif node.type == "namespace_identifier" and text not in self.types:
            yield "scope", text, scope, node.start_byte, where
        elif scope or not self.local(text):
            yield "value", text, scope, node.start_byte, where

    def qualified(self, node: Node, role: str, where: Where) -> Iterator[Mention]:
        """`A::B::c`: each scope is a use of its own, the last name one with the scope right before it."""
        scope = ""
        step: Node | None = node
        while step is not None and step.type == "qualified_identifier":
            before = step.child_by_field_name("scope")
            scope = ""
            if before is not None:
                named = before.child_by_field_name("name") or before
                scope = self.text(named)
                if role != "own" and scope not in self.types:
                    yield "scope", scope, "", named.start_byte, where
                self.push([(child, "") for child, field in _fields(before) if field != "name"], where)
            step = step.child_by_field_name("name")
        if step is None:
            return
        leaf = step.child_by_field_name("name") or step
        self.push([(child, "") for child, field in _fields(step) if field != "name"], where)
        yield from self.name(leaf, role, scope or "::", where)

    def called(self, node: Node, where: Where) -> Iterator[Mention]:
        """The name that a call expression calls; its receiver and template arguments are walked as usual."""
        role: Role = "call"
        scope = ""
        if node.type == "field_expression":
            role = "method"
            receiver = node.child_by_field_name("argument")
            scope = "this" if receiver is not None and receiver.type == "this" else ""
            field = node.child_by_field_name("field")
            if field is None:
                return
            node = field
        while node.type == "qualified_identifier":
            before, after = node.child_by_field_name("scope"), node.child_by_field_name("name")
            scope = self.text(before.child_by_field_name("name") or before) if before is not None else "::"
            if after is None:
                return
            node = after
        leaf = node.child_by_field_name("name") or node
        if leaf.type not in ("identifier", "field_identifier"):
            return
        text = self.text(leaf)
        if text in CASTS or (role == "call" and not scope and self.local(text)):
            return
        yield role, text, scope, leaf.start_byte, where


def _fields(node: Node) -> list[tuple[Node, str | None]]:
    return [(child, node.field_name_for_child(number)) for number, child in enumerate(node.children) if child.is_named]
