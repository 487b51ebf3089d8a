"""Does every way out of a function that acquired something release it?"""

from collections.abc import Iterator

from tree_sitter import Node

from tasks.grading.ctree import declared, text, walk
from tasks.grading.tree_rules.paths import Paths
from tasks.grading.tree_rules.program import Program, bare

Held = str | None
"""The variable that tells whether it was acquired; an empty one: it was, whatever a variable says. None: not held."""
FREE: Held = None
TRUE_IS_SUCCESS = ("x", "mutex_trylock", "spin_trylock", "down_write_trylock", "down_read_trylock", "try_module_get")
"""Functions that return truth for success: FreeRTOS's, and some of Linux's."""
SUCCESS = frozenset({"pdTRUE", "pdPASS", "true", "ESP_OK", "HAL_OK", "1"})
"""What `==` says success with, besides 0."""


class Leaks:
    """The leaks of one pair of functions over a whole answer."""

    def __init__(self, program: Program, acquire: tuple[str, ...], release: tuple[str, ...]) -> None:
        self.program = program
        self.direct, self.release = set(acquire), set(release)
        self.releasing = self.release | program.reaching(self.release)
        self.acquiring = self.direct | (program.reaching(self.direct) - self.releasing)

    def functions(self) -> list[str]:
        """Return the functions that acquire and are not a helper that leaves the release to who calls it."""
        called = {call.name for call in self.program.calls}
        return [
            name
            for name in self.program.functions
            if any(call.name in self.acquiring for call in self.program.by_owner.get(name, ()))
            and not (name in self.acquiring and name in called)
        ]

    def lines(self) -> Iterator[tuple[str, int]]:
        """Yield function and 1-based line of each way out that still holds."""
        for name in self.functions():
            yield from ((name, line) for line in sorted(self._leaks(self.program.paths(name))))

    def _leaks(self, paths: Paths) -> set[int]:
        seen: set[tuple[int, Held]] = set()
        found: set[int] = set()
        todo: list[tuple[int, Held]] = [(0, FREE)]
        while todo:
            number, held = todo.pop()
            if (number, held) in seen:
                continue
            seen.add((number, held))
            step = paths.steps[number]
            after, pending = self._through(step.node, held)
            if step.is_return:
                if after is not None and not self._hands_over(step.node, after):
                    found.add(step.node.start_point[0] + 1 if step.node is not None else _last_line(paths))
                continue
            for to, way in step.next:
                todo.append((to, self._on(step.node, after, way, pending)))
        return found

    def _through(self, node: Node | None, held: Held) -> tuple[Held, Node | None]:
        """Return the state after a step, and the call that acquires in it, if its value is tested at once."""
        if node is None:
            return held, None
        acquired: Node | None = None
        for part in walk(node):
            if part.type != "call_expression":
                continue
            called = part.child_by_field_name("function")
            name = text(called) if called is not None else ""
            if name in self.releasing:
                held = FREE
            elif name in self.acquiring:
                held, acquired = _target(part) or "", part
        if held and acquired is None and _overwrites(node, held):
            held = "" if not self._gives_away(node, held) else FREE
        if held and self._gives_away(node, held):
            held = FREE
        return held, acquired

    def _on(self, node: Node | None, held: Held, way: bool | None, acquired: Node | None) -> Held:
        """The state on one side of a condition: where it says that acquiring failed, nothing is held."""
        if held is None or way is None or node is None:
            return held
        subject = _subject(node, held, acquired)
        if subject is None:
            return held
        success = self._succeeds(node, subject, held)
        if success is None:
            return FREE
        return held if success == way else FREE

    def _succeeds(self, condition: Node, subject: Node, held: str) -> bool | None:
        """Whether the condition's truth means success; None where that cannot be told."""
        truth = self._truth_is_success(subject, held)
        node = subject
        while node.parent is not None and node.id != condition.id:
            above = node.parent
            if above.type == "unary_expression" and text(above).lstrip().startswith("!"):
                truth = not truth
            elif above.type == "assignment_expression" and above.child_by_field_name("left") == node:
                return None
            elif above.type == "binary_expression":
                compared = self._compared(above, node)
                if compared is None:
                    return None
                truth = compared
            node = above
        return truth

    def _truth_is_success(self, subject: Node, held: str) -> bool:
        if subject.type == "identifier":
            return self._is_pointer(held) or self._from_truth(held)
        called = subject.child_by_field_name("function")
        return called is not None and _is_true_for_success(text(called))

    def _is_pointer(self, name: str) -> bool:
        return any(item.name == name and item.is_pointer for item in self.program.variables)

    def _from_truth(self, held: str) -> bool:
        """Whether the variable holds what a function returned that says success by truth."""
        for call in self.program.calls:
            if call.name in self.acquiring and _is_true_for_success(call.name) and _target(call.node) == held:
                return True
        return False

    def _compared(self, comparison: Node, side: Node) -> bool | None:
        operator = comparison.child_by_field_name("operator")
        left, right = comparison.child_by_field_name("left"), comparison.child_by_field_name("right")
        if operator is None or left is None or right is None:
            return None
        sign, other = text(operator), right if side == left else left
        value = self.program.form(bare(other))
        if sign in ("==", "!="):
            if value == "NULL":
                return sign == "!="
            good = value == "0" or value in SUCCESS
            if value in ("pdFALSE", "pdFAIL", "false"):
                return sign == "!="
            return (sign == "==") if good else (sign != "==")
        if value in ("0", "-1") and side == left:
            return {"<": False, ">=": True, ">": None, "<=": None}.get(sign)
        return None

    def _hands_over(self, node: Node | None, held: str) -> bool:
        """Whether a return gives what was acquired to the caller: `return buffer;` of a pointer."""
        return (
            self._is_pointer(held)
            and node is not None
            and any(part.type == "identifier" and text(part) == held for part in walk(node))
        )

    def _gives_away(self, node: Node, held: str) -> bool:
        """Whether the pointer is stored somewhere that outlives the function."""
        for part in walk(node):
            if part.type == "assignment_expression":
                left, right = part.child_by_field_name("left"), part.child_by_field_name("right")
                outlives = left is not None and left.type in (
                    "field_expression",
                    "subscript_expression",
                    "pointer_expression",
                )
                if outlives and right is not None and bare(right).type == "identifier" and text(bare(right)) == held:
                    return True
        return False


