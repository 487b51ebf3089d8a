"""Mining: a file's bytes to what it holds, and a pinned tree to one warehouse batch."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from tasks.contract import Map, serial_map
from tasks.ids import digest
from tasks.mining import duplicates, flags, functions, tables
from tasks.mining import symbols as symbol_texts
from tasks.mining.records import MinedFile, MinedProject, Unread
from tasks.sources.model import Source, Tree, TreeFile
from warehouse.layout import Layout

VERSION = "3"
"""Part of a batch's name: raise it when the same bytes may give other rows."""

SMALL_SHARD_BYTES, BIG_SHARD_BYTES = 120_000, 500_000
SHARE = 16
"""A shard is a sixteenth of the bytes not yet in one, between these bounds: the last ones are small."""

LARGEST_BYTES = 32_000_000
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def mine_file(path: str, data: bytes, source: Source, symbols: bool = True) -> MinedFile:
    """Return everything mining learns of one file; a pure function of its arguments.

    Arguments: `data`, the file as stored, whose bytes all spans count; `symbols`, whether to collect declarations and
    macros as well as functions. Method: tree-sitter's C and C++ grammars; see docs/mining.md.
    """
    with uncollected():
        return _mine(path, data, source, symbols)


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector still: mining makes a great many small objects and no cycle."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _mine(path: str, data: bytes, source: Source, symbols: bool) -> MinedFile:
    encoding = encoding_of(data)
    facts: dict[str, Any] = {
        "path": path,
        "encoding": encoding or "binary",
        "size_bytes": len(data),
        "lines": data.count(b"\n") + (not data.endswith(b"\n") and bool(data)),
        "licence": flags.licence(source, data),
        "test": flags.is_test(source, path),
        "vendored": flags.is_vendored(source, path),
        "generated": flags.is_generated(source, path, data),
    }
    if encoding is None or len(data) > LARGEST_BYTES:
        reason = "not_text" if encoding is None else "too_large"
        whole = Unread(0, len(data), 1, reason, f"{len(data)} bytes")
        return MinedFile(language="c", error_bytes=len(data), unread=(whole,), **facts)
    reading = functions.read(path, data, source.macros, encoding=encoding, collect=symbols)
    found = symbol_texts.collect(data, encoding, reading) if symbols else ()
    return MinedFile(
        language=reading.language,
        error_bytes=reading.error_bytes,
        functions=tuple(reading.functions),
        symbols=tuple(found),
        unread=tuple(reading.unread),
        **facts,
    )


def encoding_of(data: bytes) -> str | None:
    """Return `utf-8`, else `latin-1` (any 8-bit text round-trips through it), or None for UTF-16 and binary data."""
    if data.startswith(UTF16) or data.find(b"\0", 0, 8192) >= 0:
        return None
    if data.isascii():
        return "utf-8"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


@dataclass(frozen=True)
class Shard:
    """Files that one worker mines; it opens the tree itself."""

    source: Source
    tree: Tree
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Mined:
    """What a worker hands back: rows, ready to be put behind those of the shard before."""

    functions: pa.Table
    symbols: pa.Table
    files: pa.Table
    dropped: pa.Table


