"""An agent: a model that works with tools until it stops, hands in for the last time, or reaches a limit.

The loop knows neither files nor tracks. A track says which actions there are; an action gets the arguments that the
model wrote, checked against its schema, and returns what the model is told.
"""

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.contract import Message
from tasks.inference.answer import Answer, Tool, ToolCall, ToolMessage
from tasks.inference.workplace import ENDINGS, Outcome, Workplace
from warehouse.errors import ProviderError

LONGEST = 12_000
"""Characters of what a tool says that a model is shown; the middle of more is left out."""

KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "text"), "integer": (int, "a whole number"), "array": (list, "a list"),
}  # fmt: skip


class Refused(Exception):
    """An action cannot be done; the message tells the model why and what it can do."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an action tells the model; `ending`, one of ENDINGS, makes it the last."""

    text: str
    ending: str | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A tool and what it does. `run` gets the arguments by name and may raise Refused."""

    tool: Tool
    run: Callable[..., Awaitable[Said]]


def tool(name: str, description: str, **arguments: Mapping[str, Any]) -> Tool:
    """Return a tool whose arguments, JSON schemas by name, are all required unless they have a default."""
    required = [key for key, schema in arguments.items() if "default" not in schema]
    return Tool(name, description, {"type": "object", "properties": arguments, "required": required,
                                    "additionalProperties": False})  # fmt: skip


async def work(
    ask: Callable[..., Awaitable[Answer]], messages: Sequence[Message], actions: Sequence[Action], workplace: Workplace
) -> Outcome:
    """Let the model call actions until something ends the unit; the last submission is what counts.

    Raises ProviderError where the provider failed, so that the unit is asked again, and LimitReached.
    """
    conversation = list(messages)
    tools = tuple(one.tool for one in actions)
    while True:
        try:
            answer = await ask(conversation, tools)
        except ProviderError as error:
            if error.error_kind == "context_window" and workplace.answers:
                return workplace.outcome("context_window")
            raise
        if answer.finish_reason in ("length", "content_filter") or not answer.tool_calls:
            return workplace.outcome(answer.finish_reason if answer.finish_reason in ENDINGS else "stop")
        calls = tuple(call.model_copy(update={"arguments": writable(call.arguments)}) for call in answer.tool_calls)
        conversation.append(ToolMessage(role="assistant", content=writable(answer.text), tool_calls=calls))
        for call in answer.tool_calls:
            start = time.perf_counter()
            said = await perform(call, actions)
            text = writable(shortened(said.text))
            workplace.note("tool", text, time.perf_counter() - start, tool=call.name)
            if said.ending:
                return workplace.outcome(said.ending)
            conversation.append(ToolMessage(role="tool", content=text, tool_call_id=call.id))


async def perform(call: ToolCall, actions: Sequence[Action]) -> Said:
    """Do what a call asks for; whatever is wrong with the call is told to the model."""
    chosen = next((one for one in actions if one.tool.name == call.name), None)
    if chosen is None:
        names = ", ".join(one.tool.name for one in actions)
        return Said(f"There is no tool {call.name!r}; the tools are {names}.")
    try:
        return await chosen.run(**arguments(call, chosen.tool))
    except Refused as refused:
        return Said(str(refused))


def arguments(call: ToolCall, tool: Tool) -> dict[str, Any]:
    """Return the arguments of a call by name; raises Refused, naming the argument, for those that do not fit."""
    try:
        given = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Refused(f"The arguments of {tool.name} must be one JSON object.")
    properties = tool.parameters["properties"]
    if unknown := sorted(set(given) - set(properties)):
        raise Refused(f"{tool.name} has no argument {', '.join(unknown)}; it has {', '.join(properties) or 'none'}.")
    found = {}
    for name, schema in properties.items():
        if name not in given and "default" not in schema:
            raise Refused(f"{tool.name} needs the argument {name}.")
        value = given.get(name, schema.get("default"))
        kind, words = KINDS[schema["type"]]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refused(f"The argument {name} of {tool.name} must be {words}.")
        found[name] = value
    return found


def writable(text: str) -> str:
    """Return `text` without half surrogate pairs, which no request can carry."""
    return text.encode(errors="replace").decode()


def shortened(text: str) -> str:
    """Return `text` with its middle left out where it is longer than LONGEST."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n... {len(text) - 2 * half} characters left out ...\n{text[-half:]}"
