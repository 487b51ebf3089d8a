"""The units that the report's browser shows: which ones, and each as a small JSON value."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from warehouse.exports.diff import Pair, Span, side_by_side

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]
PROMPT_CHARACTERS = 12_000
REPLY_CHARACTERS = 6_000
CODE_CHARACTERS = 16_000
SAW_CHARACTERS = 600
PAGE_CHARACTERS = 6_000_000
COPIED = (
    "model", "config", "scenario", "attempt", "status", "score", "category", "stratum", "path", "language", "licence",
    "code_rule", "finish_reason", "error",
)  # fmt: skip
FULL_SHARE = 0.7
"""Share of the browser given to config `full`; the rest shows the same samples under other configs."""


class Browser(NamedTuple):
    """`units` and, once each, the `prompts` they point to; `total` is how many units the release has."""

    units: list[Row]
    prompts: list[list[Row]]
    total: int


def browser(connection: "duckdb.DuckDBPyConnection", release: str, limit: int) -> Browser:
    """Return at most `limit` units of a release, samples that most models answered first, long texts clipped.

    The choice depends on ids alone, so that two reports on the same rows show the same units. Beyond six million
    characters no further unit is added.
    """
    listed = _rows(
        connection,
        "SELECT generation_id, sample_id, model, config, attempt FROM results WHERE release = $release",
        release=release,
    )
    chosen = choose(listed, limit)
    wanted = [row["generation_id"] for row in chosen]
    replies = {
        row["generation_id"]: row
        for row in _rows(
            connection,
            "SELECT r.*, g.messages, g.prompt_cut, g.reply, g.code, g.code_rule, g.finish_reason, g.error, "
            "s.reference, s.path, s.language, s.licence, "
            "coalesce(json_extract_string(s.prompt_parts, '$.qualified_name'), "
            "json_extract_string(s.prompt_parts, '$.task')) AS title "
            "FROM results AS r JOIN generations AS g USING (generation_id) "
            "LEFT JOIN samples AS s ON s.sample_id = r.sample_id AND s.release = r.release "
            "WHERE r.release = $release AND list_contains($wanted, r.generation_id)",
            release=release,
            wanted=wanted,
        )
    }
    checks = defaultdict(list)
    for row in _rows(
        connection,
        'SELECT evaluation_id, layer, "check", status, expected, saw, score FROM checks '
        "WHERE list_contains($wanted, evaluation_id) ORDER BY ALL",
        wanted=[row["evaluation_id"] for row in replies.values() if row["evaluation_id"]],
    ):
        checks[row.pop("evaluation_id")].append(row)

    units: list[Row] = []
    prompts: dict[str, int] = {}
    shown: list[list[Row]] = []
    size = 0
    for identifier in wanted:
        row = replies[identifier]
        unit = _unit(row, checks[row["evaluation_id"]])
        prompt = _prompt(row)
        key = json.dumps(prompt)
        size += len(json.dumps(unit)) + (0 if key in prompts else len(key))
        if units and size > PAGE_CHARACTERS:
            break
        if key not in prompts:
            prompts[key] = len(shown)
            shown.append(prompt)
        unit["prompt"] = prompts[key]
        units.append(unit)
    return Browser(units, shown, len(listed))


def choose(listed: Iterable[Row], limit: int) -> list[Row]:
    """Return at most `limit` of the units listed: most under `full`, whole samples, in an order given by a hash."""
    by_sample: dict[str, list[Row]] = defaultdict(list)
    for row in listed:
        by_sample[row["sample_id"]].append(row)

    def rank(sample: str) -> tuple[int, str]:
        return -len({row["model"] for row in by_sample[sample]}), sha256(sample.encode()).hexdigest()

    order = sorted(by_sample, key=rank)
    units = [
        row
        for sample in order
        for row in sorted(by_sample[sample], key=lambda r: (r["model"], r["config"], r["attempt"], r["generation_id"]))
    ]
    full = [row for row in units if row["config"] == "full"]
    other = [row for row in units if row["config"] != "full"]
    some = full[: max(int(limit * FULL_SHARE), limit - len(other))]
    kept = {row["generation_id"] for row in [*some, *other[: limit - len(some)]]}
    return [row for row in units if row["generation_id"] in kept][:limit]


def _unit(row: Row, checks: Sequence[Row]) -> Row:
    reference, code = clip(row["reference"] or "", CODE_CHARACTERS), clip(row["code"] or "", CODE_CHARACTERS)
    components = [c for c in checks if c["score"] is not None]
    return {
        **{name: row[name] for name in COPIED},
        "id": row["generation_id"],
        "sample": row["sample_id"],
        "project": row["project_id"],
        "title": row["title"] or row["path"] or row["sample_id"],
        "tokens": [row["prompt_tokens"], row["completion_tokens"]],
        "seconds": None if row["seconds_s"] is None else round(row["seconds_s"], 2),
        "cut": len(json.loads(row["prompt_cut"] or "[]")),
        "reply": clip(row["reply"] or "", REPLY_CHARACTERS),
        "diff": [packed(pair) for pair in side_by_side(reference, code)],
        "components": [[c["check"], round(c["score"], 4)] for c in components],
        "checks": [
            [c["layer"], c["check"], c["status"], clip(c["expected"] or "", SAW_CHARACTERS),
             clip(c["saw"] or "", SAW_CHARACTERS)]
            for c in checks if not (c["layer"] == "similarity" and c["status"] == "pass" and not c["saw"])
        ],
    }  # fmt: skip


def packed(pair: Pair) -> list[Any]:
    """Return a row of a diff as [kind, left, right]: a side is null, or texts plain and marked in turn."""
    return [pair.kind[0], _alternating(pair.left), _alternating(pair.right) if pair.kind != "same" else None]


def _alternating(spans: tuple[Span, ...] | None) -> list[str] | None:
    if spans is None:
        return None
    texts = [""]
    marked = False
    for span in spans:
        if span.marked != marked:
            texts.append("")
            marked = span.marked
        texts[-1] += span.text
    return texts


def _prompt(row: Row) -> list[Row]:
    try:
        messages = json.loads(row["messages"] or "[]")
    except ValueError:
        messages = [{"role": "unreadable", "content": row["messages"]}]
    share = max(1_000, PROMPT_CHARACTERS // max(1, len(messages)))
    return [{"role": str(m.get("role")), "content": clip(str(m.get("content") or ""), share)} for m in messages]


def clip(text: str, most: int) -> str:
    """Return `text`, or its beginning and a note of how much the page leaves out."""
    return (
        text if len(text) <= most else f"{text[:most]}\n[… {len(text) - most:,} more characters are in the warehouse]"
    )


def _rows(connection: "duckdb.DuckDBPyConnection", sql: str, **parameters: Any) -> list[Row]:
    return connection.sql(sql, params=parameters).to_arrow_table().to_pylist()
