"""One sample or one reply on the terminal: what was asked, what came back, where it differs, what the checks saw."""

import json
from typing import TYPE_CHECKING, Any

from warehouse.database import connect
from warehouse.errors import UsageError
from warehouse.exports.diff import Pair, side_by_side
from warehouse.exports.text import cell, printable
from warehouse.layout import Layout

if TYPE_CHECKING:
    import duckdb
    from rich.console import Group, RenderableType
    from rich.text import Text

STATUS_STYLE = {"pass": "green", "fail": "red", "timeout": "red", "no_submission": "red"}
ELSE_STYLE = "yellow"
SAMPLE_FACTS = ("track", "category", "project_id", "path", "stratum", "cluster", "licence", "language")
REPLY_FACTS = (
    "sample_id", "model", "config", "scenario", "attempt", "finish_reason", "code_rule", "error", "prompt_tokens",
    "completion_tokens", "cost_usd", "seconds_s",
)  # fmt: skip
STEPS = (
    (
        "turns",
        "SELECT turn, role, tool, left(content, 200) || CASE WHEN length(content) > 200 THEN ' …' ELSE '' END "
        "AS content, seconds_s FROM turns WHERE generation_id = $id QUALIFY count(*) OVER () > 1 ORDER BY turn",
    ),
    (
        "submitted",
        "SELECT submission, turn, after_s, after_tokens, status, failed_layer, score FROM submissions "
        "WHERE generation_id = $id ORDER BY submission",
    ),
)
"""What is shown of a reply that took several steps; `firmbench sql` has the whole texts."""


def show(layout: Layout, identifier: str) -> "Group":
    """Return a rich renderable of the sample or generation that `identifier`, or a unique beginning of it, names.

    A sample's track may be left out. Raises UsageError, with near ids, when none or several match.
    """
    with connect(layout) as connection:
        table, found = find(connection, identifier)
        return _sample(connection, found) if table == "samples" else _generation(connection, found)


def find(connection: "duckdb.DuckDBPyConnection", identifier: str) -> tuple[str, str]:
    """Return the table, `samples` or `generations`, and the whole id that an identifier names; raises UsageError."""
    identifier = identifier.strip()
    ids = (
        "(SELECT DISTINCT 'samples' AS tbl, sample_id AS id, split_part(sample_id, ':', 2) AS bare FROM samples "
        "UNION ALL SELECT 'generations', generation_id, generation_id FROM generations)"
    )
    matching = _rows(
        connection,
        f"SELECT * FROM {ids} WHERE starts_with(id, $id) OR starts_with(bare, $id) ORDER BY id LIMIT 1000",
        id=identifier,
    )
    exact = [row for row in matching if identifier in (row["id"], row["bare"])]
    found = exact if len(exact) == 1 else matching
    if identifier and len(found) == 1:
        return found[0]["tbl"], found[0]["id"]
    if identifier and found:
        count = "1000 or more" if len(found) == 1000 else str(len(found))
        some = ", ".join(row["id"] for row in found[:5])
        raise UsageError(f"{identifier!r} begins {count} ids, so name one with more letters: {some}{_more(found)}.")
    near = _rows(
        connection,
        f"SELECT id FROM {ids} "
        "ORDER BY least(levenshtein(left(id, $n), $id), levenshtein(left(bare, $n), $id)), id LIMIT 3",
        id=identifier,
        n=max(1, len(identifier)),
    )
    hint = f"the nearest are {', '.join(row['id'] for row in near)}" if near else "the warehouse holds none yet"
    raise UsageError(f"No sample or generation is called {identifier!r}; {hint}.")


def _more(found: list[Any]) -> str:
    return ", …" if len(found) > 5 else ""


