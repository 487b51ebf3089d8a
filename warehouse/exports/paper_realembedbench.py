"""Tables V, VI and VIII to XII of the RealEmbedBench paper beside what this warehouse holds.

Ours are other samples of other projects and mostly other models, so a difference is one of size and not a failure to
replicate. Figures that no row here can carry are null and say which track is missing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from warehouse.exports.beside import Cell, beside, fetch, printed
from warehouse.exports.intervals import mean_interval
from warehouse.layout import Layout

if TYPE_CHECKING:
    import polars as pl

    from warehouse.exports.charts import Picture

SOURCE = "realembedbench"
CODE = "code"
SOLVERS = frozenset({"reference", "empty", "stub", "mutant"})
"""Built-in solvers, which prove the bench and are no models."""


class Figure(NamedTuple):
    """Where a printed column comes from: a track, and the view `published_vs_ours` or that track's pass rate."""

    track: str
    view: bool = False


TABLE8: dict[str, Figure] = {
    "CodeGen": Figure(CODE, view=True), "CodeComp": Figure(CODE, view=True), "R2P_C": Figure("statemachines"),
    "R2P_N": Figure("statemachines"), "R2P_E": Figure("statemachines"), "P2C": Figure("statemachines"),
    "R2C": Figure("statemachines"), "CodeTrans": Figure("translation"),
}  # fmt: skip
TRACK_OF = {"table6": "translation", "table9": "translation", "table11": "statemachines", "table12": "translation"}
"""The track that each table without a figure of ours belongs to."""
CONFIGS: dict[str, str] = {
    "ImpEsc": "no_imports", "CodeWinEsc": "no_window", "CallDepEsc": "no_calls", "GlobDataEsc": "no_globals",
    "TypeDepEsc": "no_types", "NoCtx": "no_context",
}  # fmt: skip
"""Our config by the printed column."""
DEPENDENCIES = {"mean call dependencies": "calls", "mean global-variable dependencies": "globals",
                "mean type dependencies": "types"}  # fmt: skip
TOTALS = """
    SELECT category = 'generation' AS whole, sum(n_with_loc * mean_loc) / sum(n_with_loc) AS loc,
           sum(n_samples) AS n_samples,
           sum(n_with_loc) AS n_loc, sum(n_with_counts) AS n_counts, sum(n_with_counts * mean_calls) AS calls,
           sum(n_with_counts * mean_globals) AS globals, sum(n_with_counts * mean_types) AS types
    FROM release_statistics WHERE track = 'code' AND ($release IS NULL OR release = $release)
    GROUP BY whole ORDER BY whole
"""


