"""What is asked and what comes back: the records that models, scenarios and shards exchange."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.contract import Frozen, Message
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


class ToolCall(Frozen):
    """A tool that a model wants used; `arguments` is the JSON text as the model wrote it, valid or not."""

    id: str
    name: str
    arguments: str


class ToolMessage(Message):
    """A message with the tools an assistant called, or what the call `tool_call_id` gave."""

    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a request offers: its name, what it does, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply of a model. Tokens and cost are None where the provider or the price list does not say.

    `prompt_tokens` counts the cached ones too; `seconds_s` is the wall time of the request that succeeded. There are
    `tool_calls` only where the request offered tools.
    """

    text: str
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    seconds_s: float = 0.0
    tool_calls: tuple[ToolCall, ...] = ()
