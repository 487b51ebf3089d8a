"""From a run to checks: layer `host` for the host tests, layer `simulation` for the scenarios."""

from collections.abc import Sequence

from corpora.closedloop.checks import judge
from corpora.closedloop.model import Task
from corpora.closedloop.runs import Run
from corpora.closedloop.trace import Trace
from tasks.contract import Check, Status

HOST, SIMULATION = "host", "simulation"
BUILDS = "compiles and links"
SWEEP = "sweep"
"""The check that says how a scenario fares at other phases of the poll and with late frames."""


def checks(task: Task, run: Run) -> list[Check]:
    """Return every fact and the headline, whose score is the share of host tests and scenarios that pass."""
    if run.build is not None:
        return nothing(run.build)
    found = [Check(layer=HOST, check="builds", status=Status.PASS, expected=BUILDS)]
    host = _host(task, run)
    scenarios = [_scenario(task, run, trace) for trace in run.traces]
    swept = [_sweep(task, run, index, part) for index, part in enumerate(scenarios)] if run.swept else []
    for part, check in zip(scenarios, swept, strict=False):
        part.append(check)
    groups = [[one] for one in host] + scenarios
    passed = sum(all(one.status is Status.PASS for one in group) for group in groups)
    status = Status.PASS if passed == len(groups) and run.whole else Status.FAIL
    status = Status.TIMEOUT if run.timed_out else status
    return [*found, *host, *(one for part in scenarios for one in part), _headline(passed, len(groups), status, swept)]


def _sweep(task: Task, run: Run, index: int, first: Sequence[Check]) -> Check:
    """Return at how many timings, the first included, a scenario passes, and what fails first."""
    others = [(timing, _scenario(task, run, traces[index])) for timing, traces in run.swept]
    wrong = [(timing, bad) for timing, part in others for bad in part if bad.status is not Status.PASS]
    of = 1 + len(others)
    passed = of - len({timing for timing, _ in wrong}) - any(one.status is not Status.PASS for one in first)
    note = f"{passed} of {of}"
    if wrong:
        timing, bad = wrong[0]
        note += f"; at {timing} {bad.check} saw {bad.saw}"
    statuses = {one.status for one in first} | {bad.status for _, bad in wrong}
    lost = Status.FAIL if Status.FAIL in statuses else Status.TIMEOUT
    return Check(
        layer=SIMULATION,
        check=f"{run.traces[index].scenario.name}/{SWEEP}",
        status=Status.PASS if passed == of else lost,
        expected=f"passes at each of {of} timings",
        saw=note,
        score=passed / of,
    )


def nothing(why: str) -> list[Check]:
    """Return the checks of a controller that does not build."""
    built = Check(layer=HOST, check="builds", status=Status.FAIL, expected=BUILDS, saw=why)
    return [built, _headline(0, 0, Status.FAIL)]


def _headline(passed: int, of: int, status: Status, swept: Sequence[Check] = ()) -> Check:
    saw = f"{passed} of {of}" if of else "nothing ran"
    if swept:
        stable = sum(one.status is Status.PASS for one in swept)
        saw += f"; {stable} of {len(swept)} scenarios at every timing"
    return Check(
        layer=SIMULATION,
        check="everything",
        status=status,
        expected="every host test and every scenario passes",
        saw=saw,
        score=passed / of if of else 0.0,
        headline=True,
    )


def _host(task: Task, run: Run) -> list[Check]:
    found = []
    for test, saw in zip(task.host, run.host, strict=True):
        expected = tuple(step.split(" -> ")[1] for step in test.steps)
        wrong = next((i for i, want in enumerate(expected) if i >= len(saw) or saw[i] != want), None)
        note = None
        if wrong is not None:
            got = saw[wrong][:40] if wrong < len(saw) else f"nothing ({run.host_ending})"
            note = f"{got} after {test.steps[wrong].split(' -> ')[0]!r}"
        found.append(
            Check(
                layer=HOST,
                check=test.name,
                status=Status.PASS if wrong is None else Status.FAIL,
                expected=task.requirements[test.requirement],
                saw=note,
            )
        )
    return found


def _scenario(task: Task, run: Run, trace: Trace) -> list[Check]:
    name = trace.scenario.name
    ran = trace.finished
    ending = run.loop_ending if trace.ending == "nothing" else trace.ending
    lost = Status.TIMEOUT if run.timed_out and trace.ending == "nothing" else Status.FAIL
    found = [
        Check(
            layer=SIMULATION,
            check=f"{name}/runs",
            status=Status.PASS if ran else lost,
            expected="the firmware runs to the end",
            saw=None if ran else ending,
        )
    ]
    if not ran:
        return found
    for one in task.check:
        if name not in one.scenarios:
            continue
        finding = judge(one, trace)
        found.append(
            Check(
                layer=SIMULATION,
                check=f"{name}/{one.name}",
                status=Status.PASS if finding.holds else Status.FAIL,
                expected=" ".join(task.requirements[key] for key in (one.requirement, *one.also)),
                saw=None if finding.holds else f"at {finding.at_ms} ms: {finding.saw}",
            )
        )
    return found
