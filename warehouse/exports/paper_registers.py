"""The figures of the registers track with their errors, and those that the seed benchmark prints, side by side."""

from typing import TYPE_CHECKING, Any

from warehouse.exports.beside import fetch, printed
from warehouse.layout import Layout
from warehouse.stats import registers

if TYPE_CHECKING:
    import polars as pl

    from warehouse.exports.charts import Picture

PRINTED: dict[str, tuple[str, float]] = {
    "accuracy": ("accuracy", 1.0),
    "rename_delta": ("rename_delta", 0.01),
    "renumber_delta": ("renumber_delta", 0.01),
    "hard": ("accuracy_hard", 1.0),
}
"""Our name of a printed column, and what turns it into a fraction: deltas are printed in points."""


def units(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the rows of the view `registers`, of one release or of all."""
    return fetch(layout, "FROM registers WHERE $release IS NULL OR release = $release ORDER BY ALL", release=release)


def metrics(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return every figure of every release, model and config with its interval clustered by family, and its power."""
    import polars as pl

    found: list[dict[str, Any]] = []
    keys = ["release", "model", "config"]
    for key, rows in units(layout, release).partition_by(keys, as_dict=True, maintain_order=True).items():
        if not rows["passed"].drop_nulls().len():
            continue
        for metric in registers.metrics(rows["family"], rows["variant"], rows["tier"].fill_null(""), rows["passed"],
                                        rows["answered"]):  # fmt: skip
            figure = metric.estimate
            found.append({
                **dict(zip(keys, key, strict=True)), "metric": metric.name, "value": figure.estimate,
                "low": figure.low,
                "high": figure.high, "n": figure.n, "families": figure.clusters, "detectable": metric.detectable,
                "power": metric.power, "bounded": metric.bounded,
            })  # fmt: skip
    return pl.DataFrame(found, schema={
        **dict.fromkeys(keys, pl.String), "metric": pl.String, "value": pl.Float64, "low": pl.Float64,
        "high": pl.Float64, "n": pl.Int64, "families": pl.Int64, "detectable": pl.Float64, "power": pl.Float64,
        "bounded": pl.Boolean,
    })  # fmt: skip


def against_print(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return our figures beside the mean of the printed runs, which asked other items of another model.

    `printed_runs` says of how many runs that mean is, `printed_low` and `printed_high` what they range over. Without
    results here the printed figures stand alone.
    """
    import polars as pl

    rows = []
    for name, (runs, mean, low, high) in _printed_means(layout).items():
        rows.append({"metric": name, "printed": mean, "printed_low": low, "printed_high": high, "printed_runs": runs})
    known = pl.DataFrame(rows, schema={"metric": pl.String, "printed": pl.Float64, "printed_low": pl.Float64,
                                       "printed_high": pl.Float64, "printed_runs": pl.Int64})  # fmt: skip
    ours = metrics(layout, release).select("release", "model", "config", "metric", pl.col("value").alias("ours"),
                                           "low",
                                           "high", "n", "families", "detectable")  # fmt: skip
    joined = known.join(ours, on="metric", how="left", maintain_order="left_right")
    return joined.with_columns((pl.col("ours") - pl.col("printed")).alias("difference"))


def saturated(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return each family's measured difficulty, hardest first, its label, and whether it tells anything apart."""
    import polars as pl

    rows = units(layout, release).drop_nulls("passed")
    schema = {"family": pl.String, "label": pl.String, "difficulty": pl.Float64, "low": pl.Float64, "high": pl.Float64,
              "n": pl.Int64, "saturated": pl.String}  # fmt: skip
    if not rows.height:
        return pl.DataFrame(schema=schema)
    found = registers.difficulty(rows["family"], rows["tier"].fill_null(""), rows["sample_id"], rows["passed"])
    return pl.DataFrame([
        {"family": one.family, "label": one.tier, "difficulty": one.estimate.estimate, "low": one.estimate.low,
         "high": one.estimate.high, "n": one.estimate.n, "saturated": one.saturated} for one in found
    ], schema=schema)  # fmt: skip


def picture(layout: Layout, release: str | None = None) -> "Picture":
    """Return the deltas of each model with their intervals: what each variant costs."""
    import polars as pl

    from warehouse.exports import charts

    frame = metrics(layout, release).filter(pl.col("metric").str.ends_with("_delta"))
    order = [f"{variant}_delta" for variant in registers.VARIANTS]
    rows = [
        {**row, "series": f"{row['model']}, {row['config']}",
         "low": row["value"] if row["low"] is None else row["low"],
         "high": row["value"] if row["high"] is None else row["high"]}
        for row in frame.to_dicts()
    ]  # fmt: skip
    return charts.differences(rows, config="metric", series="series", value="value", low="low", high="high",
                              order=order,
                              title="Accuracy lost from base",
                              title_x="accuracy lost from base, 95 % interval")  # fmt: skip


def _printed_means(layout: Layout) -> dict[str, tuple[int, float, float, float]]:
    """Return by metric the number of printed runs that have it, and their mean, least and greatest figure."""
    columns: dict[str, list[float]] = {}
    for (_, column), (value, _) in printed(layout, "regbench", "results").items():
        if column in PRINTED and value is not None:
            name, factor = PRINTED[column]
            columns.setdefault(name, []).append(value * factor)
    return {name: (len(columns[name]), sum(columns[name]) / len(columns[name]), min(columns[name]), max(columns[name]))
            for name, _ in PRINTED.values() if name in columns}  # fmt: skip
