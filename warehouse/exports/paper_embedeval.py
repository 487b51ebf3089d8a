"""EmbedEval's leaderboard, heat map and context comparison from imported verdicts, beside print.

Three runs over one set of cases are not three times as many cases: what is printed takes 699 verdicts for independent.
"""

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, Any

from warehouse.exports.beside import Cell, beside, fetch, printed
from warehouse.exports.needs import release_of
from warehouse.importers.embedeval_cases import SOURCE
from warehouse.layout import Layout
from warehouse.stats.clustered import clustered_mean
from warehouse.stats.paired import mcnemar, pair, paired_difference, unpaired_difference
from warehouse.stats.proportions import wilson
from warehouse.stats.variance import design_effect

if TYPE_CHECKING:
    import polars as pl

    from warehouse.exports.charts import Picture

VERDICTS = """
    SELECT string_split(model, '/')[-1] AS model, family AS "case", category, attempt, status = 'pass' AS passed
    FROM results WHERE track = $track AND release = $release AND measured
    ORDER BY ALL
"""
STABLE = ("always_pass", "flaky", "never_pass")


def verdicts(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return model, case, category, attempt, passed of each measured verdict of `release`, or the largest import."""
    chosen = release_of(layout, SOURCE.track, release)
    return fetch(layout, VERDICTS, track=SOURCE.track, release=chosen)


def leaderboard(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the printed leaderboard beside the same arithmetic on the verdicts: pooled Wilson interval, stability."""
    cells: list[Cell] = []
    rates: dict[str, float] = {}
    for model, rows in _by_model(verdicts(layout, release)):
        rate = wilson(int(rows["passed"].sum()), rows.height)
        rates[model] = rate.estimate
        per_case = _stability(rows)
        cases = sum(per_case.values())
        figures: dict[str, tuple[float | None, int]] = {
            "pass_at_1": (rate.estimate, rate.n), "ci_low": (rate.low, rate.n), "ci_high": (rate.high, rate.n),
            "stability": ((per_case["always_pass"] + per_case["never_pass"]) / cases, cases),
            **{name: (per_case[name], cases) for name in STABLE},
            "passed_mean": (int(rows["passed"].sum()) / rows["attempt"].n_unique(), rows["attempt"].n_unique()),
        }  # fmt: skip
        cells += [Cell(model, name, value, n) for name, (value, n) in figures.items()]
    if len(rates) == 2 and {"sonnet", "haiku"} == set(rates):
        cells.append(Cell("sonnet − haiku", "difference", rates["sonnet"] - rates["haiku"], len(cells) and rate.n))
    return beside(layout, "embedeval", "leaderboard", cells)


def with_clusters(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return each model's pass rate with its error by three designs: independent verdicts, by case, by category."""
    import polars as pl

    found = []
    for model, rows in _by_model(verdicts(layout, release)):
        naive = wilson(int(rows["passed"].sum()), rows.height)
        designs = [("verdicts independent", naive)]
        designs += [
            (f"clustered by {level}", clustered_mean(rows["passed"], rows[level], correction="cr1"))
            for level in ("case", "category")
        ]
        effect = design_effect(rows["passed"], rows["case"])
        for name, figure in designs:
            found.append({
                "model": model, "design": name, "pass_rate": figure.estimate, "se": figure.se, "low": figure.low,
                "high": figure.high, "n": figure.n, "clusters": figure.clusters,
                "design_effect": effect.design_effect if name.endswith("case") else None,
            })  # fmt: skip
    return pl.DataFrame(found)


def gap(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the difference of two models as printed and by three designs; paired by case is the right one."""
    import polars as pl

    table = verdicts(layout, release)
    models = _two(table)
    if models is None:
        return pl.DataFrame()
    left, right = (table.filter(pl.col("model") == model) for model in models)
    pairs = pair(left["case"], left["passed"], right["case"], right["passed"])
    pooled = unpaired_difference(left["passed"], range(left.height), right["passed"], range(right.height))
    unpaired = unpaired_difference(left["passed"], left["case"], right["passed"], right["case"])
    paired = paired_difference(pairs.left, pairs.right, pairs.keys)
    told = printed(layout, "embedeval", "leaderboard").get(("sonnet − haiku", "difference"), (None, ""))[0]
    return pl.DataFrame([
        {
            "models": " − ".join(models), "design": design, "printed": told, "ours": found.difference.estimate,
            "difference": None if told is None else found.difference.estimate - told, "se": found.difference.se,
            "low": found.difference.low, "high": found.difference.high, "statistic": found.statistic,
            "n": found.difference.n, "clusters": found.difference.clusters, "correlation": found.correlation,
        }
        for design, found in (("verdicts independent", pooled), ("by case, unpaired", unpaired),
                              ("by case, paired", paired))
    ])  # fmt: skip


def heatmap(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the printed heat map beside the mean over runs and the last run alone, which is what was printed."""
    import polars as pl

    table = verdicts(layout, release)
    if not table.height:
        return beside(layout, "embedeval", "heatmap", [])
    keys = ["category", "model"]
    last = table["attempt"].max()
    means = table.group_by(keys).agg(pl.col("passed").mean().alias("mean"), pl.len().alias("n")).sort(keys)
    single = table.filter(pl.col("attempt") == last).group_by(keys).agg(pl.col("passed").mean().alias("last_run"))
    cells = [Cell(row["category"], row["model"], row["mean"], row["n"]) for row in means.to_dicts()]
    frame = beside(layout, "embedeval", "heatmap", cells)
    joined = frame.join(single, left_on=["row", "column"], right_on=keys, how="left", maintain_order="left")
    return joined.with_columns(
        ((pl.col("last_run") - pl.col("printed")).abs() <= 0.005 + 1e-9).alias("last_run_agrees")
    ).sort("column", "row")


def noise(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return how many cases two runs of one model disagree on: what a pack that does nothing would seem to do."""
    import polars as pl

    found = []
    for model, rows in _by_model(verdicts(layout, release)):
        runs = {number: dict(run.select("case", "passed").iter_rows()) for (number,), run in
                rows.partition_by("attempt", as_dict=True).items()}  # fmt: skip
        for one, other in combinations(sorted(runs), 2):
            shared = sorted(runs[one].keys() & runs[other].keys())
            test = mcnemar([runs[other][case] for case in shared], [runs[one][case] for case in shared])
            found.append({"model": model, "runs": f"{one} → {other}", "helpful": test.only_left,
                          "harmful": test.only_right, "n": test.n, "p_value": test.p_value})  # fmt: skip
    return pl.DataFrame(found)


def context_example(layout: Layout) -> "pl.DataFrame":
    """Return lift and gap of the context page's worked example, from its printed pass rates, beside print."""
    rates = printed(layout, "context_quality", "example")

    def rate(name: str) -> float | None:
        return rates.get((name, "pass_rate"), (None, ""))[0]

    bare, team, expert = (rate(name) for name in ("bare", "team", "expert"))
    n = rates.get(("bare", "n"), (None, ""))[0]
    cases = None if n is None else int(n)
    cells = []
    if bare is not None and team is not None and expert is not None:
        cells = [
            Cell("isr-concurrency", "lift", team - bare, cases),
            Cell("isr-concurrency", "gap", expert - team, cases),
        ]
    return beside(layout, "context_quality", "comparison", cells, columns=("lift", "gap"))


def context_rates(layout: Layout) -> "pl.DataFrame":
    """Return the example's pass rates with the Wilson intervals that ten cases carry."""
    import polars as pl

    known = printed(layout, "context_quality", "example")
    rows = []
    for config in ("bare", "team", "expert"):
        passed, n = (known.get((config, column), (None, ""))[0] for column in ("pass_rate", "n"))
        if passed is not None and n is not None:
            found = wilson(round(passed * n), int(n))
            rows.append({"config": config, "printed": passed, "ours": found.estimate,
                         "difference": found.estimate - passed, "low": found.low, "high": found.high,
                         "n": found.n})  # fmt: skip
    return pl.DataFrame(rows)


def context_test(layout: Layout) -> "pl.DataFrame":
    """Return what the example's printed effects say of bare against expert: McNemar's test, exact and mid-p."""
    import polars as pl

    known = printed(layout, "context_quality", "comparison")
    names = ("helpful", "harmful", "no_effect_fail", "no_effect_pass")
    counts = [known.get(("isr-concurrency", name), (None, ""))[0] for name in names]
    if None in counts:
        return pl.DataFrame()
    outcomes = ((1, 0), (0, 1), (0, 0), (1, 1))
    cases = [outcome for outcome, count in zip(outcomes, counts, strict=True) for _ in range(int(count or 0))]
    expert, bare = zip(*cases, strict=True)
    tests = [mcnemar(expert, bare, kind="exact"), mcnemar(expert, bare, kind="mid-p")]
    return pl.DataFrame([
        {"test": test.method, "helpful": test.only_left, "harmful": test.only_right, "n": test.n,
         "p_value": test.p_value}
        for test in tests
    ])  # fmt: skip


def picture(layout: Layout, release: str | None = None) -> "Picture":
    """Return the heat map of the mean over runs, categories from the weakest."""
    import polars as pl

    from warehouse.exports import charts

    frame = heatmap(layout, release).filter(pl.col("ours").is_not_null())
    rows = [{**row, "text": f"{row['ours']:.0%} of {row['n']}"} for row in frame.to_dicts()]
    order = frame.group_by("row").agg(pl.col("ours").mean()).sort("ours", "row")["row"].to_list()
    models = sorted(frame["column"].unique().to_list(), reverse=True)
    return charts.heatmap(rows, x="column", y="row", value="ours", text="text", order_x=models, order_y=order,
                          title="Pass rate by category, mean over runs")  # fmt: skip


def _by_model(table: "pl.DataFrame") -> list[tuple[str, "pl.DataFrame"]]:
    groups = {str(key[0]): rows for key, rows in table.partition_by("model", as_dict=True).items()}
    return sorted(groups.items(), key=lambda pair: (-float(pair[1]["passed"].mean()), pair[0]))  # type: ignore[arg-type]


def _stability(rows: "pl.DataFrame") -> Counter[str]:
    counts: Counter[str] = Counter()
    for passed in rows.partition_by("case", maintain_order=True):
        share = passed["passed"].mean()
        counts["always_pass" if share == 1 else "never_pass" if share == 0 else "flaky"] += 1
    return counts


def _two(table: "pl.DataFrame") -> tuple[str, str] | None:
    """Return the two models with the most verdicts, the better one first; None with fewer."""
    by_size: list[tuple[str, Any]] = sorted(_by_model(table), key=lambda pair: -pair[1].height)[:2]
    if len(by_size) < 2:
        return None
    first, second = sorted(by_size, key=lambda pair: -float(pair[1]["passed"].mean()))
    return first[0], second[0]
