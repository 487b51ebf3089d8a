"""Variables that an interrupt writes and others use: volatile, atomic, or touched only while it is locked out."""

from collections.abc import Iterator

from tree_sitter import Node

from tasks.grading.ctree import FUNCTION, text, walk
from tasks.grading.tree_rules.program import Program, Variable, bare

LOCKS: dict[str, str] = {
    "irq_lock": "irq_unlock",
    "k_spin_lock": "k_spin_unlock",
    "taskENTER_CRITICAL": "taskEXIT_CRITICAL",
    "taskENTER_CRITICAL_FROM_ISR": "taskEXIT_CRITICAL_FROM_ISR",
    "portENTER_CRITICAL": "portEXIT_CRITICAL",
    "portENTER_CRITICAL_ISR": "portEXIT_CRITICAL_ISR",
    "portENTER_CRITICAL_SAFE": "portEXIT_CRITICAL_SAFE",
    "portDISABLE_INTERRUPTS": "portENABLE_INTERRUPTS",
    "__disable_irq": "__enable_irq",
    "HAL_NVIC_DisableIRQ": "HAL_NVIC_EnableIRQ",
    "NVIC_DisableIRQ": "NVIC_EnableIRQ",
    "local_irq_save": "local_irq_restore",
    "local_irq_disable": "local_irq_enable",
    "spin_lock": "spin_unlock",
    "spin_lock_irq": "spin_unlock_irq",
    "spin_lock_irqsave": "spin_unlock_irqrestore",
    "spin_lock_bh": "spin_unlock_bh",
}
"""What locks interrupts out, and what lets them in again."""
OTHER_UNLOCKS = ("__set_PRIMASK",)
BLOCK_LOCKS = frozenset({"K_SPINLOCK", "ATOMIC_BLOCK", "scoped_guard"})
ATOMIC_TYPES = ("atomic_", "_Atomic", "sig_atomic_t", "refcount_t")
ATOMIC_CALLS = ("atomic_", "__atomic_", "__sync_", "READ_ONCE", "WRITE_ONCE", "ACCESS_ONCE", "smp_store_", "smp_load_")


def unguarded(program: Program, isrs: list[str]) -> Iterator[Variable]:
    """Yield the file-scope variables that these functions write, others use, and nothing guards."""
    inside = program.reachable(isrs)
    written = {name for function in inside for name in _written(program, program.functions[function])}
    for name in sorted(written):
        variable = program.variable(name, None)
        if variable is None or _is_safe(program, variable):
            continue
        if any(_is_bare_use(program, use) for use in _uses(program, name, set(inside))):
            yield variable


def _is_safe(program: Program, variable: Variable) -> bool:
    if {"volatile", "_Atomic"} & variable.qualifiers or variable.type.startswith(ATOMIC_TYPES):
        return True
    fields = [item for item in program.variables if item.kind == "field" and _within(item.node, variable.node)]
    owner = variable.type
    if not fields and owner:
        fields = [item for item in program.variables if item.kind == "field" and _struct_of(item.node) == owner]
    return bool(fields) and all(
        {"volatile", "_Atomic"} & item.qualifiers or item.type.startswith((*ATOMIC_TYPES, "struct k_", "k_"))
        for item in fields
    )


def _within(field: Node, declarator: Node) -> bool:
    above = declarator.parent
    return above is not None and above.start_byte <= field.start_byte and field.end_byte <= above.end_byte


def _struct_of(field: Node) -> str:
    """The type that a field belongs to: `struct name`, or the name that a typedef gives it."""
    node: Node | None = field
    while node is not None and node.type not in ("struct_specifier", "union_specifier"):
        node = node.parent
    if node is None:
        return ""
    named = node.child_by_field_name("name")
    if node.parent is not None and node.parent.type == "type_definition":
        declarator = node.parent.child_by_field_name("declarator")
        return text(declarator) if declarator is not None else ""
    return f"struct {text(named)}" if named is not None else ""


