"""The rows that mining writes, column by column; their schemas are the warehouse's."""

import hashlib
from collections.abc import Iterable

import pyarrow as pa

from tasks.ids import digest
from tasks.mining import duplicates
from tasks.mining.records import MinedFile
from warehouse.schema import SCHEMAS

FUNCTIONS = SCHEMAS["functions"]
SYMBOLS = SCHEMAS["symbols"]
FILES = SCHEMAS["files"]
DROPPED = SCHEMAS["dropped"]

FROM_FILE = ("language", "encoding", "licence", "test", "vendored", "generated")
FROM_FUNCTION = (
    "name", "qualified_name", "signature", "start_byte", "end_byte", "body_start_byte", "start_line", "end_line",
    "comment", "trivial", "has_error", "conditional",
)  # fmt: skip
INDENT = b" \t\r\f\v"
FROM_SYMBOL = ("kind", "name", "start_byte", "end_byte", "start_line", "text")


def function_id(project_id: str, path: str, start_byte: int, end_byte: int, text: bytes) -> str:
    """Return the identity of a function: where it stands and what it says, as stored."""
    return digest("function", project_id, path, start_byte, end_byte, hashlib.sha256(text).hexdigest(), length=16)


def lines_of_code(text: bytes) -> int:
    """Return how many lines of a text are not blank."""
    return len(text.translate(None, INDENT).split())


def functions(project_id: str, files: Iterable[tuple[MinedFile, bytes]]) -> pa.Table:
    """Return rows of `functions`, `duplicate_of` still empty, in order of path and span."""
    columns: dict[str, list] = {name: [] for name in FUNCTIONS.names}
    for file, data in files:
        found = file.functions
        texts = [data[one.start_byte : one.end_byte] for one in found]
        columns["function_id"] += [
            function_id(project_id, file.path, one.start_byte, one.end_byte, text)
            for one, text in zip(found, texts, strict=True)
        ]
        columns["text"] += [text.decode(file.encoding) for text in texts]
        columns["loc"] += [lines_of_code(text) for text in texts]
        columns["body_hash"] += [duplicates.body_hash(data[one.body_start_byte : one.end_byte]) for one in found]
        for name in FROM_FUNCTION:
            columns[name] += [getattr(one, name) for one in found]
        constants = {"project_id": project_id, "path": file.path, "duplicate_of": None}
        for name, value in (constants | {name: getattr(file, name) for name in FROM_FILE}).items():
            columns[name] += [value] * len(found)
    return pa.table(columns, schema=FUNCTIONS)


def symbols(project_id: str, files: Iterable[tuple[MinedFile, bytes]]) -> pa.Table:
    """Return rows of `symbols` in order of path and span."""
    columns: dict[str, list] = {name: [] for name in SYMBOLS.names}
    for file, _ in files:
        columns["project_id"] += [project_id] * len(file.symbols)
        columns["path"] += [file.path] * len(file.symbols)
        for name in FROM_SYMBOL:
            columns[name] += [getattr(one, name) for one in file.symbols]
    return pa.table(columns, schema=SYMBOLS)


def files(project_id: str, mined: Iterable[tuple[MinedFile, bytes]]) -> pa.Table:
    """Return one row a file, its lists as counts."""
    rows = [
        {
            "project_id": project_id,
            **{name: getattr(file, name) for name in ("path", *FROM_FILE, "size_bytes", "lines", "error_bytes")},
            "functions": len(file.functions),
            "functions_with_error": sum(one.has_error for one in file.functions),
            "symbols": len(file.symbols),
            "unread": len(file.unread),
        }
        for file, _ in mined
    ]
    return pa.Table.from_pylist(rows, schema=FILES)


def dropped(project_id: str, mined: Iterable[tuple[MinedFile, bytes]]) -> pa.Table:
    """Return one row a stretch that could not be read, as `path:line`."""
    rows = [
        {
            "release": None,
            "stage": "mining",
            "item": f"{file.path}:{one.start_line}",
            "project_id": project_id,
            "reason": one.reason,
            "detail": f"{one.end_byte - one.start_byte} bytes: {one.detail}",
        }
        for file, _ in mined
        for one in file.unread
    ]
    return pa.Table.from_pylist(rows, schema=DROPPED)
