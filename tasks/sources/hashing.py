"""Content hashes that do not depend on where a file lies: git blob ids, and the hash of a whole tree."""

import hashlib
from collections.abc import Iterable

from tasks.sources.model import TreeFile


def blob_id(data: bytes) -> str:
    """Return git's SHA-1 blob id of `data`, so that a file has one hash in a clone, an archive and a folder."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def tree_hash(files: Iterable[TreeFile]) -> str:
    """Return the SHA-256 over path and content hash of every file; `files` must be sorted by path."""
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.path}\0{file.content_hash}\0".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
