"""Facts of a piece of C or C++: does it parse, what does it call, what is its signature, does it do anything.

A piece is either a whole reply, in which the function asked for is looked up by name, or a fragment, which is judged
inside its function: between the visible text before and behind it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from tasks.grading import ctree
from tasks.grading.ctree import FUNCTION, last_name, last_part, text, walk
from tasks.grading.signatures import head_end, signature
from tasks.mining.grammar import NOISE

WORD = re.compile(rb"[A-Za-z_]\w*")
CASTS = frozenset({"static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"})
SILENCERS = frozenset({"UNUSED", "ARG_UNUSED", "UNUSED_ARG", "UNUSED_PARAM", "UNUSED_PARAMETER", "Q_UNUSED"})
WORK = frozenset(
    {
        "assignment_expression",
        "update_expression",
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "for_range_loop",
        "switch_statement",
        "case_statement",
        "goto_statement",
        "try_statement",
        "throw_statement",
        "throw_expression",
        "seh_try_statement",
        "new_expression",
        "delete_expression",
        "gnu_asm_expression",
        "co_await_expression",
        "co_yield_statement",
        "co_return_statement",
        "field_initializer",
        "conditional_expression",
    }
)
READS = frozenset({"field_expression", "subscript_expression", "call_expression", "pointer_expression"})


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place that does not parse: its 1-based line in the text that was parsed, and that line's text."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """One called name: byte offset and 1-based line in the text that was parsed, and whether it is a method's."""

    name: str
    start_byte: int
    line: int
    method: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a piece of code without compiling it.

    `code` is the part that was judged: the function asked for where it was found, else everything. `functions` counts
    the definitions that the piece holds. `defined` are names that the piece itself defines at file or class scope.
    """

    code: str
    functions: int
    found: bool
    fault: Fault | None
    calls: tuple[Call, ...]
    defined: frozenset[str]
    signature: tuple[str, ...]
    substantive: bool


def facts(code: str, language: str, *, name: str | None = None, macros: Sequence[str] = ()) -> Facts:
    """Return the facts of a reply that should hold the function `name`, perhaps among others.

    Args:
        code: the reply, a function or a whole file.
        language: `c` or `cpp`.
        name: last part of the name of the function that was asked for; None takes the first function.
        macros: names blanked before parsing (`Source.macros`).
    """
    data = code.encode()
    roots = ctree.readings(data, language, macros)
    functions = ctree.functions(roots[0])
    asked = [_asked(root, name) for root in roots]
    named, target = asked[0]
    nodes = [
        ctree.with_template(one) if one is not None else root for root, (_, one) in zip(roots, asked, strict=True)
    ]
    node = nodes[0]
    return Facts(
        code=data[node.start_byte : node.end_byte].decode() if len(functions) > 1 else code,
        functions=len(functions),
        found=named is not None,
        fault=_fault(roots[0], data),
        calls=_in_order(call for one in nodes for call in calls(one)),
        defined=frozenset(found for root in roots for found in defined(root)),
        signature=signature(target) if target is not None else (),
        substantive=does_work(node),
    )


def _asked(root: Node, name: str | None) -> tuple[Node | None, Node | None]:
    """Return the function of that name (the first one for None), and what is judged for it: the only one otherwise."""
    functions = ctree.functions(root)
    named = ctree.find_function(root, name) if name is not None else functions[0] if functions else None
    return named, named or (functions[0] if len(functions) == 1 else None)


def _in_order(found: Iterable[Call]) -> tuple[Call, ...]:
    return tuple(sorted(set(found), key=lambda call: (call.start_byte, call.name)))


def fragment_facts(code: str, language: str, *, prefix: str, suffix: str, macros: Sequence[str] = ()) -> Facts:
    """Return the facts of a fragment that stands between `prefix` and `suffix` in one function.

    A fragment that closes its function and opens another is a fault at its first line.
    """
    head, data, tail = prefix.encode(), code.encode(), suffix.encode()
    whole = head + data + tail
    start, end = len(head), len(head) + len(data)
    roots = ctree.readings(whole, language, macros)
    functions = ctree.functions(roots[0])
    holders = [_holder(root, start, end) for root in roots]
    holder = holders[0]
    fault = _fault(roots[0], whole)
    if fault is None and any(one is None or whole[one.end_byte :].strip() for one in holders):
        fault = _at(whole, start)
    scopes = [one if one is not None else root for one, root in zip(holders, roots, strict=True)]
    scope = scopes[0]
    return Facts(
        code=code,
        functions=len(functions),
        found=holder is not None,
        fault=fault,
        calls=_in_order(call for one in scopes for call in calls(one, start, end)),
        defined=frozenset(),
        signature=signature(holder) if holder is not None else (),
        substantive=does_work(scope, start, end),
    )


def _holder(root: Node, start_byte: int, end_byte: int) -> Node | None:
    functions = ctree.functions(root)
    return next((node for node in functions if node.start_byte <= start_byte and end_byte <= node.end_byte), None)


def function_head(code: str, language: str, macros: Sequence[str] = ()) -> str | None:
    """Return the text of the first function up to the end of its signature, without initialisers and body."""
    data = code.encode()
    functions = ctree.functions(ctree.readings(data, language, macros)[0])
    return data[: head_end(functions[0])].decode() if functions else None


def visible_names(code: str) -> frozenset[str]:
    """Return every word in a piece of code that need not parse, comments and strings left out."""
    return frozenset(word.decode() for word in WORD.findall(NOISE.sub(b" ", code.encode())))


def calls(scope: Node, start_byte: int = 0, end_byte: int | None = None) -> Iterator[Call]:
    """Yield the calls by name in a span; names of local variables, parameters and lambdas are not calls by name."""
    local = None
    for node in walk(scope, start_byte, end_byte):
        if node.type != "call_expression" or node.start_byte < start_byte:
            continue
        called = node.child_by_field_name("function")
        if called is None or _in_condition(node):
            continue
        method = called.type == "field_expression"
        if method:
            called = called.child_by_field_name("field")
        if called is None or called.type not in (
            "identifier", "field_identifier", "qualified_identifier", "template_function", "template_method",
        ):  # fmt: skip
            continue
        part = last_part(called)
        name = text(part)
        if not method and called.type == "identifier":
            local = _locals(scope) if local is None else local
            if name in local:
                continue
        if name.isidentifier():
            yield Call(name, part.start_byte, part.start_point[0] + 1, method)


def defined(root: Node) -> Iterator[str]:
    """Yield the names of functions, types and macros that a piece of code defines."""
    for node in walk(root):
        if node.type == FUNCTION:
            name = ctree.function_name(node)
            if name:
                yield name
        elif node.type in (
            "preproc_def", "preproc_function_def", "struct_specifier", "union_specifier", "class_specifier",
            "enum_specifier", "alias_declaration",
        ):  # fmt: skip
            named = node.child_by_field_name("name")
            has_body = "specifier" not in node.type or node.child_by_field_name("body") is not None
            if named is not None and has_body:
                yield last_name(named)
        elif node.type == "type_definition":
            for declarator in node.children_by_field_name("declarator"):
                named = ctree.declared(declarator)
                if named is not None:
                    yield last_name(named)


def does_work(scope: Node, start_byte: int = 0, end_byte: int | None = None) -> bool:
    """Return whether a span does anything: a call, an assignment, control flow, or a value that is not a constant.

    Declarations of constants, empty statements, `(void) x`, casts, `UNUSED(x)` and `return` of a constant are what
    stubs are made of, so they do not count. A name all in capitals is a constant; so is a local that only ever got
    one.
    """
    constants: set[str] = set()
    for node in walk(scope, start_byte, end_byte):
        if node.start_byte < start_byte or (end_byte is not None and node.end_byte > end_byte):
            continue
        kind = node.type
        if kind in WORK:
            return True
        if kind == "call_expression":
            called = node.child_by_field_name("function")
            if called is not None and not _in_condition(node) and last_name(called) not in CASTS | SILENCERS:
                return True
        elif kind == "init_declarator":
            value, name = node.child_by_field_name("value"), ctree.declared(node)
            if value is not None and not _constant(value, constants):
                return True
            if name is not None:
                constants.add(text(name))
        elif kind in ("return_statement", "co_return_statement"):
            if not _constant(node, constants):
                return True
        elif kind == "binary_expression" and node.parent is not None and node.parent.type == "expression_statement":
            return True
    return False


def _constant(node: Node, constants: set[str]) -> bool:
    for part in walk(node):
        if part.type in READS and part.type != "call_expression":
            return False
        if part.type == "identifier" and part.parent is not None and part.parent.type != "qualified_identifier":
            name = text(part)
            if name != name.upper() and name not in constants:
                return False
    return True


def _locals(scope: Node) -> frozenset[str]:
    names: set[str] = set()
    for node in walk(scope):
        if node.type in ("parameter_declaration", "optional_parameter_declaration", "for_range_loop"):
            declarators = node.children_by_field_name("declarator")
        elif node.type == "declaration":
            # `Foo foo(a, b);` reads like a prototype, and a local prototype must not vouch for its own name.
            declarators = [
                child
                for child in node.children_by_field_name("declarator")
                if child.type != "function_declarator"
                or (inner := child.child_by_field_name("declarator")) is None
                or inner.type == "parenthesized_declarator"
            ]
        elif node.type == "lambda_capture_initializer":
            declarators = node.named_children[:1]
        else:
            continue
        for declarator in declarators:
            name = ctree.declared(declarator)
            if name is None:
                continue
            if name.type == "structured_binding_declarator":
                names.update(text(child) for child in name.named_children)
            else:
                names.add(text(name))
    return frozenset(names)


def _in_condition(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type.endswith(("_expression", "argument_list")):
        node, parent = parent, parent.parent
    return parent is not None and parent.type in ("preproc_if", "preproc_elif") and (
        parent.child_by_field_name("condition") == node
    )  # fmt: skip


def _fault(root: Node, data: bytes) -> Fault | None:
    node = ctree.first_error(root)
    return None if node is None else _at(data, node.start_byte)


def _at(data: bytes, offset: int) -> Fault:
    line = data.count(b"\n", 0, offset)
    content = data.split(b"\n")[line] if data else b""
    return Fault(line + 1, content.strip().decode("utf-8", "replace")[:120])
