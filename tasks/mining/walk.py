"""One pass over what stands at file, namespace and class scope of a syntax tree; function bodies are never entered.

Function bodies hold nine tenths of a tree's nodes, which is why this costs a fifth of the parse, not three times it.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from tree_sitter import Node

from tasks.mining import grammar
from tasks.mining.declarators import class_of, declared_name, is_trivial, name_of
from tasks.mining.grammar import Language
from tasks.mining.spans import Span
from tasks.mining.words import KEYWORDS

TYPES = frozenset(("struct_specifier", "union_specifier", "class_specifier", "enum_specifier"))

ERROR_KIND = 0xFFFF
"""The number of an ERROR node in every grammar."""

PLAIN = frozenset(("identifier", "field_identifier", "type_identifier"))
"""Names of one word."""

ACTIONS: dict[str, str] = {
    "comment": "comment",
    "function_definition": "function",
    "declaration": "declaration",
    "field_declaration": "declaration",
    "type_definition": "declaration",
    "namespace_definition": "namespace",
    "template_declaration": "template",
    "linkage_specification": "linkage",
    "alias_declaration": "alias",
    "expression_statement": "statement",
    "namespace_identifier": "scope",
    "nested_namespace_specifier": "scope",
    **dict.fromkeys(TYPES, "type"),
    **dict.fromkeys(
        (
            "translation_unit", "declaration_list", "field_declaration_list", "preproc_if", "preproc_ifdef",
            "preproc_else", "preproc_elif", "preproc_elifdef", "ERROR", "friend_declaration",
        ),
        "container",
    ),
    **dict.fromkeys(
        (
            "compound_statement", "if_statement", "for_statement", "for_range_loop", "while_statement", "do_statement",
            "switch_statement", "return_statement", "case_statement", "goto_statement", "break_statement",
            "labeled_statement", "else_clause",
        ),
        "stray",
    ),
}  # fmt: skip
"""What to do with a node at file or class scope. `stray` are statements that the parser puts there, without an error,
once it has lost the function they belong to."""


@cache
def actions_of(name: Language) -> dict[int, str]:
    """Return ACTIONS by the numbers that kinds of nodes have in a grammar: a number is faster to get than a name."""
    language = grammar.language(name)
    kinds = ((number, language.node_kind_for_id(number)) for number in range(language.node_kind_count))
    return {number: ACTIONS[kind] for number, kind in kinds if kind in ACTIONS} | {ERROR_KIND: ACTIONS["ERROR"]}


def ranges(comments: list[Node]) -> tuple[Span, ...]:
    """Return the spans of comments."""
    return tuple(comment.byte_range for comment in comments)


class Head(NamedTuple):
    """A function definition as a parse shows it, before the parses of a file are merged.

    `broken` says that it stands in code that the parser was lost in, so that its scope may be unknown.
    """

    name: str
    qualified_name: str
    start: int
    end: int
    body_start: int
    declarator_start: int
    has_error: bool
    broken: bool
    trivial: bool
    comments: tuple[Span, ...]


class Odd(NamedTuple):
    """A node that looks like code of a function and is not one that can be kept."""

    start: int
    end: int
    reason: str
    detail: str


@dataclass
class Walk:
    """Collects heads, odd stretches and, if asked, the declarations that symbols are made of. `data` was parsed as
    `language`.

    `known` are the spans of functions that an earlier pass read well; read well again, they are left out.
    """

    language: Language
    data: bytes
    collect: bool = False
    known: frozenset[Span] = frozenset()
    heads: list[Head] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    declared: list[tuple[str, Node]] = field(default_factory=list)

    def visit(self, node: Node, scope: str = "", broken: bool = False) -> None:
        """Walk a container; `scope` is the C++ scope with its trailing `::`, `broken` whether it is in an ERROR."""
        comments: list[Node] = []
        before: Node | None = None
        collect, known, data, actions = self.collect, self.known, self.data, actions_of(self.language)
        for child in node.named_children:
            action = actions.get(child.kind_id)
            if action == "comment":
                comments.append(child)
                continue
            if action is None:
                pass
            elif action == "function":
                if not known or child.byte_range not in known or child.has_error:
                    self.function(child, child, scope, comments, broken)
            elif action == "declaration":
                if collect or child.has_error or data.find(b"{", *child.byte_range) >= 0:
                    self.declaration(child.type, child, scope, comments)
            elif action == "container":
                self.visit(child, scope, broken or child.is_error)
            elif action == "namespace":
                self.namespace(child, scope)
            elif action == "type":
                self.specifier(child, scope)
            elif action == "template":
                self.template(child, scope, comments, broken)
            elif action == "linkage":
                self.linkage(child, scope, comments, broken)
            elif action == "alias":
                if collect:
                    self.declared.append((child.type, child))
            elif broken:
                if action == "scope":
                    scope = f"{scope}{self.text(child)}::"
            elif action == "stray":
                called = before is not None and (before.is_error or actions.get(before.kind_id) == "statement")
                self.stray(child, before if called else None)
            elif action == "statement" and child.end_byte - child.start_byte > 1:
                self.odd.append(Odd(*child.byte_range, "macro_call", self.line(child.start_byte)))
            before = child
            if comments:
                comments = []

    def namespace(self, node: Node, scope: str) -> None:
        """Enter a namespace; an anonymous one adds nothing to the scope."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is not None:
            self.visit(body, f"{scope}{self.text(name)}::" if name else scope)

    def specifier(self, node: Node, scope: str) -> None:
        """Enter a struct, union or class with a body, and declare it."""
        body = node.child_by_field_name("body")
        if body is None:
            return
        if self.collect:
            self.declared.append((node.type, node))
        if body.type == "field_declaration_list" and (
            self.collect or body.has_error or self.data.find(b"{", body.start_byte + 1, body.end_byte) >= 0
        ):
            name = node.child_by_field_name("name")
            self.visit(body, f"{scope}{self.text(name)}::" if name else scope)

    def template(self, node: Node, scope: str, comments: list[Node], broken: bool) -> None:
        """Enter a template: its function starts at the word `template`."""
        for child in node.named_children:
            kind = child.type
            if kind == "function_definition":
                self.function(child, node, scope, comments, broken)
            elif kind == "template_declaration":
                self.template(child, scope, comments, broken)
            elif kind in TYPES:
                self.specifier(child, scope)
            elif kind in ("declaration", "field_declaration"):
                self.declaration(kind, child, scope, comments)
            elif kind == "friend_declaration":
                self.visit(child, scope)
            elif self.collect and kind == "alias_declaration":
                self.declared.append((kind, node))

    def linkage(self, node: Node, scope: str, comments: list[Node], broken: bool) -> None:
        """Enter `extern "C"`, with or without braces; a lone function starts at the word `extern`."""
        body = node.child_by_field_name("body")
        if body is None:
            return
        if body.type == "function_definition":
            self.function(body, node, scope, comments, broken)
        elif body.type == "declaration":
            self.declaration("declaration", body, scope, comments)
        else:
            self.visit(body, scope, broken)

    def declaration(self, kind: str, node: Node, scope: str, comments: list[Node]) -> None:
        """Declare what a declaration names, and enter the type it defines on the way, if any."""
        start, end = node.byte_range
        if node.has_error and self.macro_line(node):
            return
        if self.data.find(b"{", start, end) >= 0:
            made = node.child_by_field_name("type")
            if made is not None and made.type in TYPES:
                self.specifier(made, scope)
            elif kind == "field_declaration" and self.empty_method(node, scope, comments):
                return
        if self.collect and (kind != "field_declaration" or self.data.find(b"(", start, end) >= 0):
            self.declared.append((kind, node))

    def macro_line(self, node: Node) -> bool:
        """Take `SUB_SENSOR(voltage)` without a semicolon, which reads as a method declared without a type."""
        declarator = node.child_by_field_name("declarator")
        name = None if declarator is None else declared_name(declarator)[0]
        if name is None or node.child_by_field_name("type") is not None or not self.text(name).isupper():
            return False
        self.odd.append(Odd(*node.byte_range, "macro_call", self.line(node.start_byte)))
        return True

    def empty_method(self, node: Node, scope: str, comments: list[Node]) -> bool:
        """Take `void f() {};`, which the C++ grammar reads as a member with the initial value `{}`."""
        value, declarator = node.child_by_field_name("default_value"), node.child_by_field_name("declarator")
        if value is None or value.type != "initializer_list" or value.named_child_count or declarator is None:
            return False
        name, is_function = declared_name(declarator)
        if name is None or not is_function:
            return False
        clean = self.clean(name)
        self.heads.append(
            Head(self.last(name, clean), scope + clean, node.start_byte, value.end_byte, value.start_byte,
                 name.start_byte, node.has_error, False, True, ranges(comments))
        )  # fmt: skip
        return True

    def function(self, node: Node, outer: Node, scope: str, comments: list[Node], broken: bool = False) -> None:
        """Take a function definition, or say why it is none."""
        body = node.child_by_field_name("body")
        declarator = node.child_by_field_name("declarator")
        if body is None:
            if self.collect and declarator is not None:
                self.declared.append(("declaration", node))
            return
        start, end = outer.start_byte, node.end_byte
        name_node = None if declarator is None else name_of(declarator)
        reason = "macro_made" if name_node is None else ""
        if name_node is not None:
            plain = name_node.type in PLAIN
            name = self.text(name_node) if plain else self.clean(name_node)
            last = name if plain else self.last(name_node, name)
            if last in KEYWORDS:
                reason = "phantom"
            elif plain:
                untyped, capital = node.child_by_field_name("type") is None, last.isupper()
                if (untyped or capital) and last != class_of(scope):
                    constructor = untyped and broken and not capital
                    if (untyped and not constructor) or (capital and self.bare_words(declarator)):
                        reason = "macro_made"
            if not reason:
                self.heads.append(
                    Head(last, scope + name, start, end, body.start_byte, name_node.start_byte, node.has_error,
                         broken, is_trivial(body), ranges(comments) if comments else ())
                )  # fmt: skip
        if reason:
            self.odd.append(Odd(start, end, reason, self.line(start)))
        if node.has_error:
            self.swallowed(body, outer, scope)

    def swallowed(self, body: Node, outer: Node, scope: str) -> None:
        """Look for functions inside a body whose closing brace was lost: those not indented deeper than their host."""
        column = outer.start_point.column
        stack = [body]
        while stack:
            node = stack.pop()
            comments: list[Node] = []
            for child in node.children:
                kind = child.type
                if kind == "comment":
                    comments.append(child)
                    continue
                if kind == "function_definition" and child.start_point.column <= column:
                    self.function(child, child, scope, comments)
                elif child.has_error or ACTIONS.get(kind) == "container":
                    stack.append(child)
                comments = []

    def stray(self, node: Node, call: Node | None) -> None:
        """Note statements at file scope; a body behind a call is a function that a macro makes."""
        start, end = node.byte_range
        if node.type == "compound_statement" and call is not None:
            if self.odd and self.odd[-1].start == call.start_byte:
                self.odd.pop()
            self.odd.append(Odd(call.start_byte, end, "macro_made", self.line(call.start_byte)))
        else:
            self.odd.append(Odd(start, end, "stray_code", self.line(start)))

    def bare_words(self, declarator: Node | None) -> bool:
        """Tell whether the parameters of `NAME(a, b)` are single words, as a macro's arguments are."""
        found = declarator
        while found is not None and found.type != "function_declarator":
            found = found.child_by_field_name("declarator")
        parameters = None if found is None else found.child_by_field_name("parameters")
        if parameters is None:
            return True
        given = [self.text(one) for one in parameters.named_children if one.type != "comment"]
        return any(text.replace("_", "a").isalnum() and text != "void" for text in given)

    def text(self, node: Node) -> str:
        """Return a node's text."""
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def clean(self, node: Node) -> str:
        """Return a name without spaces, but for the one in `operator bool`."""
        text = self.text(node)
        words = text.split()
        if len(words) == 1:
            return words[0]
        if node.type == "operator_cast":
            return " ".join(words).split("(")[0].strip()
        text = "".join(words)
        at = text.find("operator")
        if at >= 0 and text[at + 8 : at + 9].isalpha():
            text = f"{text[: at + 8]} {text[at + 8 :].split('(')[0]}"
        return text

    def last(self, node: Node, name: str) -> str:
        """Return the last part of a qualified `name`, template arguments left on their own part."""
        if "<" not in name and "operator" not in name:
            return name.rpartition("::")[2]
        while node.type == "qualified_identifier":
            inner = node.child_by_field_name("name")
            if inner is None:
                break
            node = inner
        return self.clean(node)

    def line(self, start: int) -> str:
        """Return the beginning of the line at `start`, to show in a report."""
        end = self.data.find(b"\n", start, start + 120)
        return self.data[start : end if end >= 0 else start + 120].decode("utf-8", "replace").strip()