def _written(program: Program, function: Node) -> Iterator[str]:
    """Names at file scope that a function assigns to, as a whole or in part."""
    for node in walk(function):
        target: Node | None = None
        if node.type == "assignment_expression":
            target = node.child_by_field_name("left")
        elif node.type == "update_expression":
            target = node.child_by_field_name("argument")
        name = _base(target) if target is not None else None
        if name is not None and program.variable(name, _owner(node, program)) == program.variable(name, None):
            yield name


def _owner(node: Node, program: Program) -> str | None:
    above: Node | None = node
    while above is not None and above.type != FUNCTION:
        above = above.parent
    return next(
        (name for name, function in program.functions.items() if above is not None and function.id == above.id), None
    )


def _base(target: Node) -> str | None:
    node: Node | None = bare(target)
    while node is not None and node.type in ("field_expression", "subscript_expression", "pointer_expression"):
        inner = node.child_by_field_name("argument")
        if node.type == "field_expression" and "->" in [text(child) for child in node.children]:
            return None
        node = bare(inner) if inner is not None else None
    return text(node) if node is not None and node.type == "identifier" else None


def _uses(program: Program, name: str, inside: set[str]) -> Iterator[Node]:
    for owner, function in program.functions.items():
        if owner in inside or any(item.name == name and item.owner == owner for item in program.variables):
            continue
        for node in walk(function):
            if node.type == "identifier" and text(node) == name:
                yield node


def _is_bare_use(program: Program, use: Node) -> bool:
    """Whether a use is neither through an atomic operation, nor between lock and unlock, nor only of an address."""
    node: Node | None = use.parent
    while node is not None and node.type != FUNCTION:
        if node.type == "call_expression":
            called = node.child_by_field_name("function")
            if called is not None and text(called).startswith((*ATOMIC_CALLS, "ARRAY_SIZE", "sizeof")):
                return False
        if node.type == "sizeof_expression":
            return False
        if node.type == "compound_statement" and _is_block_lock(node.prev_named_sibling):
            return False
        node = node.parent
    return node is not None and not _is_locked(program, node, use)


def _is_block_lock(node: Node | None) -> bool:
    if node is None or node.type != "expression_statement" or not node.named_child_count:
        return False
    called = node.named_children[0].child_by_field_name("function")
    return called is not None and text(called) in BLOCK_LOCKS


def _is_locked(program: Program, function: Node, use: Node) -> bool:
    """Whether interrupts are locked out at a place, counted along the text of the function."""
    depth = 0
    for node in walk(function):
        if node.start_byte >= use.start_byte:
            break
        if node.type != "call_expression":
            continue
        called = node.child_by_field_name("function")
        name = text(called) if called is not None else ""
        if name in LOCKS or _does(program, name, set(LOCKS), set(LOCKS.values())):
            depth += 1
        elif (name in LOCKS.values() or _does(program, name, set(LOCKS.values()), set(LOCKS))) and not _leaves(node):
            depth = max(0, depth - 1)
        elif name in OTHER_UNLOCKS and depth:
            depth -= 1
    return depth > 0


def _does(program: Program, name: str, wanted: set[str], other: set[str]) -> bool:
    """Whether a function of the answer is a helper that locks, or one that unlocks."""
    if name not in program.functions:
        return False
    owners = [owner for owner in program.reachable([name]) if not _hangs(program.functions[owner])]
    called = {call.name for owner in owners for call in program.by_owner.get(owner, ())}
    return bool(called & wanted) and not called & other


def _hangs(function: Node) -> bool:
    """Whether a function has a loop without end, as an error handler that stops the processor does."""
    return any(
        "".join(text(node).split()).startswith(("while(1)", "while(true)", "for(;;)"))
        for node in walk(function)
        if node.type in ("while_statement", "for_statement")
    )


def _leaves(node: Node) -> bool:
    """Whether the unlock is one on an early way out: what comes after it in the text is still locked."""
    statement: Node | None = node
    while statement is not None and statement.parent is not None and statement.parent.type != "compound_statement":
        statement = statement.parent
    block = statement.parent if statement is not None else None
    if block is None or block.parent is None or block.parent.type == FUNCTION:
        return False
    return any(
        child.type in ("return_statement", "goto_statement", "break_statement", "continue_statement")
        for child in block.named_children
    )
