"""Is the value of a call used: tested, returned, handed on, or kept in a variable that is read before it changes?"""

from collections.abc import Iterator

from tree_sitter import Node

from tasks.grading.ctree import declared, text, walk
from tasks.grading.facts import SILENCERS
from tasks.grading.tree_rules.paths import Paths
from tasks.grading.tree_rules.program import Call, Program

PASSES_ON = frozenset({"parenthesized_expression", "cast_expression", "unary_expression", "binary_expression"})


def is_used(program: Program, call: Call) -> bool:
    """Return whether the value of the call has any use."""
    return _used(program, call.node, call.owner)


def _used(program: Program, node: Node, owner: str | None) -> bool:
    above = node.parent
    while above is not None and above.type in PASSES_ON:
        if above.type == "cast_expression" and _is_void(above):
            return False
        if above.type == "binary_expression" and _is_tested(above, node):
            return True
        node, above = above, above.parent
    if above is None:
        return False
    kind = above.type
    if kind == "init_declarator":
        name = declared(above)
        return name is None or _read_later(program, above, text(name), owner)
    if kind == "assignment_expression":
        return _kept(program, above, owner) or _used(program, above, owner)
    if kind in ("expression_statement", "labeled_statement", "else_clause", "case_statement", "compound_statement"):
        return False
    if kind == "comma_expression":
        return above.named_children[-1] == node and _used(program, above, owner)
    if kind == "for_statement":
        return above.child_by_field_name("condition") == node
    if kind == "argument_list":
        called = above.parent.child_by_field_name("function") if above.parent is not None else None
        return called is None or text(called) not in SILENCERS
    return True


def _is_tested(operation: Node, operand: Node) -> bool:
    operator = operation.child_by_field_name("operator")
    return operator is not None and text(operator) in ("&&", "||") and operation.child_by_field_name("left") == operand


def _is_void(cast: Node) -> bool:
    kind = cast.child_by_field_name("type")
    return kind is not None and text(kind).strip() == "void"


def _kept(program: Program, assignment: Node, owner: str | None) -> bool:
    left = assignment.child_by_field_name("left")
    if left is None:
        return True
    if left.type != "identifier":
        return True
    return _read_later(program, assignment, text(left), owner)


def _read_later(program: Program, write: Node, name: str, owner: str | None) -> bool:
    variable = program.variable(name, owner)
    function = program.functions.get(owner or "")
    if function is None or variable is None or variable.owner is None or "static" in variable.qualifiers:
        return any(True for node in walk(program.root) if _reads(node, name) and not _inside(node, write))
    paths = program.paths(owner or "")
    start = paths.step_of(write)
    if start is None:
        return True
    here = paths.steps[start].node
    if here is not None and any(_reads(node, name) and node.start_byte >= write.end_byte for node in walk(here)):
        return True
    return _reads_first(paths, start, name)


def _reads_first(paths: Paths, start: int, name: str) -> bool:
    """Whether on some way the variable is read before it is written anew."""
    ways = paths.after(start)
    step = next(ways, None)
    while step is not None:
        node = paths.steps[step].node
        stop = False
        if node is not None:
            if any(_reads(part, name) for part in walk(node)):
                return True
            stop = any(_writes(part, name) for part in walk(node))
        try:
            step = ways.send(stop)
        except StopIteration:
            step = None
    return False


def _reads(node: Node, name: str) -> bool:
    """Whether a node is the variable and reads it: not the left of `=`, not `(void) x`."""
    if node.type != "identifier" or text(node) != name:
        return False
    above = node.parent
    if above is None:
        return True
    if above.type == "assignment_expression" and above.child_by_field_name("left") == node:
        operator = above.child_by_field_name("operator")
        return operator is not None and text(operator) != "="
    if above.type == "cast_expression" and _is_void(above):
        return False
    if above.type == "argument_list" and above.parent is not None:
        called = above.parent.child_by_field_name("function")
        return called is None or text(called) not in SILENCERS
    return not (above.type.endswith("declarator") and declared(above) == node)


def _writes(node: Node, name: str) -> bool:
    if node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        return left is not None and left.type == "identifier" and text(left) == name
    if node.type == "init_declarator":
        named = declared(node)
        return named is not None and text(named) == name
    return False


def _inside(node: Node, outer: Node) -> bool:
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def unused(program: Program, calls: list[Call]) -> Iterator[Call]:
    """Yield the calls whose value goes nowhere."""
    for call in calls:
        if not is_used(program, call):
            yield call