def table5(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table V, the composition, beside the means of our code samples, of all releases where none is given."""
    held = _held(layout)
    cells = []
    rows = fetch(layout, TOTALS, release=release).to_dicts()
    for row in rows:
        label = "code generation" if row["whole"] else "code completion"
        cells.append(Cell(label, "size", int(row["n_samples"]), int(row["n_samples"])))
        cells.append(Cell(label, "mean LOC", row["loc"], int(row["n_loc"] or 0)))
    counted = sum(int(row["n_counts"] or 0) for row in rows)
    for column, name in DEPENDENCIES.items():
        total = sum(row[name] or 0.0 for row in rows)
        cells.append(Cell("code generation/completion", column, total / counted if counted else None, counted,
                          None if counted else _why(held, CODE)))  # fmt: skip
    for label, track in (("state machine", "statemachines"), ("cross-OS translation", "translation")):
        columns = [column for row, column in printed(layout, SOURCE, "table5") if row == label]
        cells += [Cell(label, column, None, 0, _why(held, track)) for column in columns]
    return beside(layout, SOURCE, "table5", cells, missing=_why(held, CODE))


def table8(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table VIII, scores by task and model, beside ours: package CodeBLEU for code, else the pass rate."""
    held = _held(layout)
    asked = ('SELECT model, "column", codebleu_package, n_package FROM published_vs_ours WHERE "table" = \'table8\' '
             "AND release IS NOT NULL AND ($release IS NULL OR release = $release) ORDER BY ALL")  # fmt: skip
    cells = [
        Cell(row["model"].lower(), row["column"], row["codebleu_package"], row["n_package"], "no reply was scored so")
        for row in fetch(layout, asked, release=release).to_dicts()
    ]
    rates = ("SELECT string_split(model, '/')[-1] AS model, count(*) FILTER (measured) AS n, "
             "count(*) FILTER (status = 'pass') AS passes FROM results WHERE track = $track "
             "AND scenario = 'generation' AND config = 'full' GROUP BY ALL ORDER BY ALL")  # fmt: skip
    for row in fetch(layout, rates, track="translation").to_dicts():
        rate = row["passes"] / row["n"] if row["n"] else None
        cells.append(Cell(row["model"].lower(), "CodeTrans", rate, row["n"], "nothing was measured"))
    mine = {(cell.row, cell.column) for cell in cells}
    for model, column in printed(layout, SOURCE, "table8"):
        if (model, column) not in mine:
            figure = TABLE8.get(column, Figure(CODE))
            cells.append(Cell(model, column, None, 0, _why(held, figure.track, model)))
    return beside(layout, SOURCE, "table8", cells)


def table10(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table X, code generation by context, beside ours by the same names (package CodeBLEU)."""
    asked = ('SELECT model, "column", codebleu_package, n_package FROM published_vs_ours WHERE "table" = \'table10\' '
             "AND release IS NOT NULL AND ($release IS NULL OR release = $release) ORDER BY ALL")  # fmt: skip
    cells = [
        Cell(row["model"].lower(), row["column"], row["codebleu_package"], row["n_package"], "no reply was scored so")
        for row in fetch(layout, asked, release=release).to_dicts()
    ]
    return beside(layout, SOURCE, "table10", cells, missing="this model was not asked here")


def other(layout: Layout, table: str) -> "pl.DataFrame":
    """Return Table VI, IX, XI or XII as printed; ours is null until the warehouse holds that track.

    `table` is `table6`, `table9`, `table11` or `table12`; Table IX is printed in part (see its source).
    """
    held = _held(layout)
    cells = [Cell(row, column, None, 0, _why(held, TRACK_OF[table])) for row, column in printed(layout, SOURCE, table)]
    return beside(layout, SOURCE, table, cells)


def invented(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return how many of our replies call a function that nobody has: the nearest to the printed error patterns.

    The printed shares are of incorrect state machines and translations, ours are of all replies of the code track.
    """
    asked = ("SELECT release, category, model, config, any_value(n_with_invented) AS n_with_invented, "
             "any_value(n_measured) AS n, any_value(invented_share) AS share FROM invented_apis "
             "WHERE $release IS NULL OR release = $release GROUP BY ALL ORDER BY ALL")  # fmt: skip
    return fetch(layout, asked, release=release)


def ablation(layout: Layout, release: str | None = None, models: Sequence[str] | None = None) -> "pl.DataFrame":
    """Return what each kind of context is worth: printed score minus the printed full one, and ours paired by sample.

    Ours have the interval of the paired difference, clustered; print has none, for it prints no error. `models` picks
    ours, by default all but the built-in solvers; `n` counts our pairs.
    """
    import polars as pl

    rows: list[dict[str, Any]] = []
    scores = {key: value for key, (value, _) in printed(layout, SOURCE, "table10").items()}
    for (model, column), value in scores.items():
        full = scores.get((model, "Full"))
        if column in CONFIGS and value is not None and full is not None:
            rows.append({"source": "print", "model": model, "config": CONFIGS[column], "difference": value - full})
    asked = ("SELECT release, model, config, difference, difference_se, difference_df, n_pairs FROM context_ablation "
             "WHERE track = 'code' AND category = 'generation' AND budget IS NULL AND scenario = 'generation' "
             "AND difference IS NOT NULL AND ($release IS NULL OR release = $release) ORDER BY ALL")  # fmt: skip
    for row in fetch(layout, asked, release=release).to_dicts():
        if row["model"] not in SOLVERS if models is None else row["model"] in models:
            low, high = mean_interval(row["difference"], row["difference_se"], row["difference_df"], -1.0, 1.0) or (
                None,
                None,
            )
            rows.append({"source": row["release"], "model": row["model"], "config": row["config"],
                         "difference": row["difference"], "low": low, "high": high, "n": row["n_pairs"]})  # fmt: skip
    return pl.DataFrame(rows, schema={"source": pl.String, "model": pl.String, "config": pl.String,
                                      "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64,
                                      "n": pl.Int64})  # fmt: skip


def order_of_worth(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the mean change by config over the printed models and over ours: which context matters most.

    `n` counts our pairs over all `models` of ours.
    """
    import polars as pl

    frame = ablation(layout, release).with_columns((pl.col("source") == "print").alias("told"))
    means = frame.group_by("config").agg(
        pl.col("difference").filter(pl.col("told")).mean().alias("printed"),
        pl.col("difference").filter(~pl.col("told")).mean().alias("ours"),
        pl.col("model").filter(pl.col("told")).n_unique().alias("printed_models"),
        pl.col("model").filter(~pl.col("told")).n_unique().alias("models"),
        pl.col("n").filter(~pl.col("told")).sum().alias("n"),
    )
    return means.with_columns((pl.col("ours") - pl.col("printed")).alias("difference")).sort("printed", "config")


def picture(layout: Layout, release: str | None = None) -> "Picture":
    """Return the ablation figure: printed changes as points, ours with their intervals."""
    from warehouse.exports import charts

    rows = [
        {**row, "series": row["model"] if row["source"] != "print" else f"{row['model']} (print)",
         "low": row["difference"] if row["low"] is None else row["low"],
         "high": row["difference"] if row["high"] is None else row["high"]}
        for row in ablation(layout, release).to_dicts()
    ]  # fmt: skip
    return charts.differences(rows, config="config", series="series", value="difference", low="low", high="high",
                              order=list(CONFIGS.values()), title="What each kind of context is worth")  # fmt: skip


def _held(layout: Layout) -> dict[str, int]:
    """Return the number of measured results by track."""
    asked = "SELECT track, count(*) FROM results WHERE measured GROUP BY track ORDER BY track"
    return dict(fetch(layout, asked).iter_rows())


def _why(held: dict[str, int], track: str, model: str | None = None) -> str:
    if not held.get(track):
        return f"no results of the {track} track"
    return "this model was not asked here" if model else f"the {track} track records no such figure"
