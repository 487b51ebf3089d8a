"""How libclang is told to read a file: from the tree's compile database, else from what its includes ask for."""

import json
import os
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks.mining.includes import IncludeGraph
from tasks.sources.model import Tree

DATABASE = "compile_commands.json"
PRELUDE = Path(__file__).with_name("clang_prelude.txt")

HERMETIC = ("-nostdinc", "-w", "-ferror-limit=0", "--target=armv7em-none-eabi", "-include", str(PRELUDE))
"""No header of this machine and no default of its processor: the same tree reads the same everywhere."""
LANGUAGE = {"c": ("-xc", "-std=gnu17"), "cpp": ("-xc++", "-std=gnu++20")}
FOLDER_FLAGS = ("-I", "-isystem", "-iquote")
KEPT_FLAGS = ("-D", "-U")


def arguments(
    root: Path, path: str, language: str, graph: IncludeGraph, database: Mapping[str, list[str]]
) -> list[str]:
    """Return libclang's arguments for the file `path` of a tree written out below `root`."""
    folders = [f"-I{root / folder}" for folder in graph.folders(path)]
    declared = [f"-I{root / flag[2:]}" if flag.startswith("-I") else flag for flag in database.get(path, ())]
    standard = [flag for flag in declared if flag.startswith("-std=")]
    kind, default = LANGUAGE["cpp" if language == "cpp" else "c"]
    return [kind, *(standard or [default]), *HERMETIC, *(f for f in declared if f not in standard), *folders]


def compile_database(tree: Tree, paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the flags that the tree's compile databases give for its files: -I (from the root), -D, -U, -std.

    A database names the machine it was made on; its paths are matched to the tree by their longest common ending.
    """
    known = set(paths)
    folders = {folder for path in known for folder in _parents(path)}
    found: dict[str, list[str]] = {}
    for file in tree.files():
        if os.path.basename(file.path) == DATABASE:
            for entry in _entries(tree.read(file.path)):
                directory = str(entry.get("directory", ""))
                there = _in_tree(os.path.join(directory, str(entry.get("file", ""))), known)
                if there is not None and there not in found:
                    found[there] = _flags(entry, directory, folders)
    return found


def _entries(data: bytes) -> list[dict[str, Any]]:
    try:
        entries = json.loads(data)
    except ValueError:
        return []
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _flags(entry: dict[str, Any], directory: str, folders: set[str]) -> list[str]:
    words = entry.get("arguments") or shlex.split(str(entry.get("command", "")))
    flags: list[str] = []
    words = iter([str(word) for word in words])
    for word in words:
        flag = next((f for f in (*FOLDER_FLAGS, *KEPT_FLAGS) if word.startswith(f)), None)
        if word.startswith("-std="):
            flags.append(word)
        elif flag is not None:
            value = word[len(flag) :] or next(words, "")
            if flag in KEPT_FLAGS:
                flags.append(flag + value)
            elif (there := _in_tree(os.path.join(directory, value), folders)) is not None:
                flags.append(f"-I{there}")
    return flags


def _in_tree(path: str, known: set[str]) -> str | None:
    """Return the longest ending of a foreign path that the tree has."""
    parts = os.path.normpath(path).strip("/").split("/")
    return next((ending for n in range(len(parts)) if (ending := "/".join(parts[n:])) in known), None)


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
