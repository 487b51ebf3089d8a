"""The figures that only one track has, by track."""

from importlib import import_module
from typing import Any

from warehouse.errors import UsageError
from warehouse.layout import Layout

TABLES: dict[str, tuple[str, str]] = {
    "registers": ("warehouse.exports.registers", "registers_tables"),
}
"""Track to the module and function that return what the terminal prints."""


def metrics_of(layout: Layout, track: str, release: str | None = None) -> Any:
    """Return the track's own tables as a rich renderable; raises UsageError for a track that has none."""
    if track not in TABLES:
        raise UsageError(
            f"The track {track!r} has no figures beyond the views (see docs/views.md); {', '.join(TABLES)} has."
        )
    module, function = TABLES[track]
    return getattr(import_module(module), function)(layout, release)
