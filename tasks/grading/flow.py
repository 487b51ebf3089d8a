"""A small program of reads, writes and branches, and the data flow in it: reaching definitions in two linear passes.

`dataflow` writes such a program from a tree. Loops need no repetition: what one round of a loop leaves at its end (the
first pass) is added to what enters it (the second), which is the fixed point because each round only keeps or kills
what it is given. Nesting costs nothing extra.
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum, auto
from typing import Any

COMES_FROM, COMPUTED_FROM = 0, 1
Edge = tuple[int, int, int]
"""(variable, COMES_FROM or COMPUTED_FROM, variable it takes its value from), numbered by first appearance."""
State = dict[str, int]
"""The definitions of each variable that may reach this point, as bits; bit 0 is whatever it was on entry."""


class Op(IntEnum):
    """What an instruction does.

    They nest as `FORK arm ARM arm JOIN`, `LOOP … TEST … REJOIN … END_LOOP` and `SWITCH … CASE … END_SWITCH`.
    """

    READ = auto()  # name
    WRITE = auto()  # name, names it is computed from, bit
    UPDATE = auto()  # the same, when the old value may stay: through a pointer, in part, by a callee
    DECLARE = auto()  # name
    FORK = auto()
    ARM = auto()
    JOIN = auto()
    LOOP = auto()
    TEST = auto()  # here the loop may be left
    REJOIN = auto()  # where `continue` goes
    END_LOOP = auto()
    SWITCH = auto()
    CASE = auto()  # whether it is the default
    END_SWITCH = auto()
    BREAK = auto()
    CONTINUE = auto()
    LEAVE = auto()
    GOTO = auto()  # label
    LABEL = auto()  # label
    FUNCTION = auto()
    END_FUNCTION = auto()


Instruction = tuple[Any, ...]


def edges(program: Sequence[Instruction]) -> Counter[Edge]:
    """Return the data-flow edges of a program with how often each occurs, variables numbered as their values move."""
    number: dict[str, int] = {}
    result: Counter[Edge] = Counter()
    for (name, relation, source), count in named_edges(program).items():
        taken = number.setdefault(source, len(number))
        result[number.setdefault(name, len(number)), relation, taken] = count
    return result


def named_edges(program: Sequence[Instruction]) -> dict[tuple[str, int, str], int]:
    """Return the same edges by name, in the order they first occur.

    A read takes its value from every definition that may reach it; a write from every variable its value names. A
    `goto` forward is followed, one backward is not.
    """
    entering: dict[int, State] = {}
    if any(instruction[0] is Op.LOOP for instruction in program):
        _Pass(program, entering, counting=False).run()
    return _Pass(program, entering, counting=True).run()


class _Frame:
    """An open branch, loop, switch or function."""

    def __init__(self, op: Op, before: State | None) -> None:
        self.op = op
        self.before = before
        self.leaving: list[State | None] = []
        self.rejoining: list[State | None] = []
        self.jumps: dict[str, State] = {}
        self.default = False
        self.position = 0


class _Pass:
    """A walk over the instructions. The first keeps states relative to the loop they are in, the second counts."""

    def __init__(self, program: Sequence[Instruction], entering: dict[int, State], counting: bool) -> None:
        self.program = program
        self.entering = entering
        self.counting = counting
        self.found: dict[tuple[str, int, str], int] = {}
        self.frames: list[_Frame] = []
        self.jumps: dict[str, State] = {}
        self.state: State | None = {}  # None where nothing arrives

    def run(self) -> dict[tuple[str, int, str], int]:
        found, counting = self.found, self.counting
        for position, instruction in enumerate(self.program):
            op = instruction[0]
            if op is Op.READ:
                if counting and self.state:
                    name = instruction[1]
                    reaching = (self.state.get(name, 0) >> 1).bit_count()
                    if reaching:
                        key = (name, COMES_FROM, name)
                        found[key] = found.get(key, 0) + reaching
            elif op is Op.WRITE or op is Op.UPDATE:
                _, name, sources, bit = instruction
                if counting:
                    for source in sources:
                        key = (name, COMPUTED_FROM, source)
                        found[key] = found.get(key, 0) + 1
                if self.state is not None:
                    self.state[name] = bit if op is Op.WRITE else self.state.get(name, 1) | bit
            elif op is Op.DECLARE:
                if self.state is not None:
                    self.state[instruction[1]] = 0
            else:
                _STEPS[op](self, position, *instruction[1:])
        return found

    def fork(self, _: int) -> None:
        self.frames.append(_Frame(Op.FORK, _copy(self.state)))

    def arm(self, _: int) -> None:
        frame = self.frames[-1]
        frame.leaving.append(self.state)
        self.state = _copy(frame.before)

    def join(self, _: int) -> None:
        self.state = _merge([*self.frames.pop().leaving, self.state])

    def loop(self, position: int) -> None:
        frame = _Frame(Op.LOOP, self.state)
        frame.position = position
        self.frames.append(frame)
        if self.counting:
            self.state = _plus(self.state or {}, self.entering[position])
        else:
            frame.jumps, self.jumps = self.jumps, {}
            self.state = {}

    def test(self, _: int) -> None:
        self._nearest(Op.LOOP).leaving.append(_copy(self.state))

    def rejoin(self, _: int) -> None:
        self.state = _merge([self.state, *self._nearest(Op.LOOP).rejoining])

    def end_loop(self, _: int) -> None:
        frame = self.frames.pop()
        leaving = _merge(frame.leaving)
        if self.counting:
            self.state = leaving
            return
        kept = {name: bits & ~1 for name, bits in (self.state or {}).items() if bits & ~1}
        self.entering[frame.position] = kept
        head = _plus(frame.before or {}, kept)
        self.state = None if leaving is None else _after(leaving, head)
        inside, self.jumps = self.jumps, frame.jumps
        for label, state in inside.items():
            self._jump(label, _after(state, head))

    def switch(self, _: int) -> None:
        self.frames.append(_Frame(Op.SWITCH, self.state))
        self.state = None

    def case(self, _: int, default: bool) -> None:
        frame = self._nearest(Op.SWITCH)
        frame.default |= default
        self.state = _merge([self.state, _copy(frame.before)])

    def end_switch(self, _: int) -> None:
        frame = self.frames.pop()
        self.state = _merge([*frame.leaving, self.state, None if frame.default else frame.before])

    def break_(self, _: int) -> None:
        self._nearest(Op.LOOP, Op.SWITCH).leaving.append(self.state)
        self.state = None

    def continue_(self, _: int) -> None:
        self._nearest(Op.LOOP).rejoining.append(self.state)
        self.state = None

    def leave(self, _: int) -> None:
        self.state = None

    def goto(self, _: int, label: str) -> None:
        if self.state is not None:
            self._jump(label, self.state)
        self.state = None

    def label(self, _: int, label: str) -> None:
        arriving = _merge([self.state, self.jumps.pop(label, None)])
        self.state = {} if arriving is None else arriving

    def function(self, _: int) -> None:
        frame = _Frame(Op.FUNCTION, self.state)
        frame.jumps, self.jumps = self.jumps, {}
        self.frames.append(frame)
        self.state = _copy(self.state) or {}

    def end_function(self, _: int) -> None:
        frame = self.frames.pop()
        self.state, self.jumps = frame.before, frame.jumps

    def _jump(self, label: str, state: State) -> None:
        merged = _merge([self.jumps.get(label), state])
        if merged is not None:
            self.jumps[label] = merged

    def _nearest(self, *ops: Op) -> _Frame:
        """Return the innermost open frame of these kinds; a stray `break` or `case` gets one that leads nowhere."""
        for frame in reversed(self.frames):
            if frame.op in ops:
                return frame
        return _Frame(ops[0], None)


_STEPS: dict[Op, Any] = {
    Op.FORK: _Pass.fork,
    Op.ARM: _Pass.arm,
    Op.JOIN: _Pass.join,
    Op.LOOP: _Pass.loop,
    Op.TEST: _Pass.test,
    Op.REJOIN: _Pass.rejoin,
    Op.END_LOOP: _Pass.end_loop,
    Op.SWITCH: _Pass.switch,
    Op.CASE: _Pass.case,
    Op.END_SWITCH: _Pass.end_switch,
    Op.BREAK: _Pass.break_,
    Op.CONTINUE: _Pass.continue_,
    Op.LEAVE: _Pass.leave,
    Op.GOTO: _Pass.goto,
    Op.LABEL: _Pass.label,
    Op.FUNCTION: _Pass.function,
    Op.END_FUNCTION: _Pass.end_function,
}


def _copy(state: State | None) -> State | None:
    return None if state is None else dict(state)


def _merge(states: Sequence[State | None]) -> State | None:
    """Return the union of what may arrive; a variable that a state does not name is as it was on entry there."""
    live = [state for state in states if state is not None]
    if len(live) < 2:
        return dict(live[0]) if live else None
    merged = dict(live[0])
    for state in live[1:]:
        for name in merged:
            if name not in state:
                merged[name] |= 1
        for name, bits in state.items():
            merged[name] = merged.get(name, 1) | bits
    return merged


def _plus(state: State, more: State) -> State:
    result = dict(state)
    for name, bits in more.items():
        result[name] = result.get(name, 1) | bits
    return result


def _after(state: State, head: State) -> State:
    """Return `state`, which is relative to a loop's head, as seen from before the loop."""
    result = dict(head)
    for name, bits in state.items():
        result[name] = bits & ~1 | (head.get(name, 1) if bits & 1 else 0)
    return result
