"""Verdicts do not depend on phase, jitter or load."""

import contextlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from corpora.closedloop import backends
from corpora.closedloop.model import ALL_TASKS, load
from corpora.closedloop.runs import Absent
from corpora.closedloop.verdicts import SWEEP, checks
from tasks.contract import Status
from tasks.sandbox import open_sandbox
from tasks.sandbox.engine import private_engine, why_not

VIRTUAL = ("host_virtual", "cortex_m")


@contextlib.contextmanager
def full_load():
    """Two busy processes a core."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def facts(task, ran):
    return [(one.check, one.status, one.saw) for one in checks(task, ran)]


def backend_or_skip(name, sandbox):
    try:
        backends.named(name).run(load(ALL_TASKS[0]), "", sandbox)
    except Absent as error:
        pytest.skip(str(error))
    return backends.named(name)


@pytest.mark.slow
@pytest.mark.parametrize("backend", VIRTUAL)
@pytest.mark.parametrize("name", ALL_TASKS)
def test_a_reference_has_one_verdict_over_eight_phases_and_jitter(name, backend, sandbox):
    task = load(name)
    ran = backend_or_skip(backend, sandbox).run(task, task.reference, sandbox, scenarios=task.scenarios(True), sweep=8)
    found = checks(task, ran)
    assert [f"{one.check}: {one.saw}" for one in found if one.status is not Status.PASS] == []
    swept = [one for one in found if one.check.endswith(f"/{SWEEP}")]
    assert len(swept) == len(task.scenario)
    assert {one.saw for one in swept} == {"16 of 16"}


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "runs"), [("host_virtual", 50), ("cortex_m", 12)])
def test_verdicts_and_traces_are_equal_under_full_load(backend, runs, sandbox):
    task = load("filter_tank_sequence")
    plays = backend_or_skip(backend, sandbox)
    wrong = next(one.text for one in task.mutants if one.name == "early_drain")
    for controller in (task.reference, wrong):
        quiet = plays.run(task, controller, sandbox)
        with full_load(), ThreadPoolExecutor(3) as pool:
            loaded = list(pool.map(lambda _, c=controller: plays.run(task, c, sandbox), range(runs)))
        assert all(one == quiet for one in loaded)
        assert all(facts(task, one) == facts(task, quiet) for one in loaded)
        assert all(trace.entries for trace in quiet.traces)


@pytest.mark.slow
@pytest.mark.parametrize("backend", VIRTUAL)
@pytest.mark.parametrize("kind", ["none", "docker"])
def test_another_sandbox_gives_the_same_traces(kind, backend, sandbox):
    task = load("settings_power_loss")
    plays = backend_or_skip(backend, sandbox)
    here = plays.run(task, task.reference, sandbox)
    with contextlib.ExitStack() as stack:
        if kind == "none":
            other = stack.enter_context(open_sandbox("none", trusted=True))
        elif (reason := why_not()) is not None:
            pytest.skip(reason)
        else:
            other = stack.enter_context(open_sandbox("docker", docker_host=stack.enter_context(private_engine())))
        assert plays.run(task, task.reference, other) == here
