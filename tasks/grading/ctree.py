"""Trees of C and C++ as graders and curation use them: parsed like the miner parses, walks, tokens, declared names."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from tasks.mining import branches
from tasks.mining.blanking import attributes, blank, braced_arguments, formats, macro_lines, named
from tasks.mining.disguises import disguised
from tasks.mining.grammar import parser
from tasks.mining.words import CAPITALS

FUNCTION = "function_definition"
SDK_WORDS = tuple(sorted(word.decode() for word in CAPITALS))
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


def parse(code: bytes, language: str, macros: Sequence[str] = ()) -> Node:
    """Return the root of the tree of `code` in `language` (`c` or `cpp`); byte offsets are those of `code`.

    What mining blanks before it parses is blanked here: the project's macros, attribute words and format macros, and
    where that still leaves an error, words in capitals that SDKs share, what macros and pointers to members disguise,
    then macro calls on lines of their own.
    """
    read = parser("c" if language == "c" else "cpp").parse
    data = blank(code, [*named(code, tuple(macros)), *attributes(code), *formats(code)])
    root = read(data).root_node
    if not root.has_error:
        return root
    for more in (named(data, SDK_WORDS), disguised(data, language != "c"), braced_arguments(data), macro_lines(data)):
        data = blank(data, list(more))
        again = read(data).root_node
        if not again.has_error:
            return again
    return root


def readings(code: bytes, language: str, macros: Sequence[str] = ()) -> list[Node]:
    """Return the roots of the trees that `code` is read by: one, or two where an `#if` tears it.

    The grammars read all branches at once, so `} else` before an `#endif` is an error for them and none to a compiler.
    Such code is read with the first branch of every `#if` and with the last; only if both are free of errors do they
    stand for it, at the offsets of `code`. Branches between the two are not read then.
    """
    root = parse(code, language, macros)
    if not root.has_error or b"#" not in code:
        return [root]
    reduced = [branches.reduce(code, optimistic=first, cpp=language != "c").data for first in (True, False)]
    both = [parse(one, language, macros) for one in reduced]
    return [root] if any(one.has_error for one in both) else both


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


def last_part(node: Node) -> Node:
    """Return the node of the last part of a possibly qualified name: that of `b` in `a::b<int>`."""
    while node.type in ("qualified_identifier", "template_function", "template_method", "template_type"):
        inner = node.child_by_field_name("name")
        if inner is None:
            return node
        node = inner
    return node


def last_name(node: Node) -> str:
    """Return the last part of a possibly qualified name without spaces, but for the one in `operator bool`."""
    node = last_part(node)
    if node.type == "operator_cast":
        kind = node.child_by_field_name("type")
        return f"operator {text(kind)}" if kind is not None else "operator"
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


def plain_name(name: str) -> str:
    """Return a function's name as it is compared: without spaces, scope and template arguments."""
    name = "".join(name.split())
    if name.startswith("operator"):
        return name
    return name.partition("<")[0]


def find_function(root: Node, name: str) -> Node | None:
    """Return the first function definition of that name, None where there is none."""
    wanted = plain_name(name)
    return next((node for node in functions(root) if plain_name(function_name(node) or "") == wanted), None)


def with_template(function: Node) -> Node:
    """Return the template declaration around a function definition, or the definition itself."""
    parent = function.parent
    return parent if parent is not None and parent.type == "template_declaration" else function
