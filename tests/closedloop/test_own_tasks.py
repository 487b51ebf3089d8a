"""Our own two tasks: what their checks accept besides the reference, and what they are there to catch."""

from pathlib import Path

import pytest

from corpora.closedloop.checks import judge
from corpora.closedloop.host_virtual import run
from corpora.closedloop.model import OWN_TASKS, load
from corpora.closedloop.verdicts import checks
from tasks.contract import Status

ANSWERS = Path(__file__).with_name("right_answers")


def bad(task, ran):
    return [f"{one.check}: {one.saw}" for one in checks(task, ran) if one.status is not Status.PASS]


@pytest.mark.parametrize("name", OWN_TASKS)
def test_a_right_answer_of_another_kind_passes_at_every_phase(name, sandbox):
    task = load(name)
    source = (ANSWERS / f"{name}.c").read_text()
    ran = run(task, source, sandbox, scenarios=task.scenarios(True), sweep=5)
    assert bad(task, ran) == []


def found(name, seed, scenario, check, sandbox):
    """Return what a check finds in a scenario on a seeded bug."""
    task = load(name)
    source = next(one.text for one in task.mutants if one.name == seed)
    (trace,) = run(task, source, sandbox, scenarios=[one for one in task.scenario if one.name == scenario]).traces
    return judge(next(one for one in task.check if one.name == check), trace)


@pytest.mark.parametrize(
    ("seed", "scenario", "check", "saw"),
    [
        ("retry_too_soon", "link_down", "gives_up", "a transmission 400 ms after the one before"),
        ("no_retry", "link_down", "gives_up", "neither a transmission nor an alarm after transmission 1"),
        ("gives_up_after_three", "link_down", "gives_up", "an alarm at 1600 ms after transmission 3 at 1100 ms"),
        ("transmission_too_short", "link_down", "gives_up", "send on for 100 ms"),
        ("bit_never_toggles", "three_messages", "three_delivered", "DELIVERED was 1 at the end"),
        ("damaged_frame_ends_exchange", "damaged_frames", "damaged_frames_change_nothing", "ms"),
    ],
)
def test_the_link_says_what_was_wrong(seed, scenario, check, saw, sandbox):
    finding = found("radio_link_retransmission", seed, scenario, check, sandbox)
    assert not finding.holds
    assert saw in (finding.saw or "")


@pytest.mark.parametrize(
    ("seed", "scenario", "check", "saw"),
    [
        ("works_on_the_newest", "smoke", "always_a_setting", "VALID 0"),
        ("erases_old_settings_only", "damaged_slot", "begins_by_erasing", "WRITE=1"),
        ("never_erases", "store_one", "stored", "REQUEST was 1 at the end"),
        ("work_kept_through_safe_state", "malformed_frame", "stored", "REQUEST was 1 at the end"),
    ],
)
def test_the_store_says_what_was_wrong(seed, scenario, check, saw, sandbox):
    finding = found("settings_power_loss", seed, scenario, check, sandbox)
    assert not finding.holds
    assert saw in (finding.saw or "")


def test_a_power_loss_at_any_tick_leaves_a_setting_and_the_request_is_stored(sandbox):
    task = load("settings_power_loss")
    base = next(one for one in task.scenario if one.name == "store_one")
    cuts = [base.model_copy(update={"steps": 30, "events": (f"restart {at}",)}) for at in range(100, 1000, 100)]
    for trace in run(task, task.reference, sandbox, scenarios=cuts).traces:
        assert trace.finished
        assert all(row.plant["VALID"] == 1 for row in trace.rows), trace.scenario.events
        assert trace.rows[-1].plant["REQUEST"] == 0, trace.scenario.events
        assert trace.rows[-1].plant["SLOT_B"] == 3


def test_any_pattern_of_lost_packets_and_acknowledgements_delivers_every_message_once(sandbox):
    """As long as no four transmissions in a row are lost."""
    task = load("radio_link_retransmission")
    base = next(one for one in task.scenario if one.name == "three_messages")
    losses = [
        (*(f"set {at} JAM {int(at // 300 % 2 == jam)}" for at in range(0, 2400, 300)), f"drop {lost}-{lost + 600} ACK")
        for jam in (0, 1)
        for lost in (0, 400, 900)
    ]
    plays = [base.model_copy(update={"steps": 60, "events": (*events, "set 2400 JAM 0")}) for events in losses]
    for trace in run(task, task.reference, sandbox, scenarios=plays).traces:
        assert trace.rows[-1].plant["DELIVERED"] == 3, trace.scenario.events
        assert trace.rows[-1].plant["QUEUE"] == 0
        assert not trace.rows[-1].on["ALARM"]
