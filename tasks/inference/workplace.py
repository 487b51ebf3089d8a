"""What a scenario works with, and the record of what it did: requests, submissions, turns, all within an allowance.

The limits are kept here, by the caller, and not by the scenario: once one is reached, every door raises LimitReached,
which ends the unit with what it has. Time is the unit's own: the seconds that its answers, tools and gradings took,
without the wait for other units' requests. So an answer that arrives too late is kept, but nothing follows from it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from tasks.contract import Message
from tasks.grading.evaluate import Evaluation
from tasks.inference.answer import Answer, Tool
from tasks.inference.tokens import estimate

Result = TypeVar("Result")
Send = Callable[[Sequence[Message], Sequence[Tool]], Awaitable[Answer]]

ENDINGS: dict[str, str] = {
    "stop": "the model ended by itself",
    "length": "an answer was cut off at its longest length",
    "content_filter": "the provider's filter cut an answer off",
    "context_window": "the conversation no longer fits the model",
    "passed": "a submission passed",
    "submitted": "the last submission allowed was made",
    "rounds": "the last answer allowed was given",
    "time": "the unit's seconds are used up",
    "tokens": "the unit's tokens are used up",
}
"""How a unit may end, as its `finish_reason`, where its scenario says so; none is a failure of the provider."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one unit may use, None for no limit: `rounds` are answers, `tokens` those of prompts and answers."""

    rounds: int | None = None
    seconds_s: float | None = None
    tokens: int | None = None
    submissions: int | None = None

    def recorded(self) -> dict[str, Any]:
        """Return the limits there are."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_LIMIT = Allowance()


@dataclass(frozen=True, slots=True)
class Turn:
    """One step after the prompt: a reply, a tool that the model called with its arguments, or what the tool said."""

    role: str
    content: str
    seconds_s: float | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """A source that was handed in, its verdict, and when: after which turn, and how many seconds and tokens."""

    code: str
    evaluation: Evaluation
    turn: int
    after_s: float
    after_tokens: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reply that counts, every answer that was paid for, and the turns in order.

    `ending` is one of ENDINGS, None to go by the last answer's finish reason. `code` is the source that counts where
    the reply is not to be searched for it; "" then means that nothing was handed in, which is final.
    """

    reply: str
    answers: tuple[Answer, ...]
    turns: tuple[Turn, ...]
    submissions: tuple[Submission, ...] = ()
    ending: str | None = None
    code: str | None = None


class LimitReached(Exception):
    """A limit of the unit is reached; `ending` is one of ENDINGS. Scenarios let it pass: whoever ran them keeps it."""

    def __init__(self, ending: str) -> None:
        super().__init__(ENDINGS[ending])
        self.ending = ending


@dataclass
class Workplace:
    """What one unit works with. `extract` takes the code out of a reply by the rules of the sample's kind.

    `solver` says that the model is a built-in one, whose only answer is its whole work, tools or not; `sandbox` is the
    one that grading uses, None to open one.
    """

    allowance: Allowance
    send: Send
    judge: Callable[[str], Evaluation]
    extract: Callable[[str], str]
    solver: bool = False
    sandbox: Any = None
    answers: list[Answer] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    spent_s: float = 0.0
    spent_tokens: int = 0
    """Of all prompts and answers so far, estimated where the provider does not count them."""
    _judged: dict[str, Evaluation] = field(default_factory=dict)

    async def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Answer:
        """Send messages to the unit's model, offering tools, and record its answer and calls as turns.

        Raises ProviderError, BudgetError for the limit of the run, and LimitReached for those of the unit.
        """
        self.check()
        if self.allowance.rounds is not None and len(self.answers) >= self.allowance.rounds:
            raise LimitReached("rounds")
        answer = await self.send(messages, tools)
        self.answers.append(answer)
        self.spent_s += answer.seconds_s
        self.spent_tokens += _tokens(answer, messages)
        self.note("assistant", answer.text, answer.seconds_s)
        for call in answer.tool_calls:
            self.note("assistant", call.arguments, tool=call.name)
        return answer

    async def use(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run something that blocks, a tool or a grader, off the event loop and on the unit's time.

        Its wait for a thread that other units have is not the unit's.
        """
        self.check()

        def timed() -> Result:
            start = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                self.spent_s += time.perf_counter() - start

        return await asyncio.to_thread(timed)

    async def grade(self, code: str) -> Evaluation:
        """Return what the track's grader says of a source, in the sandbox; nothing is stored."""
        if code not in self._judged:
            self._judged[code] = await self.use(self.judge, code)
        return self._judged[code]

    async def submit(self, code: str) -> Evaluation:
        """Hand in a source: it is stored and graded. Raises LimitReached where no submission is left."""
        self.check()
        allowed = self.allowance.submissions
        if allowed is not None and len(self.submissions) >= allowed:
            raise LimitReached("submitted")
        after_s, turn = self.spent_s, len(self.turns)
        evaluation = await self.grade(code)
        self.submissions.append(Submission(code, evaluation, turn, after_s, self.spent_tokens))
        return evaluation

    @property
    def may_submit(self) -> bool:
        """Whether a submission is left."""
        return self.allowance.submissions is None or len(self.submissions) < self.allowance.submissions

    def note(self, role: str, content: str, seconds_s: float | None = None, tool: str | None = None) -> None:
        """Record a turn."""
        self.turns.append(Turn(role, content, seconds_s, tool))

    def check(self) -> None:
        """Raise LimitReached once the unit's time or tokens are used up."""
        if self.allowance.seconds_s is not None and self.spent_s >= self.allowance.seconds_s:
            raise LimitReached("time")
        if self.allowance.tokens is not None and self.spent_tokens >= self.allowance.tokens:
            raise LimitReached("tokens")

    def outcome(self, ending: str | None) -> Outcome:
        """Return the record, with the last submission as the reply that counts, "" without one."""
        code = self.submissions[-1].code if self.submissions else ""
        return Outcome(code, tuple(self.answers), tuple(self.turns), tuple(self.submissions), ending, code)


def _tokens(answer: Answer, messages: Sequence[Message]) -> int:
    prompt, completion = answer.prompt_tokens, answer.completion_tokens
    if prompt is None:
        prompt = sum(estimate(message.content) for message in messages)
    if completion is None:
        completion = estimate(answer.text) + sum(estimate(call.arguments) for call in answer.tool_calls)
    return prompt + completion
