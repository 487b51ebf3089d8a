"""Packages from PyPI and npm as trees: downloaded once by the registry's own client, checked, then read from one pack.

A pack holds the regular files of an archive end to end behind a JSON index, so that reading one file of a 6,000-file
archive costs a seek whatever the compression was. It is derived: deleting it costs the time to write it again.
"""

import hashlib
import json
import shutil
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from tasks.sources.download import DOWNLOADS
from tasks.sources.folder import inside
from tasks.sources.hashing import blob_id, tree_hash
from tasks.sources.model import Source, TreeFile
from tasks.sources.partial import partial_file, scratch
from warehouse.errors import SourceError
from warehouse.layout import Layout

SUFFIXES = (".tar.gz", ".whl", ".tgz", ".zip")
MAGIC = b"firmbench pack 1\n"


@dataclass(frozen=True)
class ArchiveTree:
    """The regular files of a sdist, wheel or npm archive. `top`: whether one leading folder is taken off the paths."""

    project_id: str
    archive: str
    revision: str
    tree_hash: str
    sha256: str
    top: bool
    missing: int = 0

    @classmethod
    def open(cls, project_id: str, archive: Path, *, revision: str, sha256: str, top: bool) -> "ArchiveTree":
        """Index the archive if that was not done before; raises SourceError if it is broken or unsafe."""
        index = _index(project_id, str(archive), top)
        return cls(project_id, str(archive), revision, index.tree_hash, sha256, top)

    def files(self) -> list[TreeFile]:
        """Return the files, sorted by path."""
        return list(_index(self.project_id, self.archive, self.top).files)

    def read(self, path: str) -> bytes:
        """Return the bytes of one file; raises SourceError if the archive has none of that name."""
        return next(self.read_many([path]))[1]

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) in the order asked, opening the pack once."""
        index = _index(self.project_id, self.archive, self.top)
        with index.pack.open("rb") as stream:
            for path in paths:
                if path not in index.spans:
                    raise SourceError(
                        f"{self.project_id} has no file {path!r} in {self.archive}; see files() for its paths."
                    )
                start, size = index.spans[path]
                stream.seek(start)
                data = stream.read(size)
                if len(data) != size:
                    raise SourceError(f"{index.pack} of {self.project_id} is cut short; delete it and run again.")
                yield path, data


@dataclass(frozen=True)
class Index:
    """Where each file lies in a pack: path → (offset, size in bytes)."""

    pack: Path
    files: tuple[TreeFile, ...]
    spans: dict[str, tuple[int, int]]
    tree_hash: str


def fetch_archive(source: Source, layout: Layout) -> ArchiveTree:
    """Return the pinned package, from `layout.sources` when it is there with the right hash, else from the registry.

    Raises SourceError without a version or sha256, for a package that cannot be had, and for a hash that differs,
    in which case nothing is kept.
    """
    if not source.revision or not source.sha256:
        raise SourceError(
            f"{source.project_id} is pinned incompletely: a {source.kind} source needs a version and the sha256 of its"
            " archive; add them to its entry."
        )
    stem = layout.sources / f"{_slug(source.address)}-{source.revision}-{source.sha256[:12]}"
    place = _kept(stem)
    if place is None:
        with scratch(stem) as work:
            got = DOWNLOADS[source.kind](source, work)
            check_hash(source, got, "nothing was kept")
            place = Path(f"{stem}{_suffix(source, got)}")
            got.replace(place)
    else:
        check_hash(source, place, f"delete {place} to download it again")
    # A wheel's paths are those of an installation; every other archive wraps its files in one folder.
    return ArchiveTree.open(
        source.project_id, place, revision=source.revision, sha256=source.sha256, top=place.suffix != ".whl"
    )


def _kept(stem: Path) -> Path | None:
    return next((place for suffix in SUFFIXES if (place := Path(f"{stem}{suffix}")).exists()), None)


def _suffix(source: Source, got: Path) -> str:
    for suffix in SUFFIXES:
        if got.name.endswith(suffix):
            return suffix
    raise SourceError(
        f"{source.project_id} came as {got.name}, which is none of {', '.join(SUFFIXES)}; pin another archive of it."
    )


def check_hash(source: Source, archive: Path, then: str) -> None:
    """Raise SourceError, stating both hashes, unless the archive has the pinned SHA-256."""
    with archive.open("rb") as stream:
        got = hashlib.file_digest(stream, "sha256").hexdigest()
    if got != source.sha256:
        raise SourceError(
            f"The archive of {source.project_id} ({source.address} {source.revision}) is not the pinned one: expected"
            f" sha256 {source.sha256}, got {got}; {then}."
        )


def _slug(name: str) -> str:
    return name.removeprefix("@").replace("/", "-")


@lru_cache(maxsize=16)
def _index(project_id: str, archive: str, top: bool) -> Index:
    pack = Path(archive + ".pack")
    if not pack.exists():
        _write_pack(project_id, Path(archive), pack, top)
    with pack.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            raise SourceError(f"{pack} of {project_id} is not a pack of this version; delete it and run again.")
        (length,) = struct.unpack(">Q", stream.read(8))
        listed = json.loads(stream.read(length))
    offset = len(MAGIC) + 8 + length
    files, spans = [], {}
    for path, size, content_hash, start in listed["files"]:
        files.append(TreeFile(path=path, size_bytes=size, content_hash=content_hash))
        spans[path] = (offset + start, size)
    return Index(pack, tuple(files), spans, listed["tree_hash"])


def _write_pack(project_id: str, archive: Path, pack: Path, top: bool) -> None:
    """Copy every regular file of the archive into a pack; of members with the same name the last counts, as in tar."""
    rows: dict[str, tuple[int, str, int]] = {}
    with partial_file(pack) as work:
        body = work.with_suffix(".body")
        with body.open("wb") as stream:
            for path, data in _members(project_id, archive, top):
                rows[path] = (len(data), blob_id(data), stream.tell())
                stream.write(data)
        files = [TreeFile(path=path, size_bytes=rows[path][0], content_hash=rows[path][1]) for path in sorted(rows)]
        listed = {"tree_hash": tree_hash(files), "files": [[path, *rows[path]] for path in sorted(rows)]}
        head = json.dumps(listed, separators=(",", ":")).encode()
        with work.open("wb") as out, body.open("rb") as stream:
            out.write(MAGIC + struct.pack(">Q", len(head)) + head)
            shutil.copyfileobj(stream, out)


def _members(project_id: str, archive: Path, top: bool) -> Iterator[tuple[str, bytes]]:
    reader: Callable[[Path], Iterator[tuple[str, bytes]]] = _zip if zipfile.is_zipfile(archive) else _tar
    try:
        for name, data in reader(archive):
            path = name.removeprefix("./")
            if not inside(path):
                raise SourceError(
                    f"{archive} of {project_id} holds the path {name!r}, which leads out of its folder; do not use it."
                )
            # Files beside the single top folder of a sdist keep their own name.
            yield (path.partition("/")[2] if top and "/" in path else path), data
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as error:
        raise SourceError(
            f"{archive} of {project_id} cannot be read ({_first_line(error)}); delete it and run again, or pin"
            " another archive."
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(":.")


def _zip(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            kind = member.external_attr >> 28
            if not member.is_dir() and kind in (0, 8):
                yield member.filename, opened.read(member)


def _tar(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive) as opened:
        for member in opened:
            # A hard link is a second name of a file that came before it in the same archive.
            if member.isreg() or member.islnk():
                content: BinaryIO | None = opened.extractfile(member)  # type: ignore[assignment]
                if content is not None:
                    yield member.name, content.read()
