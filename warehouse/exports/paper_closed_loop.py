"""Tables 3 to 5 and figures 2 to 4 of the closed-loop firmware paper from imported runs, beside print.

The paper's own index does not carry its qwen3.5-2B row; that row alone disagrees, in seven figures.
"""

from typing import TYPE_CHECKING, Any

from warehouse.exports.beside import Cell, beside, beside_text, cells_of, fetch
from warehouse.exports.needs import release_of
from warehouse.importers.closed_loop_index import SOURCE
from warehouse.layout import Layout
from warehouse.stats import closed_loop_tables as tables
from warehouse.stats.power import detectable_rate_difference
from warehouse.stats.proportions import clustered_rate

if TYPE_CHECKING:
    import polars as pl

    from warehouse.exports.charts import Picture

PRINTED = "closed_loop"
MODELS = tuple(tables.FORMS)
TABLE3 = {"passes": "runs", "runs": None, "wilson_low": "runs", "wilson_high": "runs",
          "mean_total_tokens_millions": "runs", "mean_tool_calls": "runs", "mean_hidden_evals": "runs",
          "mean_self_test_runs": "runs"}  # fmt: skip
TABLE5 = {"passes": "runs", "runs": None, "wilson_low": "runs", "wilson_high": "runs", "mean_wall_minutes": "runs",
          "n_submit": "runs", "mean_first_submit_minutes": "n_submit", "mean_total_tokens_millions": "runs",
          "mean_tool_calls": "runs"}  # fmt: skip
"""The figures of a row and the column that counts what each stands on."""


def runs(layout: Layout, release: str | None = None) -> list[dict[str, Any]]:
    """Return the imported runs of `release`, or of the largest import, as the table functions take them."""
    chosen = release_of(layout, SOURCE.track, release)
    rows = fetch(layout, "FROM imported_closed_loop WHERE release = $release", release=chosen).to_dicts()
    return [{**row, "outcome": tables.outcome(row["failure_family"])} for row in rows]


def table3(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table 3, the primary condition, beside print."""
    return beside(layout, PRINTED, "table3", cells_of(tables.table3(runs(layout, release)), "model", TABLE3))


def table4(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table 4, passes by mode, beside print."""
    columns = {mode: f"runs_{mode}" for mode in tables.MODES}
    rows = tables.table4(runs(layout, release))
    return beside(layout, PRINTED, "table4", cells_of(rows, "model", columns))


def table5(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return Table 5, the local models, beside print; the form, which is no figure, is left out."""
    rows = tables.table5(runs(layout, release))
    return beside(layout, PRINTED, "table5", cells_of(rows, "model", TABLE5), columns=list(TABLE5))


def figure2(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the passes of figure 2, left, beside print."""
    columns = {"passes": "repetitions", "repetitions": None}
    return beside(
        layout, PRINTED, "figure2", cells_of(tables.figure2(runs(layout, release)), ("task", "model"), columns),
        columns=list(columns),
    )  # fmt: skip


def figure2_outcomes(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the most frequent outcomes of figure 2, right, beside print; a tie has none and is named."""
    cells = [
        Cell(f"{row['task']} / {row['model']}", "modal_outcome", row["modal_outcome"], row["repetitions"], row["tied"])
        for row in tables.figure2(runs(layout, release))
    ]
    return beside_text(layout, PRINTED, "figure2", cells)


def disagreements(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the figures of all tables here that do not round to what is printed."""
    import polars as pl

    shown = {"table3": table3, "table4": table4, "table5": table5, "figure2": figure2}
    frames = [table(layout, release).select(pl.lit(name).alias("table"), pl.all()) for name, table in shown.items()]
    return pl.concat(frames).filter(~pl.col("agrees")).drop("agrees", "why")


def with_clusters(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return pass rates of the primary condition as the paper has them, and as they are with runs clustered by task.

    Fifteen runs of a model are three repetitions of five tasks. `measured` leaves out what could not be measured;
    `detectable` is the least difference that fifteen independent runs a side find with 80 % power, null for none.
    """
    import polars as pl

    found = []
    mine = [run for run in runs(layout, release) if run["mode"] == tables.PRIMARY]
    for row in tables.table3(mine):
        own = [run for run in mine if run["model"] == row["model"] and run["status"] != "infra_error"]
        if not own:
            continue
        rate = clustered_rate([run["status"] == "pass" for run in own], [run["task"] for run in own], correction="cr2")
        found.append({
            "model": row["model"], "passes": row["passes"], "runs": row["runs"], "wilson_low": row["wilson_low"],
            "wilson_high": row["wilson_high"], "measured": rate.n, "tasks": rate.clusters, "rate": rate.estimate,
            "clustered_low": rate.low, "clustered_high": rate.high,
            "detectable": detectable_rate_difference(row["pass_rate"], row["runs"]),
        })  # fmt: skip
    return pl.DataFrame(found)


def unmeasured(layout: Layout, release: str | None = None) -> "pl.DataFrame":
    """Return the runs whose record cannot be a verdict on a model, which the paper counts as not passed."""
    import polars as pl

    keys = ("model", "task", "mode", "attempt", "hidden_status", "failure_family")
    rows = [{key: run[key] for key in keys} for run in runs(layout, release) if run["status"] == "infra_error"]
    return pl.DataFrame(rows, schema={key: pl.Int64 if key == "attempt" else pl.String for key in keys})


def picture2(layout: Layout, release: str | None = None) -> tuple["Picture", "Picture"]:
    """Return figure 2: passes by task and model, and the most frequent outcome."""
    from warehouse.exports import charts

    rows = [
        {**row, "rate": row["passes"] / row["repetitions"], "text": f"{row['passes']}/{row['repetitions']}",
         "label": row["modal_outcome"] or "tie"}
        for row in tables.figure2(runs(layout, release))
    ]  # fmt: skip
    left = charts.heatmap(rows, x="model", y="task", value="rate", text="text", order_x=MODELS, order_y=tables.TASKS,
                          title="Passes in the primary condition")  # fmt: skip
    right = charts.labels(rows, x="model", y="task", label="label", order_x=MODELS, order_y=tables.TASKS,
                          title="Most frequent outcome")  # fmt: skip
    return left, right


def picture3(layout: Layout, release: str | None = None) -> "Picture":
    """Return figure 3: pass rates by mode with Wilson intervals."""
    from warehouse.exports import charts

    return charts.rates(
        tables.figure3(runs(layout, release)), group="mode", value="pass_rate", low="wilson_low", high="wilson_high",
        colour="model", order=tables.MODES, order_colour=MODELS, title="Pass rate by what the agent is told",
    )  # fmt: skip


def picture4(layout: Layout, release: str | None = None) -> tuple["Picture", "Picture"]:
    """Return figure 4: pass rate of the local models against first submission and against tokens."""
    from warehouse.exports import charts

    rows = tables.figure4(runs(layout, release))
    return (
        charts.tradeoff(rows, x="mean_first_submit_minutes", y="pass_rate", label="model", shape="form",
                        title="Submission latency", title_x="mean time to first submission, minutes"),
        charts.tradeoff(rows, x="mean_total_tokens_millions", y="pass_rate", label="model", shape="form", log=True,
                        title="Token demand", title_x="mean tokens a run, millions"),
    )  # fmt: skip
