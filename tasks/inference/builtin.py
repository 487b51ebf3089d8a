"""Solvers that need no model: what the release gate and the demo hold every grader against."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from tasks.contract import BaseSample, Message
from tasks.inference.answer import Answer, Tool, Unit
from warehouse.errors import ModelError
from warehouse.layout import Layout


class Solver:
    """A model whose reply is a function of the sample. Takes no parameters, costs nothing, asks nobody."""

    deterministic = True
    verbatim = True
    concurrency = 1

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        self.name = name
        self.argument = argument
        self.parameters: Mapping[str, Any] = {}

    def sent(self, unit: Unit, reply_tokens: int) -> dict[str, Any]:
        """Return the parameters of one request as they are recorded: none but the solver's own."""
        return dict(self.parameters)

    def start(self) -> None:
        """Do nothing: there is nothing to start."""

    def stop(self) -> None:
        """Do nothing: there is nothing to stop."""

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        """Return the solver's answer to the sample."""
        return Answer(self.answer(sample), finish_reason="stop", cost_usd=0.0)

    def answer(self, sample: BaseSample) -> str:
        """Return what the solver replies."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()


class Reference(Solver):
    """Replies the sample's reference: must pass."""

    def answer(self, sample: BaseSample) -> str:
        return sample.reference


class Empty(Solver):
    """Replies nothing: must fail."""

    def answer(self, sample: BaseSample) -> str:
        return ""


class Stub(Solver):
    """Replies the sample's stub, which has the right shape and does nothing: must fail."""

    def answer(self, sample: BaseSample) -> str:
        return sample.stub


class Mutation(Solver):
    """Replies a seeded bug, the first of the sample or the one named after the colon: must fail."""

    def answer(self, sample: BaseSample) -> str:
        for mutant in sample.mutants:
            if self.argument in (None, mutant.name):
                return mutant.text
        names = ", ".join(mutant.name for mutant in sample.mutants) or "none"
        raise ModelError(f"Sample {sample.sample_id} has no mutant {self.argument or 'at all'}; it has {names}.")
