"""The DuckDB file: views over Parquet and nothing else, rebuilt whenever what they stand on changes.

It is built beside its place and renamed, and opened read-only, so that no reader and no writer ever waits for another.
Each base view reads an absolute glob that always matches one file at least: a batch of empty tables with the declared
schemas, which also gives files from before a column was added their missing columns.
"""

import hashlib
import re
import tomllib
from functools import cache
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from warehouse.errors import WarehouseError
from warehouse.layout import Layout
from warehouse.schema import SCHEMAS

if TYPE_CHECKING:
    import duckdb

HERE = Path(__file__).parent
SCHEMA_AREA = "schema"
SETTINGS: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class Newest(NamedTuple):
    """How a base view keeps one row a key: `order` puts the row to keep first; ties go to the last file by name."""

    key: str
    order: str = ""


NEWEST: dict[str, Newest] = {
    "projects": Newest("project_id, revision"),
    "functions": Newest("function_id"),
    "samples": Newest("release, sample_id"),
    "context_items": Newest("sample_id, kind, rank"),
    "reviews": Newest("sample_id, reviewer", "reviewed_at DESC NULLS LAST"),
    "runs": Newest("run_id", "ended_at DESC NULLS LAST, started_at DESC"),
    "generations": Newest(
        "generation_id",
        "CASE WHEN error_kind IS NULL THEN 0 WHEN error_kind = 'empty_reply' THEN 1 ELSE 2 END, "
        "created_at DESC NULLS LAST",
    ),
    "evaluations": Newest("evaluation_id", "status = 'infra_error', created_at DESC NULLS LAST"),
    "published": Newest('source, "table", "row", "column"'),
}
"""Tables where a retry, a second release or a later run can leave two rows of one key."""

FOLLOWS: dict[str, tuple[str, str]] = {
    "turns": ("generations", "generation_id"),
    "submissions": ("generations", "generation_id"),
    "checks": ("evaluations", "evaluation_id"),
}
"""Tables whose rows count only beside the row they belong to: those of a superseded row go with it."""


class View(NamedTuple):
    """One of the analysts' views: its file in warehouse/views, and what is filled in where several share one.

    `keys` are the columns it groups by and `source` the view it counts.
    """

    name: str
    file: str
    about: str = ""
    keys: str = ""
    source: str = "results"


FIGURE_KEYS: dict[str, str] = {
    "track": "The kind of question.",
    "release": "The release.",
    "category": "The category of the samples.",
    "model": "Who was asked.",
    "config": "What the model was shown.",
    "scenario": "How the model could work.",
    "facet": "difficulty, visibility, language, stratum, platform, tier or reasoning.",
    "value": "What the samples say.",
}
"""What the keys of figures.sql mean there; any other is a column of `samples` and means the same."""

_RATES = "Rates and mean scores with their denominators and clustered errors, one row a"
VIEWS: tuple[View, ...] = (
    View("results", "results.sql"),
    View("leaderboard", "figures.sql", f"{_RATES} model, config and scenario of a category.",
         "track, release, category, model, config, scenario"),
    View("per_stratum", "figures.sql", f"{_RATES} stratum of the samples: length class, or depth.",
         "track, release, category, stratum, model, config, scenario"),
    View("per_project", "figures.sql", f"{_RATES} project the samples were mined from.",
         "track, release, category, project_id, model, config, scenario"),
    View("facet_results", "facet_results.sql"),
    View("per_facet", "figures.sql", f"{_RATES} thing that samples say of themselves: tier, kind of reasoning, ….",
         "track, release, facet, value, model, config, scenario", "facet_results"),
    View("per_config", "per_config.sql"),
    View("context_ablation", "context_ablation.sql"),
    View("context_ablation_wide", "context_ablation_wide.sql"),
    View("components", "components.sql"),
    View("failed_checks", "failed_checks.sql"),
    View("failures", "failures.sql"),
    View("layer_results", "layer_results.sql"),
    View("invented_apis", "invented_apis.sql"),
    View("registers", "registers.sql"),
    View("published_vs_ours", "published_vs_ours.sql"),
    View("drops", "drops.sql"),
    View("release_statistics", "release_statistics.sql"),
    View("agent_runs", "agent_runs.sql"),
    View("imported_closed_loop", "imported_closed_loop.sql"),
    View("regraded_closed_loop", "regraded_closed_loop.sql"),
    View("regraded_submissions", "regraded_submissions.sql"),
)  # fmt: skip
"""In the order they are created: each may read those before it."""


def rebuild(layout: Layout) -> Path:
    """Build the DuckDB file of `layout` anew and return its path; readers of the old one are not disturbed."""
    import duckdb

    from warehouse.writer import incoming, write_batch

    write_batch(layout, SCHEMA_AREA, _schema_digest(), {table: [] for table in SCHEMAS})
    layout.root.mkdir(parents=True, exist_ok=True)
    with incoming(layout) as folder:
        path = folder / layout.database.name
        with duckdb.connect(str(path), config=SETTINGS) as connection:
            connection.begin()  # one commit: each would be synced to disk
            for statement in statements(layout):
                connection.execute(statement)
            connection.commit()
        path.replace(layout.database)
    return layout.database


def statements(layout: Layout) -> list[str]:
    """Return the SQL that makes the database, one script a view, in order."""
    digest = _digest(layout)
    about = f"CREATE VIEW about AS SELECT {_text(digest)} AS digest, {_text(str(layout.warehouse))} AS warehouse"
    note = "COMMENT ON VIEW about IS 'What this file was built from; firmbench rebuilds it when that changes.'"
    return [about, note, *(_base_view(layout, table) for table in SCHEMAS), *(_analyst_view(view) for view in VIEWS)]


