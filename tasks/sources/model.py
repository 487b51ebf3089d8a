"""A project as it is pinned, and a tree of files as it is read: small, picklable, opening nothing until asked."""

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

from tasks.contract import Frozen


class Source(Frozen):
    """One pinned project of `corpora/catalog/projects.toml`.

    `address` is a git address or path, a package name, or a folder; `revision` a commit, tag or version; `sha256`
    that of the archive (pypi, npm). `include` are path prefixes to read (all when empty). `macros` are names blanked
    before parsing because they stand where C allows no token; `vendored`, `generated` and `tests` are globs that add
    to the general ones.
    """

    project_id: str
    kind: Literal["git", "pypi", "npm", "dir"]
    address: str
    revision: str | None = None
    sha256: str | None = None
    archive: Literal["sdist", "wheel"] | None = None
    domain: str | None = None
    language: str | None = None
    licence: str | None = None
    first_seen: str | None = None
    include: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    vendored: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


class TreeFile(Frozen):
    """One file of a tree: POSIX path from its root, size, and the git blob id of its content (whatever its kind)."""

    path: str
    size_bytes: int
    content_hash: str


class Tree(Protocol):
    """The files of a pinned project, read without a checkout. Pickles to what is needed to open it elsewhere."""

    @property
    def project_id(self) -> str:
        """The project whose files these are."""
        ...

    @property
    def revision(self) -> str:
        """The full commit id, or the version."""
        ...

    @property
    def tree_hash(self) -> str:
        """Hash over (path, content hash) of every file: the same tree from two places has the same one."""
        ...

    @property
    def sha256(self) -> str | None:
        """Of the archive, where there is one."""
        ...

    @property
    def missing(self) -> int:
        """Blobs that the tree names and the store does not hold (partial clones)."""
        ...

    def files(self) -> list[TreeFile]:
        """Return the files that can be read, sorted by path."""
        ...

    def read(self, path: str) -> bytes:
        """Return the bytes of one file; raises SourceError if it cannot be read."""
        ...

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) in the order asked, opening the store once."""
        ...
