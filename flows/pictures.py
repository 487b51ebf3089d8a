"""Pictures of what answers do over time. Traces are not stored: a run is recomputed from the source that is."""

from collections.abc import Sequence
from pathlib import Path

import corpora
from flows.progress import bar, say
from tasks.contract import Bench
from tasks.curation.manifest import manifest_of
from tasks.curation.release import load
from tasks.sandbox import open_sandbox
from warehouse.database import connect
from warehouse.errors import CorpusError, SandboxError
from warehouse.exports.show import find
from warehouse.exports.timeline import Timeline, plot
from warehouse.exports.timeline_svg import picture
from warehouse.layout import Layout

MOST = 40
"""Answers that are drawn for one report; any other is one `firmbench show` away."""

CODE = {
    "samples": "SELECT sample_id AS id, release, sample_id, reference AS code FROM samples "
    "WHERE list_contains($ids, sample_id)",
    "generations": "SELECT generation_id AS id, r.release, r.sample_id, g.code FROM results AS r "
    "JOIN generations AS g USING (generation_id) WHERE list_contains($ids, generation_id)",
}


def of_answers(
    layout: Layout, table: str, ids: Sequence[str], release: str | None = None
) -> dict[str, list[Timeline]]:
    """Return the timelines of samples' references or of generations, by id, to one release (None: the newest each).

    Left out are ids whose track has nothing to draw and answers that do not build; equal answers run once. Raises
    CorpusError where a task is not the one that would be graded today, SandboxError where it cannot be run here.
    """
    with connect(layout) as connection:
        rows = connection.sql(f"{CODE[table]} ORDER BY id, release", params={"ids": list(ids)}).fetchall()
    wanted = {row[0]: row[1:] for row in rows if row[3] and release in (None, row[1])}
    found: dict[str, list[Timeline]] = {}
    for name in sorted({row[0] for row in wanted.values() if layout.batch("corpora", row[0]).exists()}):
        track = corpora.load(manifest_of(layout, name)["track"])
        draw = getattr(track, "timelines", None)
        if draw is None:
            continue
        held = load(layout, track, name)
        answers = {row[1:]: None for row in wanted.values() if row[0] == name}
        with open_sandbox() as sandbox, bar("draw", len(answers)) as advance:
            bench = Bench(held.folder, sandbox=sandbox)
            for sample_id, code in answers:
                answers[sample_id, code] = draw(held.samples[sample_id], code, bench)
                advance(1)
        found |= {id: answers[row[1:]] for id, row in wanted.items() if row[0] == name and answers[row[1:]]}
    return found


def of_report(layout: Layout, release: str, ids: Sequence[str]) -> dict[str, list[Timeline]]:
    """Return the timelines of the first MOST generations for a report; none, with a word, where they cannot be had."""
    try:
        return of_answers(layout, "generations", ids[:MOST], release)
    except (CorpusError, SandboxError) as error:
        say(f"the report has no pictures: {error}")
        return {}


def shown(layout: Layout, identifier: str, svg: Path | None = None) -> str:
    """Return the picture of a generation, or of a sample's reference, in characters, "" where there is none to draw.

    Where `svg` is given, the same as an SVG goes there.
    """
    with connect(layout) as connection:
        table, found = find(connection, identifier)
    try:
        timelines = of_answers(layout, table, [found]).get(found, [])
    except (CorpusError, SandboxError) as error:
        return f"There is no picture: {error}"
    if svg is not None and timelines:
        svg.write_text(picture(timelines, alone=True), encoding="utf-8")
    return "\n\n".join(plot(timeline) for timeline in timelines)
