"""What a run asks for, minus what is there, cut into shards. Pure, but for reading which generations are done."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from tasks.contract import BaseSample, Config, Prompt, Track
from tasks.ids import digest
from tasks.inference.answer import Unit
from tasks.inference.models import resolve
from tasks.inference.scenarios import scenario as known_scenario
from warehouse.errors import UsageError
from warehouse.layout import Layout

__all__ = ["Plan", "Planned", "Shard", "Unit", "done_ids", "plan", "prompt_hash", "shards"]

SMALLEST, LARGEST = 25, 64


@dataclass(frozen=True, slots=True)
class Planned:
    """A unit with the identity of its reply and the hash of the prompt it was planned with."""

    unit: Unit
    generation_id: str
    prompt_hash: str


@dataclass(frozen=True)
class Plan:
    """Every unit asked for, and those of them that have no finished generation yet."""

    units: tuple[Planned, ...]
    todo: tuple[Planned, ...]

    @property
    def asked(self) -> int:
        """Units asked for."""
        return len(self.units)

    def without(self, done: AbstractSet[str]) -> "Plan":
        """Return the plan with what is in `done` taken from what is to do."""
        return Plan(self.units, tuple(planned for planned in self.todo if planned.generation_id not in done))

    @property
    def reused(self) -> int:
        """Units whose finished generation is there."""
        return len(self.units) - len(self.todo)


@dataclass(frozen=True, slots=True)
class Shard:
    """Units of one model that are asked together and land in one batch. `model` is `Model.name`."""

    name: str
    model: str
    units: tuple[Planned, ...]


def prompt_hash(prompt: Prompt) -> str:
    """Return the hash of the messages of a prompt; what the budget cut counts only through them."""
    return digest("prompt", [(message.role, message.content) for message in prompt.messages], length=24)


def plan(track: Track, samples: Mapping[str, BaseSample], models: Sequence[str], configs: Sequence[Config], *,
         scenario: str = "generation", attempts: int = 1, parameters: Mapping[str, Any] | None = None,
         done: AbstractSet[str] = frozenset(), layout: Layout | None = None,
         limits: Mapping[str, Any] | None = None) -> Plan:  # fmt: skip
    """Return all units of samples × models × configs × attempts, anti-joined against the generation ids in `done`.

    `models` are names as `models.resolve` takes them and `parameters` what it is given; every model is planned under
    every config, built-in solvers too. `limits` replace the scenario's own (`Scenario.within`). Order: model, config,
    sample id, attempt. Raises UsageError for a model or scenario that does not exist, attempts below 1, or two configs
    of one name.
    """
    working = known_scenario(scenario, track).within(limits or {})
    if attempts < 1:
        raise UsageError(f"A run needs at least one attempt a unit, not {attempts}.")
    if repeated := {config.name for config in configs if sum(other.name == config.name for other in configs) > 1}:
        raise UsageError(f"Two configs are called {min(repeated)!r}: give each its own name.")
    place = layout or Layout.default()
    resolved = {model.name: model for model in (resolve(name, layout=place, parameters=parameters) for name in models)}
    order = sorted(samples)
    hashes = {(s, c.name): prompt_hash(working.shown(track, samples[s], c)) for c in configs for s in order}
    units = []
    for model in resolved.values():
        for config in configs:
            for sample_id in order:
                prompted = hashes[sample_id, config.name]
                for attempt in range(1, attempts + 1):
                    unit = Unit(sample_id, model.name, config.name, scenario, attempt)
                    sent = working.sent(model.sent(unit, config.reply_tokens))
                    units.append(Planned(unit, unit.generation_id(prompted, sent), prompted))
    return Plan(tuple(units), tuple(planned for planned in units if planned.generation_id not in done))


def shards(plan: Plan, size: int = 50) -> list[Shard]:
    """Cut what is to do into shards of about `size` units (25 to 64) of one model each, by hash.

    A model's units are shared out evenly, so only a model with fewer than 25 units has a smaller shard.
    """
    if not SMALLEST <= size <= LARGEST:
        raise UsageError(f"A shard holds {SMALLEST} to {LARGEST} units, not {size}.")
    cut = []
    by_model = sorted(plan.todo, key=lambda planned: (planned.unit.model, planned.generation_id))
    for model, group in groupby(by_model, key=lambda planned: planned.unit.model):
        units = tuple(group)
        parts = max(1, -(-len(units) // LARGEST), min(round(len(units) / size), len(units) // SMALLEST))
        bounds = [len(units) * part // parts for part in range(parts + 1)]
        for low, high in pairwise(bounds):
            chosen = units[low:high]
            name = f"{_slug(model)}-{digest([planned.generation_id for planned in chosen], length=12)}"
            cut.append(Shard(name, model, chosen))
    return cut


def done_ids(layout: Layout) -> set[str]:
    """Return the ids of generations that are finished: those without an error."""
    from warehouse.reader import read

    table = read(layout, "generations", columns=["generation_id", "error_kind"])
    ids, kinds = (table.column(name).to_pylist() for name in ("generation_id", "error_kind"))
    return {generation for generation, kind in zip(ids, kinds, strict=True) if kind is None}


def _slug(name: str) -> str:
    """Return `name` as the start of a file name; two names may share one, the digest after it tells them apart."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-60:].lstrip("-._") or "model"
