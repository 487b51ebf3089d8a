"""What a declarator names, across pointers, parentheses, qualifiers and macros that wrap a name."""

import re

from tree_sitter import Node

NAMES = frozenset(
    ("identifier", "field_identifier", "destructor_name", "operator_name", "type_identifier", "operator_cast",
     "qualified_identifier", "template_function", "template_method", "primitive_type")
)  # fmt: skip


def name_of(declarator: Node) -> Node | None:
    """Return the node that names a function definition, or None if what stands there is no function's declarator.

    `WRAP(name)(int a)` is named by the macro's argument; `int (*name(int a))(int)` by the innermost declarator.
    """
    node, function = declarator, False
    while True:
        kind = node.type
        if kind == "function_declarator":
            function = True
            inner = node.child_by_field_name("declarator")
            if inner is not None and inner.type == "function_declarator":
                return wrapped_name(inner)
        elif kind in NAMES:
            called = function or kind == "operator_cast" or (kind == "qualified_identifier" and is_conversion(node))
            return node if called else None
        else:
            inner = node.child_by_field_name("declarator")
            if inner is None:
                inner = next(
                    (one for one in node.named_children if one.type.endswith(("declarator", "identifier"))), None
                )
        if inner is None:
            return None
        node = inner


def class_of(scope: str) -> str:
    """Return the last name of a scope without template arguments: `Value` of `a::Value<b::c>::`."""
    if "<" in scope:
        scope = TEMPLATE_ARGUMENTS.sub("", scope)
    return scope.removesuffix("::").rsplit("::", 1)[-1]


def wrapped_name(inner: Node) -> Node | None:
    """Return the only argument of `WRAP(name)`, if it is one word."""
    parameters = inner.child_by_field_name("parameters")
    given = parameters.named_children if parameters is not None else []
    if len(given) != 1:
        return None
    word = given[0].child_by_field_name("type") or given[0]
    return word if word.type in ("type_identifier", "identifier") else None


def is_conversion(node: Node) -> bool:
    """Tell whether a qualified name ends in a conversion operator, which has no function declarator."""
    inner: Node | None = node
    while inner is not None and inner.type == "qualified_identifier":
        inner = inner.child_by_field_name("name")
    return inner is not None and inner.type == "operator_cast"


TEMPLATE_ARGUMENTS = re.compile(r"<.*>(?=::|$)")
SIMPLE = frozenset(("expression_statement", "return_statement", "declaration", "comment", "break_statement"))


def is_trivial(body: Node) -> bool:
    """Tell whether a body is empty or at most two simple statements: a getter, a setter, a forwarder, a stub."""
    if body.named_child_count > 6:
        return False
    statements = 0
    for child in body.named_children:
        kind = child.type
        if kind not in SIMPLE:
            return False
        statements += kind != "comment"
    return statements <= 2


def declared_name(declarator: Node) -> tuple[Node | None, bool]:
    """Return the node that a declarator names, and whether it names a function rather than a pointer to one."""
    node, is_function = declarator, False
    while True:
        kind = node.type
        if kind.endswith("identifier") or kind in ("operator_name", "destructor_name", "primitive_type"):
            return node, is_function
        if kind == "operator_cast":
            return None, False
        if kind == "function_declarator":
            is_function = True
        elif kind in ("pointer_declarator", "array_declarator", "reference_declarator") and is_function:
            is_function = False
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((one for one in node.named_children if one.type.endswith(("declarator", "identifier"))), None)
        if inner is None:
            return None, False
        node = inner
