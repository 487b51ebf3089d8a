"""What a task is: channels, an integer plant, requirements, scenarios and checks. Read from `plants/<task>/`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from corpora.closedloop.conditions import all_meet
from tasks.contract import Frozen, Mutant
from warehouse.errors import CorpusError

HERE = Path(__file__).parent
TICK_MS = 100
POLL_MS = 50
"""Of the plant, and of the firmware."""

TASKS = (
    "tank_fill_drain", "thermal_chamber_hysteresis", "pressure_vessel_interlock", "mixing_tank_fill_heat",
    "filter_tank_sequence",
)  # fmt: skip
"""The paper's ladder, easiest first."""

OWN_TASKS = ("radio_link_retransmission", "settings_power_loss")
"""Two of the kinds that the paper names as missing."""

ALL_TASKS = (*TASKS, *OWN_TASKS)

TIMING = (
    "Sensors are sampled every 100 ms and each reading comes as a line of its own, at most 40 ms later; the firmware "
    "must have reacted before the next sample. All of this holds from the start and again after every restart. The "
    "clock is a 32-bit number of milliseconds that wraps around. The firmware must keep running."
)
"""What holds for every task."""


class Sensor(Frozen):
    """A stream of readings of one plant variable; a door reads 1 for open."""

    name: str
    variable: str
    door: bool = False


class Actuator(Frozen):
    """Something switched by `ACT NAME ON`, with the words for both states and the safe one."""

    name: str
    on: str
    off: str
    safe: bool


class Rule(Frozen):
    """One line of the plant's difference equation: where `actuator` is as `wanted` (None: always) and each variable of
    `where` (at most three) meets its condition, `variable` grows by `add` and by the variable `source`, then is
    clamped; equal bounds assign. Rules apply in order, each seeing those before it."""

    variable: str
    actuator: str | None = None
    wanted: bool = True
    add: int = 0
    source: str | None = None
    low: int
    high: int
    where: dict[str, str] = {}


class Scenario(Frozen):
    """One run: where the plant starts (0 where not named), how many ticks of 100 ms, until when frames come, by how
    many ticks actuators lag, and what goes wrong (`script` has the words). `held_out` ones run on demand only."""

    name: str
    init: dict[str, int]
    steps: int
    last_frame_ms: int | None = None
    lag: int = 0
    events: tuple[str, ...] = ()
    held_out: bool = False


CheckKind = Literal[
    "react",
    "hold",
    "timeout",
    "pause",
    "malformed",
    "ceiling",
    "never",
    "reaches",
    "wait",
    "sequence",
    "complete",
    "transmissions",
    "acknowledged",
    "alarmed",
    "spares",
    "begins",
]


class Assertion(Frozen):
    """What a trace must show, and the requirements that say so; `checks` has the meaning of each kind."""

    name: str
    requirement: str
    also: tuple[str, ...] = ()
    kind: CheckKind
    scenarios: tuple[str, ...]
    when: dict[str, str] = {}
    unless: dict[str, str] = {}
    rising: str | None = None
    then: dict[str, bool] = {}
    hold: str = ""
    variable: str = ""
    reach: str = ""
    keep: str = ""
    sensor: str | None = None


class HostTest(Frozen):
    """Steps `MS LINE -> BITS`: the actuators, in order, after the controller has seen the line (`-`: a poll)."""

    name: str
    requirement: str
    steps: tuple[str, ...]


class Seed(Frozen):
    """A seeded bug: `find` occurs once in the reference controller and is replaced."""

    name: str
    find: str
    replace: str


class Task(Frozen):
    """One control problem with everything that states and grades it."""

    name: str
    tier: int
    intro: str
    sensors: tuple[Sensor, ...]
    actuators: tuple[Actuator, ...]
    variables: tuple[str, ...]
    rules: tuple[Rule, ...]
    requirements: dict[str, str]
    scenario: tuple[Scenario, ...]
    check: tuple[Assertion, ...]
    host: tuple[HostTest, ...]
    reference: str
    mutants: tuple[Mutant, ...]

    @property
    def brief(self) -> str:
        """The prose that an agent gets; every requirement is a sentence of it."""
        return f"{self.intro}\n\n" + "\n".join(self.requirements.values()) + f"\n\n{TIMING}\n"

    def scenarios(self, held_out: bool = False) -> tuple[Scenario, ...]:
        """Return the published scenarios, or with `held_out` all of them."""
        return tuple(one for one in self.scenario if held_out or not one.held_out)

    @property
    def channels(self) -> str:
        """The header `channels.h`: names and words of sensors and actuators."""
        sensors = "".join(f"SENSOR_{one.name}, " for one in self.sensors)
        actuators = "".join(f"ACTUATOR_{one.name}, " for one in self.actuators)
        read = ", ".join(f'{{"{one.name}", {str(one.door).lower()}}}' for one in self.sensors)
        words = ", ".join(f'{{"{one.name}", "{one.on}", "{one.off}"}}' for one in self.actuators)
        return (
            f"#ifndef CHANNELS_H\n#define CHANNELS_H\n\nenum {{ {sensors}SENSOR_COUNT }};\n"
            f"enum {{ {actuators}ACTUATOR_COUNT }};\n\n"
            f"#define SENSOR_TABLE {read}\n#define ACTUATOR_TABLE {words}\n\n#endif\n"
        )


@cache
def load(name: str) -> Task:
    """Return a task; raises CorpusError for an unknown one and for a seed that does not fit the reference."""
    if name not in ALL_TASKS:
        raise CorpusError(f"There is no closed-loop task {name!r}; the tasks are {', '.join(ALL_TASKS)}.")
    folder = HERE / "plants" / name
    table = tomllib.loads((folder / "task.toml").read_text())
    reference = (folder / "reference.c").read_text()
    seeds = tomllib.loads((folder / "mutants.toml").read_text())["mutants"]
    mutants = tuple(seeded(reference, Seed(**seed), name) for seed in seeds)
    return Task(name=name, reference=reference, mutants=mutants, **table)


def seeded(reference: str, seed: Seed, task: str) -> Mutant:
    """Return the reference with a seeded bug."""
    if reference.count(seed.find) != 1:
        raise CorpusError(f"The seed {seed.name!r} of {task} fits its reference {reference.count(seed.find)} times.")
    return Mutant(name=seed.name, text=reference.replace(seed.find, seed.replace))


def advance(task: Task, values: Mapping[str, int], on: Mapping[str, bool]) -> dict[str, int]:
    """Return the plant one tick later: the definition that the C harness is held against."""
    after = dict(values)
    for rule in task.rules:
        if (rule.actuator is None or on[rule.actuator] == rule.wanted) and all_meet(after, rule.where):
            total = after[rule.variable] + rule.add + (after[rule.source] if rule.source else 0)
            after[rule.variable] = min(max(total, rule.low), rule.high)
    return after
