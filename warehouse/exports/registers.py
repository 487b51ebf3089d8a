"""The figures of the registers track on the terminal, each delta beside what it could have seen."""

from typing import TYPE_CHECKING, Any

from warehouse.database import connect
from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.stats.estimate import Estimate
from warehouse.stats.registers import EFFECT, Difficulty, Metric, difficulty, metrics

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

GROUP = ("release", "model", "config", "scenario")
COLUMNS = (*GROUP, "family", "variant", "tier", "sample_id", "passed", "answered")
HARDEST = 10
ISOLATE = "isolate"
SOLVERS = frozenset({"reference", "empty", "stub", "mutant"})
"""Solvers that are no models: what they get says nothing of how hard a family is."""


def registers_tables(layout: Layout, release: str | None = None) -> "Group":
    """Return the figures of every model and config over a release, the newest unless one is named, and its families.

    Raises WarehouseError when no reply of the track was graded.
    """
    from rich.console import Group

    rows = figures_rows(layout, release)
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in GROUP), []).append(row)
    parts: list[Any] = []
    for key, own in groups.items():
        columns = ([row[name] for row in own] for name in ("family", "variant", "tier", "passed", "answered"))
        parts.append(_metrics_table(" · ".join(part for part in key if part), metrics(*columns)))
        parts.append(_saturation(_difficulty(own)) + "\n")
    models = [row for row in rows if row["model"].partition(":")[0] not in SOLVERS]
    return Group(*parts, _families_table(_difficulty(models or rows), "models" if models else "built-in solvers"))


def _difficulty(rows: list[dict[str, Any]]) -> tuple[Difficulty, ...]:
    """Return the measured difficulty of families; their isolate forms are other questions and stay out."""
    asked = [row for row in rows if row["variant"] != ISOLATE] or rows
    return difficulty(*([row[name] for row in asked] for name in ("family", "tier", "sample_id", "passed")))


def figures_rows(layout: Layout, release: str | None = None) -> list[dict[str, Any]]:
    """Return the measured rows of the view `registers` of one release, in a fixed order; raises WarehouseError."""
    newest = (
        "(SELECT r.release FROM registers AS r JOIN generations AS g USING (generation_id) "
        "ORDER BY g.created_at DESC NULLS LAST, r.release LIMIT 1)"
    )
    asked = (
        f"SELECT {', '.join(COLUMNS)} FROM registers "
        f"WHERE passed IS NOT NULL AND release = coalesce($release, {newest}) ORDER BY ALL"
    )
    with connect(layout) as connection:
        rows = connection.sql(asked, params={"release": release}).to_arrow_table().to_pylist()
    if not rows:
        raise WarehouseError(
            f"No reply to {release or 'the registers track'} was graded yet; run `firmbench run registers` first."
        )
    return rows


def _metrics_table(title: str, found: tuple[Metric, ...]) -> "Table":
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for name, side in (("figure", "left"), ("value", "right"), ("95 % interval", "right"), ("rows", "right"),
                       ("families", "right"), ("detectable at 80 %", "right"),
                       (f"power for {100 * EFFECT:.0f} points", "right")):  # fmt: skip
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for one in found:
        sees = _detectable(one)
        able = "" if one.power is None else f"{100 * one.power:.0f} %"
        rows, families = f"{one.estimate.n:,}", f"{one.estimate.clusters:,}"
        table.add_row(one.name, _value(one), _interval(one.estimate), rows, families, sees, able)
    table.caption = (
        "A delta is accuracy lost from base, in points, paired within families. (bound): no family differed, so the "
        "spread is bounded, not measured."
    )
    return table


def _detectable(one: Metric) -> str:
    if one.detectable is None:
        return ""
    least = f"{100 * one.detectable:.1f} points" if one.detectable <= 1 else "nothing"
    return f"{least} (bound)" if one.bounded else least


def _value(one: Metric) -> str:
    value = 100 * one.estimate.estimate
    return f"{value:+.2f} points" if one.name.endswith("_delta") else f"{value:.1f} %"


def _interval(found: Estimate) -> str:
    return "–" if found.low is None or found.high is None else f"[{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _families_table(found: tuple[Difficulty, ...], over: str) -> "Table":
    from rich.table import Table

    title = f"Hardest of {len(found)} families by results, over all {over}"
    table = Table(title=title, title_justify="left")
    for name in ("family", "label", "failed", "95 % interval", "rows", "samples"):
        table.add_column(name, justify="left" if name in ("family", "label") else "right")
    for one in found[:HARDEST]:
        table.add_row(one.family, one.tier, f"{100 * one.estimate.estimate:.1f} %", _interval(one.estimate),
                      f"{one.estimate.n:,}", f"{one.estimate.clusters}")  # fmt: skip
    return table


def _saturation(found: tuple[Difficulty, ...]) -> str:
    """Name the families that every answer passed or failed: they tell nothing apart."""
    lines = []
    for state, words in (("all_pass", "every answer right"), ("all_fail", "every answer wrong")):
        names = sorted(one.family for one in found if one.saturated == state)
        told = f" ({', '.join(names)})" if names else ""
        lines.append(f"saturated, {words}: {len(names)} of {len(found)} families{told}")
    return "\n".join(lines)
