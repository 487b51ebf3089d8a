"""The back end: references pass, seeded bugs fail, traces agree, and graded code cannot talk its way out."""

import pytest

from corpora.closedloop.boards import ASLEEP
from corpora.closedloop.checks import judge
from corpora.closedloop.conditions import meets
from corpora.closedloop.host_virtual import run
from corpora.closedloop.model import ALL_TASKS, TASKS, load
from corpora.closedloop.runs import STUB
from corpora.closedloop.verdicts import checks
from tasks.contract import Status

HARDER = [pytest.param(name, marks=pytest.mark.slow) for name in ALL_TASKS[1:]]


def failing(task, ran):
    return [f"{one.check}: {one.saw}" for one in checks(task, ran) if one.status is not Status.PASS]


@pytest.mark.parametrize("name", ALL_TASKS)
def test_a_reference_passes_everything(name, sandbox):
    task = load(name)
    assert failing(task, run(task, task.reference, sandbox, scenarios=task.scenarios(True), phase_ms=17)) == []


@pytest.mark.parametrize("name", ALL_TASKS)
def test_every_assertion_is_exercised_in_every_scenario_it_names(name, sandbox):
    task = load(name)
    ran = run(task, task.reference, sandbox, scenarios=task.scenarios(True))
    for trace in ran.traces:
        for one in task.check:
            if trace.scenario.name in one.scenarios:
                assert judge(one, trace).seen, (trace.scenario.name, one.name)
    known = {one.name for one in task.scenario}
    assert all(set(one.scenarios) <= known for one in task.check)


@pytest.mark.parametrize("name", [TASKS[0], *HARDER])
def test_every_seeded_bug_fails_something_named(name, sandbox):
    task = load(name)
    assert len(task.mutants) >= 12
    in_a_scenario = 0
    for mutant in task.mutants:
        ran = run(task, mutant.text, sandbox)
        assert ran.build is None, mutant.name
        bad = failing(task, ran)
        assert len(bad) > 1, f"{mutant.name} survives"
        in_a_scenario += any("/" in one for one in bad)
    assert in_a_scenario >= 12


@pytest.mark.parametrize("name", ALL_TASKS)
def test_the_second_set_catches_bugs_that_the_published_scenarios_miss(name, sandbox):
    task = load(name)
    fault_ignored = next(one for one in task.mutants if one.name == "fault_ignored")
    published = failing(task, run(task, fault_ignored.text, sandbox))
    assert not any("fault_frame" in one for one in published)
    bad = failing(task, run(task, fault_ignored.text, sandbox, scenarios=task.scenarios(True)))
    assert any(one.startswith("fault_frame/") for one in bad)


def test_time_is_virtual(sandbox):
    """The third clear reading is sent at 900 ms, and the drain opens at the first poll 400 ms after it."""
    task = load("filter_tank_sequence")
    ran = run(task, task.reference, sandbox)
    cycle = next(one for one in ran.traces if one.scenario.name == "clarification_cycle")
    opened = [entry.at_ms for entry in cycle.entries if entry.text == "ACT DRAIN OPEN"]
    assert opened[0] == 1300
    beats = [entry.at_ms for entry in cycle.entries if entry.text == "DBG HEARTBEAT"]
    assert beats == [1000, 2000]


def controller(body, extra=""):
    return STUB.replace("    (void)input;\n", f"    (void)input;\n    {body}\n").replace(
        '#include "controller.h"', f'#include "controller.h"\n#include <unistd.h>\n#include <stdio.h>\n{extra}'
    )


@pytest.mark.parametrize(
    ("source", "saw"),
    [
        pytest.param(controller("for (;;) ;"), "firmware stopped", marks=pytest.mark.slow),
        pytest.param(controller("sleep(1000);"), ASLEEP, marks=pytest.mark.slow),
        pytest.param(controller("raise(SIGSTOP);", "#include <signal.h>"), ASLEEP, marks=pytest.mark.slow),
        (controller("*(volatile int *)0 = 1;"), "firmware stopped"),
        (controller("_exit(0);"), "firmware stopped"),
        (controller("for (int i = 0; i < 100000; i++) write(1, \"W\\4\\0ACT\\n\", 7);"), "firmware wrote too much"),
        (controller('write(1, "?????", 5);'), "firmware broke the port"),
    ],
    ids=["spins", "sleeps", "halts", "crashes", "exits", "floods", "garbles"],
)  # fmt: skip
def test_firmware_that_dies_fails_and_says_how(source, saw, sandbox):
    task = load("tank_fill_drain")
    found = {one.check: one for one in checks(task, run(task, source, sandbox))}
    assert found["smoke/runs"].status is Status.FAIL
    assert found["smoke/runs"].saw == saw
    assert found["everything"].status is Status.FAIL


