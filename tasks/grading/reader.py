"""Turns a flat tree into a program for `flow`; what each construct of the language does is a table in `constructs`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from tasks.grading.flow import Instruction, Op
from tasks.grading.keywords import CodeLanguage
from tasks.grading.syntax import FIELD, FIELD_MASK, KIND, Tree, grammar

Task = tuple[Any, ...]
"""(VISIT, from, to) | (EMIT, instruction) | (MARK,) | (ASSIGN, targets); ASSIGN takes what was read since its MARK."""
VISIT, EMIT, MARK, ASSIGN = range(4)
MARKED: Task = (MARK,)
Target = tuple[str, bool]
"""A variable that is written, and whether its old value is gone for good."""

VARIABLES = frozenset({"identifier", "qualified_identifier"})
_WRAPPERS = frozenset({"parenthesized_expression", "cast_expression"})
_DECLARATORS = frozenset(
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
_DECLARED = _DECLARATORS | {"identifier", "field_identifier", "structured_binding_declarator"}


_ERROR = 0xFFFF
"""The kind that tree-sitter gives to what it could not place."""


class Vocabulary:
    """The ids of one grammar and what to do at each kind of node.

    `roles` says per kind: READ (a variable is read), SKIP (nothing in it is), or a function that returns the tasks, in
    order. A kind without a role is looked into.
    """

    def __init__(self, language: CodeLanguage, roles: Mapping[str, "Role"]) -> None:
        of = grammar(language)
        self.kinds = {number: of.node_kind_for_id(number) or "" for number in range(of.node_kind_count)}
        self.kinds[_ERROR] = "ERROR"
        self.fields = {
            0: "",
            **{number: of.field_name_for_id(number) or "" for number in range(1, of.field_count + 1)},
        }
        self.numbers = {name: number for number, name in self.fields.items()}
        self.roles = {number: roles[kind] for number, kind in self.kinds.items() if kind in roles}


class Reader:
    """Walks a tree with an explicit stack of tasks, so depth costs memory and never recursion."""

    def __init__(self, tree: Tree, vocabulary: Vocabulary) -> None:
        self.data, self.code, self.span, self.end = tree.data, tree.code, tree.span, tree.end
        self.words = vocabulary
        self.program: list[Instruction] = []
        self.marks: list[int] = []
        self.known: set[str] = set()
        self.arrays: set[str] = set()
        self.bit = 1

    def read(self) -> list[Instruction]:
        """Return the instructions of the whole text in the order they run."""
        code, end, roles, program, text = self.code, self.end, self.words.roles, self.program, self.text
        field, of_type = FIELD_MASK << FIELD, self.words.numbers["type"] << FIELD
        todo: list[Task] = [(VISIT, 0, len(code))]
        while todo:
            task = todo.pop()
            if task[0] == VISIT:
                _, index, to = task
                while index < to:
                    role = roles.get(code[index] >> KIND)
                    if role is None:
                        index += 1
                    elif role is SKIP or code[index] & field == of_type:
                        index = end[index]
                    elif role is READ:
                        program.append((Op.READ, text(index)))
                        index = end[index]
                    elif callable(role):
                        if end[index] < to:
                            todo.append((VISIT, end[index], to))
                        todo += reversed(role(self, index))
                        break
            elif task[0] == EMIT:
                program.append(task[1])
            elif task[0] == MARK:
                self.marks.append(len(program))
            else:
                self._assign(task[1])
        return program

    def _assign(self, targets: list[Target]) -> None:
        mark = self.marks.pop()
        sources = tuple(dict.fromkeys(item[1] for item in self.program[mark:] if item[0] is Op.READ))
        for name, whole in targets:
            self.bit <<= 1
            self.known.add(name)
            self.program.append((Op.WRITE if whole else Op.UPDATE, name, sources, self.bit))

    def of(self, index: int) -> str:
        """Return the kind of a node."""
        return self.words.kinds[self.code[index] >> KIND]

    def place(self, index: int) -> str:
        """Return the field that a node stands in, empty for none."""
        return self.words.fields[self.code[index] >> FIELD & FIELD_MASK]

    def text(self, index: int) -> str:
        """Return the source of a node."""
        start, stop = self.span[index]
        return self.data[start:stop].decode("utf-8", "replace")

    def between(self, left: int, right: int) -> bytes:
        """Return the operator that stands between two nodes."""
        return self.data[self.span[left][1] : self.span[right][0]].strip()

    def children(self, index: int) -> Iterator[int]:
        """Yield the named children of a node."""
        child, end = index + 1, self.end
        while child < end[index]:
            yield child
            child = end[child]

    def child(self, index: int, field: str) -> int | None:
        """Return the first child in a field."""
        code, end, wanted = self.code, self.end, self.words.numbers.get(field)
        child, last = index + 1, end[index]
        while child < last:
            if code[child] >> FIELD & FIELD_MASK == wanted:
                return child
            child = end[child]
        return None

    def visit(self, index: int | None) -> list[Task]:
        """Return the task of reading a node, none for None."""
        return [] if index is None else [(VISIT, index, self.end[index])]

    def inside(self, index: int) -> list[Task]:
        """Return the task of reading everything in a node."""
        return [(VISIT, index + 1, self.end[index])]

    def target(self, index: int) -> tuple[list[Target], list[Task]]:
        """Return the variable that an assignment to this expression changes, and what is read to get there."""
        whole = True
        reads: list[Task] = []
        node: int | None = index
        while node is not None:
            of = self.of(node)
            if of in VARIABLES:
                return [(self.text(node), whole)], reads
            if of == "field_expression":
                base, member = self.child(node, "argument"), self.child(node, "field")
                if base is None or member is None:
                    break
                if self.of(base) == "this":
                    return [(self.text(member), whole)], reads
                if self.between(base, member) == b"->":
                    reads = reads or self.visit(node)
                node, whole = base, False
            elif of in ("pointer_expression", "subscript_expression"):
                reads = reads or self.visit(node)
                node, whole = self.child(node, "argument"), False
            elif of in _WRAPPERS:
                node = max(self.children(node), default=None)
            elif of == "binary_expression":
                node = self.child(node, "left")
            else:
                break
        return [], reads or self.visit(index)

    def declared(self, index: int) -> list[str]:
        """Return the variables that a declarator names: none for a prototype, several for a structured binding."""
        node: int | None = index
        array = pointer = False
        while node is not None:
            of = self.of(node)
            if of in ("identifier", "field_identifier"):
                name = self.text(node)
                if array:
                    self.arrays.add(name)
                return [name]
            if of == "structured_binding_declarator":
                return [self.text(child) for child in self.children(node)]
            if of not in _DECLARATORS:
                break
            array |= of == "array_declarator"
            inner = self.child(node, "declarator")
            if inner is None:
                inner = next((child for child in self.children(node) if self.of(child) in _DECLARED), None)
            if of == "function_declarator" and not pointer:
                if inner is None or self.of(inner) != "parenthesized_declarator":
                    break
                pointer = True
            node = inner
        return []

    def parameters(self, index: int | None) -> list[Task]:
        """Return the writes of a parameter list: each parameter has a value to begin with."""
        tasks: list[Task] = []
        for child in self.children(index) if index is not None else ():
            declarator = self.child(child, "declarator")
            if self.of(child) == "identifier":
                tasks += (MARKED, (ASSIGN, [(self.text(child), True)]))
            elif declarator is not None:
                written = [(name, True) for name in self.declared(declarator)]
                tasks += (MARKED, *self.visit(self.child(child, "default_value")), (ASSIGN, written))
        return tasks

    def signature(self, index: int) -> int | None:
        """Return the parameter list of the function that a definition or a lambda declares."""
        node = self.child(index, "declarator")
        while node is not None:
            parameters = self.child(node, "parameters")
            if parameters is not None:
                return parameters
            inner = self.child(node, "declarator")
            node = inner if inner is not None else next(self.children(node), None)
        return None


Handler = Callable[[Reader, int], list[Task]]
Role = Handler | Literal["read", "skip"]
READ: Literal["read"] = "read"
SKIP: Literal["skip"] = "skip"


def emit(op: Op, *operands: object) -> Task:
    """Return the task of appending one instruction."""
    return (EMIT, (op, *operands))
