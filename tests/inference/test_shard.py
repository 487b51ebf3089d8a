"""Asking a shard: what becomes a row, what is asked again, what stops it."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tasks.contract import BaseSample, Config, Message
from tasks.inference.answer import Answer, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.models import BUILT_IN, Maker, Model, resolve
from tasks.inference.plan import Plan, done_ids, plan, shards
from tasks.inference.shard import ShardSummary, run_shard, totals, union_s
from tests.inference import toy
from warehouse.errors import ModelError, ProviderError
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.writer import batches

FULL = Config(name="full", reply_tokens=50)
NONE = Config(name="no_context", hidden=frozenset({"calls"}))


class Fake(Solver):
    """A model that replies what `script(sample, nth)` says; an exception is raised."""

    deterministic = False
    verbatim = False
    concurrency = 4
    script: Callable[[toy.ToySample, int], Any]

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        self.asked: dict[str, int] = {}
        self.flying = self.most = 0

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int) -> Answer:
        assert isinstance(sample, toy.ToySample)
        nth = self.asked[sample.sample_id] = self.asked.get(sample.sample_id, 0) + 1
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(0.001)
        self.flying -= 1
        said = type(self).script(sample, nth)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Answer) else Answer(said, "stop", 30, 10, 20, 0.01, 0.5)


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the scripted model known to `resolve` for the length of a test."""
    monkeypatch.setitem(BUILT_IN, "fake", Maker("tests.inference.test_shard", "Fake", False, "a scripted model"))


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[toy.ToySample, int], Any]], Fake]:
    def use(function: Callable[[toy.ToySample, int], Any]) -> Fake:
        monkeypatch.setattr(Fake, "script", staticmethod(function), raising=False)
        return Fake("fake", None, Layout(Path("nowhere")), {})

    return use


def run(layout: Layout, model: Model, count: int = 30, configs: Sequence[Config] = (FULL,),
        budget: Budget | None = None, attempts: int = 1) -> tuple[Plan, list[ShardSummary]]:  # fmt: skip
    samples = toy.samples(count)
    asked = plan(toy.ToyTrack(), samples, [model.name], configs, attempts=attempts, done=done_ids(layout),
                 layout=layout)  # fmt: skip
    named = {config.name: config for config in configs}
    return asked, [
        run_shard(toy.ToyTrack(), samples, shard, model, named, layout=layout, run_id="r1", release="toy-1",
                  budget=budget or Budget())
        for shard in shards(asked, size=25)
    ]  # fmt: skip


def rows(layout: Layout) -> list[dict[str, Any]]:
    return read(layout, "generations").to_pylist()


def test_a_row_holds_all_there_is_to_know(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: f"Here:\n```c\n{sample.reference}\n```")
    asked, (summary,) = run(layout, model, 1, [NONE])
    (row,) = rows(layout)
    sample = toy.make(0)
    created = row.pop("created_at")
    assert created.utcoffset().total_seconds() == 0
    assert json.loads(row.pop("messages")) == [
        {"role": "user", "content": f"[{sample.sample_id}|no_context] Write a C function that returns 0."}
    ]
    assert json.loads(row.pop("prompt_cut")) == [{"kind": "calls", "rank": 1, "name": "helper", "tokens": 9}]
    assert row == {
        "generation_id": asked.units[0].generation_id, "run_id": "r1", "track": "toy", "release": "toy-1",
        "sample_id": sample.sample_id, "model": "fake", "config": "no_context", "scenario": "generation",
        "attempt": 1, "prompt_hash": asked.units[0].prompt_hash, "parameters": "{}",
        "reply": f"Here:\n```c\n{sample.reference}\n```", "code": sample.reference, "code_rule": "fence",
        "finish_reason": "stop", "prompt_tokens": 30, "cached_tokens": 10, "completion_tokens": 20,
        "cost_usd": 0.01, "seconds_s": 0.5, "error_kind": None, "error": None, "carried_from": None,
    }  # fmt: skip
    assert read(layout, "turns").to_pylist() == [
        {"generation_id": asked.units[0].generation_id, "turn": 1, "role": "assistant", "tool": None,
         "content": row["reply"], "seconds_s": 0.5}
    ]  # fmt: skip
    assert (summary.answered, summary.errors, summary.unasked, summary.stopped) == (1, 0, 0, None)
    assert 0 < summary.model_s <= summary.wall_s


def test_a_shard_is_one_batch_with_requests_in_flight_up_to_the_bound(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: "x;")
    run(layout, model, 60)
    assert len(batches(layout, "inference")) == 2
    assert len(rows(layout)) == 60
    assert model.most == 4


def test_failures_and_empty_replies_are_rows_and_are_asked_again(layout: Layout, script: Any) -> None:
    def moody(sample: toy.ToySample, nth: int) -> Any:
        if nth > 1 or sample.number > 3:
            return "x;"
        return [ProviderError("busy", error_kind="rate_limit"), " \n", Answer("", "content_filter"),
                ProviderError("too long", error_kind="context_window")][sample.number]  # fmt: skip

    model = script(moody)
    _, (first,) = run(layout, model)
    kinds = {row["sample_id"]: row["error_kind"] for row in rows(layout)}
    assert [kinds[toy.make(number).sample_id] for number in range(5)] == [
        "rate_limit", "empty", "content_filter", "context_window", None,
    ]  # fmt: skip
    assert (first.answered, first.errors) == (26, 4)
    asked, (second,) = run(layout, model)
    assert asked.reused == 26
    assert (second.answered, second.errors) == (4, 0)
    assert max(model.asked.values()) == 2
    assert sum(model.asked.values()) == 34
    finished = [row["generation_id"] for row in rows(layout) if row["error_kind"] is None]
    assert len(finished) == len(set(finished)) == 30
    assert run(layout, model)[0].todo == ()


