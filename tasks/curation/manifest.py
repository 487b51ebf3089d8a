"""Which releases there are: `release.json` of each, which says when and how it was built."""

import json
from pathlib import Path
from typing import Any

from warehouse.errors import CorpusError
from warehouse.layout import Layout

AREA = "corpora"
MANIFEST = "release.json"


def listing(layout: Layout) -> list[dict[str, Any]]:
    """Return the manifest of every release in the order of their last builds."""
    found = [manifest_in(path.parent) for path in (layout.warehouse / AREA).glob(f"[!.]*/{MANIFEST}")]
    return sorted(found, key=lambda manifest: (manifest["built_at"], manifest["release"]))


def manifest_in(folder: Path) -> dict[str, Any]:
    """Return the manifest of the release in `folder`."""
    return json.loads((folder / MANIFEST).read_bytes())


def manifest_of(layout: Layout, release: str) -> dict[str, Any]:
    """Return the manifest of a release by its name; raises CorpusError, naming the releases there are."""
    folder = layout.batch(AREA, release)
    if (folder / MANIFEST).is_file():
        return manifest_in(folder)
    known = ", ".join(manifest["release"] for manifest in listing(layout)) or "none yet"
    raise CorpusError(f"There is no release {release!r} (there are: {known}); make one with `firmbench corpus build`.")


def newest(layout: Layout, track: str) -> dict[str, Any]:
    """Return the manifest of the release of a track that was built last; raises CorpusError when it has none."""
    of_track = [manifest for manifest in listing(layout) if manifest["track"] == track]
    if not of_track:
        raise CorpusError(f"There is no release of the track {track!r}; run `firmbench corpus build {track}`.")
    return of_track[-1]
