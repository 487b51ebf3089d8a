"""Identity, anti-join and cutting of units."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.contract import Config
from tasks.inference.answer import Unit
from tasks.inference.plan import Plan, Planned, plan, prompt_hash, shards
from tests.inference import toy
from warehouse.errors import UsageError
from warehouse.layout import Layout

FULL, NONE = Config(name="full"), Config(name="no_context", hidden=frozenset({"calls"}))


def test_a_plan_holds_every_unit_once_and_subtracts_what_is_done(tmp_path: Path) -> None:
    samples = toy.samples(7)
    asked = plan(toy.ToyTrack(), samples, ["reference", "empty"], [FULL, NONE], attempts=3, layout=Layout(tmp_path))
    assert asked.asked == 7 * 2 * 2 * 3
    assert asked.reused == 0
    assert asked.todo == asked.units
    assert len({planned.generation_id for planned in asked.units}) == asked.asked
    assert {planned.unit.attempt for planned in asked.units} == {1, 2, 3}
    done = {planned.generation_id for planned in asked.units[10:30]}
    rest = plan(toy.ToyTrack(), samples, ["reference", "empty"], [FULL, NONE], attempts=3, done=done,
                layout=Layout(tmp_path))  # fmt: skip
    assert rest.units == asked.units
    assert rest.todo == asked.units[:10] + asked.units[30:]
    assert rest.reused == 20


BASE = ("toy:1", "openai/a", "full", "generation", 1, "hash", {"temperature": 0.6})


@pytest.mark.parametrize(("position", "other"), [
    (0, "toy:2"), (1, "openai/b"), (2, "no_calls"), (3, "feedback"), (4, 2), (5, "other"), (6, {"temperature": 0.7}),
    (6, {"temperature": 0.6, "seed": 1}),
])  # fmt: skip
def test_each_part_of_the_key_changes_the_id(position: int, other: object) -> None:
    changed = tuple(other if place == position else part for place, part in enumerate(BASE))
    assert identity(*BASE) == identity(*BASE)
    assert identity(*changed) != identity(*BASE)


def identity(sample: str, model: str, config: str, scenario: str, attempt: int, prompted: str, sent: dict) -> str:
    return Unit(sample, model, config, scenario, attempt).generation_id(prompted, sent)


def test_parameters_prompt_and_reply_tokens_reach_the_id(tmp_path: Path) -> None:
    layout, samples = Layout(tmp_path), toy.samples(1)

    def first(config: Config = FULL, track: toy.ToyTrack | None = None, **parameters: object) -> str:
        made = plan(track or toy.ToyTrack(), samples, ["openai/m"], [config], parameters=parameters, layout=layout)
        return made.units[0].generation_id

    class Polite(toy.ToyTrack):
        def prompt(self, sample, config):  # type: ignore[no-untyped-def]
            prompt = super().prompt(sample, config)
            message = prompt.messages[0]
            return prompt.model_copy(
                update={"messages": (message.model_copy(update={"content": f"Please: {message.content}"}),)}
            )

    assert first() == first()
    assert first(Config(name="full", budget_tokens=1)) == first(), "a budget that changes no prompt is no change"
    assert first(timeout_s=5, concurrency=2, api_key="secret", api_base="http://h/v1") == first(), "how, not what"
    others = [first(temperature=0.7), first(top_p=None), first(seed=1), first(track=Polite()),
              first(Config(name="full", reply_tokens=99)), first(NONE)]  # fmt: skip
    assert len({first(), *others}) == 7


def test_the_prompt_hash_sees_roles_and_contents_and_not_estimates() -> None:
    prompt = toy.ToyTrack().prompt(toy.make(1), FULL)
    assert prompt_hash(prompt.model_copy(update={"tokens": 999, "cut": ()})) == prompt_hash(prompt)
    as_system = tuple(message.model_copy(update={"role": "system"}) for message in prompt.messages)
    assert prompt_hash(prompt.model_copy(update={"messages": as_system})) != prompt_hash(prompt)


SCRIPT = """
import json, sys
from pathlib import Path
from tasks.contract import Config
from tasks.inference.plan import plan, shards
from tests.inference import toy
from warehouse.layout import Layout
configs = [Config(name="full"), Config(name="no_context", hidden=frozenset({"calls", "types", "globals", "imports"}))]
made = plan(toy.ToyTrack(), toy.samples(60), ["openai/m", "stub"], configs, parameters={"seed": 3, "top_k": 5},
            layout=Layout(Path("nowhere")))
print(json.dumps([[u.generation_id for u in made.units], [[s.name, len(s.units)] for s in shards(made)]]))
"""


def test_a_new_process_with_another_hash_seed_plans_the_same() -> None:
    root = Path(__file__).resolve().parents[2]
    outputs = {
        subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, env={**os.environ, "PYTHONHASHSEED": seed},
                       capture_output=True, text=True, check=True).stdout
        for seed in ("0", "4242")
    }  # fmt: skip
    assert len(outputs) == 1
    ids, cut = json.loads(outputs.pop())
    assert len(set(ids)) == 60 * 2 * 2
    assert sum(count for _, count in cut) == len(ids)


@pytest.mark.parametrize("count", [0, 1, 24, 25, 49, 50, 51, 64, 65, 74, 75, 76, 99, 101, 128, 129, 1000, 4321])
@pytest.mark.parametrize("size", [25, 50, 64])
def test_shards_hold_25_to_64_units_of_one_model_and_every_unit_once(count: int, size: int) -> None:
    units = tuple(
        Planned(unit := Unit(f"toy:{number}", model, "full"), unit.generation_id("p", {}), "p")
        for model in ("a/x", "b/x")
        for number in range(count)
    )
    cut = shards(Plan(units, units), size)
    assert sorted(planned.generation_id for shard in cut for planned in shard.units) == sorted(
        planned.generation_id for planned in units
    )
    for shard in cut:
        assert {planned.unit.model for planned in shard.units} == {shard.model}
        assert min(count, 25) <= len(shard.units) <= 64
    assert len({shard.name for shard in cut}) == len(cut)
    assert shards(Plan(units[::-1], units[::-1]), size) == cut, "the order of the plan does not matter"


@pytest.mark.parametrize(("wrong", "says"), [
    ({"attempts": 0}, "at least one attempt"), ({"scenario": "magic"}, "scenarios are feedback, generation"),
    ({"models": ["gpt"]}, "There is no model 'gpt'"), ({"configs": [FULL, FULL]}, "Two configs are called 'full'"),
])  # fmt: skip
def test_wrong_requests_are_one_sentence(wrong: dict, says: str, tmp_path: Path) -> None:
    right = {"models": ["stub"], "configs": [FULL], "layout": Layout(tmp_path)}
    with pytest.raises(UsageError, match=says):
        plan(toy.ToyTrack(), toy.samples(1), **{**right, **wrong})


def test_a_shard_size_outside_the_bounds_is_refused() -> None:
    with pytest.raises(UsageError, match="25 to 64"):
        shards(Plan((), ()), 65)
