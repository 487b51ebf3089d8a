"""The project-wide symbol index: every name that mining found, with its scope, looked up by name or by place."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tasks.mining.includes import HEADER_SUFFIXES
from tasks.sources.model import Tree

RECORDS = frozenset({"struct", "union", "class"})
TYPES = RECORDS | {"enum", "typedef"}
CALLABLE = frozenset({"function", "prototype"})
STATIC = re.compile(r"\bstatic\b")
TEMPLATE_ARGUMENTS = re.compile(r"<[^<>]*>")
FILES_KEPT = 256


@dataclass(frozen=True, slots=True)
class Entry:
    """One symbol. `scope` is the class it belongs to, empty at file and namespace scope; `end` is that of the whole
    definition; `static` says that other source files cannot see it."""

    number: int
    kind: str
    name: str
    path: str
    start: int
    end: int
    line: int
    scope: str
    static: bool


@dataclass(frozen=True, slots=True)
class Definition:
    """A function definition as the `functions` table has it."""

    signature: str
    comment: str | None
    text: str
    body_start: int


class SymbolIndex:
    """Symbols of one project, read from its Parquet files.

    Arguments: `symbols`, `functions` the files of a `MinedProject`; `tree` where raw bytes come from.
    """

    def __init__(self, symbols: Path, functions: Path, tree: Tree) -> None:
        import pyarrow.parquet as pq

        self._texts = pq.read_table(symbols, columns=["text"]).column("text")
        self._functions = pq.read_table(
            functions, columns=["signature", "comment", "text", "body_start_byte", "encoding"]
        )
        where = pq.read_table(functions, columns=["path", "start_byte", "end_byte", "qualified_name"]).to_pydict()
        self._rows = {key: n for n, key in enumerate(zip(where["path"], where["start_byte"], strict=True))}
        columns = ["path", "kind", "name", "start_byte", "end_byte", "start_line"]
        found = pq.read_table(symbols, columns=columns).to_pydict()
        rows = list(zip(*(found[name] for name in columns), strict=True))
        self.classes = frozenset(_last(row[2]) for row in rows if row[1] in RECORDS)
        self.entries: list[Entry] = []
        self._by_name: dict[str, list[Entry]] = {}
        self._by_path: dict[str, list[Entry]] = {}
        inside = _scopes(rows)
        for number, (path, kind, name, start, end, line) in enumerate(rows):
            scope, row = inside[number], self._rows.get((path, start)) if kind == "function" else None
            if row is not None:
                end = where["end_byte"][row]
                scope = self._scope(where["qualified_name"][row] or name) or scope
            elif "::" in name and kind not in TYPES:
                scope = self._scope(name)
            entry = Entry(
                number, kind, _last(name), path, start, end, line, scope, self._static(number, kind, path, scope)
            )
            self.entries.append(entry)
            self._by_name.setdefault(entry.name, []).append(entry)
            self._by_path.setdefault(path, []).append(entry)
        for listed in self._by_path.values():
            listed.sort(key=lambda entry: (entry.start, -entry.end, entry.number))
        self._starts = {path: [entry.start for entry in listed] for path, listed in self._by_path.items()}
        self.file = lru_cache(maxsize=FILES_KEPT)(tree.read)

    def named(self, name: str) -> list[Entry]:
        """Return every symbol of a name, in order of path and place."""
        return self._by_name.get(name, [])

    def within(self, path: str) -> list[Entry]:
        """Return the symbols of a file in order of place, outer before inner."""
        return self._by_path.get(path, [])

    def text(self, entry: Entry) -> str:
        """Return the text that mining stored for a symbol."""
        return self._texts[entry.number].as_py()

    def raw(self, entry: Entry) -> bytes:
        """Return the bytes of a symbol's whole span."""
        return self.file(entry.path)[entry.start : entry.end]

    def definition(self, entry: Entry) -> Definition | None:
        """Return the row of a function that is defined where the symbol stands, else None."""
        row = self._rows.get((entry.path, entry.start))
        if row is None or entry.kind != "function":
            return None
        values = self._functions.slice(row, 1).to_pylist()[0]
        return Definition(values["signature"] or "", values["comment"], values["text"], values["body_start_byte"])

    def containers(self, path: str, offset: int) -> Iterator[Entry]:
        """Yield the types whose definition holds a byte of a file, inner before outer."""
        listed = self._by_path.get(path, [])
        for number in range(bisect_right(self._starts.get(path, []), offset) - 1, -1, -1):
            entry = listed[number]
            if entry.kind in TYPES and entry.start <= offset < entry.end:
                yield entry

    def enum_of(self, entry: Entry) -> Entry:
        """Return the enum (or the typedef around a nameless one) that an enumerator stands in, else itself."""
        around = [c for c in self.containers(entry.path, entry.start) if c.kind in ("enum", "typedef")]
        return around[0] if around else entry

    def at(self, path: str, name: str, start: int, end: int) -> Entry | None:
        """Return the symbol that another parser placed at (start, end); a nameless type is found by its place."""
        near = [e for e in self.named(name) if e.path == path and e.start <= end and start <= e.end]
        if near:
            return min(near, key=lambda e: (abs(e.start - start), e.number))
        if not name:
            return next((e for e in self.containers(path, start) if e.end <= end + 256), None)
        return None

    def scope_of(self, row: Mapping[str, Any]) -> str:
        """Return the class that a row of the `functions` table belongs to, empty for a free function."""
        return self._scope(row.get("qualified_name") or row["name"])

    def _scope(self, qualified: str) -> str:
        """Return the class in front of a name's last part; namespaces do not count."""
        bare = qualified
        while (shorter := TEMPLATE_ARGUMENTS.sub("", bare)) != bare:
            bare = shorter
        parts = bare.split("::")
        return parts[-2] if len(parts) > 1 and parts[-2] in self.classes else ""

    def _static(self, number: int, kind: str, path: str, scope: str) -> bool:
        if scope or path.endswith(HEADER_SUFFIXES) or kind not in ("function", "prototype", "global"):
            return False
        text = self._texts[number].as_py()
        return bool(STATIC.search(text[:200].partition("(" if kind != "global" else "=")[0]))


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _scopes(rows: list[tuple[str, str, str, int, int, int]]) -> list[str]:
    """Return for each row the innermost class, struct or union of its file that its span lies in."""
    scopes = [""] * len(rows)
    order = sorted(range(len(rows)), key=lambda n: (rows[n][0], rows[n][3], -rows[n][4], n))
    path = ""
    around: list[tuple[int, str]] = []
    for number in order:
        where, kind, name, start, end, _ = rows[number]
        if where != path:
            path, around = where, []
        while around and around[-1][0] <= start:
            around.pop()
        scopes[number] = around[-1][1] if around and end <= around[-1][0] else ""
        if kind in RECORDS:
            around.append((end, _last(name)))
    return scopes
