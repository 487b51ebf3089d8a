"""What each layer of grading finds, over layers that really ran: pass rates by choice of layers, shares of the catch.

A layer that did not run is neither pass nor fail. Where it did not run because an earlier one had failed (a run that
halts), the units left are a selection, and what they cannot say is None with the reason. The share is Shapley's
(1953): what a layer adds, averaged over every order in which layers could be added. For detection, where one layer is
enough, that is each unit's catch divided evenly among the layers that catch it: exact over all subsets, and one number
a unit, so it has a clustered interval. The order-bound figure beside it gives each catch to the first layer alone.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warehouse.errors import WarehouseError
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.columns import Codes, Column, Floats, as_list, check_level, codes, same_length
from warehouse.stats.estimate import Estimate
from warehouse.stats.paired import Difference, paired_difference
from warehouse.stats.proportions import clustered_rate

CAUGHT = frozenset({"fail", "timeout", "no_submission"})
UNMEASURED = frozenset({"not_run", "infra_error"})


class State(IntEnum):
    """What is known of one layer on one unit; HIDDEN did not run because another layer had failed."""

    MISSING, HIDDEN, PASSED, FAILED = range(4)


class Configuration(NamedTuple):
    """A choice of layers, and the name of the configuration its rate is compared with."""

    name: str
    layers: tuple[str, ...]
    beside: str | None = None


class Plan(NamedTuple):
    """What is compared: layers in the order they run, what needs what, and the configurations."""

    order: tuple[str, ...]
    needs: Mapping[str, tuple[str, ...]]
    configurations: tuple[Configuration, ...]


@cache
def seed_plan() -> Plan:
    """Return EmbedEval's five configurations, from layer_ablation.toml."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return Plan(
        tuple(table["order"]),
        {layer: tuple(needed) for layer, needed in table["needs"].items()},
        tuple(Configuration(row["name"], tuple(row["layers"]), row.get("beside")) for row in table["configuration"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationRate:
    """The pass rate if only these layers graded.

    `n` units have a verdict of them, `n_missing` a layer that was not measured. `n_hidden` have one that did not run
    because a layer outside the configuration had failed: with any of those the rate would be that of a selection, and
    it is None. `added` is this rate less that of `beside`, over units with a verdict of both: how much what was added
    lowers it.
    """

    name: str
    layers: tuple[str, ...]
    n: int
    n_missing: int
    n_hidden: int
    pass_rate: Estimate | None
    beside: str | None
    added: Difference | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerShare:
    """What one layer finds among `n` units on which every layer has a result.

    `fails` is the share of units it fails, `alone` the share that no other layer fails, `first` what it adds in the
    order the layers run, `shapley` what it adds on average over all orders. `first` and `shapley` each sum over layers
    to the share of units that any layer fails; `of_found` is shapley over that share, None where nothing failed.
    """

    layer: str
    n: int
    fails: Estimate
    alone: Estimate
    first: Estimate
    shapley: Estimate
    of_found: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """Rates by configuration and shares by layer; `layers` is empty, with the `reason`, where shares would mislead.

    `n_units` counts all units, `absent` names layers that ran on none of them, and `n_complete` counts the units on
    which each other layer has a result.
    """

    configurations: tuple[ConfigurationRate, ...]
    layers: tuple[LayerShare, ...]
    n_units: int
    n_complete: int
    absent: tuple[str, ...]
    reason: str | None = None


def ablate_layers(units: Column, layers: Column, statuses: Column, clusters: Column, *, strata: Column | None = None,
                  plan: Plan | None = None, level: float = 0.95) -> Ablation:  # fmt: skip
    """Return pass rates under each configuration of layers, and each layer's share of what all of them find.

    One row a unit and layer: its status, and the cluster of the unit; a row that is not there is `not_run`. `strata`
    say where a layer can run at all, such as the platform: a layer that ran on some unit of a stratum and not on one
    that another layer failed is taken to be hidden by that failure. Without strata all units are one stratum. Layers
    outside the plan are left out. Raises WarehouseError for a plan that does not hold together, two rows of one unit
    and layer, a unit in two clusters or strata, an unknown status, and when none of the plan's layers is there.
    """
    check_level(level)
    plan = plan or seed_plan()
    _check(plan)
    unit, cluster = codes("units", units), codes("clusters", clusters)
    stratum = np.zeros(unit.size, np.int64) if strata is None else codes("strata", strata)
    names, words = as_list("layers", layers), as_list("statuses", statuses)
    same_length(units=unit, layers=np.empty(len(names)), statuses=np.empty(len(words)), clusters=cluster,
                strata=stratum)  # fmt: skip
    states = _states(unit, names, words, plan.order)
    group, platform = (_of_unit(name, unit, of) for name, of in (("clusters", cluster), ("strata", stratum)))
    absent = tuple(name for at, name in enumerate(plan.order) if (states[:, at] == State.MISSING).all())
    if len(absent) == len(plan.order):
        raise WarehouseError(f"None of the layers {', '.join(plan.order)} ran on any unit; are the names these?")
    _settle(states, platform, plan)
    present = [at for at, name in enumerate(plan.order) if name not in absent]
    complete = (states[:, present] >= State.PASSED).all(axis=1)
    hidden = int((states == State.HIDDEN).any(axis=1).sum())
    reason = None
    if hidden:
        reason = f"{hidden} units failed before every layer ran; grade without halting at the first failure"
    elif not complete.any():
        reason = f"no unit has a result of all of {', '.join(plan.order[at] for at in present)}"
    return Ablation(
        configurations=tuple(_rates(states, plan, group, level)),
        layers=() if reason else _shares(states[complete], [(at, plan.order[at]) for at in present], group[complete],
                                         level),
        n_units=states.shape[0],
        n_complete=int(complete.sum()),
        absent=absent,
        reason=reason,
    )  # fmt: skip


def _check(plan: Plan) -> None:
    names = {one.name for one in plan.configurations}
    for one in plan.configurations:
        strange = [layer for layer in one.layers if layer not in plan.order]
        if strange or not one.layers or (one.beside is not None and one.beside not in names):
            raise WarehouseError(
                f"The configuration {one.name!r} takes {', '.join(one.layers) or 'no layer'} and stands beside "
                f"{one.beside!r}; give it layers of {', '.join(plan.order)} and another configuration's name or none."
            )


def _states(unit: Codes, names: Sequence[Any], words: Sequence[Any], order: tuple[str, ...]) -> NDArray[np.int64]:
    column = {name: at for at, name in enumerate(order)}
    states = np.full((int(unit.max()) + 1, len(order)), State.MISSING, np.int64)
    given: set[tuple[int, str]] = set()
    for row, (one, name, word) in enumerate(zip(unit.tolist(), names, words, strict=True)):
        if word != "pass" and word not in CAUGHT and word not in UNMEASURED:
            known = ", ".join(sorted({"pass", *CAUGHT, *UNMEASURED}))
            raise WarehouseError(f"statuses is {word!r} at row {row}; a layer's status is one of {known}.")
        if (one, name) in given:
            raise WarehouseError(
                f"The unit of row {row} has two rows of the layer {name!r}; reduce its checks to one."
            )
        given.add((one, name))
        if name in column and word not in UNMEASURED:
            states[one, column[name]] = State.PASSED if word == "pass" else State.FAILED
    return states


def _of_unit(name: str, unit: Codes, of: Codes) -> Codes:
    out = np.zeros(int(unit.max()) + 1, np.int64)
    out[unit] = of
    if (out[unit] != of).any():
        row = int((out[unit] != of).argmax())
        raise WarehouseError(f"The unit of row {row} is in two {name}; a unit belongs to one.")
    return out


def _settle(states: NDArray[np.int64], stratum: Codes, plan: Plan) -> None:
    """Say why a layer has no result on a unit of a stratum where it can run: what it needs failed, or anything did."""
    ran = np.zeros((int(stratum.max()) + 1, states.shape[1]), np.bool_)
    np.logical_or.at(ran, stratum, states >= State.PASSED)
    can = ran[stratum]
    for at, layer in enumerate(plan.order):
        for needed in plan.needs.get(layer, ()):
            if needed in plan.order:
                broken = states[:, plan.order.index(needed)] == State.FAILED
                states[(states[:, at] == State.MISSING) & broken & can[:, at], at] = State.FAILED
    failed = (states == State.FAILED).any(axis=1)
    states[(states == State.MISSING) & failed[:, None] & can] = State.HIDDEN


class _Verdicts(NamedTuple):
    """1 and 0 where the layers of a configuration settle a unit; who is missing one, and who has one hidden."""

    passed: Floats
    missing: NDArray[np.bool_]
    hidden: NDArray[np.bool_]


def _verdicts(states: NDArray[np.int64], order: tuple[str, ...], layers: tuple[str, ...]) -> _Verdicts:
    """A failure settles a unit whatever it hides; a pass takes all layers, and a missing one leaves the unit out."""
    mine = states[:, [order.index(layer) for layer in layers]]
    missing, failed = (mine == State.MISSING).any(axis=1), (mine == State.FAILED).any(axis=1)
    hidden = ~missing & ~failed & (mine == State.HIDDEN).any(axis=1)
    passed = np.where(missing | hidden, np.nan, np.where(failed, 0.0, 1.0))
    return _Verdicts(passed, missing, hidden)


def _rates(states: NDArray[np.int64], plan: Plan, group: Codes, level: float) -> Iterator[ConfigurationRate]:
    found = {one.name: _verdicts(states, plan.order, one.layers) for one in plan.configurations}
    for one in plan.configurations:
        passed, missing, hidden = found[one.name]
        settled = ~np.isnan(passed)
        reason = None
        if hidden.any():
            reason = (
                f"{int(hidden.sum())} units failed in a layer outside it before all of it ran; grade without halting "
                "at the first failure"
            )
        elif not settled.any():
            reason = f"no unit has a result of all of {', '.join(one.layers)}"
        added = None
        if one.beside is not None and reason is None and not found[one.beside].hidden.any():
            before = found[one.beside].passed
            both = settled & ~np.isnan(before)
            if both.any():
                added = paired_difference(passed[both], before[both], group[both], level=level)
        yield ConfigurationRate(
            name=one.name, layers=one.layers, n=int(settled.sum()), n_missing=int(missing.sum()),
            n_hidden=int(hidden.sum()), beside=one.beside, added=added, reason=reason,
            pass_rate=None if reason else clustered_rate(passed[settled], group[settled], level=level),
        )  # fmt: skip


def _shares(states: NDArray[np.int64], layers: Sequence[tuple[int, str]], group: Codes,
            level: float) -> tuple[LayerShare, ...]:  # fmt: skip
    failed = states[:, [at for at, _ in layers]] == State.FAILED
    catches = failed.sum(axis=1)
    found = catches > 0
    before = np.cumsum(failed, axis=1) - failed
    out = []
    for at, (_, name) in enumerate(layers):
        mine = failed[:, at]
        even = mine / np.maximum(catches, 1)
        out.append(
            LayerShare(
                layer=name,
                n=mine.size,
                fails=clustered_rate(mine, group, level=level),
                alone=clustered_rate(mine & (catches == 1), group, level=level),
                first=clustered_rate(mine & (before[:, at] == 0), group, level=level),
                shapley=clustered_mean(even, group, level=level),
                of_found=_ratio(even, found.astype(np.float64), group, level) if found.any() else None,
            )
        )
    return tuple(out)


def _ratio(part: Floats, whole: Floats, group: Codes, level: float) -> Estimate:
    """Return Σ part / Σ whole with the clustered interval of its linearisation."""
    ratio, size = float(part.sum() / whole.sum()), float(whole.mean())
    linear = clustered_mean((part - ratio * whole) / size + ratio, group, level=level)
    return replace(linear, estimate=ratio, method=f"ratio of means, {linear.method}")
