"""The context of mined functions: imports, window, calls, globals and types, found twice and merged.

One work item is a few files; each is parsed once by libclang for all of its target functions, and every function's
result is kept below the cache, so that a rebuild redoes nothing. See docs/context.md for the method and its figures.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from tasks.contract import ContextItem, Map
from tasks.ids import digest
from tasks.mining import includes
from tasks.mining.clang import Seen
from tasks.mining.clang_args import PRELUDE, arguments, compile_database
from tasks.mining.grammar import Language
from tasks.mining.includes import IncludeGraph
from tasks.mining.index import SymbolIndex
from tasks.mining.items import ContextOptions, Target, Texts, include_items, window_items
from tasks.mining.lookup import Finder
from tasks.mining.merge import merge, tally
from tasks.mining.records import MinedProject
from tasks.mining.uses import uses
from warehouse.layout import Layout

__all__ = ["ContextOptions", "FunctionContext", "extract", "summarise"]

VERSION = "3"
"""Part of the cache key: raise it when the same inputs may give other items."""

FILES_PER_ITEM = 8
LARGEST_PARSED_BYTES = 4_000_000
"""Files above this are data; libclang is not asked about them."""


@dataclass(frozen=True, slots=True)
class FunctionContext:
    """The items of one function, and how many names each extractor found.

    `counts`: per kind `<kind>.both`, `.index`, `.libclang`, `.index.macro`, `.index.conditional`, `.index.other`,
    `.macro`, `.beyond` (ranks not kept); `disagree`, `ambiguous`, `unresolved`, `self`, `leaks_removed`,
    `leaks_elided`; and of the file `clang.hidden` (libclang sees no such function), `clang.failed`,
    `clang.missing_headers`, `clang.errors`.
    """

    function_id: str
    items: tuple[ContextItem, ...]
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Job:
    """What a worker needs for a few files. The project is opened again in the worker, once."""

    project: MinedProject
    layout: Layout
    options: ContextOptions
    key: str
    files: tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...]


def extract(project: MinedProject, functions: Sequence[Mapping[str, Any]], map: Map, *, layout: Layout,
            options: ContextOptions = ContextOptions()) -> Iterator[FunctionContext]:  # fmt: skip
    """Yield the context of each function, in the order given, the same for any number of workers.

    Arguments: `functions` rows of the `functions` table; `map` where the work runs; `layout` where trees are written
    and results kept. Raises SourceError when the tree cannot be read. Method: Table II and section IV-A of the paper.
    """
    key = _key(project, options)
    ready = {
        row["function_id"]: kept for row in functions if (kept := _kept(layout, key, row["function_id"])) is not None
    }
    missing: dict[str, list[Mapping[str, Any]]] = {}
    for row in functions:
        if row["function_id"] not in ready:
            missing.setdefault(row["path"], []).append(row)
    if missing:
        _prepare(project, layout, options)
    files = [(path, tuple(rows)) for path, rows in missing.items()]
    jobs = [
        _Job(project, layout, options, key, tuple(files[n : n + FILES_PER_ITEM]))
        for n in range(0, len(files), FILES_PER_ITEM)
    ]
    done = map(_run, jobs, f"Context of {project.source.project_id}") if jobs else iter(())
    for row in functions:
        while row["function_id"] not in ready:
            ready.update((context.function_id, context) for context in next(done))
        yield ready[row["function_id"]]


def summarise(contexts: Iterable[FunctionContext]) -> list[dict[str, Any]]:
    """Return one row a kind: names found by both extractors, by one alone, and what the index adds to libclang.

    Columns: kind, both, only_libclang, only_index, of which macro, conditional and other, and disagree.
    """
    total: Counter[str] = Counter()
    for context in contexts:
        total.update(context.counts)
    return [
        {
            "kind": kind,
            "both": total[f"{kind}.both"],
            "only_libclang": total[f"{kind}.libclang"],
            "only_index": total[f"{kind}.index"],
            "macro": total[f"{kind}.index.macro"],
            "conditional": total[f"{kind}.index.conditional"],
            "other": total[f"{kind}.index.other"],
            "disagree": total[f"{kind}.disagree"],
        }
        for kind in ("calls", "globals", "types")
    ]


def extractors() -> dict[str, str]:
    """Return the versions that decide what is found."""
    from importlib.metadata import version

    return {"firmbench-context": VERSION, "libclang": version("libclang")}


class _Project:
    """A project as a worker holds it: its index, its include graph, its compile database, its files on disk."""

    def __init__(self, project: MinedProject, layout: Layout) -> None:
        self.project = project
        self.graph = IncludeGraph(
            includes.load(project.tree, project.source, _graph_place(project, layout)), project.source.include_paths
        )
        self.index = SymbolIndex(project.symbols, project.functions, project.tree)
        self.folder = _tree_folder(project, layout)
        self._database: dict[str, list[str]] | None = None

    def arguments(self, path: str, language: str) -> list[str]:
        if self._database is None:
            self._database = compile_database(self.project.tree, self.graph.names)
        return arguments(self.folder, path, language, self.graph, self._database)


@lru_cache(maxsize=2)
def _opened(symbols: Path, functions: Path, opener: "_Opener") -> _Project:
    return _Project(opener.project, opener.layout)


class _Opener:
    """Carries a project past `lru_cache`, which tells projects apart by their Parquet files."""

    def __init__(self, project: MinedProject, layout: Layout) -> None:
        self.project, self.layout = project, layout

    def __hash__(self) -> int:
        return hash((self.project.tree.tree_hash, str(self.layout.root)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Opener) and (self.project.tree.tree_hash, self.layout) == (
            other.project.tree.tree_hash, other.layout,
        )  # fmt: skip


def _run(job: _Job) -> list[FunctionContext]:
    """Make the contexts of a few files; runs in a worker."""
    opened = _opened(job.project.symbols, job.project.functions, _Opener(job.project, job.layout))
    made = list(chain.from_iterable(_file(opened, path, rows, job.options) for path, rows in job.files))
    for context in made:
        _keep(job.layout, job.key, context)
    return made


def _file(
    opened: _Project, path: str, rows: Sequence[Mapping[str, Any]], options: ContextOptions
) -> Iterator[FunctionContext]:
    data = opened.index.file(path)
    language = str(rows[0].get("language") or "c")
    seen = (
        _ask_clang(opened, path, language, rows, len(data))
        if options.libclang
        else Seen((None,) * len(rows), failed="off")
    )
    finder = Finder(opened.index, opened.graph, path, language)
    own = opened.graph.own_header(path)
    header = (own, opened.index.file(own)) if own else None
    spans = [(entry.start, entry.end) for entry in opened.index.within(path)]
    for number, row in enumerate(rows):
        target = Target(row, data)
        counts: Counter[str] = Counter()
        names = finder.resolve(uses(target.text, _grammar(language)), opened.index.scope_of(row))
        counts["ambiguous"] = len(names.ambiguous)
        counts["unresolved"] = len(names.unresolved)
        _count_clang(seen, number, counts)
        texts = Texts(opened.index, finder, target, options)
        merged = merge(opened.index, names, seen.functions[number], seen.failed is not None, target.start, counts)
        others = [one for one in merged if not texts.is_self(one)]
        counts["self"] = len(merged) - len(others)
        tally(others, counts)
        items = (
            *include_items(target, header),
            *window_items(target, spans, options, counts),
            *texts.items(others, counts),
        )
        yield FunctionContext(row["function_id"], items, {name: n for name, n in sorted(counts.items()) if n})


def _ask_clang(opened: _Project, path: str, language: str, rows: Sequence[Mapping[str, Any]], size: int) -> Seen:
    from tasks.mining.clang import shared

    if size > LARGEST_PARSED_BYTES:
        return Seen((None,) * len(rows), failed="too large")
    spans = [(row["start_byte"], row["end_byte"]) for row in rows]
    return shared().read(opened.folder, path, opened.arguments(path, language), spans)


def _count_clang(seen: Seen, number: int, counts: Counter[str]) -> None:
    if seen.failed is not None:
        counts["clang.failed"] = int(seen.failed != "off")
        return
    counts["clang.hidden"] = int(seen.functions[number] is None)
    counts["clang.missing_headers"] = seen.missing_headers
    counts["clang.errors"] = seen.errors


def _grammar(language: str) -> Language:
    """Return the grammar's name for a row's language."""
    return "cpp" if language == "cpp" else "c"


def _prepare(project: MinedProject, layout: Layout, options: ContextOptions) -> None:
    """Write what all workers share before they start: the tree's C and C++ files, and who includes whom."""
    includes.load(project.tree, project.source, _graph_place(project, layout))
    if options.libclang:
        from tasks.sources.select import c_files
        from tasks.sources.write_out import write_out

        write_out(project.tree, c_files(project.tree, project.source), _tree_folder(project, layout))


