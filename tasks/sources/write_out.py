"""Files of a tree on disk, for tools that need a file system (libclang, compilers)."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from tasks.ids import digest
from tasks.sources.folder import inside
from tasks.sources.model import Tree, TreeFile
from tasks.sources.partial import partial_folder
from warehouse.errors import SourceError

MARK = ".firmbench-tree"


def write_out(tree: Tree, files: Iterable[TreeFile], folder: Path) -> Path:
    """Write `files` of `tree` below `folder` and return it; a folder that holds just these already is left alone.

    The folder appears complete or not at all. Raises SourceError for a path that leads out of it.
    """
    wanted = list(files)
    key = digest(tree.tree_hash, [[file.path, file.content_hash] for file in wanted])
    if _holds(folder, key):
        return folder
    if unsafe := next((file.path for file in wanted if not inside(file.path) or file.path == MARK), None):
        raise SourceError(
            f"{tree.project_id} holds the path {unsafe!r}, which cannot be written below {folder}; leave it out."
        )
    if folder.exists():
        shutil.rmtree(folder)
    with partial_folder(folder) as work:
        for path, data in tree.read_many(file.path for file in wanted):
            place = work / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        (work / MARK).write_text(key)
    return folder


def _holds(folder: Path, key: str) -> bool:
    mark = folder / MARK
    return mark.is_file() and mark.read_text() == key
