"""The names that code of a project may call: what its files declare, and what they call.

A firmware project calls SDK functions whose headers are not in its tree. Such a name is known all the same, because
the project itself calls it somewhere: only a name that no file of the project declares or uses is an invented one.
"""

import re
from collections.abc import Iterable, Iterator

from tasks.contract import Map, serial_map
from tasks.mining.grammar import NOISE
from tasks.mining.records import MinedProject
from tasks.sources.model import Tree
from tasks.sources.select import c_files

CHUNK = 64
"""Files read by one call of the map."""

ORIGINS: dict[str, str] = {
    "function": "function",
    "prototype": "prototype",
    "macro": "macro",
    "struct": "type",
    "union": "type",
    "enum": "type",
    "typedef": "type",
    "class": "type",
}
"""Kinds of symbols that may stand before an argument list, and the origin that a name from one is recorded with."""

RANK = {origin: rank for rank, origin in enumerate(("function", "prototype", "macro", "type", "pointer", "called"))}
"""A name with several origins is recorded with the first of these."""

CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:<[^<>;(){}]*(?:<[^<>;(){}]*>[^<>;(){}]*)*>\s*)?\(")
POINTER = re.compile(rb"\(\s*(?:\w+\s*::\s*)?\*\s*(?:const\s+)?([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?\)\s*\(")
KEYWORDS = frozenset(
    {
        "if", "for", "while", "switch", "return", "sizeof", "do", "else", "catch", "case", "goto", "throw", "defined",
        "alignof", "decltype", "noexcept",
    }
)  # fmt: skip


def called_names(data: bytes) -> dict[str, str]:
    """Return names that stand before an argument list in a file, outside comments and strings, with their origin.

    `pointer` is a function pointer's declaration (a variable or a member), `called` everything else.
    """
    bare = NOISE.sub(b" ", data)
    found = {name.decode(): "called" for name in CALLED.findall(bare)}
    found.update((name.decode(), "pointer") for name in POINTER.findall(bare))
    return {name: origin for name, origin in found.items() if name not in KEYWORDS}


def known_names(project: MinedProject, map: Map = serial_map) -> dict[str, str]:
    """Return the names that code of a project may call, sorted, each with the strongest origin it has.

    Args:
        project: a mined project; its symbols are read from Parquet, its C and C++ files from its tree.
        map: how files are spread over processes.
    """
    best: dict[str, str] = {}
    for name, origin in _declared(project):
        _keep(best, name, origin)
    paths = [file.path for file in c_files(project.tree, project.source)]
    chunks = [(project.tree, paths[start : start + CHUNK]) for start in range(0, len(paths), CHUNK)]
    for found in map(_called, chunks, f"names {project.source.project_id}"):
        for name, origin in found.items():
            _keep(best, name, origin)
    return dict(sorted(best.items()))


def _declared(project: MinedProject) -> Iterator[tuple[str, str]]:
    import pyarrow.parquet as pq

    table = pq.read_table(project.symbols, columns=["kind", "name"])
    for kind, name in zip(table["kind"].to_pylist(), table["name"].to_pylist(), strict=True):
        if kind in ORIGINS:
            yield name, ORIGINS[kind]


def _called(chunk: tuple[Tree, Iterable[str]]) -> dict[str, str]:
    tree, paths = chunk
    best: dict[str, str] = {}
    for _, data in tree.read_many(paths):
        for name, origin in called_names(data).items():
            _keep(best, name, origin)
    return best


def _keep(best: dict[str, str], name: str, origin: str) -> None:
    if name not in best or RANK[origin] < RANK[best[name]]:
        best[name] = origin
