"""Items' plain figures against slow definitions, and declared difficulty against seen."""

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, pointbiserialr

from tests.stats import published
from warehouse.errors import WarehouseError
from warehouse.stats.classical_items import classical_items, label_agreement, rate_label


def long(matrix):
    who, what = np.nonzero(~np.isnan(matrix))
    return who, what, matrix[who, what]


def responses(seed=1, respondents=12, items=9):
    random = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-(random.normal(size=respondents)[:, None] - random.normal(size=items))))
    return (random.random(chance.shape) < chance).astype(float)


def test_with_nothing_missing_it_is_the_textbook_point_biserial():
    matrix = responses()
    for at, row in enumerate(classical_items(*long(matrix))):
        rest = np.delete(matrix, at, axis=1).sum(axis=1)
        if 0 < row.passes < row.n:
            assert row.item_rest == pytest.approx(pointbiserialr(matrix[:, at], rest)[0], abs=1e-12)
            assert row.item_rest_low < row.item_rest < row.item_rest_high
        assert row.one_minus_pass_rate == pytest.approx(1 - matrix[:, at].mean())
        assert row.sd_of_rates == pytest.approx(matrix[:, at].std())
        assert (row.n, row.respondents, row.passes) == (12, 12, matrix[:, at].sum())


def test_an_item_is_not_correlated_with_itself():
    """Without the correction pure noise correlates with the total it is part of."""
    matrix = (np.random.default_rng(3).random((400, 5)) < 0.5).astype(float)
    for at, row in enumerate(classical_items(*long(matrix))):
        assert abs(row.item_rest) < 0.12
        assert np.corrcoef(matrix[:, at], matrix.sum(axis=1))[0, 1] > 0.35


def test_who_was_asked_harder_items_is_not_taken_for_weaker():
    """Every other respondent saw the hard items: by plain means over what each answered, they look weak."""
    random = np.random.default_rng(11)
    ability = random.normal(size=600)
    difficulty = np.repeat([-1.5, 1.5, 0.0], [10, 10, 1])
    matrix = (random.random((600, 21)) < 1 / (1 + np.exp(-(ability[:, None] - difficulty)))).astype(float)
    full = classical_items(*long(matrix))[20].item_rest
    holes = matrix.copy()
    holes[::2, :10] = np.nan
    holes[1::2, 10:20] = np.nan
    part = classical_items(*long(holes))[20].item_rest
    plain = np.corrcoef(holes[:, 20], np.nanmean(holes[:, :20], axis=1))[0, 1]
    assert part == pytest.approx(full, abs=0.08)
    assert plain < part - 0.08


def test_repeats_are_averaged_within_a_respondent():
    matrix = np.stack([responses(seed, 8, 6) for seed in (1, 2, 3)])
    who, what = np.indices(matrix.shape)[1:]
    rates = matrix.mean(axis=0)
    for at, row in enumerate(classical_items(who.ravel(), what.ravel(), matrix.ravel())):
        rest = np.delete(rates, at, axis=1).mean(axis=1)
        assert row.item_rest == pytest.approx(np.corrcoef(rates[:, at], rest)[0, 1], abs=1e-12)
        assert (row.n, row.respondents) == (24, 8)
        assert row.pass_rate.clusters == 8


def test_intervals_of_the_item_rest_correlation_hold_their_level():
    random = np.random.default_rng(5)

    def one(respondents):
        ability = random.normal(size=respondents)
        chance = 1 / (1 + np.exp(-(1.5 * ability[:, None] - np.linspace(-1, 1, 7))))
        return classical_items(*long((random.random(chance.shape) < chance).astype(float)))[3]

    truth = np.mean([one(4000).item_rest for _ in range(5)])
    held = [row.item_rest_low <= truth <= row.item_rest_high for row in (one(40) for _ in range(300))]
    assert 0.91 <= np.mean(held) <= 0.98


def test_what_rows_cannot_carry_is_null_with_a_reason():
    figures = classical_items(
        ["a", "b", "c", "a", "b", "c", "a", "b", "a"], list("xxxyyyzzw"), [1, 1, 1, 0, 0, 0, 1, 0, None], nulls="omit"
    )
    by_item = {row.item: row for row in figures}
    assert (by_item["x"].extreme, by_item["y"].extreme, by_item["z"].extreme) == ("ceiling", "floor", None)
    assert "all respondents have one rate" in by_item["x"].reason
    assert "2 respondents carry no correlation" in by_item["z"].reason
    assert (by_item["w"].n, by_item["w"].n_null, by_item["w"].pass_rate) == (0, 1, None)
    assert "no attempt" in by_item["w"].reason
    alike = classical_items([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1])
    assert "do not differ on the other items" in alike[0].reason
    assert classical_items([0, 1, 2], ["only"] * 3, [1, 0, 1])[0].item_rest is None


