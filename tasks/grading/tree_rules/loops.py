"""What runs again and again: in a loop, a loop macro, before a `goto` back, or in a function that is called there."""

from tree_sitter import Node

from tasks.grading.ctree import text, walk
from tasks.grading.tree_rules.paths import LOOPS
from tasks.grading.tree_rules.program import Program


def looped(program: Program) -> set[str]:
    """The functions that are called in a loop, or by one that is."""
    found: set[str] = set()
    todo = [call.name for call in program.calls if call.name in program.functions and stands_in_loop(call.node)]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [call.name for call in program.by_owner.get(name, ()) if call.name in program.functions]
    return found


def stands_in_loop(node: Node) -> bool:
    above: Node | None = node.parent
    below = node
    while above is not None and above.type != "function_definition":
        if above.type in LOOPS and below != above.child_by_field_name("initializer"):
            return True
        if above.type == "compound_statement" and _is_iteration(above.prev_named_sibling):
            return True
        below, above = above, above.parent
    return above is not None and _goes_back(above, node)


def _is_iteration(node: Node | None) -> bool:
    """Whether a statement is the head of a loop macro, such as `list_for_each_entry(...)`."""
    if node is None or node.type != "expression_statement" or not node.named_child_count:
        return False
    called = node.named_children[0].child_by_field_name("function")
    return called is not None and "for_each" in text(called).lower()


def _goes_back(function: Node, node: Node) -> bool:
    """Whether a `goto` behind the node leads to a label before it."""
    labels: dict[str, int] = {}
    for part in walk(function):
        label = part.child_by_field_name("label")
        if part.type == "labeled_statement" and label is not None:
            labels[text(label)] = part.start_byte
        elif part.type == "goto_statement" and label is not None:
            start = labels.get(text(label))
            if start is not None and start <= node.start_byte and part.start_byte >= node.end_byte:
                return True
    return False
