"""How a model may work on a sample: a row of `SCENARIOS`, or of a track's own, asks as often as it likes."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tasks.contract import BaseSample, Config, Prompt, Track
from tasks.inference.answer import Answer
from tasks.inference.feedback import DEFAULT_ROUNDS, feed_back
from tasks.inference.packs import of_track, packed
from tasks.inference.workplace import NO_LIMIT, Allowance, Outcome, Turn, Workplace
from warehouse.errors import UsageError

__all__ = ["SCENARIOS", "Ask", "Outcome", "Scenario", "Turn", "Workplace", "generate", "scenario", "with_rounds"]


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
        """Return what the model is shown first, behind the config's context pack."""
        return packed((self.prompt or track.prompt)(sample, of_track(config)), config.pack)

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


async def improve(ask: Ask, sample: BaseSample, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Ask, and ask again with what the compiler and the static checks say."""
    return await feed_back(prompt, workplace)


SCENARIOS: dict[str, Scenario] = {
    row.name: row
    for row in (
        Scenario("generation", "one request, one reply", generate),
        Scenario(
            "feedback", "the messages of the compiler and of static checks come back, and the model may answer again",
            improve, Allowance(rounds=1 + DEFAULT_ROUNDS), version="1",
        ),
    )
}  # fmt: skip


def scenario(name: str, track: Track | None = None) -> Scenario:
    """Return the scenario called `name`, of the track or of all; `feedback@5` has five rounds of feedback.

    Raises UsageError naming the scenarios there are, and for a number of rounds where the scenario has none.
    """
    known = {**SCENARIOS, **getattr(track, "scenarios", {})}
    base, at, count = name.partition("@")
    if base not in known:
        raise UsageError(f"There is no scenario {base!r}; the scenarios are {', '.join(sorted(known))}.")
    if not at:
        return known[base]
    if known[base].allowance.rounds is None or not re.fullmatch(r"[1-9]\d*", count):
        raise UsageError(f"The scenario {base} takes no {count!r} rounds.")
    return replace(known[base].within({"rounds": 1 + int(count)}), name=name)


def with_rounds(name: str, rounds: int | None, track: Track | None = None) -> str:
    """Return the name that a scenario with so many rounds of feedback is recorded under; None is its own number."""
    if rounds is None or scenario(name, track).allowance.rounds == 1 + rounds:
        return name
    return scenario(f"{name}@{rounds}", track).name
