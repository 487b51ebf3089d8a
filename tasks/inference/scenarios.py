"""How a model may work on a sample: a row of `SCENARIOS`, or of a track's own, asks as often as it likes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tasks.contract import BaseSample, Config, Prompt, Track
from tasks.inference.answer import Answer
from tasks.inference.workplace import NO_LIMIT, Allowance, Outcome, Turn, Workplace
from warehouse.errors import UsageError

__all__ = ["SCENARIOS", "Ask", "Outcome", "Scenario", "Turn", "Workplace", "generate", "scenario"]


Ask = Callable[..., Awaitable[Answer]]
"""`ask(messages, tools=())` sends messages to the unit's model, perhaps offering tools: `Workplace.ask`."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A way of working: its name, what it does in words, and the coroutine that does it.

    `allowance` bounds one unit. `prompt` replaces the track's where the model is told something else. `version` names
    everything else that makes the answer, tools and texts; with the allowance it is part of a reply's identity, and ""
    adds nothing to it.
    """

    name: str
    purpose: str
    run: Callable[[Ask, BaseSample, Prompt, Workplace], Awaitable[Outcome]]
    allowance: Allowance = NO_LIMIT
    prompt: Callable[[BaseSample, Config], Prompt] | None = None
    version: str = ""

    def shown(self, track: Track, sample: BaseSample, config: Config) -> Prompt:
        """Return what the model is shown first."""
        return (self.prompt or track.prompt)(sample, config)

    def sent(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a request with what this scenario adds to a reply's identity."""
        own = ({"version": self.version} if self.version else {}) | self.allowance.recorded()
        return {**sent, "scenario": own} if own else dict(sent)

    def within(self, limits: Mapping[str, Any]) -> "Scenario":
        """Return the scenario with these limits in place of its own; None leaves one as it is."""
        given = {name: value for name, value in limits.items() if value is not None}
        return replace(self, allowance=replace(self.allowance, **given)) if given else self


async def generate(ask: Ask, sample: BaseSample, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Ask once."""
    answer = await ask(prompt.messages)
    return Outcome(answer.text, (answer,), (Turn("assistant", answer.text, answer.seconds_s),))


SCENARIOS: dict[str, Scenario] = {
    row.name: row for row in (Scenario("generation", "one request, one reply", generate),)
}


def scenario(name: str, track: Track | None = None) -> Scenario:
    """Return the scenario called `name`, of the track or of all; raises UsageError naming those there are."""
    known = {**SCENARIOS, **getattr(track, "scenarios", {})}
    if name not in known:
        raise UsageError(f"There is no scenario {name!r}; the scenarios are {', '.join(sorted(known))}.")
    return known[name]
