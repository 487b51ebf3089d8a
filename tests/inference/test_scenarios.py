"""What a scenario works with: limits that hold, submissions that are stored and graded, tools that reach a model."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.contract import BaseSample, Bench, Check, Config, Message, Prompt, Reply
from tasks.inference.answer import Answer, Tool, ToolCall, ToolMessage, Unit
from tasks.inference.budget import Budget
from tasks.inference.kept import Kept
from tasks.inference.models import resolve
from tasks.inference.plan import done_ids, plan, shards
from tasks.inference.scenarios import Ask, Outcome, Scenario, Workplace, scenario
from tasks.inference.shard import run_shard
from tasks.inference.workplace import Allowance
from tests.inference import toy
from tests.inference.stub_server import Says, StubServer
from warehouse.database import query
from warehouse.errors import UsageError
from warehouse.layout import Layout
from warehouse.reader import read

FULL = Config(name="full")
REACH = {"retry_base_s": 0.01, "retry_cap_s": 0.05, "api_key": "k"}
COUNT = Tool("count", "Count.", {"type": "object", "properties": {"to": {"type": "integer"}}})


async def tries(ask: Ask, sample: BaseSample, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Hand in every reply until one passes."""
    messages = list(prompt.messages)
    while True:
        answer = await ask(messages)
        evaluation = await workplace.submit(workplace.extract(answer.text))
        if evaluation.status == "pass":
            return workplace.outcome("passed")
        workplace.note("user", "Wrong.")
        messages += [Message(role="assistant", content=answer.text), Message(role="user", content="Wrong.")]


class Track(toy.ToyTrack):
    def __init__(self, **limits: Any) -> None:
        self.scenarios = {"tries": Scenario("tries", "again until it passes", tries, Allowance(**limits), version="1")}


