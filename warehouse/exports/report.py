"""The HTML report of a release: one page that needs nothing but itself, and shows what anyone can query."""

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.database import connect
from warehouse.errors import UsageError
from warehouse.exports.intervals import mean_interval
from warehouse.exports.leaderboard import with_intervals
from warehouse.exports.report_picture import NAMES, ablation
from warehouse.exports.report_units import browser
from warehouse.exports.timeline import Timeline
from warehouse.layout import Layout

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
Draw = Callable[[list[str]], Mapping[str, list[Timeline]]]
TEMPLATES = Path(__file__).with_name("templates")
CONFIG_ORDER = ("full", *NAMES)
MOST_ROWS = 40


def write_report(layout: Layout, path: Path, *, release: str | None = None, limit: int = 200,
                 draw: Draw = lambda ids: {}) -> Path:  # fmt: skip
    """Write the report of `release`, the one asked last unless named, to `path` and return it.

    `limit` bounds the units in the browser of samples; long texts are clipped with a note. `draw` gives what replies
    did over time, by id, for as many of those it is handed as it can. Raises UsageError, naming the releases there
    are, when this one does not exist.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    with connect(layout) as connection:
        page = _page(layout, connection, _release(connection, release), limit)
    page["drawn"] = _drawn(page["units"], draw)
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name == "report.html.jinja",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(score=_score, percent=_percent, count=_count, when=_when)
    environment.globals["embed"] = embed
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(environment.get_template("report.html.jinja").render(page), encoding="utf-8")
    beside.replace(path)
    return path


def embed(value: Any) -> str:
    """Return `value` as JSON that may stand inside a script element whatever texts it holds."""
    from markupsafe import Markup

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text.encode("utf-8", "replace").decode())


def _release(connection: "duckdb.DuckDBPyConnection", release: str | None) -> str:
    known = _rows(
        connection,
        "SELECT s.release, starts_with(s.release, 'imported:') AS foreign_, max(g.created_at) AS asked "
        "FROM samples AS s LEFT JOIN generations AS g USING (sample_id) "
        "GROUP BY ALL ORDER BY foreign_, asked DESC NULLS LAST, s.release",
    )
    names = [row["release"] for row in known]
    if release in names or (release is None and names):
        return release or names[0]
    if not names:
        raise UsageError("The warehouse holds no release to report on; build one with `firmbench corpus build`.")
    raise UsageError(f"There is no release {release!r}; there are {', '.join(names)}.")


def _page(layout: Layout, connection: "duckdb.DuckDBPyConnection", release: str, limit: int) -> Row:
    def ask(sql: str) -> list[Row]:
        return _rows(connection, sql, release=release)

    board = [with_intervals(row) for row in ask("FROM leaderboard WHERE release = $release")]
    board.sort(key=_board_order)
    pairs = ask("FROM context_ablation WHERE release = $release")
    for row in pairs:
        row["model"] += f" @{row['budget']}" if row["budget"] else ""
        row["interval"] = mean_interval(row["difference"], row["difference_se"], row["difference_df"], -1.0, 1.0)
    categories = sorted({row["category"] or "" for row in board}, key=_category_order)
    units = browser(connection, release, limit)
    return {
        "release": release,
        "written": datetime.now(UTC),
        "built": _built(layout, release),
        "statistics": ask("FROM release_statistics WHERE release = $release"),
        "projects": ask(
            "SELECT s.project_id, count(*) AS n_samples, any_value(p.revision) AS revision, "
            "any_value(p.licence) AS licence, any_value(p.domain) AS domain FROM samples AS s "
            "LEFT JOIN (SELECT project_id, max(revision) AS revision, any_value(licence) AS licence, "
            "any_value(domain) AS domain FROM projects GROUP BY ALL) AS p USING (project_id) "
            "WHERE s.release = $release GROUP BY ALL ORDER BY n_samples DESC, 1"
        ),
        "runs": ask("FROM runs WHERE release = $release ORDER BY started_at DESC LIMIT 8"),
        "tiles": _tiles(board),
        "boards": [_board(name, [row for row in board if (row["category"] or "") == name]) for name in categories],
        "few_clusters": any(row["n_clusters"] < 30 for row in board),
        "ablations": [_ablation(name, [r for r in pairs if (r["category"] or "") == name]) for name in categories],
        "strata": _pivots(ask("FROM per_stratum WHERE release = $release"), "stratum"),
        "per_project": _pivots(ask("FROM per_project WHERE release = $release"), "project_id"),
        "stages": _stages(
            ask("FROM drops WHERE release = $release OR release IS NULL ORDER BY release NULLS FIRST, position")
        ),
        "components": _grid(ask("FROM components WHERE release = $release"), "component"),
        "failed": _failed(ask("FROM failed_checks WHERE release = $release AND layer <> 'similarity'")),
        "invented": ask(
            "SELECT model, name, sum(n_replies) AS n_replies FROM invented_apis WHERE release = $release "
            "GROUP BY ALL ORDER BY n_replies DESC, model, name LIMIT 20"
        ),
        "published": ask(
            "FROM published_vs_ours WHERE release = $release AND published IS NOT NULL"
        ),
        "units": units.units,
        "prompts": units.prompts,
        "total_units": units.total,
    }  # fmt: skip


def _drawn(units: list[Row], draw: Draw) -> list[Row]:
    """Return units with the picture of what each did over time, those that failed first."""
    from warehouse.exports.timeline_svg import picture

    order = sorted(units, key=lambda unit: (unit["status"] == "pass", unit["title"], unit["model"], unit["scenario"]))
    timelines = draw([unit["id"] for unit in order])
    return [{**unit, "svg": picture(timelines[unit["id"]])} for unit in order if unit["id"] in timelines]


def _tiles(board: list[Row]) -> list[tuple[str, int]]:
    asked, measured = (sum(row[name] for row in board) for name in ("n_asked", "n_measured"))
    distinct = [(f"{name}s", len({row[name] for row in board})) for name in ("model", "config")]
    return [*distinct, ("units asked", asked), ("not measured", asked - measured)]


def _board(category: str, rows: list[Row]) -> Row:
    """Return the rows of one category by config: `full` of any budget in sight, the others folded away."""
    by_config: dict[str, list[Row]] = {}
    for row in rows:
        by_config.setdefault(row["config"], []).append(row)
    sections = list(by_config.items())
    first = [section for section in sections if _base(section[0]) == "full"] or sections
    return {"category": category, "sections": first, "folded": [s for s in sections if s not in first]}


def _ablation(category: str, rows: list[Row]) -> Row:
    """Return the picture of one category, and its table: a row a model, a cell a config."""
    configs = [name for name in CONFIG_ORDER if any(row["config"] == name for row in rows)]
    configs += sorted({row["config"] for row in rows} - set(configs))
    models = sorted({row["model"] for row in rows})
    cells = {(row["model"], row["config"]): row for row in rows if row["scenario"] == "generation"}
    shown = [model for model in models if any((model, config) in cells for config in configs if config != "full")]
    return {
        "category": category,
        "configs": configs,
        "svg": ablation([row for row in rows if row["scenario"] == "generation"]) if len(configs) > 1 else None,
        "rows": [(model, [cells.get((model, config)) for config in configs]) for model in shown],
    }


def _pivots(rows: list[Row], key: str) -> list[Row]:
    """Return, for each category, models across and values of `key` down, under config `full` where it was asked.

    A model that was shown less than the default budget is a column of its own, `model @640`.
    """
    rows = [{**row, "model": _labelled(row), "config": _base(row["config"])} for row in rows]
    pivots = []
    for category in sorted({row["category"] or "" for row in rows}, key=_category_order):
        own = [row for row in rows if (row["category"] or "") == category and row["scenario"] == "generation"]
        config = "full" if any(row["config"] == "full" for row in own) else min((r["config"] for r in own), default="")
        own = [row for row in own if row["config"] == config]
        cells = {(row[key], row["model"]): row for row in own}
        models = sorted({row["model"] for row in own})
        values = sorted({row[key] for row in own}, key=_value_order)
        if values and values != [None]:
            lines = [(value, [cells.get((value, model)) for model in models]) for value in values[:MOST_ROWS]]
            pivots.append({"category": category, "config": config, "models": models, "rows": lines,
                           "left_out": max(0, len(values) - MOST_ROWS)})  # fmt: skip
    return pivots


def _grid(rows: list[Row], key: str) -> list[Row]:
    return [pivot for pivot in _pivots(rows, key) if len(pivot["rows"]) > 1]


def _failed(rows: list[Row]) -> list[Row]:
    measured = {(row["layer"], row["check"]) for row in rows if row["n_measured"]}
    rows = [row for row in rows if (row["layer"], row["check"]) in measured]
    merged = [{**row, "name": f"{row['layer']}: {row['check']}"} for row in rows]
    return _pivots(merged, "name")


def _stages(rows: list[Row]) -> list[Row]:
    stages: dict[tuple[str | None, str], Row] = {}
    for row in rows:
        stage = stages.setdefault((row["release"], row["stage"]), {**row, "reasons": []})
        if row["reason"] is not None:
            stage["reasons"].append((row["reason"], row["n_dropped"]))
    return list(stages.values())


def _built(layout: Layout, release: str) -> datetime | None:
    try:
        manifest = json.loads((layout.batch("corpora", release) / "release.json").read_text(encoding="utf-8"))
        return datetime.fromisoformat(manifest["created_at"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _base(config: str) -> str:
    """Return a config's name without its token budget."""
    return config.split("@", 1)[0]


def _labelled(row: Row) -> str:
    _, at, budget = row["config"].partition("@")
    return f"{row['model']} @{budget}" if at else row["model"]


def _board_order(row: Row) -> tuple[Any, ...]:
    base = _base(row["config"])
    place = CONFIG_ORDER.index(base) if base in CONFIG_ORDER else len(CONFIG_ORDER)
    score = row["mean_score"] if row["mean_score"] is not None else -1.0
    return place, row["config"], row["scenario"], -score, row["model"]


def _category_order(name: str) -> tuple[bool, str]:
    return name != "generation", name


def _value_order(value: Any) -> tuple[bool, float, str]:
    """Sort length classes by their lower bound, everything else by name, null last."""
    text = "" if value is None else str(value)
    bound = text.lstrip("([").split(",")[0]
    return value is None, float(bound) if bound.isdigit() else 0.0, text


def _rows(connection: "duckdb.DuckDBPyConnection", sql: str, **parameters: Any) -> list[Row]:
    return connection.sql(sql, params=parameters).to_arrow_table().to_pylist()


def _score(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None, digits: int = 0) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f} %"


def _count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _when(value: datetime | None) -> str:
    return "–" if value is None else value.strftime("%Y-%m-%d %H:%M UTC")
