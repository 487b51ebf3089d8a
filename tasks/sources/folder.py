"""A folder of this machine as a tree: for work in progress and for sources that came by some other way."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasks.sources.hashing import blob_id, tree_hash
from tasks.sources.model import Source, TreeFile
from warehouse.errors import SourceError
from warehouse.layout import Layout


@dataclass(frozen=True)
class DirTree:
    """The regular files below a folder, without symbolic links and `.git`: a checkout hashes like its commit."""

    project_id: str
    root: str
    revision: str
    tree_hash: str
    missing: int = 0
    sha256: str | None = None
    _listed: tuple[TreeFile, ...] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def open(cls, project_id: str, root: Path, revision: str | None = None) -> "DirTree":
        """Read and hash every file below `root`; the revision is the tree hash unless one is given."""
        files = _scan(project_id, root)
        total = tree_hash(files)
        return cls(project_id, str(root), revision or total, total, _listed=tuple(files))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_listed": None}

    def files(self) -> list[TreeFile]:
        """Return the files, sorted by path; raises SourceError if the folder changed since it was opened."""
        if self._listed is None:
            files = _scan(self.project_id, Path(self.root))
            if tree_hash(files) != self.tree_hash:
                raise SourceError(
                    f"{self.root} ({self.project_id}) changed while it was read; run again when it is still."
                )
            object.__setattr__(self, "_listed", tuple(files))
        return list(self._listed or ())

    def read(self, path: str) -> bytes:
        """Return the bytes of one file; raises SourceError if it cannot be read or lies outside the folder."""
        place = Path(self.root, path)
        if not inside(path) or place.is_symlink() or not place.is_file():
            raise SourceError(f"{self.project_id} has no file {path!r} below {self.root}; see files() for its paths.")
        try:
            return place.read_bytes()
        except OSError as error:
            raise SourceError(
                f"{place} of {self.project_id} cannot be read ({error.strerror}); make it readable or leave it out."
            ) from error

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) in the order asked."""
        return ((path, self.read(path)) for path in paths)


def fetch_dir(source: Source, layout: Layout) -> DirTree:
    """Open the folder that `source.address` names; raises SourceError if there is none."""
    root = Path(source.address).expanduser().resolve()
    if not root.is_dir():
        raise SourceError(
            f"There is no folder {source.address}, the address of {source.project_id}; correct the path."
        )
    return DirTree.open(source.project_id, root, source.revision)


def inside(path: str) -> bool:
    """Say whether a POSIX path stays below the root it is joined to."""
    return bool(path) and not path.startswith("/") and ".." not in path.split("/") and "\0" not in path


def _scan(project_id: str, root: Path) -> list[TreeFile]:
    found: list[TreeFile] = []
    for folder, folders, names in os.walk(root, onerror=_refuse(project_id)):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            place = Path(folder, name)
            if name == ".git" or place.is_symlink() or not place.is_file():
                continue
            try:
                data = place.read_bytes()
            except OSError as error:
                _refuse(project_id)(error)
            path = place.relative_to(root).as_posix()
            found.append(TreeFile(path=path, size_bytes=len(data), content_hash=blob_id(data)))
    return sorted(found, key=lambda file: file.path)


def _refuse(project_id: str):
    def refuse(error: OSError) -> None:
        raise SourceError(
            f"{error.filename} of {project_id} cannot be read ({error.strerror}); make it readable or move it away."
        ) from error

    return refuse
