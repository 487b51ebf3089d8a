"""The figures that SQL computes and those computed here are the same, from the same rows."""

import re
from pathlib import Path

import polars as pl
import pytest

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.exports.intervals import mean_interval, rate_interval
from warehouse.layout import Layout
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.paired import pair, paired_difference
from warehouse.stats.proportions import clustered_rate

KEYS = ["track", "release", "category", "model", "config", "scenario"]


@pytest.fixture(scope="module")
def layout(tmp_path_factory):
    layout = Layout(tmp_path_factory.mktemp("landed") / "data")
    synthetic.land(layout)
    return layout


@pytest.fixture(scope="module")
def views(layout):
    names = ("results", "leaderboard", "per_stratum", "context_ablation")
    return {name: pl.from_arrow(query(layout, f"FROM {name}")) for name in names}


def groups(results, keys):
    return results.partition_by(keys, as_dict=True, maintain_order=True).items()


@pytest.mark.parametrize(("view", "keys"), [("leaderboard", KEYS), ("per_stratum", [*KEYS, "stratum"])])
def test_rates_and_means(views, view, keys):
    compared = 0
    for key, rows in groups(views["results"], keys):
        printed = views[view].row(
            by_predicate=pl.all_horizontal(
                pl.col(name).eq_missing(value) for name, value in zip(keys, key, strict=True)
            ),
            named=True,
        )
        measured = rows.filter("measured")
        passed = measured["status"] == "pass"
        if not printed["n_measured"]:
            assert (printed["pass_rate"], printed["pass_rate_se"], measured.height) == (None, None, 0)
            continue
        rate = clustered_rate(passed, measured["cluster"])
        score = clustered_mean(measured["score"], measured["cluster"], nulls="omit")
        assert (rate.n, rate.clusters) == (printed["n_measured"], printed["n_clusters"])
        assert (score.n, score.clusters) == (printed["n_scored"], printed["n_scored_clusters"])
        assert score.n + score.n_null == printed["n_measured"]
        assert rate.estimate == pytest.approx(printed["pass_rate"], abs=1e-12)
        assert score.estimate == pytest.approx(printed["mean_score"], abs=1e-12)
        for found, column in ((rate, "pass_rate_se"), (score, "mean_score_se")):
            assert found.se == pytest.approx(printed[column], abs=1e-12)
            assert found.df == pytest.approx(printed[column.replace("_se", "_df")])
            compared += found.se is not None and found.se > 0
        interval = mean_interval(score.estimate, score.se, score.df, -9, 9)
        if score.low is not None:
            assert interval == pytest.approx((score.low, score.high))
        if rate.low is not None and rate.se > 1e-9:
            assert rate_interval(rate.estimate, rate.n, rate.se, rate.df, rate.clusters) == pytest.approx(
                (rate.low, rate.high)
            )
    assert compared > 40


def test_the_context_ablation_is_the_paired_difference(views):
    results = views["results"].filter(pl.col("score").is_not_null())
    cluster_of = dict(results.select("sample_id", "cluster").unique().iter_rows())
    compared = 0
    for printed in views["context_ablation"].filter(pl.col("config") != "full").iter_rows(named=True):
        same = [pl.col(name).eq_missing(printed[name]) for name in KEYS if name != "config"]
        rows = results.filter(*same)
        here, full = rows.filter(pl.col("config") == printed["config"]), rows.filter(pl.col("config") == "full")
        pairs = pair(here["sample_id"], here["score"], full["sample_id"], full["score"])
        found = paired_difference(pairs.left, pairs.right, [cluster_of[key] for key in pairs.keys])
        assert (found.difference.n, found.difference.clusters) == (printed["n_pairs"], printed["n_clusters"])
        assert len(pairs.only_left) == printed["n_samples"] - printed["n_pairs"]
        assert found.difference.estimate == pytest.approx(printed["difference"], abs=1e-12)
        assert found.right.estimate == pytest.approx(printed["mean_full"], abs=1e-12)
        assert found.difference.se == pytest.approx(printed["difference_se"], abs=1e-12)
        compared += found.difference.se is not None and found.difference.se > 0
    assert compared > 20


def test_the_example_of_the_documentation_runs(layout):
    page = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text()
    *body, last = re.search(r"```python\n(.*?)```", page, re.DOTALL).group(1).strip().splitlines()
    names = {"layout": layout}
    exec("\n".join([*body, f"found = {last}"]), names)
    found = names["found"].difference
    assert (found.n, found.clusters) == (
        len(names["pairs"].keys),
        len({names["cluster"][key] for key in names["pairs"].keys}),
    )
    assert found.low > 0