def _is_true_for_success(name: str) -> bool:
    return (name[:1] == "x" and name[1:2].isupper()) or name in TRUE_IS_SUCCESS


def _target(call: Node) -> str | None:
    """The variable that the value of a call goes to."""
    node: Node | None = call.parent
    while node is not None and node.type in ("parenthesized_expression", "cast_expression"):
        node = node.parent
    if node is not None and node.type == "init_declarator":
        name = declared(node)
        return text(name) if name is not None else None
    if node is not None and node.type == "assignment_expression":
        left = node.child_by_field_name("left")
        return text(left) if left is not None and left.type == "identifier" else None
    return None


def _subject(condition: Node, held: str, acquired: Node | None) -> Node | None:
    """The part of a condition that tells of the acquiring: the call itself, or the variable that has its value."""
    for part in walk(condition):
        if acquired is not None and part.id == acquired.id:
            return part
        if acquired is None and held and part.type == "identifier" and text(part) == held:
            return part
    return None


def _overwrites(node: Node, name: str) -> bool:
    for part in walk(node):
        if part.type == "assignment_expression":
            left = part.child_by_field_name("left")
            if left is not None and left.type == "identifier" and text(left) == name:
                return True
    return False


def _last_line(paths: Paths) -> int:
    lines = [step.node.end_point[0] + 1 for step in paths.steps if step.node is not None]
    return max(lines, default=1)
