"""Plants against definitions written out by hand, in Python and as the C harness plays them."""

import itertools

import pytest

from corpora.closedloop.host_virtual import run
from corpora.closedloop.model import ALL_TASKS, OWN_TASKS, TASKS, Seed, advance, load, seeded
from corpora.closedloop.runs import Timing
from corpora.closedloop.script import expand, script
from tasks.ids import pick
from warehouse.errors import CorpusError


def clamp(value, low, high):
    return max(low, min(high, value))


def tank(p, on):
    level = p["LEVEL"]
    if on["PUMP"]:
        level = clamp(level + 6, 0, 200)
    return {"LEVEL": clamp(level - 2, 0, 100)}


def thermal(p, on):
    drive = clamp(p["DRIVE"] + (1 if on["HEATER"] else -1), -1, 3)
    return {"TEMP": clamp(p["TEMP"] + drive, 0, 300), "DRIVE": drive}


def pressure(p, on):
    press = p["PRESS"]
    if on["COMPRESSOR"]:
        press = clamp(press + 4, 0, 200)
    if on["VENT"]:
        press = clamp(press - 6, 0, 200)
    return {"PRESS": clamp(press - 1, 0, 200), "DOOR": p["DOOR"]}


def mixing(p, on):
    level = clamp(p["LEVEL"] + 3, 0, 200) if on["INLET"] else p["LEVEL"]
    drive = clamp(p["DRIVE"] + (1 if on["HEATER"] else -1), -1, 3)
    return {"TEMP": clamp(p["TEMP"] + drive, 0, 300), "LEVEL": clamp(level - 1, 0, 100), "DRIVE": drive}


def filtering(p, on):
    turb = clamp(p["TURB"] - 8, 4, 100) if on["FILTER"] else p["TURB"]
    return {"LEVEL": clamp(p["LEVEL"] - 6, 0, 100) if on["DRAIN"] else p["LEVEL"], "TURB": turb}


def radio(p, on):
    after = p | {"BIT": int(on["SEQ"]), "HIT": 0}
    if on["SEND"] and not p["JAM"] and p["EXPECT"] == on["SEQ"]:
        after |= {"HIT": 1 + on["SEQ"], "ACK": int(on["SEQ"]), "EXPECT": int(not on["SEQ"])}
        after |= {"DELIVERED": min(p["DELIVERED"] + 1, 100), "QUEUE": max(p["QUEUE"] - 1, 0)}
    return after


def flash(p, on):
    slot, other = ("SLOT_B", "SLOT_A") if on["SLOT"] else ("SLOT_A", "SLOT_B")
    erasing = min(p["ERASING"] + 1, 3) if on["ERASE"] else 0
    writing = min(p["WRITING"] + 1, 5) if on["WRITE"] else 0
    after = p | {"SELECTED": int(on["SLOT"]), "ERASING": erasing, "WRITING": writing}
    if writing == 1:
        after["DIRTY"] = int(p[slot] > 0)
    if erasing:
        after[slot] = 0 if erasing == 3 else 1
    if 1 <= writing <= 3:
        after[slot] = 1
    if writing == 4 and not after["DIRTY"]:
        after |= {slot: 3, other: min(after[other], 2), "REQUEST": max(p["REQUEST"] - 1, 0)}
    return after | {"VALID": int(after["SLOT_A"] >= 2 or after["SLOT_B"] >= 2)}


SLOW = dict(zip(ALL_TASKS, (tank, thermal, pressure, mixing, filtering, radio, flash), strict=True))


