"""What each construct of C and C++ does to values: the roles that `reader` reads a tree by."""

from functools import cache

from tasks.grading.flow import Op
from tasks.grading.keywords import CodeLanguage
from tasks.grading.reader import (
    ASSIGN,
    MARKED,
    READ,
    SKIP,
    VARIABLES,
    Handler,
    Reader,
    Role,
    Target,
    Task,
    Vocabulary,
    emit,
)


@cache
def vocabulary(language: CodeLanguage) -> Vocabulary:
    """Return how `reader` reads a language."""
    return Vocabulary(language, ROLES)


def _assignment(reader: Reader, index: int) -> list[Task]:
    left, right = reader.child(index, "left"), reader.child(index, "right")
    if left is None or right is None:
        return reader.inside(index)
    written, reads = reader.target(left)
    if reader.between(left, right) != b"=":
        reads = reader.visit(left)
    return [MARKED, *reader.visit(right), *reads, (ASSIGN, written)]


def _update(reader: Reader, index: int) -> list[Task]:
    argument = reader.child(index, "argument")
    if argument is None:
        return reader.inside(index)
    return [MARKED, *reader.visit(argument), (ASSIGN, reader.target(argument)[0])]


def _declaration(reader: Reader, index: int) -> list[Task]:
    tasks: list[Task] = []
    children = list(reader.children(index))
    kept = any(reader.text(child) in ("static", "extern") for child in children if reader.of(child).startswith("stor"))
    value = reader.child(index, "value")
    for child in children:
        if reader.place(child) != "declarator":
            continue
        names = [(name, True) for name in reader.declared(child)]
        if reader.of(child) == "init_declarator":
            tasks += (MARKED, *reader.visit(reader.child(child, "value")), (ASSIGN, names))
        elif value is not None:
            tasks += (MARKED, *reader.visit(value), (ASSIGN, names))
        elif names and not kept:
            tasks += [emit(Op.DECLARE, name) for name, _ in names]
        else:
            tasks += _constructed(reader, child)
    return tasks


def _constructed(reader: Reader, index: int) -> list[Task]:
    """`Guard guard(lock)`, which the grammar takes for a prototype: parameters that are mere names are arguments."""
    name, parameters = reader.child(index, "declarator"), reader.child(index, "parameters")
    if name is None or parameters is None or reader.of(name) != "identifier":
        return []
    arguments = [list(reader.children(child)) for child in reader.children(parameters)]
    if not arguments or any([reader.of(part) for part in parts] != ["type_identifier"] for parts in arguments):
        return []
    reads = [emit(Op.READ, reader.text(part)) for (part,) in arguments]
    return [MARKED, *reads, (ASSIGN, [(reader.text(name), True)])]


def _call(reader: Reader, index: int) -> list[Task]:
    function, arguments = reader.child(index, "function"), reader.child(index, "arguments")
    reads: list[Task] = []
    if function is not None:
        of = reader.of(function)
        if of == "field_expression":
            reads = reader.visit(reader.child(function, "argument"))
        elif of not in VARIABLES or reader.text(function) in reader.known:
            reads = reader.visit(function)
    if arguments is None:
        return reads
    results = [target for child in reader.children(arguments) for target in _result(reader, child)]
    tasks = [*reads, *reader.visit(arguments)]
    return [MARKED, *tasks, (ASSIGN, results)] if results else tasks


def _result(reader: Reader, index: int) -> list[Target]:
    """The variable that a callee may write through this argument."""
    node: int | None = index
    while node is not None and reader.of(node) in ("cast_expression", "parenthesized_expression"):
        node = max(reader.children(node), default=None)
    if node is None:
        return []
    if reader.of(node) == "identifier" and reader.text(node) in reader.arrays:
        return [(reader.text(node), False)]
    argument = reader.child(node, "argument")
    if reader.of(node) != "pointer_expression" or argument is None or not reader.text(node).startswith("&"):
        return []
    return [(name, False) for name, _ in reader.target(argument)[0]]


def _member(reader: Reader, index: int) -> list[Task]:
    base, member = reader.child(index, "argument"), reader.child(index, "field")
    if base is not None and member is not None and reader.of(base) == "this":
        return [emit(Op.READ, reader.text(member))]
    return reader.inside(index)