def test_a_shard_that_fails_as_a_whole_twice_loses_neither_record(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: ProviderError("down", error_kind="server"))
    run(layout, model)
    run(layout, model)
    assert len(rows(layout)) == 60
    assert done_ids(layout) == set()


def test_an_empty_answer_of_a_built_in_solver_is_final(layout: Layout) -> None:
    model = resolve("empty", layout=layout)
    run(layout, model)
    assert {(row["reply"], row["code"], row["error_kind"]) for row in rows(layout)} == {("", "", None)}
    assert run(layout, model)[0].todo == ()


def test_built_in_answers_are_taken_as_they_are(layout: Layout) -> None:
    for name, answer in (("reference", toy.make(4).reference), ("stub", toy.make(4).stub),
                         ("mutant", toy.body(5)), ("mutant:negated", toy.body(-4))):  # fmt: skip
        run(layout, resolve(name, layout=layout), 5)
        codes = {row["sample_id"]: row["code"] for row in rows(layout) if row["model"] == name}
        assert codes[toy.make(4).sample_id] == answer


def test_a_sample_without_the_mutant_says_so(layout: Layout) -> None:
    run(layout, resolve("mutant:nonesuch", layout=layout), 1)
    (row,) = rows(layout)
    assert row["error_kind"] == "other"
    assert "has no mutant nonesuch; it has off_by_one, negated." in row["error"]


def test_a_spent_budget_stops_asking_and_keeps_what_came(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: "x;")
    budget = Budget(max_tokens=500)
    _, (summary,) = run(layout, model, budget=budget)
    assert summary.stopped is not None
    assert "budget of 500 tokens is spent" in summary.stopped
    assert summary.answered == len(rows(layout)) == sum(model.asked.values())
    assert summary.unasked == 30 - summary.answered
    assert budget.spent_tokens == 50 * summary.answered
    assert budget.spent_tokens + 50 * 4 >= 500
    assert budget.spent_tokens <= 500 + 50 * 4
    asked, (rest,) = run(layout, model)
    assert asked.reused == summary.answered
    assert rest.answered == summary.unasked
    assert max(model.asked.values()) == 1


def test_a_refused_key_stops_the_shard(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: ProviderError("bad key.", error_kind="auth"))
    _, (summary,) = run(layout, model)
    assert summary.stopped is not None
    assert "Give a key that fake accepts" in summary.stopped
    assert sum(model.asked.values()) <= 2 * model.concurrency
    assert summary.unasked == 30 - sum(model.asked.values())


def test_a_crash_of_our_own_is_raised_and_what_came_before_it_is_kept(layout: Layout, script: Any) -> None:
    model = script(lambda sample, nth: "x;" if len(model.asked) < 10 else ZeroDivisionError("ours"))
    with pytest.raises(ZeroDivisionError):
        run(layout, model)
    kept = {row["sample_id"] for row in rows(layout)}
    assert len(kept) >= 5
    model = script(lambda sample, nth: "x;")
    run(layout, model)
    assert not kept & set(model.asked)
    assert len(rows(layout)) == 30


def test_a_prompt_that_changed_since_the_plan_is_refused(layout: Layout, script: Any) -> None:
    samples = toy.samples(1)
    asked = plan(toy.ToyTrack(), samples, ["fake"], [FULL], layout=layout)

    class Other(toy.ToyTrack):
        def prompt(self, sample, config):  # type: ignore[no-untyped-def]
            return super().prompt(sample, NONE)

    with pytest.raises(ModelError, match="not the one that was planned"):
        run_shard(Other(), samples, shards(asked)[0], script(lambda s, n: "x;"), {"full": FULL}, layout=layout,
                  run_id="r", release="t", budget=Budget())  # fmt: skip


def test_replay_answers_as_stored_and_reads_the_replies_anew(layout: Layout, script: Any, tmp_path: Path) -> None:
    asked, _ = run(layout, script(lambda sample, nth: f"```c\n{sample.reference}\n```"), 5, attempts=2)
    other = Layout(tmp_path / "other")
    model = resolve(f"replay:{layout.warehouse}", layout=other)
    replayed, (summary,) = run(other, model, 6, attempts=2)
    assert (summary.answered, summary.errors) == (10, 2)
    good = [row for row in rows(other) if row["error_kind"] is None]
    assert {row["code_rule"] for row in good} == {"fence"}
    assert {json.loads(row["parameters"])["replay_of"] for row in good} == {"fake"}
    assert not {unit.generation_id for unit in asked.units} & {unit.generation_id for unit in replayed.units}


@pytest.mark.parametrize(("spans", "seconds"), [
    ([], 0), ([(1, 3)], 2), ([(1, 3), (2, 5)], 4), ([(5, 6), (1, 2)], 2), ([(1, 9), (2, 3), (8, 10)], 9),
    ([(1, 2), (2, 3)], 2),
])  # fmt: skip
def test_time_covered_by_spans(spans: list[tuple[float, float]], seconds: float) -> None:
    assert union_s(spans) == seconds


def test_time_that_shards_share_counts_once_in_a_run(layout: Layout, script: Any) -> None:
    _, parts = run(layout, script(lambda sample, nth: "x;"), 60)
    whole = totals([*parts, *parts])
    assert whole["answered"] == 120
    assert whole["model_s"] == pytest.approx(sum(part.model_s for part in parts))
    assert all(part.model_s <= part.wall_s for part in parts)
