"""One way to a tree, whatever the kind of its source."""

from collections.abc import Callable

from tasks.sources.archive import fetch_archive
from tasks.sources.folder import fetch_dir
from tasks.sources.git import fetch_git
from tasks.sources.model import Source, Tree
from warehouse.layout import Layout

FETCHERS: dict[str, Callable[[Source, Layout], Tree]] = {
    "git": fetch_git,
    "pypi": fetch_archive,
    "npm": fetch_archive,
    "dir": fetch_dir,
}


def fetch(source: Source, layout: Layout) -> Tree:
    """Return the tree of a pinned project, downloading below `layout.sources` only what is not there yet.

    Raises SourceError, one sentence naming project, address and fix, for an unreachable address, an unknown revision,
    a wrong hash or an unsafe archive; nothing half-written stays.
    """
    return FETCHERS[source.kind](source, layout)
