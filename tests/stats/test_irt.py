"""Fits against the marginal likelihood written out, against derivatives by differences, and against known truth."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize

from warehouse.errors import WarehouseError
from warehouse.stats import irt_likelihood
from warehouse.stats.irt import LEAST_RESPONDENTS, fit_irt


def answers(seed, respondents, difficulties, slopes=1.0, spread=1.0):
    random = np.random.default_rng(seed)
    ability = spread * random.normal(size=respondents)
    chance = 1 / (1 + np.exp(-np.asarray(slopes) * (ability[:, None] - np.asarray(difficulties))))
    return (random.random(chance.shape) < chance).astype(float), ability


def long(matrix):
    """Return respondents, items and passes as long columns; NaN cells are no rows."""
    who, what = np.nonzero(~np.isnan(matrix))
    return [f"m{row:04}" for row in who], [f"i{item:04}" for item in what], matrix[who, what]


def difficulties_of(fit):
    return {row.item: row.difficulty.estimate for row in fit.items if row.difficulty is not None}


def slow_likelihood(theta, passed, seen):
    """The definition: per respondent, the integral over ability of the product over items."""
    items = passed.shape[1]
    slopes = theta[items:] if theta.size == 2 * items else np.full(items, theta[items])
    total = 0.0
    for row, there in zip(passed, seen, strict=True):

        def log_inside(z, row=row, there=there):
            out = -z * z / 2 - math.log(2 * math.pi) / 2
            for item in range(items):
                if there[item]:
                    chance = 1 / (1 + math.exp(-(slopes[item] * z - theta[item])))
                    out += math.log(chance if row[item] else 1 - chance)
            return out

        peak = max(np.linspace(-8, 8, 161), key=log_inside)
        top = log_inside(peak)
        area = [
            quad(lambda z: math.exp(log_inside(z) - top), *part, epsabs=1e-12, epsrel=1e-11, limit=200)[0]  # noqa: B023
            for part in ((-9, peak), (peak, 9))
        ]
        total += top + math.log(sum(area))
    return total


def with_holes(matrix, share, seed=5):
    return np.where(np.random.default_rng(seed).random(matrix.shape) < share, np.nan, matrix)


def pieces(seed=3, respondents=15, items=5, holes=0.2):
    matrix = with_holes(answers(seed, respondents, np.linspace(-1.5, 1.5, items))[0], holes)
    return np.nan_to_num(matrix), (~np.isnan(matrix)).astype(float)


@pytest.mark.parametrize("theta", [[-1, 0, 0.5, 1, 2, 0.7], [-1, 0, 0.5, 1, 2, 0.4, 1, 2, 4, -0.5]])
def test_the_likelihood_is_the_integral(theta):
    passed, seen = pieces()
    theta = np.array(theta, float)
    ours = irt_likelihood.evaluate(theta, passed, seen).value
    assert ours == pytest.approx(slow_likelihood(theta, passed, seen), abs=1e-7)


def test_the_nodes_are_close_enough_for_two_hundred_items():
    """A fixed 21-point Gauss–Hermite rule is too coarse for posteriors so narrow."""
    difficulties = np.random.default_rng(1).normal(size=200)
    passed, _ = answers(2, 4, difficulties)
    seen, theta = np.ones_like(passed), np.append(difficulties, 1.0)
    exact = slow_likelihood(theta, passed, seen)
    assert irt_likelihood.evaluate(theta, passed, seen).value == pytest.approx(exact, abs=1e-6)
    nodes, weights = np.polynomial.hermite_e.hermegauss(21)
    linear = nodes[:, None] - difficulties
    joint = np.exp(passed @ linear.T - np.logaddexp(0, linear).sum(axis=1)) @ (weights / weights.sum())
    assert abs(np.log(joint).sum() - exact) > 0.05


@pytest.mark.parametrize("per_item", [False, True])
def test_gradient_and_information_are_the_derivatives(per_item):
    passed, seen = pieces()
    theta = np.concatenate([[-1, 0.1, 0.5, 1, 2], [0.5, 1, 2, 0.8, -0.3] if per_item else [0.7]])
    step = 1e-4

    def value(at):
        return irt_likelihood.evaluate(at, passed, seen).value

    axes = np.eye(theta.size) * step
    slope = [(value(theta + axis) - value(theta - axis)) / (2 * step) for axis in axes]
    assert irt_likelihood.gradient(theta, passed, seen) == pytest.approx(slope, abs=1e-5)
    curved = [
        [
            (value(theta + a + b) - value(theta + a - b) - value(theta - a + b) + value(theta - a - b)) / (4 * step**2)
            for a in axes
        ]
        for b in axes
    ]
    assert irt_likelihood.information(theta, passed, seen) == pytest.approx(-np.array(curved), abs=1e-4)


@pytest.mark.parametrize("per_item", [False, True])
def test_the_maximum_is_the_one_a_plain_optimiser_finds(per_item):
    matrix, _ = answers(8, 120, [-1, 0, 0.4, 1.2], slopes=[0.8, 1.2, 1.6, 1.0] if per_item else 1.0)
    seen = np.ones_like(matrix)
    fit = irt_likelihood.maximise(matrix, seen, per_item)
    theta = np.concatenate([fit.intercepts, fit.slopes])
    nodes = np.linspace(-9, 9, 721)

    def minus(at):
        slopes = at[4:] if per_item else np.full(4, at[4])
        linear = np.outer(nodes, slopes) - at[:4]
        joint = matrix @ linear.T - np.logaddexp(0, linear).sum(axis=1) - nodes**2 / 2
        return -np.log(np.exp(joint).sum(axis=1) * 0.025 / math.sqrt(2 * math.pi)).sum()

    found = minimize(minus, np.concatenate([np.zeros(4), np.ones(theta.size - 4)]), method="BFGS")
    assert fit.converged
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-6)
    assert theta == pytest.approx(found.x, abs=2e-3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rasch_recovers_difficulties_from_200_respondents(seed):
    truth = np.random.default_rng(seed).normal(size=50)
    fit = fit_irt(*long(answers(seed + 10, 200, truth, spread=1.3)[0]))
    found = difficulties_of(fit)
    known = [truth[int(item[1:])] for item in found]
    assert np.corrcoef(known, list(found.values()))[0, 1] >= 0.97
    assert np.sqrt(np.mean((np.array(list(found.values())) - known) ** 2)) < 0.3
    assert fit.ability_sd.low < 1.3 < fit.ability_sd.high


def test_abilities_are_recovered_and_their_errors_hold():
    truth = np.random.default_rng(4).normal(size=60)
    matrix, ability = answers(14, 300, truth)
    found = fit_irt(*long(matrix)).respondents
    estimate, se = np.array([row.ability for row in found]), np.array([row.se for row in found])
    assert np.corrcoef(estimate, ability)[0, 1] > 0.93
    assert np.mean(np.abs(estimate - ability) < 1.96 * se) == pytest.approx(0.95, abs=0.04)
    assert [row.passes for row in found] == matrix.sum(axis=1).tolist()


def test_two_parameters_are_recovered_from_500_respondents():
    random = np.random.default_rng(6)
    truth, slopes = random.normal(size=25), np.exp(0.4 * random.normal(size=25))
    fit = fit_irt(*long(answers(16, 500, truth, slopes)[0]), model="2pl")
    told = [row for row in fit.items if row.difficulty is not None]
    index = [int(row.item[1:]) for row in told]
    assert len(told) >= 24
    assert np.corrcoef([row.difficulty.estimate for row in told], truth[index])[0, 1] > 0.97
    assert np.corrcoef([row.discrimination.estimate for row in told], slopes[index])[0, 1] > 0.85
    held = [row.discrimination.low < slopes[at] < row.discrimination.high for row, at in zip(told, index, strict=True)]
    assert np.mean(held) > 0.85


def coverage(respondents, items, runs, model="rasch", bimodal=False):
    held = []
    for run in range(runs):
        random = np.random.default_rng((respondents, items, run))
        truth = random.normal(size=items)
        slopes = np.exp(0.35 * random.normal(size=items)) if model == "2pl" else np.ones(items)
        ability = random.normal(size=respondents)
        if bimodal:
            ability = np.where(random.random(respondents) < 0.5, -0.9, 0.9) + 0.436 * ability
        matrix = (random.random((respondents, items)) < 1 / (1 + np.exp(-slopes * (ability[:, None] - truth)))) + 0.0
        for row in fit_irt(*long(matrix), model=model).items:
            for figure, true in ((row.difficulty, truth), (row.discrimination, slopes)):
                if figure is not None and figure.low is not None:
                    held.append(figure.low <= true[int(row.item[1:])] <= figure.high)
    return float(np.mean(held))


def test_intervals_of_twelve_respondents_hold_in_short():
    assert 0.93 <= coverage(LEAST_RESPONDENTS["rasch"], 40, 40) <= 0.98


@pytest.mark.slow
@pytest.mark.parametrize(
    ("respondents", "model", "bimodal"),
    [(12, "rasch", False), (12, "rasch", True), (30, "rasch", False), (100, "rasch", False), (100, "2pl", False)],
)
def test_intervals_hold_their_level(respondents, model, bimodal):
    assert 0.93 <= coverage(respondents, 30, 200 if model == "rasch" else 60, model, bimodal) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("respondents", "printed"), [(12, 0.80), (20, 0.87), (30, 0.91), (50, 0.94), (100, 0.97)])
def test_the_correlations_that_the_page_prints(respondents, printed):
    """docs/item-analysis.md: how well difficulties are known from so many respondents."""
    found = []
    for run in range(60):
        random = np.random.default_rng((respondents, run))
        truth = random.normal(size=50)
        fit = difficulties_of(fit_irt(*long(answers((respondents, run, 1), respondents, truth)[0])))
        found.append(np.corrcoef([truth[int(item[1:])] for item in fit], list(fit.values()))[0, 1])
    assert np.mean(found) == pytest.approx(printed, abs=0.02)


def test_missing_responses_do_not_shift_difficulties():
    """Weak respondents skip the hard items: pass rates mislead, the fit does not."""
    truth = np.linspace(-1.5, 1.5, 40)
    matrix, ability = answers(21, 400, truth)
    skipped = (ability[:, None] < 0) & (truth[None, :] > 0) & (np.random.default_rng(2).random(matrix.shape) < 0.8)
    holes = np.where(skipped, np.nan, matrix)
    full, part = (np.array(list(difficulties_of(fit_irt(*long(each))).values())) for each in (matrix, holes))
    assert np.abs(part - full).mean() < 0.12
    rate = np.nanmean(holes, axis=0) - matrix.mean(axis=0)
    assert rate[truth > 0].mean() > 0.08


def test_a_null_is_a_response_that_is_not_there():
    matrix = with_holes(answers(9, 30, np.linspace(-1, 1, 8))[0], 0.2)
    who, what = (grid.ravel() for grid in np.indices(matrix.shape))
    omitted = fit_irt(who, what, [None if math.isnan(cell) else cell for cell in matrix.ravel()], nulls="omit")
    absent = fit_irt(*long(matrix))
    assert omitted.n_null == int(np.isnan(matrix).sum()) > 0
    assert list(difficulties_of(omitted).values()) == list(difficulties_of(absent).values())
    with pytest.raises(WarehouseError, match="null"):
        fit_irt(who, what, matrix.ravel())


def test_rows_in_another_order_give_the_same_bits():
    who, what, passed = long(with_holes(answers(9, 30, np.linspace(-1, 1, 8))[0], 0.2))
    order = np.random.default_rng(1).permutation(len(who))
    again = fit_irt([who[at] for at in order], [what[at] for at in order], passed[order])
    assert again == fit_irt(who, what, passed)


@pytest.mark.parametrize(("model", "count"), [("rasch", 11), ("2pl", 99)])
def test_too_few_respondents_are_refused_by_number(model, count):
    matrix = answers(1, count + 1, np.linspace(-1, 1, 10))[0]
    with pytest.raises(WarehouseError, match=rf"takes {count + 1} respondents and there are {count}.*classical_items"):
        fit_irt(*long(matrix[:count]), model=model)
    assert fit_irt(*long(matrix), model=model).items


def test_a_respondent_with_nulls_alone_is_none():
    who, what, passed = long(answers(1, 12, np.linspace(-1, 1, 10))[0])
    passed = [None if person == "m0000" else one for person, one in zip(who, passed, strict=True)]
    with pytest.raises(WarehouseError, match="there are 11"):
        fit_irt(who, what, passed, nulls="omit")


def test_floor_and_ceiling_items_are_told_apart_and_have_no_part():
    matrix = answers(31, 40, np.linspace(-1, 1, 8))[0]
    wide = np.column_stack([matrix, np.zeros(40), np.ones(40)])
    fit, plain = fit_irt(*long(wide)), fit_irt(*long(matrix))
    assert (fit.floor, fit.ceiling) == (("i0008",), ("i0009",))
    assert [row.reason for row in fit.items[8:]] == ["nobody passed it", "everybody passed it"]
    assert difficulties_of(fit) == pytest.approx(difficulties_of(plain), abs=1e-9)
    assert fit.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)
    assert fit.parameters == 9


def test_repeats_are_refused_and_what_is_no_model():
    who, what, passed = long(answers(1, 12, np.linspace(-1, 1, 4))[0])
    with pytest.raises(WarehouseError, match="'m0000' answered 'i0000' 2 times; keep one attempt"):
        fit_irt([*who, who[0]], [*what, what[0]], [*passed, 1])
    with pytest.raises(WarehouseError, match="3pl"):
        fit_irt(who, what, passed, model="3pl")
    with pytest.raises(WarehouseError, match="Only 2 of 4 items"):
        fit_irt(*long(np.column_stack([answers(2, 20, [0.0, 0.5])[0], np.zeros(20), np.ones(20)])))
    with pytest.raises(WarehouseError, match="neither 0 nor 1"):
        fit_irt(who, what, passed / 2)


def test_respondents_that_differ_by_chance_alone_have_no_spread():
    """Each item passed by its own share, every total the same: less spread than chance."""
    matrix = np.array([[(row + item) % 3 == 0 for item in range(9)] for row in range(30)], float)
    fit = fit_irt(*long(matrix))
    assert fit.ability_sd.estimate == 0
    assert "chance" in fit.ability_sd.reason
    for row in fit.items:
        assert row.difficulty.estimate == pytest.approx(math.log((row.n - row.passes) / row.passes))
        assert row.difficulty.se == pytest.approx(math.sqrt(row.n / (row.passes * (row.n - row.passes))))


def test_a_broken_item_shows_as_backwards_and_a_random_one_has_no_difficulty():
    matrix, ability = answers(41, 300, np.linspace(-1, 1, 12), slopes=1.5)
    random = np.random.default_rng(4)
    backwards = random.random(300) < 1 / (1 + np.exp(1.5 * ability))
    coin = random.random(300) < 0.5
    fit = fit_irt(*long(np.column_stack([matrix, backwards, coin])), model="2pl")
    assert fit.items[12].discrimination.high < 0
    assert "backwards" in fit.items[12].reason
    assert fit.items[13].difficulty is None
    assert "not told from 0" in fit.items[13].reason
    assert all(row.discrimination.low > 0 for row in fit.items[:12])


def test_an_item_that_parts_respondents_cleanly_has_no_finite_discrimination():
    matrix, _ = answers(43, 150, np.linspace(-1, 1, 30), slopes=2.0)
    clean = matrix.sum(axis=1) > 15
    fit = fit_irt(*long(np.column_stack([matrix, clean])), model="2pl")
    assert fit.items[30].discrimination is None
    assert "no finite maximum" in fit.items[30].reason
    assert all(row.discrimination is not None and row.discrimination.se for row in fit.items[:30])


@pytest.mark.parametrize("per_item", [False, True])
def test_the_package_mirt_finds_the_same(per_item):
    mirt = pytest.importorskip("mirt", reason="the package mirt, an oracle, is not installed")
    random = np.random.default_rng(3)
    truth = random.normal(size=12)
    slopes = np.exp(0.4 * random.normal(size=12)) if per_item else 1.3
    matrix = answers(13, 300, truth, slopes)[0]
    tie = None if per_item else [("discrimination", list(range(12)))]
    oracle = mirt.fit_mirt(matrix.astype(int), model="2PL", n_quadpts=101, max_iter=5000, tol=1e-8, constraints=tie)
    fit = irt_likelihood.maximise(matrix, np.ones_like(matrix), per_item)
    assert fit.log_likelihood == pytest.approx(oracle.log_likelihood, abs=1e-4)
    slope = np.asarray(oracle.model.parameters["discrimination"])
    assert fit.slopes == pytest.approx(slope if per_item else slope[:1], abs=1e-3)
    difficulty = np.asarray(oracle.model.parameters["difficulty"])
    assert fit.intercepts / fit.slopes == pytest.approx(difficulty, abs=1e-3)
    if per_item:
        se = np.sqrt(np.diag(fit.covariance)[12:])
        assert se == pytest.approx(np.asarray(oracle.standard_errors["discrimination"]), rel=0.01)
