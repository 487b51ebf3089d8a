"""A reply outlives a change of the checks: it is carried to the new sample, paid for once, and graded anew."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tasks.contract import BaseSample, Config, Message, Prompt
from tasks.inference.answer import Answer, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.carry import carry
from tasks.inference.models import BUILT_IN, Maker, resolve
from tasks.inference.plan import Plan, done_ids, plan, shards
from tasks.inference.shard import run_shard
from tests.inference import toy
from warehouse.database import query
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.writer import write_batch

FULL = Config(name="full")


class Question(BaseSample):
    track: ClassVar[str] = "toy"

    text: str
    check: str


class Asked(toy.ToyTrack):
    """A track that shows the text alone."""

    def prompt(self, sample: BaseSample, config: Config) -> Prompt:
        assert isinstance(sample, Question)
        return Prompt(messages=(Message(role="user", content=sample.text),), tokens=1)


class Paid(Solver):
    """A model that costs something."""

    deterministic = False
    verbatim = False

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Any = ()) -> Answer:  # fmt: skip
        return Answer(f"```c\nint {messages[0].content};\n```", "stop", 10, 0, 5, 0.5, 1.0)


@pytest.fixture(autouse=True)
def paid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "paid", Maker("tests.inference.test_carry", "Paid", False, "a model"))


def question(text: str, check: str, cluster: str | None = None) -> Question:
    return Question(category="x", cluster=cluster or text, reference="int a;", stub="", text=text, check=check)


def held(layout: Layout, *samples: Question) -> dict[str, BaseSample]:
    """Store the samples as a release does and return them."""
    rows = [
        {"sample_id": one.sample_id, "track": "toy", "release": samples[0].sample_id, "category": one.category,
         "cluster": one.cluster, "reference": one.reference}
        for one in samples
    ]  # fmt: skip
    write_batch(layout, "corpora", samples[0].sample_id.replace(":", "-"), {"samples": rows})
    return {one.sample_id: one for one in samples}


def planned(layout: Layout, samples: Mapping[str, BaseSample], model: str = "paid", **more: Any) -> Plan:
    return plan(Asked(), samples, [model], [FULL], done=done_ids(layout), layout=layout, **more)


def ask(layout: Layout, samples: Mapping[str, BaseSample], model: str = "paid") -> None:
    for shard in shards(planned(layout, samples, model, attempts=2)):
        run_shard(Asked(), samples, shard, resolve(model, layout=layout), {"full": FULL}, layout=layout, run_id="r1",
                  release="one", budget=Budget())  # fmt: skip


def carried(layout: Layout, plan: Plan, samples: Mapping[str, BaseSample], models: Sequence[str] = ("paid",)) -> int:
    return carry(layout, plan, samples, models, track="toy", release="two", run_id="r2")


def test_a_changed_check_asks_nothing_and_every_attempt_comes_along(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    ask(layout, held(layout, question("a", "1"), question("b", "1")))
    new = held(layout, question("a", "2"), question("c", "2"))
    todo = planned(layout, new, attempts=2)
    assert carried(layout, todo, new) == 2
    left = todo.without(done_ids(layout))
    assert [new[one.unit.sample_id].cluster for one in left.todo] == ["c", "c"]
    rows = {row["generation_id"]: row for row in read(layout, "generations").to_pylist()}
    moved = [row for row in rows.values() if row["carried_from"]]
    assert len(moved) == 2
    for row in moved:
        source = rows[row["carried_from"]]
        assert (row["code"], row["attempt"], row["prompt_tokens"]) == (source["code"], source["attempt"], 10)
        assert (row["release"], row["run_id"], row["cost_usd"], source["cost_usd"]) == ("two", "r2", 0.0, 0.5)
    turns = query(layout, "SELECT generation_id, content FROM turns").to_pylist()
    assert {row["generation_id"] for row in moved} <= {turn["generation_id"] for turn in turns}
    assert carried(layout, planned(layout, new, attempts=2), new) == 0, "what was carried is there"


@pytest.mark.parametrize(
    "new",
    [question("a", "2", cluster="elsewhere"), question("A", "2", cluster="a")],
    ids=["of another cluster", "another question"],
)
def test_another_question_gets_no_reply_of_this_one(tmp_path: Path, new: Question) -> None:
    layout = Layout(tmp_path)
    ask(layout, held(layout, question("a", "1")))
    samples = held(layout, new)
    assert carried(layout, planned(layout, samples), samples) == 0


def test_other_parameters_and_scenarios_that_grade_on_the_way_are_asked_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    ask(layout, held(layout, question("a", "1")))
    new = held(layout, question("a", "2"))
    assert carried(layout, planned(layout, new, scenario="feedback"), new) == 0
    other = plan(Asked(), new, ["paid"], [FULL.model_copy(update={"name": "full@9"})], layout=layout)
    assert carried(layout, other, new) == 0


def test_a_solver_that_answers_from_the_sample_is_asked_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    ask(layout, held(layout, question("a", "1")), "reference")
    new = held(layout, question("a", "2"))
    assert carried(layout, planned(layout, new, "reference"), new, models=()) == 0
