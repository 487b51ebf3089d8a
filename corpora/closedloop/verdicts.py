"""From a run to checks: layer `host` for the host tests, layer `simulation` for the scenarios."""

from corpora.closedloop.checks import judge
from corpora.closedloop.host_virtual import Run
from corpora.closedloop.model import Task
from corpora.closedloop.trace import Trace
from tasks.contract import Check, Status

HOST, SIMULATION = "host", "simulation"


def checks(task: Task, run: Run) -> list[Check]:
    """Return every fact, and the headline: the share of scenarios in which everything held."""
    if run.build is not None:
        return [Check(layer=HOST, check="builds", status=Status.FAIL, expected="compiles and links", saw=run.build)]
    found = [Check(layer=HOST, check="builds", status=Status.PASS, expected="compiles and links")]
    found += _host(task, run)
    shares = []
    for trace in run.traces:
        part = _scenario(task, run, trace)
        found += part
        shares.append(all(one.status is Status.PASS for one in part))
    share = sum(shares) / len(shares)
    if run.timed_out:
        status = Status.TIMEOUT
    else:
        status = Status.PASS if all(shares) and run.whole else Status.FAIL
    text = f"{sum(shares)} of {len(shares)} scenarios"
    headline = Check(
        layer=SIMULATION, check="scenarios", status=status, expected="every scenario", saw=text, score=share,
        headline=True,
    )  # fmt: skip
    return [*found, headline]


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