def asked(track: Track, layout: Layout, behaviour: Any, limits: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask one sample in the scenario and return its tables and the summary."""
    samples = toy.samples(1)
    with StubServer(behaviour) as server:
        model = resolve("openai/stub", layout=layout, parameters={**REACH, "api_base": server.address})
        units = plan(track, samples, ["openai/stub"], [FULL], scenario="tries", layout=layout, limits=limits,
                     done=done_ids(layout))  # fmt: skip
        with model:
            for shard in shards(units, size=25):
                run_shard(track, samples, shard, model, {"full": FULL}, layout=layout, run_id="r", release="t",
                          budget=Budget(), bench=Bench(toolchain_digest="tools"), limits=limits)  # fmt: skip
    tables = ("generations", "turns", "submissions")
    return {name: read(layout, name).to_pylist() for name in tables} | {"server": server, "plan": units}


def said(*texts: str) -> Any:
    return lambda body, nth: Says(text=f"```c\n{texts[(len(body['messages']) - 1) // 2]}\n```")


def test_every_submission_is_stored_with_its_source_and_verdict(tmp_path: Path) -> None:
    rows = asked(Track(), Layout(tmp_path), said(toy.body(7), toy.body(0)))
    (generation,) = rows["generations"]
    assert (generation["code"], generation["code_rule"]) == (toy.body(0), "submitted")
    assert (generation["finish_reason"], generation["error_kind"]) == ("passed", None)
    assert (generation["prompt_tokens"], generation["completion_tokens"]) == (200, 40)
    first, second = rows["submissions"]
    assert (first["submission"], first["status"], first["code"], first["turn"]) == (1, "fail", toy.body(7), 1)
    assert (second["submission"], second["status"], second["code"], second["turn"]) == (2, "pass", toy.body(0), 3)
    assert (first["after_tokens"], second["after_tokens"]) == (120, 240)
    assert 0 < first["after_s"] < second["after_s"]
    assert (first["grader_version"], first["toolchain_digest"]) == ("1", "tools")
    assert json.loads(first["checks"]) == [
        {"layer": "static", "check": "equal", "status": "fail", "headline": True}
    ]  # fmt: skip
    assert [row["role"] for row in rows["turns"]] == ["assistant", "user", "assistant"]


@pytest.mark.parametrize(("limits", "ending", "submissions"), [
    ({"submissions": 2}, "submitted", 2), ({"rounds": 3}, "rounds", 3), ({"tokens": 200}, "tokens", 1),
    ({"seconds_s": 1e-6}, "time", 0),
])  # fmt: skip
def test_a_limit_ends_the_unit_with_what_it_has(
    limits: dict[str, Any], ending: str, submissions: int, tmp_path: Path
) -> None:
    rows = asked(Track(), Layout(tmp_path), lambda body, nth: Says(text=toy.body(9)), limits)
    (generation,) = rows["generations"]
    assert (generation["finish_reason"], generation["error_kind"]) == (ending, None)
    assert len(rows["submissions"]) == submissions
    assert generation["code"] == (toy.body(9) if submissions else "")
    assert asked(Track(), Layout(tmp_path), said(), limits)["server"].total == 0  # a unit that ended is finished


def test_limits_and_version_are_part_of_an_identity_and_generation_adds_nothing(tmp_path: Path) -> None:
    def identity(name: str, track: Any, limits: dict[str, Any] | None = None) -> str:
        made = plan(track, toy.samples(1), ["openai/m"], [FULL], scenario=name, limits=limits, layout=Layout(tmp_path))
        return made.units[0].generation_id

    bare, own = identity("tries", Track()), identity("tries", Track(rounds=2))
    assert bare != own == identity("tries", Track(), {"rounds": 2, "tokens": None})
    assert identity("generation", Track()) == identity("generation", toy.ToyTrack())
    sent = resolve("openai/m", layout=Layout(tmp_path)).sent(Unit("s", "m", "c"), 9)
    assert scenario("generation").sent(sent) == sent


def test_a_grader_that_breaks_is_no_verdict_on_the_submission(tmp_path: Path) -> None:
    class Broken(Track):
        def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
            raise RuntimeError("no gcc")

    rows = asked(Broken(submissions=1), Layout(tmp_path), said("x;"), {"rounds": 1})
    assert [row["status"] for row in rows["submissions"]] == ["infra_error"]


def test_a_unit_whose_provider_failed_goes_on_from_the_answers_it_had(tmp_path: Path) -> None:
    def fails(body: dict[str, Any], nth: int) -> Says:
        if len(body["messages"]) == 5:
            return Says(status=400, error={"error": "no"})
        return Says(text=toy.body(7 + len(body["messages"])))

    rows = asked(Track(), Layout(tmp_path), fails)
    assert [row["error_kind"] for row in rows["generations"]] == ["other"]
    assert len(rows["turns"]) == 4
    assert [row["code"] for row in rows["submissions"]] == [toy.body(8), toy.body(10)]
    again = asked(Track(), Layout(tmp_path), said("", "", toy.body(0)))
    assert [row["error_kind"] for row in again["generations"]] == ["other", None]
    finished = query(Layout(tmp_path), "SELECT code FROM submissions ORDER BY submission").to_pylist()
    assert [row["code"] for row in finished] == [toy.body(8), toy.body(10), toy.body(0)]
    assert again["server"].total == 1
    assert again["generations"][1]["prompt_tokens"] == 300
    assert not list(tmp_path.rglob("journal/units/*"))


def kept_text(nth: int, messages: Sequence[Message], folder: Path, new: str) -> str:
    """Ask as a unit that begins again does: `nth` earlier requests and then this one; return the answer."""

    async def send() -> Answer:
        return Answer(new, "stop", 1, 0, 1, None, 0.5, (ToolCall(id="a", name="b", arguments="\ud800"),))

    async def again() -> Answer:
        kept = Kept(Layout(folder), "g1")
        for end in range(nth):
            await kept.ask(messages[: end + 1], (COUNT,), send)
        return await kept.ask(messages, (COUNT,), send)

    answer = asyncio.run(again())
    assert answer.tool_calls == (ToolCall(id="a", name="b", arguments="\ud800"),)
    return answer.text


def test_kept_answers_hold_as_long_as_the_same_is_asked(tmp_path: Path) -> None:
    one, two, other = (Message(role="user", content=text) for text in ("one", "two", "\ud800"))
    assert kept_text(0, [one], tmp_path, "first") == "first"
    assert kept_text(1, [one, two], tmp_path, "second") == "second"
    assert kept_text(1, [one, two], tmp_path, "third") == "second"
    assert kept_text(1, [one, other], tmp_path, "fourth") == "fourth"
    assert kept_text(1, [one, two], tmp_path, "fifth") == "fifth"  # what followed another question is gone


def test_a_line_cut_short_by_a_kill_is_asked_again(tmp_path: Path) -> None:
    one, two = (Message(role="user", content=text) for text in ("one", "two"))
    kept_text(1, [one, two], tmp_path, "first")
    (file,) = tmp_path.rglob("g1.jsonl")
    file.write_bytes(file.read_bytes()[:-5])
    assert kept_text(1, [one, two], tmp_path, "again") == "again"
    assert kept_text(1, [one, two], tmp_path, "never") == "again"


def test_tools_reach_the_model_and_its_calls_come_back(tmp_path: Path) -> None:
    def calls(body: dict[str, Any], nth: int) -> Says:
        if len(body["messages"]) == 1:
            return Says(text="", calls=(("count", '{"to": 3}'), ("count", "{bad")), finish_reason="tool_calls")
        return Says(text="six")

    async def talk(server: StubServer) -> tuple[Answer, Answer]:
        model = resolve("openai/stub", layout=Layout(tmp_path), parameters={**REACH, "api_base": server.address})
        with model:

            async def ask(messages: Sequence[Message]) -> Answer:
                return await model.ask(messages, sample=toy.make(0), unit=Unit("s", "m", "c"), reply_tokens=9,
                                       tools=(COUNT,))  # fmt: skip

            first = await ask([Message(role="user", content="Count.")])
            said = ToolMessage(role="assistant", content=first.text, tool_calls=first.tool_calls)
            told = [
                ToolMessage(role="tool", content="1 2 3", tool_call_id=call.id) for call in first.tool_calls
            ]  # fmt: skip
            return first, await ask([Message(role="user", content="Count."), said, *told])

    with StubServer(calls) as server:
        first, second = asyncio.run(talk(server))
    assert [(call.name, call.arguments) for call in first.tool_calls] == [("count", '{"to": 3}'), ("count", "{bad")]
    assert (first.finish_reason, second.text, second.tool_calls) == ("tool_calls", "six", ())
    offered = server.bodies[0]["tools"]
    assert offered == [{"type": "function", "function": {"name": "count", "description": "Count.",
                                                         "parameters": COUNT.parameters}}]  # fmt: skip
    roles = [message["role"] for message in server.bodies[1]["messages"]]
    assert roles == ["user", "assistant", "tool", "tool"]
    assert server.bodies[1]["messages"][3]["tool_call_id"] == first.tool_calls[1].id


def test_an_unknown_scenario_names_those_of_the_track(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no scenario 'agent'; the scenarios are .*generation, tries"):
        plan(Track(), toy.samples(1), ["stub"], [FULL], scenario="agent", layout=Layout(tmp_path))
