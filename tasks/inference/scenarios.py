"""How a model may work on a sample. A scenario is a row of `SCENARIOS`: it asks as often as it likes."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tasks.contract import BaseSample, Message, Prompt
from tasks.inference.answer import Answer
from warehouse.errors import UsageError

Ask = Callable[[Sequence[Message]], Awaitable[Answer]]
"""Send messages to the unit's model within the budget; raises ProviderError or BudgetError."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One step after the prompt: a reply, or what a tool said."""

    role: str
    content: str
    seconds_s: float | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reply that counts, every answer that was paid for, and the turns in order."""

    reply: str
    answers: tuple[Answer, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A way of working: its name, what it does in words, and the coroutine that does it."""

    name: str
    purpose: str
    run: Callable[[Ask, BaseSample, Prompt], Awaitable[Outcome]]


async def generate(ask: Ask, sample: BaseSample, prompt: Prompt) -> Outcome:
    """Ask once."""
    answer = await ask(prompt.messages)
    return Outcome(answer.text, (answer,), (Turn("assistant", answer.text, answer.seconds_s),))


SCENARIOS: dict[str, Scenario] = {
    row.name: row for row in (Scenario("generation", "one request, one reply", generate),)
}


def scenario(name: str) -> Scenario:
    """Return the scenario called `name`; raises UsageError naming those there are."""
    if name not in SCENARIOS:
        raise UsageError(f"There is no scenario {name!r}; the scenarios are {', '.join(sorted(SCENARIOS))}.")
    return SCENARIOS[name]
