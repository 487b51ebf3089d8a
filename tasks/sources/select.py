"""Which files of a tree are C or C++."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from tasks.sources.model import Source, Tree, TreeFile

C_SUFFIXES = frozenset(
    {".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ino", ".inl", ".ipp", ".tpp", ".cppm"}
)


def c_files(tree: Tree, source: Source) -> list[TreeFile]:
    """Return the C and C++ files of a tree below the prefixes of `source.include`, sorted by path; maybe none."""
    prefixes = tuple(source.include) or ("",)
    return [
        file
        for file in tree.files()
        if PurePosixPath(file.path).suffix.lower() in C_SUFFIXES and file.path.startswith(prefixes)
    ]


def summary(tree: Tree, files: Sequence[TreeFile]) -> str:
    """Return what was found as one sentence: `esphome 2026.6.5: 2,604 C/C++ files, 12.3 MB.`"""
    size = sum(file.size_bytes for file in files)
    found = f"{len(files):,} C/C++ file{'' if len(files) == 1 else 's'}"
    text = f"{tree.project_id} {_short(tree.revision)}: {found}"
    text += f", {size / 1e6:,.1f} MB" if size > 1e5 else f", {size / 1e3:,.1f} kB" if files else ", nothing to mine"
    return text + (f"; {tree.missing:,} files are absent from the partial clone." if tree.missing else ".")


def _short(revision: str) -> str:
    return revision[:12] if len(revision) >= 40 else revision
