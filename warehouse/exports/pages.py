"""docs/tables.md and docs/views.md, made from what the schemas, columns.toml and the comments of the views say.

`python -m warehouse.exports.pages docs` writes both; a test asserts that the pages in docs/ are these.
"""

import sys
import tempfile
from pathlib import Path

import pyarrow as pa

from warehouse.database import FOLLOWS, NEWEST, VIEWS, connect, words
from warehouse.layout import Layout
from warehouse.schema import SCHEMAS

TABLES_HEAD = """# Tables

Made by `python -m warehouse.exports.pages docs` from `warehouse/schema.py` and `warehouse/columns.toml`; do not edit.

A table is Parquet, one row a fact, in batches: `<data>/warehouse/<area>/<batch>/<table>.parquet`. A batch is written
into `.incoming`, synced to disk and renamed into place, so it appears at once and complete; it never changes. What
does not fit the schema below is refused with table, column and row. In DuckDB every table is a view of the same name
over all batches, with one column more: `batch`, where the row is stored. `firmbench sql` asks them; the file
`<data>/firmbench.duckdb` holds views only and may be deleted at any time.

`check`, `table`, `row` and `column` are words of SQL: write `"check"`, or `c.check` behind an alias.

**Required** columns are never null. Times are UTC, durations end in `_s`, sizes in `_bytes`, rates are fractions.
"""

VIEWS_HEAD = """# Views

Made by `python -m warehouse.exports.pages docs` from `warehouse/views/*.sql`; do not edit.

Every rate and mean stands beside its denominator, and is null where the rows cannot carry it. A unit is *measured*
when its status says something of the model: `pass`, `fail`, `timeout`, `no_submission`. `infra_error` and `not_run`
are neither pass nor fail: they count in `n_asked` and in no rate. A sample that stands in two releases is asked once
and counts in both. Where a reply was graded several times, the newest verdict counts.

Standard errors are clustered: sqrt(C/(C−1) · Σ over clusters of (sum of residuals)²) / n, null when C < 2. With few
clusters multiply by Student's t with C − 1 degrees of freedom, as `firmbench report` and the leaderboard do; never
subtract two marginal means where the paired difference is there. Sums run in parallel, so figures are rounded to 12
digits: the same rows give the same figure.

```
firmbench sql "FROM leaderboard WHERE category = 'generation'"
firmbench sql "FROM context_ablation_wide"
firmbench sql "SELECT model, config, difference, difference_se, n_pairs FROM context_ablation WHERE config <> 'full'"
firmbench sql "SELECT * FROM drops WHERE unexplained <> 0"
```
"""


def tables_page() -> str:
    """Return docs/tables.md."""
    parts = [TABLES_HEAD]
    for table, schema in SCHEMAS.items():
        meaning = words()[table]
        parts.append(f"\n## {table}\n\n{meaning['about']}{_kept(table)}\n\n| column | type | holds |\n|---|---|---|\n")
        for field in schema:
            kind = _kind(field.type) + ("" if field.nullable else ", **required**")
            parts.append(f"| `{field.name}` | {kind} | {meaning[field.name]} |\n")
    return "".join(parts)


def views_page() -> str:
    """Return docs/views.md."""
    parts = [VIEWS_HEAD]
    with tempfile.TemporaryDirectory() as folder, connect(Layout(Path(folder))) as connection:
        abouts = dict(
            connection.execute("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal").fetchall()
        )
        for view in VIEWS:
            parts.append(f"\n## {view.name}\n\n{abouts[view.name]}\n\n| column | type | holds |\n|---|---|---|\n")
            asked = "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = ? "
            columns = connection.execute(f"{asked} ORDER BY column_index", [view.name]).fetchall()
            parts += [f"| `{name}` | {kind.lower()} | {comment} |\n" for name, kind, comment in columns]
    return "".join(parts)


def _kept(table: str) -> str:
    if table in NEWEST:
        return f" One row a ({NEWEST[table].key.replace(chr(34), '')}) is shown."
    if table in FOLLOWS:
        return f" Shown as long as its row of `{FOLLOWS[table][0]}` is."
    return ""


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_kind(kind.value_type)}"
    if pa.types.is_struct(kind):
        return "struct"
    return "time" if pa.types.is_timestamp(kind) else str(kind)


def main(folder: Path) -> None:
    """Write both pages into `folder`."""
    (folder / "tables.md").write_text(tables_page(), encoding="utf-8")
    (folder / "views.md").write_text(views_page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