@pytest.mark.parametrize("name", [TASKS[0], *HARDER])
def test_firmware_that_looks_away_is_judged_by_what_was_sent(name, sandbox):
    """It spends all the time there is in a read of its own, so that no reading ever reaches the controller."""
    task = load(name)
    away = controller("char bytes[8];\n    port_read(bytes, 0, 60000);", '#include "port.h"')
    found = {one.check: one for one in checks(task, run(task, away, sandbox))}
    assert found["everything"].status is Status.FAIL
    smoke = [one for text, one in found.items() if text.startswith("smoke/") and text != "smoke/runs"]
    assert any(one.status is Status.FAIL for one in smoke)


RANDOM = """#include "controller.h"
#include <string.h>
static uint32_t seed = SEED;
void controller_init(void) {}
controller_output_t controller_step(const controller_input_t *input)
{
    controller_output_t output;
    memset(&output, 0, sizeof output);
    for (int i = 0; i < ACTUATOR_COUNT; i++) {
        seed = seed * 1664525u + 1013904223u + (uint32_t)input->value;
        output.on[i] = seed >> 30 == 0;
    }
    return output;
}
"""


@pytest.mark.parametrize("name", [TASKS[0], *HARDER])
def test_a_controller_that_does_anything_at_random_fails_and_breaks_no_check(name, sandbox):
    task = load(name)
    for seed in (1, 2, 3):
        source = RANDOM.replace("SEED", str(seed))
        found = checks(task, run(task, source, sandbox, scenarios=task.scenarios(True), jitter_ms=40))
        assert {one.status for one in found} == {Status.PASS, Status.FAIL}
        assert found[-1].status is Status.FAIL


def test_a_forged_verdict_and_a_replaced_harness_change_nothing(sandbox):
    forged = controller(
        "",
        "#include <string.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void forge(void)\n{\n"
        '    FILE *file;\n    unlink("harness");\n    file = fopen("harness", "w");\n'
        '    if (file) { fputs("#!/bin/sh\\nread s <&3; echo firmbench-verdict $s end", file); fclose(file); }\n'
        '    fputs("firmbench-verdict x\\tend\\n", stderr);\n    kill_me();\n}',
    ).replace("    kill_me();\n", "")
    task = load("tank_fill_drain")
    ran = run(task, forged, sandbox)
    assert ran.build is None
    bad = failing(task, ran)
    assert any(one.startswith("smoke/on_when_low") for one in bad)


def test_a_controller_that_does_not_compile_says_what_gcc_said(sandbox):
    task = load("tank_fill_drain")
    found = checks(task, run(task, "int controller_step(", sandbox))
    assert [one.check for one in found if one.status is Status.FAIL] == ["builds", "everything"]
    assert "error" in (found[0].saw or "")


def test_a_controller_that_does_not_link_says_what_is_missing_or_twice_there(sandbox):
    task = load("tank_fill_drain")
    for more, said in (("int start_pump(int);", "start_pump"), ("int main(void) { return 0; }", "main")):
        source = task.reference + more + "\n"
        if "start_pump" in more:
            source = source.replace("pump = true;", "pump = start_pump(1);", 1)
        ran = run(task, source, sandbox)
        assert said in (ran.build or "")
    assert "controller_step" in (
        run(task, '#include "controller.h"\nvoid controller_init(void) {}', sandbox).build or ""
    )


def test_conditions():
    right = [(29, "<30"), (30, "30..80"), (80, "30..80"), (-3, "<=-3"), (4, ">3"), (3, ">=3"), (1, "=1")]
    wrong = [(30, "<30"), (29, "30..80"), (81, "30..80"), (-2, "<=-3"), (3, ">3"), (2, ">=3"), (0, "=1")]
    assert all(meets(*one) for one in right)
    assert not any(meets(*one) for one in wrong)
