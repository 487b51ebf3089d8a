"""The leaderboard on the terminal: every figure with its denominator and, where clusters allow, its interval."""

from typing import TYPE_CHECKING, Any

from warehouse.database import connect
from warehouse.exports.intervals import mean_interval, rate_interval
from warehouse.layout import Layout

if TYPE_CHECKING:
    from rich.table import Table


def leaderboard(layout: Layout, release: str | None = None) -> "Table":
    """Return the leaderboard of one release, or of all, as a rich table; best mean score first in each category."""
    from rich.table import Table
    from rich.text import Text

    rows = leaderboard_rows(layout, release)
    several = len({row["release"] for row in rows}) > 1
    table = Table(title="Leaderboard" if several or not rows else f"Leaderboard of {rows[0]['release']}")
    for name in [*(["release"] if several else []), "category", "model", "config"]:
        table.add_column(name, overflow="fold")
    for name in ("asked", "not measured", "passed", "mean score", "clusters"):
        table.add_column(name, justify="right")
    last = None
    for row in rows:
        group = (row["release"], row["category"])
        if last not in (None, group):
            table.add_section()
        last = group
        unmeasured = row["n_asked"] - row["n_measured"]
        passed = f"{_percent(row['pass_rate'], row['pass_interval'])} of {row['n_measured']}"
        scored = f"{_score(row['mean_score'], row['score_interval'])} of {row['n_scored']}"
        texts = [*([row["release"] or ""] if several else []), row["category"] or "", row["model"], _how(row),
                 str(row["n_asked"]), str(unmeasured or ""), passed, scored, str(row["n_clusters"])]  # fmt: skip
        table.add_row(*(Text(text) for text in texts))
    table.caption = (
        "Brackets: 95 % interval, clustered; none where fewer than two clusters. Unmeasured units count nowhere."
    )
    return table


def leaderboard_rows(layout: Layout, release: str | None = None) -> list[dict[str, Any]]:
    """Return rows of the leaderboard view with `pass_interval` and `score_interval` added, best score first."""
    asked = (
        "SELECT * FROM leaderboard WHERE ? IS NULL OR release = ? "
        "ORDER BY track, release, category, mean_score DESC NULLS LAST, pass_rate DESC NULLS LAST, model, config"
    )
    with connect(layout) as connection:
        rows = connection.sql(asked, params=[release, release]).to_arrow_table().to_pylist()
    return [with_intervals(row) for row in rows]


def with_intervals(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of leaderboard, per_stratum or per_project with the 95 % intervals of its two figures."""
    return {
        **row,
        "pass_interval": rate_interval(
            row["pass_rate"], row["n_measured"], row["pass_rate_se"], row["pass_rate_df"], row["n_clusters"]
        ),
        "score_interval": mean_interval(row["mean_score"], row["mean_score_se"], row["mean_score_df"]),
    }


def _how(row: dict[str, Any]) -> str:
    return row["config"] if row["scenario"] == "generation" else f"{row['config']}, {row['scenario']}"


def _percent(rate: float | None, interval: tuple[float, float] | None) -> str:
    if rate is None:
        return "–"
    around = "" if interval is None else f" [{100 * interval[0]:.0f}, {100 * interval[1]:.0f}]"
    return f"{100 * rate:.1f} %{around}"


def _score(mean: float | None, interval: tuple[float, float] | None) -> str:
    if mean is None:
        return "–"
    around = "" if interval is None else f" [{interval[0]:.3f}, {interval[1]:.3f}]"
    return f"{mean:.4f}{around}"
