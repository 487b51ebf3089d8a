"""Shares of layers against Shapley's definition over all orders and subsets, and what a halted run may not claim."""

import math
from itertools import combinations, permutations

import numpy as np
import polars as pl
import pytest

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.stats.layer_ablation import Configuration, Plan, ablate_layers, seed_plan
from warehouse.writer import write_batch

ORDER = ("static", "compile", "runtime", "heuristic")


def failures(seed=1, units=120):
    """Return units × layers, True where a layer fails: bugs that several layers see."""
    random = np.random.default_rng(seed)
    bug = random.random(units) < 0.6
    return bug[:, None] & (random.random((units, 4)) < [0.3, 0.35, 0.5, 0.2])


def rows(failed, not_run=None):
    """Return units, layers, statuses and clusters as long columns."""
    units, layers = np.indices(failed.shape)
    words = np.where(failed, "fail", "pass").astype(object)
    if not_run is not None:
        words[not_run] = "not_run"
    return units.ravel(), [ORDER[at] for at in layers.ravel()], words.ravel().tolist(), (units // 4).ravel()


def built(failed):
    """What really happens: what does not build does not run."""
    return rows(failed, not_run=np.isin(np.indices(failed.shape)[1], [2]) & failed[:, [1]])


def halted(failed):
    return rows(failed, not_run=(np.cumsum(failed, axis=1) - failed) > 0)


def caught(failed, layers):
    return failed[:, [ORDER.index(layer) for layer in layers]].any(axis=1).mean() if layers else 0.0


def by_orders(failed, layer):
    """Shapley's value as defined: what a layer adds, over every order."""
    added = []
    for order in permutations(ORDER):
        before = order[: order.index(layer)]
        added.append(caught(failed, (*before, layer)) - caught(failed, before))
    return math.fsum(added) / len(added)


def by_subsets(failed, layer):
    others, total = [one for one in ORDER if one != layer], 0.0
    for size in range(len(others) + 1):
        weight = math.factorial(size) * math.factorial(len(others) - size) / math.factorial(len(ORDER))
        for subset in combinations(others, size):
            total += weight * (caught(failed, (*subset, layer)) - caught(failed, subset))
    return total


def test_shares_are_shapleys():
    failed = failures()
    found = ablate_layers(*rows(failed))
    assert [row.layer for row in found.layers] == list(ORDER)
    for row in found.layers:
        assert row.shapley.estimate == pytest.approx(by_orders(failed, row.layer), abs=1e-12)
        assert row.shapley.estimate == pytest.approx(by_subsets(failed, row.layer), abs=1e-12)
        assert row.fails.estimate == pytest.approx(caught(failed, [row.layer]))
        others = [one for one in ORDER if one != row.layer]
        assert row.alone.estimate == pytest.approx(caught(failed, ORDER) - caught(failed, others))
        before = ORDER[: ORDER.index(row.layer)]
        assert row.first.estimate == pytest.approx(caught(failed, (*before, row.layer)) - caught(failed, before))
        assert row.n == 120
        assert row.shapley.low < row.shapley.estimate < row.shapley.high
    everything = caught(failed, ORDER)
    for figure in ("shapley", "first"):
        assert math.fsum(getattr(row, figure).estimate for row in found.layers) == pytest.approx(everything)
    assert math.fsum(row.of_found.estimate for row in found.layers) == pytest.approx(1)
    first, last = found.layers[0], found.layers[3]
    assert first.first.estimate > first.shapley.estimate
    assert last.first.estimate < last.shapley.estimate


def test_the_seeds_five_configurations():
    failed = failures()
    found = {one.name: one for one in ablate_layers(*rows(failed)).configurations}
    assert list(found) == ["L0 only", "L0 + L3", "L0 + L1", "L0 + L1 + L3", "Full"]
    for one in found.values():
        assert one.pass_rate.estimate == pytest.approx(1 - caught(failed, one.layers))
        assert (one.n, one.n_missing, one.n_hidden, one.reason) == (120, 0, 0, None)
        assert one.pass_rate.clusters == 30
        if one.beside:
            lowered = caught(failed, found[one.beside].layers) - caught(failed, one.layers)
            assert one.added.difference.estimate == pytest.approx(lowered)
    assert found["L0 only"].added is None
    assert found["Full"].added.difference.high < 0


def test_what_does_not_build_does_not_run():
    """The share of a build that fails is divided between compile and runtime, as either would have found it."""
    failed = failures()
    found = ablate_layers(*built(failed))
    meant = failed.copy()
    meant[:, 2] |= meant[:, 1]
    assert (found.n_complete, found.reason) == (120, None)
    for row in found.layers:
        assert row.shapley.estimate == pytest.approx(by_orders(meant, row.layer), abs=1e-12)


def test_not_run_is_never_a_pass():
    """EmbedEval's fault: with every runtime skipped, its full configuration scores as the one without runtime."""
    failed = failures()
    skipped = np.indices(failed.shape)[1] == 2
    found = ablate_layers(*rows(failed, skipped))
    full = found.configurations[-1]
    assert (full.pass_rate, full.n, full.n_missing) == (None, 0, 120)
    assert "no unit has a result of all of static, compile, runtime, heuristic" in full.reason
    assert found.absent == ("runtime",)
    assert [row.layer for row in found.layers] == ["static", "compile", "heuristic"]
    assert found.configurations[3].pass_rate.estimate == pytest.approx(
        1 - caught(failed, ["static", "compile", "heuristic"])
    )


@pytest.mark.parametrize("status", ["not_run", "infra_error", None])
def test_a_platform_that_cannot_run_is_left_out_whole(status):
    """Also its units that static failed: counting those alone would make the rest look better than they are."""
    failed = failures(units=160)
    platform = np.arange(160) % 2
    columns = rows(failed, not_run=(np.indices(failed.shape)[1] == 2) & (platform[:, None] == 1))
    if status is None:
        keep = [word != "not_run" for word in columns[2]]
        columns = tuple([value for value, kept in zip(column, keep, strict=True) if kept] for column in columns)
    else:
        columns = (*columns[:2], [status if word == "not_run" else word for word in columns[2]], columns[3])
    found = ablate_layers(*columns, strata=[platform[unit] for unit in columns[0]])
    full = found.configurations[-1]
    assert (full.n, full.n_missing, full.n_hidden) == (80, 80, 0)
    assert full.pass_rate.estimate == pytest.approx(1 - caught(failed[platform == 0], ORDER))
    assert full.added.difference.n == 80
    assert (found.n_units, found.n_complete) == (160, 80)
    for row in found.layers:
        assert row.shapley.estimate == pytest.approx(by_orders(failed[platform == 0], row.layer))


def test_without_strata_an_absent_platform_reads_as_halting_and_is_refused():
    failed = failures(units=160)
    platform = np.arange(160) % 2
    found = ablate_layers(*rows(failed, not_run=(np.indices(failed.shape)[1] == 2) & (platform[:, None] == 1)))
    assert not found.layers
    assert "without halting" in found.reason


def test_a_halted_run_carries_its_own_order_and_no_shares():
    failed = failures()
    found = ablate_layers(*halted(failed))
    rates = {one.name: one for one in found.configurations}
    for name in ("L0 only", "L0 + L1", "Full"):
        assert rates[name].pass_rate.estimate == pytest.approx(1 - caught(failed, rates[name].layers))
    shown = rates["L0 + L3"]
    assert shown.pass_rate is None
    hidden = (~failed[:, 0] & failed[:, 1:3].any(axis=1)).sum()
    assert shown.n_hidden == hidden > 0
    assert "without halting" in shown.reason
    assert (found.layers, rates["Full"].added) == ((), None)
    assert str(int(((np.cumsum(failed, axis=1) - failed) > 0).any(axis=1).sum())) in found.reason


def test_timeouts_are_caught_and_nothing_failing_has_no_share():
    failed = np.zeros((20, 4), bool)
    columns = rows(failed)
    found = ablate_layers(*columns)
    assert [row.of_found for row in found.layers] == [None] * 4
    assert [row.shapley.estimate for row in found.layers] == [0] * 4
    words = list(columns[2])
    words[2] = "timeout"
    late = ablate_layers(columns[0], columns[1], words, columns[3])
    assert late.layers[2].fails.estimate == 1 / 20


def test_the_interval_of_a_share_holds_its_level():
    held = []
    for seed in range(200):
        random = np.random.default_rng(seed)
        easy = np.repeat(random.beta(3, 3, 40), 5)
        failed = random.random((200, 4)) < easy[:, None] * [0.5, 0.3, 0.4, 0.6]
        units, layers = np.indices(failed.shape)
        words = np.where(failed, "fail", "pass").ravel().tolist()
        row = ablate_layers(units.ravel(), [ORDER[at] for at in layers.ravel()], words, (units // 5).ravel()).layers[3]
        held.append((row.shapley, row.of_found))
    random = np.random.default_rng(99)
    easy = random.beta(3, 3, 400_000)
    failed = random.random((400_000, 4)) < easy[:, None] * [0.5, 0.3, 0.4, 0.6]
    even = failed[:, 3] / np.maximum(failed.sum(axis=1), 1)
    for at, truth in ((0, even.mean()), (1, even.mean() / failed.any(axis=1).mean())):
        assert 0.91 <= np.mean([pair[at].low <= truth <= pair[at].high for pair in held]) <= 0.985


def test_what_does_not_fit_is_refused():
    units, layers, words, clusters = rows(failures(units=8))
    with pytest.raises(WarehouseError, match="two rows of the layer 'static'"):
        ablate_layers([*units, 0], [*layers, "static"], [*words, "pass"], [*clusters, 0])
    with pytest.raises(WarehouseError, match="'maybe' at row 0"):
        ablate_layers(units, layers, ["maybe", *words[1:]], clusters)
    with pytest.raises(WarehouseError, match="in two clusters"):
        ablate_layers(units, layers, words, range(len(words)))
    with pytest.raises(WarehouseError, match="None of the layers"):
        ablate_layers([0, 1], ["similarity", "similarity"], ["pass", "pass"], [0, 1])
    plan = Plan(("static",), {}, (Configuration("odd", ("compile",)),))
    with pytest.raises(WarehouseError, match="configuration 'odd'"):
        ablate_layers(units, layers, words, clusters, plan=plan)


def test_the_plan_is_the_seeds():
    plan = seed_plan()
    assert plan.order == ORDER
    assert plan.needs["runtime"] == ("compile",)
    assert "mutation" not in plan.order


def test_the_view_reduces_checks_to_layers_as_a_verdict_does(tmp_path):
    """Over landed rows, with statuses changed: slow definition, then the ablation of the code track's one layer."""
    land = synthetic.samples(20)
    rows_ = synthetic.units(land, configs=("full",))
    for number, check in enumerate(rows_["checks"]):
        if number % 7 == 0:
            check["status"] = ("not_run", "infra_error", "timeout", "fail")[number // 7 % 4]
    layout = Layout(tmp_path)
    write_batch(layout, "corpora", synthetic.RELEASE, synthetic.corpus(land))
    write_batch(layout, "inference", "1", {"generations": rows_["generations"]})
    write_batch(layout, "grading", "1", {"evaluations": rows_["evaluations"], "checks": rows_["checks"]})
    view = pl.from_arrow(query(layout, "FROM layer_results"))
    slow = {}
    for check in rows_["checks"]:
        slow.setdefault((check["evaluation_id"], check["layer"]), []).append(check["status"])
    worst = ("fail", "timeout", "infra_error", "not_run", "pass")
    seen = {
        (row["evaluation_id"], row["layer"]): (row["status"], row["n_checks"], row["n_fail"])
        for row in view.iter_rows(named=True)
    }
    assert seen == {
        key: (next(status for status in worst if status in statuses), len(statuses), statuses.count("fail"))
        for key, statuses in slow.items()
    }
    assert len({status for status, _, _ in seen.values()}) == 5
    plan = Plan(("static",), {}, (Configuration("L0 only", ("static",)),))
    columns = (view[name] for name in ("evaluation_id", "layer", "status", "cluster"))
    found = ablate_layers(*columns, plan=plan)
    static = [status for (_, layer), (status, _, _) in seen.items() if layer == "static"]
    measured = [status for status in static if status not in ("infra_error", "not_run")]
    assert (found.n_units, found.n_complete) == (view["evaluation_id"].n_unique(), len(measured))
    assert found.configurations[0].pass_rate.estimate == pytest.approx(measured.count("pass") / len(measured))
