"""Flow: pinned projects in, one gated release out."""

import json
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from prefect import flow

import corpora
from corpora import catalog
from flows.progress import bar, say
from flows.releases import statistics_table
from flows.runner import Where, pool_for
from tasks.compute.task import prefect_map
from tasks.contract import Dropped
from tasks.curation.building import Wanted, build_release, count_by_category
from tasks.inference.asking import asking
from tasks.mining.mine import mine_project
from tasks.sources.task import fetch
from warehouse.database import rebuild
from warehouse.errors import UsageError
from warehouse.importers import published
from warehouse.layout import Layout

FEW_DROPS = 20


@flow(name="build corpus", validate_parameters=False)
def build_corpus(
    track: str,
    projects: list[str] | None = None,
    *,
    size: int | None = None,
    describe_with: str | None = None,
    options: dict[str, Any] | None = None,
    data: str | None = None,
    where: Where | None = None,
) -> str:
    """Fetch, mine, build and gate; return the id of the release. The same inputs give the same id and redo nothing."""
    layout, subject, where = Layout.default(data), corpora.load(track), where or Where()
    if unknown := sorted(set(options or {}) - set(subject.options)):
        raise UsageError(f"{track} has no option {', '.join(unknown)}; it has {', '.join(subject.options) or 'none'}.")
    mined = []
    with pool_for(where) as pool:
        map = prefect_map(pool, bar)
        if subject.uses_projects:
            sources = catalog.resolve(projects) if projects else catalog.demo()
            for source in sources:
                # Here, whatever the runner: what is downloaded belongs into this machine's data folder.
                mined.append(mine_project(source, fetch(source, layout), layout, map))
                say("{0}: {c_files:,} C/C++ files, {c_lines:,} lines, {functions:,} functions".format(
                    source.project_id, **mined[-1].summary))  # fmt: skip
        with asking(describe_with, layout) if describe_with else nullcontext() as ask:
            describer = (describe_with, ask) if describe_with and ask else None
            built = build_release(subject, Wanted(tuple(mined), size, describer, options or {}), layout, map)
    published.land(layout)
    rebuild(layout)
    if built.ledger is not None:
        say(built.ledger.table())
        for line in _dropped(built.ledger.drops):
            say(line)
        figures = statistics_table(layout, built.release.release)
        if figures.row_count:
            say(figures)
    plain = [sample for sample in built.release.samples.values() if sample.suits("generation")]
    counts = ", ".join(f"{n:,} {name}" for name, n in count_by_category(plain).items())
    others = len(built.release.samples) - len(plain)
    more = f"; {others:,} more are for scenarios of their own" if others else ""
    say(f"release {built.release.release}: {counts}{more}{'; it was there already' if built.release.reused else ''}")
    return built.release.release


def _dropped(drops: Sequence[Dropped]) -> list[str]:
    """Return a sentence for each item that was dropped, where they are few enough to be read."""
    if len(drops) <= FEW_DROPS:
        return [f"dropped {drop.item} in {drop.stage}, {drop.reason}: {drop.detail}" for drop in drops]
    return [f'{len(drops):,} items were dropped; `firmbench sql "FROM dropped"` says of each why']


def options_of(given: Sequence[str]) -> dict[str, Any]:
    """Return `NAME=VALUE` words as a track's build options: JSON where the value is JSON, else text.

    Raises UsageError for a word without a name or a value.
    """
    options: dict[str, Any] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise UsageError(f"The option {word!r} is not NAME=VALUE.")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options
