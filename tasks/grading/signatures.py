"""The signature of a function in a form in which two writings of the same one are equal.

Kept: the return type, the qualified name, the types of the parameters in their order, `static`, `const`, `noexcept`.
Ignored: layout, comments, attributes, blanked macros, the names of parameters, default arguments, the order of
specifiers, and the words that only a declaration inside a class carries (`virtual`, `override`, `explicit`, …).
"""

from tree_sitter import Node

from tasks.grading.ctree import declared, text

IGNORED_WORDS = frozenset(
    {"inline", "__inline", "__inline__", "extern", "virtual", "explicit", "override", "final", "friend", "register"}
)
IGNORED_NODES = frozenset(
    {
        "alignas_qualifier",
        "attribute_declaration",
        "attribute_specifier",
        "comment",
        "gnu_asm_expression",
        "ms_call_modifier",
        "ms_declspec_modifier",
        "virtual",
        "virtual_specifier",
        "explicit_function_specifier",
    }
)
PARAMETERS = frozenset({"parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"})


def signature(function: Node) -> tuple[str, ...]:
    """Return the comparable tokens of a function definition's signature.

    Args:
        function: a `function_definition` node.
    """
    declarator = function.child_by_field_name("declarator")
    body = function.child_by_field_name("body")
    if declarator is None:
        return ()
    before = [child for child in function.children if child.end_byte <= declarator.start_byte]
    stop = body.start_byte if body is not None else function.end_byte
    old_style = [node for node in function.children if node.type == "declaration" and node.end_byte <= stop]
    result: list[str] = []
    if function.parent is not None and function.parent.type == "template_declaration":
        template = function.parent.child_by_field_name("parameters")
        result += _tokens(template) if template is not None else []
    result += _specifiers(before) + _tokens(declarator)
    for child in old_style:
        result += _tokens(child)
    return tuple(result)


def head_end(function: Node) -> int:
    """Return the byte where the signature ends: behind the declarator, before initialisers and body."""
    declarator = function.child_by_field_name("declarator")
    body = function.child_by_field_name("body")
    end = declarator.end_byte if declarator is not None else function.start_byte
    for child in function.children:
        if body is not None and child.start_byte >= body.start_byte:
            break
        if child.type == "field_initializer_list":
            break
        end = max(end, child.end_byte)
    return end


def parameter_list(function: Node) -> Node | None:
    """Return the list of the function's own parameters, not that of a function it returns."""
    declarator = function.child_by_field_name("declarator")
    found = None
    while declarator is not None:
        if declarator.type in ("function_declarator", "abstract_function_declarator"):
            found = declarator.child_by_field_name("parameters") or found
        inner = declarator.child_by_field_name("declarator")
        if inner is None and declarator.type in ("parenthesized_declarator", "reference_declarator"):
            inner = next((child for child in declarator.named_children if child.type != "comment"), None)
        declarator = inner
    return found


def _specifiers(nodes: list[Node]) -> list[str]:
    parts = [_tokens(node) for node in nodes]
    return [word for part in sorted(part for part in parts if part) for word in part]


def _tokens(node: Node) -> list[str]:
    if node.type in IGNORED_NODES:
        return []
    if node.type in PARAMETERS:
        return _parameter(node)
    if node.child_count == 0:
        word = text(node).strip()
        return [] if not word or word in IGNORED_WORDS else [word]
    result: list[str] = []
    for child in node.children:
        result += _tokens(child)
    # A definition with `(void)` and one with `()` define the same function.
    return ["(", ")"] if node.type == "parameter_list" and result == ["(", "void", ")"] else result


def _parameter(node: Node) -> list[str]:
    declarator = node.child_by_field_name("declarator")
    default = node.child_by_field_name("default_value")
    end = default.start_byte if default is not None else node.end_byte
    children = [child for child in node.children if child.start_byte < end and child.type != "="]
    if declarator is None:
        return _specifiers(children)
    before = [child for child in children if child.end_byte <= declarator.start_byte]
    name = declared(declarator)
    return _specifiers(before) + _without(declarator, name)


def _without(node: Node, name: Node | None) -> list[str]:
    if name is not None and node.start_byte == name.start_byte and node.end_byte == name.end_byte:
        return []
    if node.type in PARAMETERS or node.child_count == 0 or node.type in IGNORED_NODES:
        return _tokens(node)
    return [word for child in node.children for word in _without(child, name)]
