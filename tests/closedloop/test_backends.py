"""The table of back ends, the grading options, and sweeps."""

from dataclasses import replace

import pytest

from corpora.closedloop import backends, cortex_m, host_virtual
from corpora.closedloop.build import build
from corpora.closedloop.grade import grade, toolchain
from corpora.closedloop.model import TASKS, load
from corpora.closedloop.runs import Absent, swept_timings
from corpora.closedloop.verdicts import checks
from tasks.compute.environment import toolchain_digest
from tasks.contract import Bench, BuildInputs, Counted, Reply, Status
from tasks.grading.platform_backends import Tool
from warehouse.errors import UsageError


def sample_of(name):
    return next(one for one in build(BuildInputs(options={"tasks": [name]})) if not isinstance(one, Counted))


def test_digests_differ_by_back_end_and_by_sweep():
    choices = [{}, {"sweep": 8}, *({"backend": name} for name in backends.BACKENDS if name != backends.DEFAULT)]
    digests = [toolchain_digest(toolchain(options)) for options in choices]
    assert len(set(digests)) == len(choices)
    assert toolchain({})["gcc"].startswith("gcc")
    assert toolchain_digest(toolchain({"backend": backends.DEFAULT})) == digests[0]
    assert toolchain_digest() == toolchain_digest({})


def test_options_that_mean_nothing_are_refused():
    sample = sample_of(TASKS[0])
    for options, named in (({"backend": "arduino"}, "cortex_m"), ({"sweep": 51}, "1 to 50"), ({"sweep": "x"}, "'x'")):
        with pytest.raises(UsageError, match=named):
            grade(sample, Reply(text="x", code="x"), Bench(options=options))


def test_a_back_end_without_its_tools_is_not_run_and_says_what_to_install(sandbox, monkeypatch):
    tool = Tool("no-such-emulator", "install the package no-such-emulator")
    bare = replace(cortex_m.BACKEND, needs=(tool,), board=replace(cortex_m.BACKEND.board, name="bare"))
    monkeypatch.setitem(backends.BACKENDS, "bare", bare)
    with pytest.raises(Absent, match="no-such-emulator"):
        bare.run(load(TASKS[0]), "", sandbox)
    sample = sample_of(TASKS[0])
    found = grade(sample, Reply(text="x", code="x"), Bench(sandbox=sandbox, options={"backend": "bare"}))
    assert {one.status for one in found} == {Status.NOT_RUN}
    assert all(one.saw == f"bare: {tool.install}" for one in found)


def test_a_sweep_covers_the_phases_of_a_poll_without_and_with_jitter():
    timings = swept_timings(8)
    assert [one.phase_ms for one in timings[::2]] == [0, 6, 12, 18, 25, 31, 37, 43]
    assert [one.jitter_ms for one in timings[:4]] == [0, 40, 0, 40]
    assert len(set(swept_timings(50))) == 100
    assert swept_timings(0) == ()


def test_a_swept_grade_says_for_each_scenario_how_many_timings_pass(sandbox):
    sample = sample_of("tank_fill_drain")
    bench = Bench(sandbox=sandbox, options={"sweep": 4})
    found = {one.check: one for one in grade(sample, Reply(text="", code=sample.reference), bench)}
    assert found["happy_path/sweep"].saw == "8 of 8"
    assert found["everything"].saw == "12 of 12; 4 of 4 scenarios at every timing"
    assert {one.status for one in found.values()} == {Status.PASS}


def test_a_controller_that_is_right_at_one_phase_only_fails_the_sweep(sandbox):
    """It switches on in the first half of a tick, which at phase 0 is always."""
    task = load("tank_fill_drain")
    lucky = task.reference.replace("pump = true;", "pump = input->now_ms % 100 < 25 || input->now_ms % 100 == 50;")
    assert lucky != task.reference
    ran = host_virtual.run(task, lucky, sandbox, sweep=5)
    found = {one.check: one for one in checks(task, ran)}
    assert found["smoke/on_when_low"].status is Status.PASS
    check = found["smoke/sweep"]
    assert check.status is Status.FAIL
    assert 0 < (check.score or 0) < 1
    assert "jitter" in (check.saw or "")
    assert "smoke/on_when_low" in (check.saw or "")
    assert found["everything"].status is Status.FAIL
