"""Where generated data lives: below one folder, `data/` unless `FIRMBENCH_DATA` or `--data` says otherwise."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Layout:
    """Folders below the data root; none is created until something is written into it."""

    root: Path

    @classmethod
    def default(cls, data: str | Path | None = None) -> "Layout":
        """Return the layout of `data`, else of `$FIRMBENCH_DATA`, else of `./data`; the root is made absolute."""
        return cls(Path(data or os.environ.get("FIRMBENCH_DATA") or "data").resolve())

    @property
    def sources(self) -> Path:
        """Downloaded archives and git clones, named by their pin."""
        return self.root / "sources"

    @property
    def trees(self) -> Path:
        """C and C++ files of a project written out, for tools that need a file system."""
        return self.root / "trees"

    @property
    def cache(self) -> Path:
        """Content-addressed results of the stages before a release; safe to delete."""
        return self.root / "cache"

    @property
    def warehouse(self) -> Path:
        """Parquet as `<area>/<batch>/<table>.parquet`; a batch appears at once, complete, and never changes."""
        return self.root / "warehouse"

    @property
    def database(self) -> Path:
        """The DuckDB file: views only, rebuilt at any time."""
        return self.root / "firmbench.duckdb"

    @property
    def journals(self) -> Path:
        """Replies that arrived and are not in Parquet yet, one JSON line each."""
        return self.root / "journal"

    @property
    def reports(self) -> Path:
        """HTML reports."""
        return self.root / "reports"

    def batch(self, area: str, name: str) -> Path:
        """Return the folder of one batch, e.g. `corpora/<release>` or `inference/<shard>`."""
        return self.warehouse / area / name