def _tree_folder(project: MinedProject, layout: Layout) -> Path:
    chosen = digest(project.tree.tree_hash, list(project.source.include), length=12)
    return layout.trees / f"{project.source.project_id}-{chosen}"


def _graph_place(project: MinedProject, layout: Layout) -> Path:
    chosen = digest(project.tree.tree_hash, list(project.source.include), length=12)
    return layout.cache / "includes" / f"{project.source.project_id}-{chosen}.json"


def _key(project: MinedProject, options: ContextOptions) -> str:
    """Return the name of everything that a function's context depends on, apart from the function."""
    tables = [sha256(place.read_bytes()).hexdigest() for place in (project.symbols, project.functions, PRELUDE)]
    return digest(VERSION, extractors(), project.tree.tree_hash, list(project.source.include),
                  list(project.source.include_paths), options.model_dump(), tables, length=16)  # fmt: skip


def _place(layout: Layout, key: str, function_id: str) -> Path:
    return layout.cache / "context" / key / function_id[:2] / f"{function_id}.json"


def _kept(layout: Layout, key: str, function_id: str) -> FunctionContext | None:
    try:
        stored = json.loads(_place(layout, key, function_id).read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return FunctionContext(function_id, tuple(ContextItem(**item) for item in stored["items"]), stored["counts"])


def _keep(layout: Layout, key: str, context: FunctionContext) -> None:
    """Keep a context, unless libclang failed on its file: that is asked again."""
    if context.counts.get("clang.failed"):
        return
    place = _place(layout, key, context.function_id)
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    part.write_text(json.dumps({"items": [item.model_dump() for item in context.items], "counts": context.counts}))
    os.replace(part, place)