def cut(source: Source, tree: Tree, chosen: Sequence[TreeFile]) -> list[Shard]:
    """Cut files into shards that get smaller, in order of path, whatever the number of workers."""
    shards: list[Shard] = []
    paths: list[str] = []
    held, rest = 0, sum(file.size_bytes for file in chosen)
    for file in sorted(chosen, key=lambda one: one.path):
        if paths and held + file.size_bytes > min(max(rest // SHARE, SMALL_SHARD_BYTES), BIG_SHARD_BYTES):
            shards.append(Shard(source, tree, tuple(paths)))
            rest -= held
            paths, held = [], 0
        paths.append(file.path)
        held += file.size_bytes
    return [*shards, Shard(source, tree, tuple(paths))] if paths else shards


def mine_shard(shard: Shard) -> Mined:
    """Mine the files of one shard; runs in a worker."""
    project_id = shard.source.project_id
    with uncollected():
        mined = [(mine_file(path, data, shard.source), data) for path, data in shard.tree.read_many(shard.paths)]
    return Mined(
        functions=tables.functions(project_id, mined),
        symbols=tables.symbols(project_id, mined),
        files=tables.files(project_id, mined),
        dropped=tables.dropped(project_id, mined),
    )


def batch_name(source: Source, tree: Tree) -> str:
    """Return `<project>-<12 hex>`: the tree, everything of the source that bears on a row, and the miner's version."""
    return f"{source.project_id}-{digest(VERSION, tree.tree_hash, source.model_dump(mode='json'), length=12)}"


def mine_project(source: Source, tree: Tree, layout: Layout, map: Map = serial_map) -> MinedProject:
    """Mine a project into the warehouse batch `mining/<batch_name>`; a batch that exists is used as it is.

    Arguments: `map`, where shards run. The rows are the same whatever the number of workers. Raises SourceError when
    the tree cannot be read and WarehouseError when the batch cannot be written.
    """
    from warehouse.writer import write_batch

    name = batch_name(source, tree)
    batch = layout.batch("mining", name)
    if not batch.exists():
        from tasks.sources.select import c_files

        chosen = c_files(tree, source)
        shards = cut(source, tree, chosen)
        results = list(map(mine_shard, shards, f"Mining {source.project_id}"))
        batch = write_batch(layout, "mining", name, assemble(source, tree, results))
    return MinedProject(
        source=source,
        tree=tree,
        batch=batch,
        functions=batch / "functions.parquet",
        symbols=batch / "symbols.parquet",
        summary=summary(batch),
    )


def assemble(source: Source, tree: Tree, results: Sequence[Mined]) -> dict[str, Any]:
    """Return the tables of a batch: the shards' rows one behind the other, duplicates marked, and the sums."""
    schemas = {
        "functions": tables.FUNCTIONS,
        "symbols": tables.SYMBOLS,
        "files": tables.FILES,
        "dropped": tables.DROPPED,
    }
    joined = {
        name: pa.concat_tables([schema.empty_table(), *(getattr(one, name) for one in results)])
        for name, schema in schemas.items()
    }
    (joined["functions"],) = duplicates.mark([joined["functions"]])
    return {**joined, "projects": [project_row(source, tree, joined)], "stages": list(stage_rows(joined))}


def project_row(source: Source, tree: Tree, joined: dict[str, pa.Table]) -> dict[str, Any]:
    """Return the project's row: its pin and the sums over its files."""
    files = joined["files"].to_pylist()
    return {
        "project_id": source.project_id,
        "kind": source.kind,
        "address": source.address,
        "revision": tree.revision,
        "sha256": tree.sha256 or source.sha256,
        "tree_hash": tree.tree_hash,
        "licence": source.licence,
        "domain": source.domain,
        "language": source.language,
        "first_seen": source.first_seen,
        "files": len(tree.files()),
        "c_files": len(files),
        "c_bytes": sum(one["size_bytes"] for one in files),
        "c_lines": sum(one["lines"] for one in files),
        "missing_blobs": tree.missing,
        "functions": joined["functions"].num_rows,
        "functions_with_error": sum(one["functions_with_error"] for one in files),
        "error_bytes": sum(one["error_bytes"] for one in files),
        "extractors": extractors(),
    }


def extractors() -> str:
    """Return the versions that decide what is found, as JSON."""
    import json
    from importlib.metadata import version

    names = ("tree-sitter", "tree-sitter-c", "tree-sitter-cpp")
    return json.dumps({"firmbench-mining": VERSION, **{name: version(name) for name in names}}, sort_keys=True)


def stage_rows(joined: dict[str, pa.Table]) -> Iterator[dict[str, Any]]:
    """Yield the count of the stage: what looked like a function, what became one, what was dropped with a reason."""
    kept, lost = joined["functions"].num_rows, joined["dropped"].num_rows
    yield {"release": None, "position": 0, "stage": "mining", "entered": kept + lost, "kept": kept, "dropped": lost}


def summary(batch: Path) -> dict[str, Any]:
    """Return the sums of a batch and its drops by reason, read back from its files."""
    import pyarrow.parquet as pq

    row = pq.read_table(batch / "projects.parquet").to_pylist()[0]
    reasons = pq.read_table(batch / "dropped.parquet", columns=["reason"]).column("reason").value_counts().to_pylist()
    names = (
        "files",
        "c_files",
        "c_bytes",
        "c_lines",
        "missing_blobs",
        "functions",
        "functions_with_error",
        "error_bytes",
    )
    return {
        **{name: row[name] for name in names},
        "dropped": {one["values"]: one["counts"] for one in sorted(reasons, key=lambda one: one["values"])},
    }
