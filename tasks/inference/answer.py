"""What is asked and what comes back: the two records that models, scenarios and shards exchange."""

from dataclasses import dataclass

from tasks.ids import generation_id


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest thing that is scheduled, cached and resumed; attempts count from 1."""

    sample_id: str
    model: str
    config: str
    scenario: str = "generation"
    attempt: int = 1

    def generation_id(self, prompt_hash: str, parameters: dict[str, object]) -> str:
        """Return the identity of this unit's reply to that prompt with those parameters."""
        return generation_id(self.sample_id, self.model, self.config, self.scenario, self.attempt, prompt_hash,
                             parameters)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply of a model. Tokens and cost are None where the provider or the price list does not say.

    `prompt_tokens` counts the cached ones too; `seconds_s` is the wall time of the request that succeeded.
    """

    text: str
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    seconds_s: float = 0.0
