"""The loop over tools: whatever a model calls, and however badly, it is told and the loop goes on."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from tasks.contract import Message
from tasks.inference.agent import LONGEST, Action, Refused, Said, arguments, shortened, tool, work, writable
from tasks.inference.answer import Answer, Tool, ToolCall, ToolMessage
from tasks.inference.workplace import NO_LIMIT, Outcome, Workplace

COUNT = tool("count", "Count.", to={"type": "integer"}, words={"type": "array", "default": []})
DEEP = '{"to": ' + "[" * 100_000 + "]" * 100_000 + "}"


def call(text: str, name: str = "count") -> ToolCall:
    return ToolCall(id="c", name=name, arguments=text)


async def count(to: int, words: list[str]) -> Said:
    if to > 9:
        raise Refused("Too far.")
    return Said(f"{to} {words}", "stop" if to == 9 else None)


def talk(*steps: Answer) -> tuple[Outcome, list[list[Message]]]:
    """Let a model that says these things work with one tool; return the outcome and what it was asked."""
    asked: list[list[Message]] = []

    async def send(messages: Sequence[Message], tools: Sequence[Tool]) -> Answer:
        asked.append(list(messages))
        return steps[len(asked) - 1]

    workplace = Workplace(NO_LIMIT, send, lambda code: None, str)  # type: ignore[arg-type, return-value]
    start = [Message(role="user", content="Count.")]
    return asyncio.run(work(workplace.ask, start, [Action(COUNT, count)], workplace)), asked


@pytest.mark.parametrize(("text", "words"), [
    ("{", "must be one JSON object"), ("[1]", "must be one JSON object"), (DEEP, "must be one JSON object"),
    ("", "needs the argument to"), ('{"to": "3"}', "must be a whole number"),
    ('{"to": true}', "must be a whole number"),
    ('{"to": 3.0}', "must be a whole number"), ('{"to": 3, "words": "a"}', "must be a list"),
    ('{"to": 3, "from": 1}', "has no argument from; it has to, words."),
])  # fmt: skip
def test_arguments_that_do_not_fit_are_named(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        arguments(call(text), COUNT)


def test_arguments_that_fit_come_by_name_with_defaults() -> None:
    assert arguments(call('{"to": 3}'), COUNT) == {"to": 3, "words": []}
    assert COUNT.parameters["required"] == ["to"]


def test_the_loop_answers_every_call_and_stops_where_an_action_says_so() -> None:
    calls = (call('{"to": 10}'), call("{", "other"), call('{"to": 3, "words": ["a"]}'))
    last = (call('{"to": 9}'), call('{"to": 1}'))
    outcome, asked = talk(
        Answer("I count.", "tool_calls", tool_calls=calls), Answer("", "tool_calls", tool_calls=last)
    )
    told = [message.content for message in asked[1] if message.role == "tool"]
    assert told == ["Too far.", "There is no tool 'other'; the tools are count.", "3 ['a']"]
    assert (outcome.ending, len(asked)) == ("stop", 2)
    assert outcome.turns[-1].content == "9 []"  # what was called after the end is not done


def test_halves_of_characters_do_not_travel() -> None:
    outcome, asked = talk(
        Answer("a\ud800", "tool_calls", tool_calls=(call('{"to": 1, "words": ["\ud800"]}'),)), Answer("Done.", "stop")
    )
    said: Any = asked[1][1]
    assert isinstance(said, ToolMessage)
    assert said.content == "a?"
    assert said.tool_calls[0].arguments == '{"to": 1, "words": ["?"]}'
    assert outcome.ending == "stop"
    assert writable("é😀") == "é😀"


@pytest.mark.parametrize(("reason", "ending"), [
    ("length", "length"), ("stop", "stop"), (None, "stop"), ("end_turn", "stop"), ("content_filter", "content_filter"),
])  # fmt: skip
def test_an_answer_without_calls_ends_it(reason: str | None, ending: str) -> None:
    assert talk(Answer("Done.", reason))[0].ending == ending


def test_long_texts_lose_their_middle() -> None:
    text = "a" * LONGEST + "b" * LONGEST
    short = shortened(text)
    assert short.startswith("a" * (LONGEST // 2) + f"\n... {LONGEST} characters left out ...\n")
    assert short.endswith("b" * (LONGEST // 2))
    assert shortened("a" * LONGEST) == "a" * LONGEST