@pytest.mark.parametrize("name", OWN_TASKS)
def test_a_plant_with_conditions_is_its_definition(name):
    """Actuators held for a while and then changed, from every mixture of small values."""
    task = load(name)
    names = [one.name for one in task.actuators]
    for start in range(300):
        values = {v: pick({"QUEUE": 5, "DELIVERED": 5, "REQUEST": 5, "SLOT_A": 4, "SLOT_B": 4}.get(v, 2), v, start)
                  for v in task.variables}  # fmt: skip
        slow = dict(values)
        for tick in range(24):
            on = {one: bool(pick(3, one, start, tick // 5)) for one in names}
            values, slow = advance(task, values, on), SLOW[name](slow, on)
            assert values == slow, (start, tick, on)


@pytest.mark.parametrize("name", TASKS)
def test_a_plant_is_its_definition(name):
    task = load(name)
    names = [one.name for one in task.actuators]
    for start in range(0, 101, 4):
        for bits in itertools.product((False, True), repeat=len(names)):
            on = dict(zip(names, bits, strict=True))
            values = {v: {"DOOR": start % 2, "DRIVE": start % 5 - 1}.get(v, max(start, 4)) for v in task.variables}
            slow = dict(values)
            for _ in range(12):
                values, slow = advance(task, values, on), SLOW[name](slow, on)
                assert values == slow


@pytest.mark.parametrize("name", ALL_TASKS)
def test_the_harness_plays_the_same_plant(name, sandbox):
    """Every tick of every scenario, with lag, follows from the one before by the definition."""
    task = load(name)
    for trace in run(task, task.reference, sandbox, scenarios=task.scenarios(True)).traces:
        lag, moved = trace.scenario.lag, 0
        idle = dict.fromkeys((one.name for one in task.actuators), False)
        sets = {int(event.split()[1]): event.split() for event in trace.scenario.events if event.startswith("set")}
        for index, (row, after) in enumerate(itertools.pairwise(trace.rows)):
            driven = trace.rows[index - lag].on if index >= lag else idle
            expected = SLOW[name](dict(row.plant), driven)
            if after.at_ms in sets:
                _, _, variable, value = sets[after.at_ms]
                expected[variable] = int(value)
            assert after.plant == expected, (trace.scenario.name, after.at_ms)
            moved += after.plant != row.plant
        assert len(trace.rows) == trace.scenario.steps + 1
        assert moved or name == "filter_tank_sequence"


def test_there_are_the_27_published_scenarios():
    table = {
        "tank_fill_drain": {"smoke": ([20], 8), "happy_path": ([20], 28), "sensor_timeout": ([20], 22),
                            "malformed_frame": ([20], 10)},
        "thermal_chamber_hysteresis": {"smoke": ([24], 8), "warmup_control": ([28], 24), "overshoot_guard": ([38], 18),
                                       "sensor_timeout": ([38], 18), "malformed_frame": ([45], 10)},
        "pressure_vessel_interlock": {"smoke": ([20], 6), "pressurize_control": ([18], 22),
                                      "relief_control": ([78], 12), "door_open_interlock": ([25], 18),
                                      "sensor_timeout": ([20], 18), "malformed_frame": ([44], 10)},
        "mixing_tank_fill_heat": {"smoke": ([25, 35], 8), "fill_then_heat": ([25, 35], 32),
                                  "low_level_guard": ([34, 50], 18), "anticipation_control": ([42, 66], 18),
                                  "sensor_timeout": ([42, 66], 18), "malformed_frame": ([44, 65], 10)},
        "filter_tank_sequence": {"smoke": ([82, 72], 8), "clarification_cycle": ([82, 72], 28),
                                 "settling_reset": ([52, 72], 32), "disturbance_recovery": ([60, 72], 36),
                                 "sensor_timeout": ([60, 72], 18), "malformed_frame": ([50, 72], 10)},
    }  # fmt: skip
    found = {
        name: {one.name: (list(one.init.values()), one.steps) for one in load(name).scenarios()} for name in TASKS
    }
    assert found == table
    assert sum(map(len, found.values())) == 27


def test_events_expand_to_one_line_a_tick():
    task = load("pressure_vessel_interlock")
    assert list(expand(task, "drop 100-300 DOOR")) == ["drop 100 1 0", "drop 200 1 0", "drop 300 1 0"]
    assert list(expand(task, "text 100 DOOR SENSE DOOR AJAR")) == ["text 100 1 SENSE DOOR AJAR"]
    assert list(expand(task, "set 300 DOOR 1")) == ["set 300 1 1"]
    assert list(expand(task, "restart 500")) == ["restart 500 0"]
    noise = [int(line.split()[-1]) for line in expand(task, "noise 0-3000 PRESS 2")]
    assert set(noise) == {-2, -1, 0, 1, 2}


def test_a_jittered_script_delays_every_frame_within_bounds():
    task = load("tank_fill_drain")
    late = [
        line.split()
        for line in script(task, task.scenarios(), [Timing(jitter_ms=40)]).split("\n")
        if line[:4] == "late"
    ]
    assert len(late) == sum(one.steps for one in task.scenarios())
    assert max(int(line[-1]) for line in late) <= 40
    assert len({line[-1] for line in late}) > 10


def test_unknown_tasks_and_seeds_that_do_not_fit_are_refused():
    with pytest.raises(CorpusError, match="tank_fill_drain"):
        load("kettle")
    with pytest.raises(CorpusError, match="2 times"):
        seeded("a a", Seed(name="x", find="a", replace="b"), "t")
