"""The safety guide as a page: risk tiers by model and kind of task, read off the warehouse."""

from warehouse.database import connect
from warehouse.errors import UsageError
from warehouse.layout import Layout

GROUPS = ("category", "family", "stratum", "project_id")
"""Columns of `results` that tasks can be grouped by."""


def guide_page(layout: Layout, *, track: str = "firmware", release: str | None = None, by: str = "category",
               scenario: str = "generation", config: str = "full", simultaneous: bool = False) -> str:  # fmt: skip
    """Return the guide of one track as Markdown; see `warehouse.stats.safety` for what a tier is.

    Arguments: `release`, the newest that was answered unless one is named; `by`, one of GROUPS; `simultaneous`, raise
    the level so that all bounds hold together. Only replies of one scenario and config are read: a rate over several
    is of none of them. Raises UsageError for an unknown grouping and where no reply was graded.
    """
    if by not in GROUPS:
        raise UsageError(f"A guide is by {', '.join(GROUPS)}, not by {by!r}.")
    where = "track = $track AND scenario = $scenario AND config = $config"
    told = {"track": track, "scenario": scenario, "config": config}
    with connect(layout) as connection:
        known = connection.execute(
            "SELECT r.release FROM results AS r JOIN generations AS g USING (generation_id) "
            f"WHERE r.{where.replace(' AND ', ' AND r.')} GROUP BY ALL ORDER BY max(g.created_at) DESC, 1",
            told,
        ).fetchall()
        names = [name for (name,) in known]
        if not names or release not in (None, *names):
            which = f"the release {release}" if release else f"the track {track}"
            raise UsageError(
                f"No reply to {which} with the config {config} in the scenario {scenario} was graded; "
                f"`firmbench run {track}` asks for some."
            )
        chosen = release or names[0]
        rows = connection.execute(
            f"SELECT model, coalesce(CAST({by} AS VARCHAR), 'none') AS kind, "
            "CASE WHEN measured THEN CAST(status = 'pass' AS INTEGER) END AS passed, "
            f"cluster FROM results WHERE {where} AND release IS NOT DISTINCT FROM $release "
            "ORDER BY model, kind, sample_id, attempt",
            {**told, "release": chosen},
        ).fetchall()
    from warehouse.stats.safety import as_markdown, safety_guide

    models, kinds, passed, clusters = (list(column) for column in zip(*rows, strict=True))
    page = as_markdown(safety_guide(models, kinds, passed, clusters, simultaneous=simultaneous))
    title, _, rest = page.partition("\n")
    return f"{title}\n\nTrack {track}, release {chosen or 'imported'}, config {config}, scenario {scenario}.\n{rest}"