def _asm(reader: Reader, index: int) -> list[Task]:
    outputs = reader.child(index, "output_operands")
    written: list[Target] = []
    tasks = reader.visit(reader.child(index, "input_operands"))
    for operand in reader.children(outputs) if outputs is not None else ():
        value, constraint = reader.child(operand, "value"), reader.child(operand, "constraint")
        if value is None:
            continue
        targets, reads = reader.target(value)
        both = constraint is not None and "+" in reader.text(constraint)
        tasks += reader.visit(value) if both else reads
        written += targets
    return [MARKED, *tasks, (ASSIGN, written)]


def _operand(reader: Reader, index: int) -> list[Task]:
    return reader.visit(reader.child(index, "value"))


def _member_initialiser(reader: Reader, index: int) -> list[Task]:
    name, *values = reader.children(index)
    reads = [task for value in values for task in reader.visit(value)]
    return [MARKED, *reads, (ASSIGN, [(reader.text(name), True)])]


def _capture(reader: Reader, index: int) -> list[Task]:
    name = reader.child(index, "left")
    written = [] if name is None else [(reader.text(name), True)]
    return [MARKED, *reader.visit(reader.child(index, "right")), (ASSIGN, written)]


def _function(reader: Reader, index: int) -> list[Task]:
    parameters = reader.parameters(reader.signature(index))
    members = [child for child in reader.children(index) if reader.of(child) == "field_initializer_list"]
    body = reader.child(index, "body") or next(
        (child for child in reader.children(index) if reader.of(child) == "try_statement"), None
    )
    inner = [task for child in members for task in reader.visit(child)]
    return [emit(Op.FUNCTION), *parameters, *inner, *reader.visit(body), emit(Op.END_FUNCTION)]


def _lambda(reader: Reader, index: int) -> list[Task]:
    captures = reader.visit(reader.child(index, "captures"))
    parameters = reader.parameters(reader.signature(index))
    body = reader.visit(reader.child(index, "body"))
    return [*captures, emit(Op.FORK), *parameters, *body, emit(Op.ARM), emit(Op.JOIN)]


def _lost_signature(reader: Reader, index: int) -> list[Task]:
    """A signature outside a definition: the parser lost the body's end, as in a reply cut short."""
    return reader.parameters(reader.child(index, "parameters"))


def _if(reader: Reader, index: int) -> list[Task]:
    condition = reader.visit(reader.child(index, "condition"))
    then, otherwise = reader.child(index, "consequence"), reader.child(index, "alternative")
    arms = [emit(Op.FORK), *reader.visit(then), emit(Op.ARM), *reader.visit(otherwise), emit(Op.JOIN)]
    return [*condition, *arms]


def _conditional_lines(reader: Reader, index: int) -> list[Task]:
    inside: list[Task] = []
    for child in reader.children(index):
        if reader.place(child) not in ("name", "condition", "alternative"):
            inside += reader.visit(child)
    otherwise = reader.visit(reader.child(index, "alternative"))
    return [emit(Op.FORK), *inside, emit(Op.ARM), *otherwise, emit(Op.JOIN)]


def _for(reader: Reader, index: int) -> list[Task]:
    condition = reader.child(index, "condition")
    return [
        *reader.visit(reader.child(index, "initializer")),
        emit(Op.LOOP),
        *_leaving(reader, condition),
        *reader.visit(reader.child(index, "body")),
        emit(Op.REJOIN),
        *reader.visit(reader.child(index, "update")),
        emit(Op.END_LOOP),
    ]


def _while(reader: Reader, index: int) -> list[Task]:
    leaving = _leaving(reader, reader.child(index, "condition"))
    body = reader.visit(reader.child(index, "body"))
    return [emit(Op.LOOP), *leaving, *body, emit(Op.REJOIN), emit(Op.END_LOOP)]


def _do(reader: Reader, index: int) -> list[Task]:
    leaving = _leaving(reader, reader.child(index, "condition"))
    body = reader.visit(reader.child(index, "body"))
    return [emit(Op.LOOP), *body, emit(Op.REJOIN), *leaving, emit(Op.END_LOOP)]


def _leaving(reader: Reader, condition: int | None) -> list[Task]:
    """The condition and the way out behind it; a loop for ever has only its `break`s."""
    endless = condition is None or reader.text(condition).strip("() ") in ("1", "true")
    return [] if endless else [*reader.visit(condition), emit(Op.TEST)]