def connect(layout: Layout) -> "duckdb.DuckDBPyConnection":
    """Return a read-only connection, after a rebuild if schemas, views or data root changed since the last."""
    import duckdb

    if not layout.database.exists() or not layout.batch(SCHEMA_AREA, _schema_digest()).exists():
        rebuild(layout)
    connection = _open(layout)
    try:
        found = connection.execute("SELECT digest FROM about").fetchall()
    except duckdb.Error:
        found = []
    if found == [(_digest(layout),)]:
        return connection
    connection.close()
    rebuild(layout)
    return _open(layout)


def query(layout: Layout, sql: str) -> pa.Table:
    """Return the answer to one SQL query; raises WarehouseError with DuckDB's own reason and the names there are."""
    import duckdb

    with connect(layout) as connection:
        try:
            relation = connection.sql(sql)
            if relation is None:
                raise WarehouseError("The query returns no rows; ask with SELECT, FROM, DESCRIBE or SHOW.")
            return relation.to_arrow_table()
        except duckdb.Error as error:
            raise WarehouseError(_explain(connection, sql, str(error))) from error


@cache
def words() -> dict[str, dict[str, str]]:
    """Return what every table (under the key `""`) and each of its columns holds, from columns.toml."""
    return tomllib.loads((HERE / "columns.toml").read_text(encoding="utf-8"))


def _open(layout: Layout) -> "duckdb.DuckDBPyConnection":
    import duckdb

    try:
        connection = duckdb.connect(str(layout.database), read_only=True, config=SETTINGS)
        connection.execute("SET TimeZone = 'UTC'")
        return connection
    except duckdb.Error as error:
        raise WarehouseError(
            f"{layout.database} cannot be opened ({_sentence(str(error))}); close what writes to it, or delete it: "
            "it holds views only."
        ) from error


def _base_view(layout: Layout, table: str) -> str:
    glob = layout.warehouse / "*" / "*" / f"{table}.parquet"
    columns = ", ".join(f'"{name}"' for name in SCHEMAS[table].names)
    batch = "array_to_string(string_split(filename, '/')[-3:-2], '/') AS batch"
    rows = f"SELECT {columns}, {batch} FROM read_parquet({_text(str(glob))}, union_by_name = true, filename = true)"
    if table in NEWEST:
        key, order = NEWEST[table]
        first = ", ".join(part for part in (order, "filename DESC") if part)
        rows += f" QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {first}) = 1"
    if table in FOLLOWS:
        owner, key = FOLLOWS[table]
        rows = f"SELECT * FROM ({rows}) SEMI JOIN {owner} USING ({key}, batch)"
    meaning = words().get(table, {})
    script = [f"CREATE VIEW {table} AS {rows}", f"COMMENT ON VIEW {table} IS {_text(meaning.get('about', ''))}"]
    for name in (*SCHEMAS[table].names, "batch"):
        text = (
            meaning.get(name, "")
            if name != "batch"
            else "Where the row is stored: <area>/<batch> below the warehouse."
        )
        script.append(f'COMMENT ON COLUMN {table}."{name}" IS {_text(text)}')
    return ";\n".join(script)


def _analyst_view(view: View) -> str:
    text = (HERE / "views" / view.file).read_text(encoding="utf-8")
    if not view.keys:
        return text
    script = Template(text).substitute(view=view.name, keys=view.keys, about=view.about, source=view.source)
    meaning = {**words()["samples"], **FIGURE_KEYS}
    return script + "".join(
        f"\nCOMMENT ON COLUMN {view.name}.{key} IS {_text(meaning[key])};" for key in view.keys.split(", ")
    )


@cache
def _schema_digest() -> str:
    described = "\n".join(f"{table}\n{schema.to_string()}" for table, schema in SCHEMAS.items())
    return hashlib.sha256(described.encode()).hexdigest()[:12]


def _digest(layout: Layout) -> str:
    """Return the hash of what the database stands on: the schemas, the views' SQL, DuckDB and where the Parquet is."""
    import duckdb

    scripts = [_base_view(layout, table) for table in SCHEMAS] + [_analyst_view(view) for view in VIEWS]
    return hashlib.sha256("\n".join([duckdb.__version__, _schema_digest(), *scripts]).encode()).hexdigest()[:16]


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _sentence(message: str) -> str:
    """Return the first sentence of a DuckDB message without its kind and its drawing."""
    first = message.split("\n", 1)[0].strip()
    return re.sub(r"^[A-Z][\w ]* Error: ", "", first).rstrip("!.: ")


def _explain(connection: "duckdb.DuckDBPyConnection", sql: str, message: str) -> str:
    reason = _sentence(message)
    views = [*SCHEMAS, *(view.name for view in VIEWS)]
    if re.search(r"Table with name .* does not exist", message):
        return f"The query fails: {reason}; there are {', '.join(views)}."
    if re.search(r"[Rr]eferenced (column|table)|does not have a column|not found in FROM", message):
        asked = [view for view in views if re.search(rf"\b{view}\b", sql, re.IGNORECASE)]
        held = [f"{view} has {', '.join(_columns(connection, view))}" for view in asked]
        return f"The query fails: {reason}; {'; '.join(held)}." if held else f"The query fails: {reason}."
    return f"The query fails: {reason}."


def _columns(connection: "duckdb.DuckDBPyConnection", view: str) -> list[str]:
    asked = "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
    return [name for (name,) in connection.execute(asked, [view]).fetchall()]
