"""Submissions of an imported campaign, graded again: in the sandbox, on our plants, beside their verdicts."""

import json
import re

import pytest

from corpora.closedloop import campaign_runs
from corpora.closedloop.campaign import Campaign
from corpora.closedloop.campaign_checks import campaign_task, checks, table
from corpora.closedloop.conditions import bounds
from corpora.closedloop.model import TASKS, advance
from flows.imported import grade_imported
from tasks.contract import Status
from tests.warehouse import campaign
from tests.warehouse.campaign import CONTROLLER_C, DEAF, HEADER, POLICY, SOURCE, STUB
from warehouse.errors import CorpusError, UsageError
from warehouse.importers.closed_loop_sources import joined

TANK = "tank_fill_drain"
FILES = {
    SOURCE: CONTROLLER_C, HEADER: campaign.CONTROLLER_H, "components/protocol/protocol.c": campaign.PROTOCOL_C,
    "components/protocol/include/protocol.h": campaign.PROTOCOL_H, "main/uart_transport.c": campaign.TRANSPORT_C,
}  # fmt: skip


def judged(sandbox, policy: str, scenarios: int = 4) -> dict[str, tuple[Status, str | None]]:
    sources = {**FILES, SOURCE: CONTROLLER_C.replace(STUB, policy)}
    task = campaign_task(TANK)
    run = campaign_runs.run(task, sources, sandbox, task.scenario[:scenarios])
    return {one.check: (one.status, one.saw) for one in checks(task, run)}


def failed(found: dict[str, tuple[Status, str | None]]) -> list[str]:
    return [name for name, (status, _) in found.items() if status is not Status.PASS]


def test_firmware_of_the_campaign_runs_in_lock_step(sandbox):
    found = judged(sandbox, POLICY)
    assert failed(found) == []
    assert found["everything"] == (Status.PASS, "4 of 4")


def test_a_wrong_controller_fails_the_scenario_that_shows_it(sandbox):
    deaf = judged(sandbox, DEAF)
    assert failed(deaf) == ["sensor_timeout/timeout", "everything"]
    assert deaf["sensor_timeout/timeout"][1] == "commanded safe never, PUMP=1 before"
    hasty = judged(sandbox, POLICY.replace("> 1000", "> 150"))
    assert hasty["sensor_timeout/timeout"][1] == "commanded safe never, PUMP=0 before"
    stuck = judged(sandbox, POLICY.replace("value > 80 ? 0", "value > 800 ? 0"))
    assert "happy_path/reaches" in failed(stuck)
    careless = judged(sandbox, POLICY.replace("kind == 2 || ", ""))
    assert failed(careless) == ["malformed_frame/safe", "everything"]


def test_the_plant_takes_its_rates_from_the_import(sandbox):
    rates = {"fill_delta": 3, "drain_delta": 2, "min_level": 0, "max_level": 100}
    task = campaign_task(TANK, rates)
    values = advance(task, {"LEVEL": 20}, {"PUMP": True})
    assert (values, advance(task, values, {"PUMP": False})) == ({"LEVEL": 21}, {"LEVEL": 19})
    sources = {**FILES, SOURCE: CONTROLLER_C.replace(STUB, POLICY)}
    slow = checks(task, campaign_runs.run(task, sources, sandbox, task.scenario))
    missed = {one.check: one.saw for one in slow if one.status is not Status.PASS}
    assert missed["happy_path/reaches"] == "never LEVEL>80 after what goes before"
    with pytest.raises(CorpusError, match="has no max_level; import the bundle in its repository"):
        campaign_task(TANK, {"fill_delta": 3, "drain_delta": 2, "min_level": 0})


@pytest.mark.parametrize("name", TASKS)
def test_every_word_for_a_rate_is_filled_in(name):
    words = dict.fromkeys(re.findall(r"[a-z][a-z0-9_]+_[a-z0-9_]+", json.dumps(table()[name]["rules"])), 3)
    task = campaign_task(name, words)
    assert {rule.variable for rule in task.rules} <= set(task.variables)
    assert all(isinstance(rule.add, int) and bounds(where) for rule in task.rules for where in rule.where.values())


def test_source_that_does_not_build_or_never_returns_fails(sandbox):
    assert failed(judged(sandbox, "    return missing;\n")) == ["builds", "everything"]
    spins = judged(sandbox, "    for (;;)\n        ;\n", scenarios=1)
    assert spins["smoke/runs"] == (Status.FAIL, "firmware stopped")


def test_nothing_of_ours_stands_in_for_a_file_that_the_import_lacks():
    lacking = {path: text for path, text in FILES.items() if path != "main/uart_transport.c"}
    assert campaign_runs.missing(lacking) == ["main/uart_transport.c"]
    assert campaign_runs.missing(FILES) == []
    assert joined(lacking).count("/* file: ") == 4


@pytest.mark.parametrize("name", TASKS)
def test_the_table_names_every_scenario_and_only_channels_of_the_task(name):
    task, own = campaign_task(name), table()[name]
    told = {one for one, goal in own.items() if isinstance(goal, dict) and one != "lowest"}
    assert {one.name for one in task.scenario} == told | {"smoke", "malformed_frame"}
    channels = {*task.variables, *(one.name for one in task.actuators)}
    goals = [own[one] for one in told]
    named = {key for goal in goals for part in (*goal["reach"], *goal.get("never", ())) for key in part}
    assert named <= channels
    assert task.host == ()


def test_only_an_imported_campaign_can_be_graded_so(tmp_path):
    with pytest.raises(UsageError, match="takes the track closedloop and a release imported:closed_loop:"):
        grade_imported.fn("code", "imported:inspect:1", data=str(tmp_path))
    with pytest.raises(UsageError, match="holds no source; import the bundle with its transcripts"):
        grade_imported.fn("closedloop", "imported:closed_loop:0", data=str(tmp_path))
    with pytest.raises(UsageError, match="graded in one way, without sweep"):
        Campaign().toolchain({"sweep": 8})