def _range_for(reader: Reader, index: int) -> list[Task]:
    declarator = reader.child(index, "declarator")
    written = [] if declarator is None else [(name, True) for name in reader.declared(declarator)]
    return [
        *reader.visit(reader.child(index, "initializer")),
        MARKED,
        *reader.visit(reader.child(index, "right")),
        emit(Op.LOOP),
        emit(Op.TEST),
        (ASSIGN, written),
        *reader.visit(reader.child(index, "body")),
        emit(Op.REJOIN),
        emit(Op.END_LOOP),
    ]


def _switch(reader: Reader, index: int) -> list[Task]:
    condition = reader.visit(reader.child(index, "condition"))
    body = reader.visit(reader.child(index, "body"))
    return [*condition, emit(Op.SWITCH), *body, emit(Op.END_SWITCH)]


def _case(reader: Reader, index: int) -> list[Task]:
    value = reader.child(index, "value")
    rest = [child for child in reader.children(index) if child != value]
    return [emit(Op.CASE, value is None), *(task for child in rest for task in reader.visit(child))]


def _try(reader: Reader, index: int) -> list[Task]:
    body = reader.child(index, "body")
    catches = [child for child in reader.children(index) if reader.of(child) == "catch_clause"]
    tasks = [emit(Op.FORK), *reader.visit(body)]
    for clause in catches:
        caught = reader.parameters(reader.child(clause, "parameters"))
        tasks += [emit(Op.ARM), *caught, *reader.visit(reader.child(clause, "body"))]
    return [*tasks, emit(Op.JOIN)]


def _labelled(reader: Reader, index: int) -> list[Task]:
    label, *rest = reader.children(index)
    return [emit(Op.LABEL, reader.text(label)), *(task for child in rest for task in reader.visit(child))]


def _goto(reader: Reader, index: int) -> list[Task]:
    label = reader.child(index, "label")
    return [emit(Op.LEAVE)] if label is None else [emit(Op.GOTO, reader.text(label))]


def _then(op: Op) -> Handler:
    return lambda reader, index: [*reader.inside(index), emit(op)]


_SILENT = frozenset(
    {
        "alias_declaration",
        "alignof_expression",
        "attribute_declaration",
        "attribute_specifier",
        "concatenated_string",
        "concept_definition",
        "decltype",
        "enum_specifier",
        "field_declaration",
        "friend_declaration",
        "macro_type_specifier",
        "ms_declspec_modifier",
        "noexcept",
        "offsetof_expression",
        "parameter_list",
        "preproc_call",
        "preproc_def",
        "preproc_defined",
        "preproc_function_def",
        "preproc_include",
        "requires_clause",
        "sizeof_expression",
        "static_assert_declaration",
        "template_argument_list",
        "template_function",
        "template_parameter_list",
        "type_definition",
        "type_descriptor",
        "using_declaration",
    }
)
"""Unevaluated, or about types and names rather than values."""


ROLES: dict[str, Role] = {
    "identifier": READ,
    "qualified_identifier": READ,
    "assignment_expression": _assignment,
    "update_expression": _update,
    "declaration": _declaration,
    "call_expression": _call,
    "field_expression": _member,
    "gnu_asm_expression": _asm,
    "gnu_asm_input_operand": _operand,
    "field_initializer": _member_initialiser,
    "lambda_capture_initializer": _capture,
    "function_definition": _function,
    "lambda_expression": _lambda,
    "function_declarator": _lost_signature,
    "if_statement": _if,
    "preproc_if": _conditional_lines,
    "preproc_ifdef": _conditional_lines,
    "preproc_elif": _conditional_lines,
    "preproc_elifdef": _conditional_lines,
    "for_statement": _for,
    "while_statement": _while,
    "do_statement": _do,
    "for_range_loop": _range_for,
    "switch_statement": _switch,
    "case_statement": _case,
    "try_statement": _try,
    "labeled_statement": _labelled,
    "goto_statement": _goto,
    "return_statement": _then(Op.LEAVE),
    "co_return_statement": _then(Op.LEAVE),
    "throw_statement": _then(Op.LEAVE),
    "break_statement": _then(Op.BREAK),
    "continue_statement": _then(Op.CONTINUE),
    **dict.fromkeys(_SILENT, SKIP),
}
