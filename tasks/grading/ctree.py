"""Tree-sitter for C and C++ as graders and curation use it: cached parsers, blanked macros, walks, declared names."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from tree_sitter import Language, Node, Parser, Tree

FUNCTION = "function_definition"
NAMES = frozenset({"identifier", "field_identifier", "type_identifier", "namespace_identifier"})
WRAPPERS = frozenset(
    {
        "array_declarator",
        "attributed_declarator",
        "function_declarator",
        "init_declarator",
        "parenthesized_declarator",
        "pointer_declarator",
        "reference_declarator",
        "variadic_declarator",
    }
)


@cache
def _parser(language: str) -> Parser:
    import tree_sitter_c
    import tree_sitter_cpp

    grammar = tree_sitter_c if language == "c" else tree_sitter_cpp
    return Parser(Language(grammar.language()))


@lru_cache(maxsize=64)
def _macros(names: tuple[str, ...]) -> re.Pattern[bytes]:
    alternatives = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return re.compile(rb"\b(?:" + alternatives + rb")\b(?:[ \t]*\([^()\n]*\))?")


def blank(code: bytes, macros: Sequence[str]) -> bytes:
    """Return `code` with the named macros, and an argument list right behind one, overwritten by spaces."""
    if not macros:
        return code
    return _macros(tuple(macros)).sub(lambda match: b" " * len(match.group()), code)


def parse(code: bytes, language: str, macros: Sequence[str] = ()) -> Tree:
    """Return the tree of `code` in `language` (`c` or `cpp`); byte offsets are those of `code`."""
    return _parser(language).parse(blank(code, macros))


def text(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def walk(root: Node, start_byte: int = 0, end_byte: int | None = None) -> Iterator[Node]:
    """Yield the nodes of a tree in source order, outer before inner, that overlap a span of bytes."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.end_byte <= start_byte or (end_byte is not None and node.start_byte >= end_byte):
            continue
        yield node
        stack.extend(reversed(node.children))


def leaves(root: Node, start_byte: int = 0, end_byte: int | None = None) -> Iterator[Node]:
    """Yield the tokens of a tree that overlap a span, a string literal as one, comments left out."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.end_byte <= start_byte or (end_byte is not None and node.start_byte >= end_byte):
            continue
        if node.type == "comment":
            continue
        if node.child_count == 0 or node.type in ("string_literal", "char_literal", "raw_string_literal"):
            yield node
        else:
            stack.extend(reversed(node.children))


def first_error(root: Node) -> Node | None:
    """Return the first node that the parser could not place or had to invent, None when it read everything."""
    if not root.has_error:
        return None
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            return node
        stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return root


def declared(node: Node) -> Node | None:
    """Return the node of the name that a declarator declares; None for an abstract one."""
    current: Node | None = node
    while current is not None:
        if current.type in WRAPPERS:
            inner = current.child_by_field_name("declarator")
            if inner is None:
                inner = next((child for child in current.named_children if _names(child)), None)
            current = inner
        elif _names(current):
            return current
        else:
            return None
    return None


def _names(node: Node) -> bool:
    return (
        node.type in NAMES
        or node.type in WRAPPERS
        or node.type
        in (
            "qualified_identifier",
            "operator_name",
            "operator_cast",
            "destructor_name",
            "template_function",
            "structured_binding_declarator",
        )
    )


def last_name(node: Node) -> str:
    """Return the last part of a possibly qualified name: `a::b<int>` gives `b`, `A::operator ==` gives `operator==`."""
    while True:
        if node.type in ("qualified_identifier", "template_function", "template_method", "template_type"):
            inner = node.child_by_field_name("name")
            if inner is None:
                return text(node)
            node = inner
        elif node.type == "operator_cast":
            kind = node.child_by_field_name("type")
            return f"operator {text(kind)}" if kind is not None else "operator"
        else:
            return "".join(text(node).split())


def function_name(function: Node) -> str | None:
    """Return the last part of the name that a function definition defines."""
    declarator = function.child_by_field_name("declarator")
    name = declared(declarator) if declarator is not None else None
    return last_name(name) if name is not None else None


def functions(root: Node) -> list[Node]:
    """Return the function definitions of a tree that stand outside other functions, in source order."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == FUNCTION:
            found.append(node)
        else:
            stack.extend(reversed(node.children))
    return found
