"""What each notebook reads, whether it is there, and the command that brings it."""

from typing import NamedTuple

from warehouse.exports.beside import fetch
from warehouse.layout import Layout


class Need(NamedTuple):
    """Rows a notebook reads: what they are, the query that counts them, and what to run where there are none."""

    what: str
    sql: str
    run: str


def _printed(source: str) -> Need:
    return Need(f"figures of {source} as printed", f"SELECT count(*) FROM published WHERE source = '{source}'",
                "firmbench import published FOLDER")  # fmt: skip


NEEDS: dict[str, tuple[Need, ...]] = {
    "realembedbench": (
        Need("results of the code track", "SELECT count(*) FROM results WHERE track = 'code' AND measured",
             "firmbench demo"),
        Need("results of the statemachines track", "SELECT count(*) FROM results WHERE track = 'statemachines'",
             "firmbench run statemachines --model MODEL"),
        Need("results of the translation track", "SELECT count(*) FROM results WHERE track = 'translation'",
             "firmbench run translation --model MODEL"),
        _printed("realembedbench"),
    ),
    "closed_loop": (
        Need("imported runs", "SELECT count(*) FROM imported_closed_loop", "firmbench import closed-loop INDEX.csv"),
        _printed("closed_loop"),
    ),
    "embedeval": (
        Need("imported verdicts", "SELECT count(*) FROM results WHERE track = 'imported:embedeval'",
             "firmbench import embedeval-runs FOLDER"),
        _printed("embedeval"),
        _printed("context_quality"),
    ),
    "registers": (
        Need("results of the registers track", "SELECT count(*) FROM registers",
             "firmbench run registers --model MODEL"),
        _printed("regbench"),
    ),
}  # fmt: skip


def state(layout: Layout, notebook: str) -> str:
    """Return, as Markdown, what of a notebook's rows is in the warehouse, and what to run for what is missing."""
    lines = [f"Warehouse: `{layout.root}`", ""]
    for need in NEEDS[notebook]:
        count = fetch(layout, need.sql).item()
        lines.append(f"- {need.what}: {count:,}" if count else f"- {need.what}: **none yet**; run `{need.run}`")
    return "\n".join(lines)


def release_of(layout: Layout, track: str, release: str | None = None) -> str | None:
    """Return `release`, or the one of `track` with the most results, the last by name of equals; None without any."""
    if release is not None:
        return release
    asked = "SELECT release FROM results WHERE track = $track GROUP BY release ORDER BY count(*) DESC, release DESC"
    rows = fetch(layout, f"{asked} LIMIT 1", track=track).rows()
    return rows[0][0] if rows else None
