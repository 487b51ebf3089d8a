"""Feedback: what the model hears, when it ends, and that every round is kept and paid for."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.contract import BaseSample, Bench, Check, Config, Message, Prompt, Reply, Status
from tasks.grading.evaluate import Evaluation, evaluate
from tasks.inference.answer import Answer, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.feedback import feed_back
from tasks.inference.models import BUILT_IN, Maker, resolve
from tasks.inference.plan import plan, shards
from tasks.inference.scenarios import scenario, with_rounds
from tasks.inference.shard import run_shard
from tasks.inference.workplace import Allowance, Outcome, Workplace
from tests.inference import toy
from warehouse.errors import UsageError
from warehouse.layout import Layout
from warehouse.reader import read

PROMPT = Prompt(messages=(Message(role="user", content="context\n\ntask"),), tokens=5)
RIGHT, WRONG, LATE = "int good;", "int bad;", "int late;"


def judged(code: str) -> Evaluation:
    """Static fails on WRONG, heuristic alone on LATE, nothing can be measured of `int lost;`."""
    found = {
        WRONG: [Check(layer="static", check="has_header", status=Status.FAIL, expected="gpio.h", saw="none"),
                Check(layer="compile", check="builds", status=Status.FAIL, saw="main.c:1: error: no"),
                Check(layer="runtime", check="secret_lamp", status=Status.FAIL, saw="dark")],
        LATE: [Check(layer="static", check="has_header", status=Status.PASS),
               Check(layer="heuristic", check="secret_order", status=Status.FAIL)],
        "int lost;": [Check(layer="compile", check="builds", status=Status.INFRA_ERROR, saw="no disk")],
    }.get(code, [Check(layer="static", check="has_header", status=Status.PASS)])  # fmt: skip

    class Grader:
        def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
            return found

    return evaluate(Grader(), toy.make(1), Reply(text=code, code=code), Bench())  # type: ignore[arg-type]


def talk(replies: Sequence[str], rounds: int | None = 4, **more: Any) -> tuple[Outcome, list[list[Message]]]:
    """Let a model give the replies in their order; return the outcome and every conversation that was sent."""
    sent: list[list[Message]] = []

    async def send(messages: Sequence[Message], tools: Any) -> Answer:
        sent.append(list(messages))
        return Answer(replies[len(sent) - 1], "stop", 10 * len(sent), 0, 7, 0.5, 1.0)

    place = Workplace(Allowance(rounds=rounds), send, judged, str.strip, **more)
    return asyncio.run(feed_back(PROMPT, place)), sent


def test_an_answer_that_holds_ends_it() -> None:
    outcome, sent = talk([RIGHT])
    assert (outcome.reply, len(sent), outcome.ending) == (RIGHT, 1, None)


def test_the_compiler_and_static_checks_are_told_and_nothing_of_the_hidden_layers() -> None:
    outcome, sent = talk([WRONG, RIGHT])
    assert outcome.reply == RIGHT
    told = sent[1][-1].content
    assert "static, has_header. Expected: gpio.h. Saw: none" in told
    assert "main.c:1: error: no" in told
    assert "secret" not in told
    assert talk([LATE])[0].reply == LATE, "what only a hidden layer sees is not told"


def test_the_whole_conversation_goes_on_context_included() -> None:
    _, sent = talk([WRONG, WRONG, RIGHT])
    assert [message.role for message in sent[2]] == ["user", "assistant", "user", "assistant", "user"]
    assert sent[2][0] == PROMPT.messages[0]
    assert sent[2][1].content == WRONG


def test_rounds_end_it_and_the_last_answer_counts() -> None:
    outcome, sent = talk([WRONG, WRONG, WRONG, WRONG, RIGHT])
    assert (len(sent), outcome.ending, outcome.reply) == (4, "rounds", WRONG)
    assert [turn.role for turn in outcome.turns] == ["assistant", "user"] * 3 + ["assistant"]
    assert [one.evaluation.status for one in outcome.submissions] == [Status.FAIL] * 4


def test_an_empty_reply_is_told_and_what_could_not_be_measured_is_not() -> None:
    assert "holds no code" in talk(["", RIGHT])[1][1][-1].content
    assert len(talk(["int lost;"])[1]) == 1


def test_a_built_in_solver_is_asked_once() -> None:
    assert len(talk([WRONG], solver=True)[1]) == 1


def test_rounds_are_part_of_the_name_unless_they_are_the_scenarios_own() -> None:
    assert with_rounds("feedback", None) == with_rounds("feedback", 3) == "feedback"
    assert with_rounds("feedback", 1) == "feedback@1"
    assert scenario("feedback@1").allowance.rounds == 2
    assert scenario("feedback").allowance.rounds == 4
    for wrong in ("feedback@0", "feedback@x", "generation@2"):
        with pytest.raises(UsageError, match="takes no"):
            scenario(wrong)
    with pytest.raises(UsageError, match="no scenario 'magic'"):
        scenario("magic@2")


class Stubborn(Solver):
    """Answers wrongly twice, then with the reference."""

    deterministic = False
    verbatim = False

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        self.asked = 0

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Any = ()) -> Answer:  # fmt: skip
        self.asked += 1
        text = sample.reference if len(messages) == 5 else "int f(void)\n{\n    return 99;\n}"
        return Answer(f"```c\n{text}\n```", "stop", 30 * self.asked, 10, 20, 0.25, 0.5)


def test_every_round_is_a_turn_and_all_tokens_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "stubborn", Maker("tests.inference.test_feedback", "Stubborn", False, "a model"))
    layout, samples, full = Layout(tmp_path), toy.samples(1), Config(name="full")
    planned = plan(toy.ToyTrack(), samples, ["stubborn"], [full], scenario="feedback", layout=layout)
    (shard,) = shards(planned)
    model = resolve("stubborn", layout=layout)
    run_shard(toy.ToyTrack(), samples, shard, model, {"full": full}, layout=layout, run_id="r", release="x",
              budget=Budget())  # fmt: skip
    (row,) = read(layout, "generations").to_pylist()
    assert (row["scenario"], row["error_kind"], row["code"]) == ("feedback", None, toy.body(0))
    assert (row["prompt_tokens"], row["completion_tokens"], row["cost_usd"]) == (30 + 60 + 90, 60, 0.75)
    assert json.loads(row["parameters"])["scenario"] == {"rounds": 4, "version": "1"}
    turns = sorted(read(layout, "turns").to_pylist(), key=lambda turn: turn["turn"])
    assert [turn["role"] for turn in turns] == ["assistant", "user", "assistant", "user", "assistant"]
    assert "static, equal" in turns[1]["content"]
    handed_in = sorted(read(layout, "submissions").to_pylist(), key=lambda one: one["submission"])
    assert [one["status"] for one in handed_in] == ["fail", "fail", "pass"]
