"""The second set of scenarios: every kind of disturbance that it promises is there for every task."""

import pytest

from corpora.closedloop.model import ALL_TASKS, TASKS, load


def with_event(word):
    return lambda one, task: any(event.split()[0] == word for event in one.events)


KINDS = {
    "initial state": lambda one, task: one.init not in [published.init for published in task.scenarios()],
    "sensor noise": with_event("noise"),
    "dropped frames": with_event("drop"),
    "late frames": with_event("late"),
    "actuator lag": lambda one, task: one.lag > 0,
    "restart": with_event("restart"),
    "fault frame": lambda one, task: any("FAULT SENSOR_TIMEOUT" in event for event in one.events),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ALL_TASKS)
def test_every_kind_is_there_and_graded(name, kind):
    task = load(name)
    found = {one.name for one in task.scenarios(True) if one.held_out and KINDS[kind](one, task)}
    assert found, f"{name} has no held-out scenario with a {kind}"
    assert any(found & set(check.scenarios) for check in task.check)


@pytest.mark.parametrize("name", ALL_TASKS)
def test_it_is_off_by_default(name):
    task = load(name)
    published, every = task.scenarios(), task.scenarios(True)
    assert not any(one.held_out for one in published)
    assert [one for one in every if not one.held_out] == list(published)


@pytest.mark.parametrize("name", TASKS)
def test_no_scenario_of_the_paper_has_noise_late_frames_lag_a_restart_or_a_fault_frame(name):
    task = load(name)
    for kind in ("sensor noise", "late frames", "actuator lag", "restart", "fault frame"):
        assert not any(KINDS[kind](one, task) for one in task.scenarios())