def _sample(connection: "duckdb.DuckDBPyConnection", sample_id: str) -> "Group":
    from rich.console import Group
    from rich.text import Text

    releases = _rows(connection, "FROM samples WHERE sample_id = $id ORDER BY release", id=sample_id)
    sample = releases[0]
    facts = _facts(sample, SAMPLE_FACTS)
    facts["releases"] = ", ".join(row["release"] for row in releases)
    context = _rows(
        connection,
        "SELECT kind, count(*) AS items FROM context_items WHERE sample_id = $id GROUP BY kind ORDER BY kind",
        id=sample_id,
    )
    facts["context"] = ", ".join(f"{row['items']} {row['kind']}" for row in context) or "none"
    parts: list[RenderableType] = [_grid(f"Sample {sample_id}", facts)]
    try:
        own = {k: v for k, v in json.loads(sample["prompt_parts"] or "{}").items() if v not in (None, "", [], {})}
    except ValueError:
        own = {}
    for name, value in own.items():
        if isinstance(value, str) and ("\n" in value or len(value) > 60):
            parts += [_heading(name), Text(printable(value).rstrip())]
        else:
            parts.append(Text.assemble((f"{name}  ", "dim"), cell(value)))
    parts += [_heading("Reference"), Text(sample["reference"].rstrip())]
    replies = _rows(
        connection,
        "SELECT DISTINCT model, config, scenario, attempt, status, score, generation_id AS generation FROM results "
        "WHERE sample_id = $id ORDER BY model, config, scenario, attempt",
        id=sample_id,
    )
    parts += [_heading(f"{len(replies)} replies"), _table(replies)] if replies else [_heading("Nobody was asked yet")]
    return Group(*parts)


def _generation(connection: "duckdb.DuckDBPyConnection", generation_id: str) -> "Group":
    from rich.console import Group
    from rich.text import Text

    reply = _rows(connection, "FROM generations WHERE generation_id = $id", id=generation_id)[0]
    verdict = _rows(connection, "FROM results WHERE generation_id = $id ORDER BY release LIMIT 1", id=generation_id)[0]
    samples = _rows(connection, "FROM samples WHERE sample_id = $id LIMIT 1", id=reply["sample_id"])
    facts = _facts(reply, REPLY_FACTS)
    facts = {"status": verdict["status"], "score": cell(verdict["score"]) or "none", **facts}
    parts: list[RenderableType] = [_grid(f"Generation {generation_id}", facts)]
    for message in json.loads(reply["messages"] or "[]"):
        parts += [_heading(f"Prompt: {message['role']}"), Text(printable(str(message["content"])).rstrip())]
    parts += [_heading("Reply"), Text((reply["reply"] or "").rstrip() or "(nothing came back)")]
    if samples:
        parts += [_heading("Reference (-) and code taken from the reply (+)"),
                  _differences(side_by_side(samples[0]["reference"], reply["code"] or ""))]  # fmt: skip
    else:
        parts += [_heading("Code taken from the reply; its sample is not in the warehouse"), Text(reply["code"] or "")]
    checks = _rows(
        connection,
        "SELECT * EXCLUDE (evaluation_id, batch) FROM checks WHERE evaluation_id = $id ORDER BY ALL",
        id=verdict["evaluation_id"],
    )
    parts += [_heading("Checks"), _table(checks)] if checks else [_heading("Not graded yet")]
    for heading, sql in STEPS:
        if steps := _rows(connection, sql, id=generation_id):
            parts += [_heading(f"{len(steps)} {heading}"), _table(steps)]
    return Group(*parts)


def _rows(connection: "duckdb.DuckDBPyConnection", sql: str, **parameters: Any) -> list[dict[str, Any]]:
    rows = connection.sql(sql, params=parameters).to_arrow_table().to_pylist()
    return [{k: printable(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows]


def _facts(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    return {name: cell(row[name]) for name in names if row[name] is not None}


def _heading(text: str) -> "Text":
    from rich.text import Text

    return Text(f"\n{text}", style="bold underline")


def _grid(title: str, facts: dict[str, str]) -> "Group":
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for name, value in facts.items():
        style = STATUS_STYLE.get(value, ELSE_STYLE) if name == "status" else ""
        grid.add_row(Text(name, style="dim"), Text(value, style=style))
    return Group(Text(title, style="bold"), grid)


def _table(rows: list[dict[str, Any]]) -> "RenderableType":
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name in rows[0]:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        styles = [STATUS_STYLE.get(str(row[name]), ELSE_STYLE) if name == "status" else "" for name in row]
        table.add_row(*(Text(cell(value), style=style) for value, style in zip(row.values(), styles, strict=True)))
    return table


def _differences(pairs: list[Pair]) -> "Text":
    from rich.text import Text

    text = Text()
    for pair in pairs:
        if pair.kind == "same" and pair.left:
            text.append("  " + pair.left[0].text + "\n", style="dim")
            continue
        for mark, spans, style in (("- ", pair.left, "red"), ("+ ", pair.right, "green")):
            if spans is None:
                continue
            text.append(mark, style=style)
            for span in spans:
                text.append(span.text, style=f"{style} reverse" if span.marked else style)
            text.append("\n")
    return text or Text("(both are empty)")
