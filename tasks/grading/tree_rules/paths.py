"""The ways through a function: its statements as a graph, whose edges say which way a condition went."""

from collections.abc import Generator
from dataclasses import dataclass, field

from tree_sitter import Node

from tasks.grading.ctree import text
from tasks.grading.tree_rules.expression import Constants, number

Edge = tuple[int, bool | None]
"""Where to, and whether the condition before held; None without a condition."""
LOOPS = frozenset({"while_statement", "do_statement", "for_statement"})


@dataclass
class Step:
    """One expression, condition or declaration that runs; `is_return` leaves the function."""

    node: Node | None
    next: list[Edge] = field(default_factory=list)
    is_return: bool = False


Loose = list[tuple[int, bool | None]]
"""Steps whose next is what comes now."""


class Paths:
    """The graph of one function; step 0 is the entry and step 1 the end of the body, where it returns too."""

    def __init__(self, function: Node, constants: Constants) -> None:
        self.constants = constants
        self.steps = [Step(None), Step(None, is_return=True)]
        self.labels: dict[str, int] = {}
        self.gotos: list[tuple[int, str]] = []
        self.breaks: list[Loose] = []
        self.continues: list[Loose] = []
        body = function.child_by_field_name("body")
        loose: Loose = [(0, None)]
        if body is not None:
            loose = self._statement(body, loose)
        self._join(loose, 1)
        for step, label in self.gotos:
            self.steps[step].next.append((self.labels.get(label, 1), None))

    def _add(self, node: Node | None, loose: Loose, is_return: bool = False) -> int:
        self.steps.append(Step(node, is_return=is_return))
        self._join(loose, len(self.steps) - 1)
        return len(self.steps) - 1

    def _join(self, loose: Loose, to: int) -> None:
        for step, way in loose:
            self.steps[step].next.append((to, way))

    def _statement(self, node: Node, loose: Loose) -> Loose:
        kind = node.type
        if kind == "compound_statement":
            return self._sequence(node.named_children, loose)
        if kind == "if_statement":
            return self._if(node, loose)
        if kind in LOOPS:
            return self._loop(node, loose)
        if kind == "switch_statement":
            return self._switch(node, loose)
        if kind == "return_statement":
            self._add(node, loose, is_return=True)
            return []
        if kind == "goto_statement":
            label = node.child_by_field_name("label")
            self.gotos.append((self._add(None, loose), text(label) if label is not None else ""))
            return []
        if kind == "labeled_statement":
            label = node.child_by_field_name("label")
            here = self._add(None, loose)
            if label is not None:
                self.labels[text(label)] = here
            return self._sequence([child for child in node.named_children if child != label], [(here, None)])
        if kind == "break_statement" and self.breaks:
            self.breaks[-1] += loose
            return []
        if kind == "continue_statement" and self.continues:
            self.continues[-1] += loose
            return []
        if kind == "case_statement":
            return self._sequence(node.named_children, loose)
        if kind == "comment" or (kind == "expression_statement" and not node.named_child_count):
            return loose
        return [(self._add(node, loose), None)]

    def _sequence(self, nodes: list[Node], loose: Loose) -> Loose:
        for node in nodes:
            loose = self._statement(node, loose)
        return loose

    def _condition(self, node: Node | None, loose: Loose) -> tuple[Loose, Loose]:
        """Return what follows where the condition holds, and where it does not."""
        if node is None:
            return [(self._add(None, loose), None)], []
        value = number(node, self.constants)
        if value is not None:
            here = self._add(None, loose)
            return ([(here, None)], []) if value else ([], [(here, None)])
        here = self._add(node, loose)
        return [(here, True)], [(here, False)]

    def _if(self, node: Node, loose: Loose) -> Loose:
        yes, no = self._condition(node.child_by_field_name("condition"), loose)
        consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        after = self._statement(consequence, yes) if consequence is not None and yes else yes
        if alternative is None:
            return after + no
        inner = alternative.named_children[-1] if alternative.type == "else_clause" else alternative
        return after + (self._statement(inner, no) if no else [])

    def _loop(self, node: Node, loose: Loose) -> Loose:
        self.breaks.append([])
        self.continues.append([])
        body, condition = node.child_by_field_name("body"), node.child_by_field_name("condition")
        start = node.child_by_field_name("initializer")
        if start is not None:
            loose = [(self._add(start, loose), None)]
        if node.type == "do_statement":
            top = self._add(None, loose)
            first: Loose = [(top, None)]
            after = self._statement(body, first) if body is not None else first
            yes, no = self._condition(condition, after + self.continues[-1])
            self._join(yes, top)
        else:
            top = self._add(None, loose)
            yes, no = self._condition(condition, [(top, None)])
            after = list(self._statement(body, yes) if body is not None and yes else yes)
            after += self.continues[-1]
            update = node.child_by_field_name("update")
            if update is not None:
                after = [(self._add(update, after), None)]
            self._join(after, top)
        self.continues.pop()
        return no + self.breaks.pop()

    def _switch(self, node: Node, loose: Loose) -> Loose:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        here = self._add(condition, loose)
        self.breaks.append([])
        falling: Loose = []
        has_default = False
        for child in body.named_children if body is not None else ():
            if child.type == "case_statement":
                has_default |= child.child_by_field_name("value") is None
                value = child.child_by_field_name("value")
                inside = [part for part in child.named_children if value is None or part != value]
                falling = self._sequence(inside, [*falling, (here, None)])
            else:
                falling = self._statement(child, falling)
        out = falling + self.breaks.pop()
        return out if has_default else [*out, (here, None)]

    def step_of(self, node: Node) -> int | None:
        """Return the step that a node stands in."""
        for number_, step in enumerate(self.steps):
            at = step.node
            if at is not None and at.start_byte <= node.start_byte and node.end_byte <= at.end_byte:
                return number_
        return None

    def after(self, start: int) -> Generator[int, bool, None]:
        """Yield the steps that may come after one, each once, nearest first; send True to go no further there."""
        seen: set[int] = set()
        todo = [to for to, _ in self.steps[start].next]
        while todo:
            step = todo.pop(0)
            if step in seen:
                continue
            seen.add(step)
            stop = yield step
            if not stop:
                todo += [to for to, _ in self.steps[step].next]
