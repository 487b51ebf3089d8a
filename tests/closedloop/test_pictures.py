"""A picture shows what was graded: the same scenarios, failing at the same moments, whenever it is drawn."""

import re

import pytest

from corpora.closedloop.build import sample_of
from corpora.closedloop.model import ALL_TASKS, load
from corpora.closedloop.pictures import thresholds, timelines
from tasks.contract import Bench, Status
from tasks.sandbox import Sandbox
from tests.closedloop.scripted import TANK, TRACK
from warehouse.errors import CorpusError
from warehouse.exports.timeline import Timeline


def drawn(code: str, sandbox: Sandbox, sample=TANK) -> list[Timeline]:  # type: ignore[no-untyped-def]
    return timelines(sample, code, Bench(sandbox=sandbox))


@pytest.mark.parametrize("name", ["band_follows_middle", "no_timeout", "malformed_ignored", "inverted"])
def test_the_marked_moments_are_those_of_the_failing_checks(name: str, sandbox: Sandbox) -> None:
    code = next(mutant.text for mutant in TANK.mutants if mutant.name == name)
    from tasks.contract import Reply

    graded = TRACK.grade(TANK, Reply(text=code, code=code), Bench(sandbox=sandbox))
    wanted = {
        (check.check.split("/")[0], int(re.match(r"at (\d+) ms", check.saw or "")[1]))  # type: ignore[index]
        for check in graded
        if check.status is Status.FAIL and "/" in check.check
    }
    pictures = drawn(code, sandbox)
    assert {(one.name, mark.at_ms) for one in pictures for mark in one.faults} == wanted
    assert wanted
    assert pictures == drawn(code, sandbox)


@pytest.mark.parametrize("name", ALL_TASKS)
def test_every_scenario_of_every_reference_is_drawn_without_a_fault(name: str, sandbox: Sandbox) -> None:
    task = load(name)
    sample = sample_of(task, held_out=False)
    pictures = drawn(sample.reference, sandbox, sample)
    assert [one.name for one in pictures] == [scenario.name for scenario in task.scenarios()]
    assert not any(one.faults for one in pictures)
    sensors = {sensor.variable for sensor in task.sensors}
    for one, scenario in zip(pictures, task.scenarios(), strict=True):
        assert one.until_ms == 100 * scenario.steps
        assert sensors <= {level.name for level in one.levels} | {switch.name for switch in one.switches}
        assert {actuator.name for actuator in task.actuators} <= {switch.name for switch in one.switches}
        for level in one.levels:
            assert level.values[0] == (0, scenario.init.get(level.name, 0))


def test_thresholds_are_the_numbers_of_the_brief(sandbox: Sandbox) -> None:
    assert thresholds(load("tank_fill_drain"), "LEVEL", "happy_path") == (20, 30, 80)
    assert thresholds(load("tank_fill_drain"), "LEVEL", "smoke") == (30, 80)
    assert thresholds(load("pressure_vessel_interlock"), "PRESS", "smoke") == (40, 60)
    assert thresholds(load("filter_tank_sequence"), "TURB", "smoke") == (30,)
    for name in ALL_TASKS:
        task = load(name)
        for level in {sensor.variable for sensor in task.sensors if not sensor.door}:
            for scenario in task.scenario:
                for value in thresholds(task, level, scenario.name):
                    assert re.search(rf"\b{value}\b", task.brief), (name, level, value)


def test_what_ends_early_says_where(sandbox: Sandbox) -> None:
    dies = TANK.reference.replace("output.on[", "if (input->now_ms > 450) *(volatile int *)0 = 1;\n    output.on[", 1)
    pictures = drawn(dies, sandbox)
    assert all(one.faults for one in pictures)
    assert all("the run ended" in one.faults[0].text and one.faults[0].at_ms >= 400 for one in pictures)


def test_what_does_not_build_or_is_of_another_contract_is_not_drawn(sandbox: Sandbox) -> None:
    assert drawn("no C", sandbox) == []
    with pytest.raises(CorpusError, match="has changed since this release"):
        drawn(TANK.reference, sandbox, TANK.model_copy(update={"contract": "0" * 16}))