def test_nulls_and_lengths_are_refused():
    with pytest.raises(WarehouseError, match="null"):
        classical_items(["a"], ["x"], [None])
    with pytest.raises(WarehouseError, match="one length"):
        classical_items(["a", "b"], ["x"], [1])


@pytest.mark.parametrize(("rate", "label"), [(1, "easy"), (0.8, "medium"), (0.4, "medium"), (0.39, "hard")])
def test_the_seeds_thresholds(rate, label):
    assert rate_label(rate) == label


def slow_pairs(difficulty, rank):
    right = wrong = pairs = 0
    for one in range(len(rank)):
        for other in range(one):
            if rank[one] != rank[other]:
                pairs += 1
                order = (difficulty[one] - difficulty[other]) * (rank[one] - rank[other])
                right, wrong = right + (order > 0), wrong + (order < 0)
    return right, wrong, pairs


LABELS = ("easy", "medium", "hard")


def test_agreement_is_kendalls_tau_b_over_pairs():
    random = np.random.default_rng(7)
    rank = random.integers(0, 3, 60)
    difficulty = np.round((rank + 1.5 * random.normal(size=60)) * 3) / 10
    found = label_agreement(difficulty, [LABELS[at] for at in rank])
    assert found.rank_correlation.estimate == pytest.approx(kendalltau(difficulty, rank).statistic, abs=1e-12)
    assert (found.right, found.wrong, found.pairs) == slow_pairs(difficulty, rank)
    left = [kendalltau(np.delete(difficulty, at), np.delete(rank, at)).statistic for at in range(60)]
    assert found.rank_correlation.se == pytest.approx(math.sqrt(59 * np.var(left)), abs=1e-12)
    assert [row.n for row in found.by_label] == np.bincount(rank).tolist()
    assert found.by_label[2].mean == pytest.approx(difficulty[rank == 2].mean())


def test_the_jackknife_leaves_out_whole_clusters():
    random = np.random.default_rng(8)
    rank, family = random.integers(0, 3, 40), np.repeat(np.arange(8), 5)
    difficulty = rank + 2 * random.normal(size=8)[family]
    found = label_agreement(difficulty, [LABELS[at] for at in rank], clusters=family).rank_correlation
    left = [kendalltau(difficulty[family != at], rank[family != at]).statistic for at in range(8)]
    assert found.se == pytest.approx(math.sqrt(7 * np.var(left)), abs=1e-12)
    assert (found.clusters, found.df) == (8, 7)


def test_intervals_of_agreement_hold_their_level():
    random = np.random.default_rng(9)

    def one(items):
        rank = np.arange(items) % 3
        return label_agreement(rank + 1.2 * random.normal(size=items), [LABELS[at] for at in rank]).rank_correlation

    truth = np.mean([one(1500).estimate for _ in range(6)])
    held = [row.low <= truth <= row.high for row in (one(45) for _ in range(300))]
    assert 0.92 <= np.mean(held) <= 0.98


def test_items_without_a_label_or_an_estimate_are_counted_out():
    found = label_agreement([0.1, None, 0.5, 0.9], ["easy", "easy", None, "hard"])
    assert (found.n_null, found.right, found.pairs) == (2, 1, 1)
    assert label_agreement([0.1, 0.2], ["easy", "easy"]).reason.endswith("one label only")
    assert label_agreement([0.2, 0.2], ["easy", "hard"]).reason.endswith("one difficulty only")
    with pytest.raises(WarehouseError, match="'brutal' is no difficulty"):
        label_agreement([0.1], ["brutal"])


def test_the_published_items_have_most_at_an_end():
    """Two models and three runs: nothing to fit, and most items tell nobody apart."""
    table = published.embedeval()
    columns = ([row[name] for row in table] for name in ("model", "case", "passed"))
    figures = classical_items(*columns)
    assert len(figures) == 233
    floor, ceiling = (sum(row.extreme == name for row in figures) for name in ("floor", "ceiling"))
    assert floor + ceiling > 120
    assert all(row.item_rest is None and row.reason for row in figures)
    mislabelled = sum(row.rate_label != "medium" for row in figures)
    assert mislabelled == 192  # what its tool, which labels every case medium, calls mislabelled
