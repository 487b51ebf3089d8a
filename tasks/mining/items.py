"""From what a function refers to and stands next to, to ranked items of text that do not give the function away."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tasks.contract import ContextItem, Frozen
from tasks.mining.includes import INCLUDE
from tasks.mining.index import Definition, Entry, SymbolIndex
from tasks.mining.leaks import MARK, leaks, without_leaks
from tasks.mining.lookup import PROJECT, Finder
from tasks.mining.merge import Candidate
from tasks.mining.window import chunks

COMMENT_LINE = re.compile(r"\s*(?://|/\*|\*)")
CUT = "/* ... cut */"


class ContextOptions(Frozen):
    """How much context is made; what a prompt takes of it, a budget decides later.

    `window_lines` each side of the target, cut into chunks of at most `chunk_lines`; a called function of at most
    `short_lines` is shown whole, else by its signature; `item_bytes` is where a text is cut; `items_per_kind` the
    number of ranks kept; `libclang` false leaves that extractor out.
    """

    window_lines: int = 120
    chunk_lines: int = 40
    short_lines: int = 8
    item_bytes: int = 6000
    items_per_kind: int = 60
    libclang: bool = True


class Target:
    """The function whose context is made: its row of the `functions` table, and its file's bytes."""

    def __init__(self, row: Mapping[str, Any], data: bytes) -> None:
        self.path: str = row["path"]
        self.start: int = row["start_byte"]
        self.end: int = row["end_byte"]
        self.body_start: int = row.get("body_start_byte") or row["start_byte"]
        self.text: str = row["text"]
        self.name: str = row["name"].rpartition("::")[2]
        self.encoding: str = row.get("encoding") or "utf-8"
        self.data = data

    def decode(self, data: bytes) -> str:
        return data.decode(self.encoding, "replace")


def include_items(target: Target, own_header: tuple[str, bytes] | None) -> Iterator[ContextItem]:
    """Yield the `#include` lines of the target's file as one item, and those of its own header as another."""
    outside = (
        target.data[: target.start]
        + b"\n" * target.data.count(b"\n", target.start, target.end)
        + target.data[target.end :]
    )
    files = [(target.path, outside), *([own_header] if own_header else [])]
    rank = 0
    for path, data in files:
        lines = list(dict.fromkeys(m.group().strip() for m in INCLUDE.finditer(data)))
        if not lines:
            continue
        first = INCLUDE.search(data)
        assert first is not None
        line = 1 + data.count(b"\n", 0, first.start())
        text = target.decode(b"\n".join(lines)) + "\n"
        yield ContextItem(kind="imports", rank=rank, name=path, path=path, start_line=line, found_by="text", text=text)
        rank += 1


def window_items(target: Target, spans: Iterable[tuple[int, int]], options: ContextOptions,
                 counts: Counter[str]) -> Iterator[ContextItem]:  # fmt: skip
    """Yield the surrounding code, nearest first, without the lines that repeat the target."""
    rank = 0
    found = chunks(
        target.data, target.start, target.end, spans, reach_lines=options.window_lines, chunk_lines=options.chunk_lines
    )
    for chunk in found:
        text = target.decode(chunk.data)
        clean = without_leaks(text, target.text)
        if clean != text:
            counts["window.leaks"] += 1
            counts["leaks_removed" if not clean else "leaks_elided"] += 1
        if clean:
            line = chunk.start_line
            yield ContextItem(
                kind="window",
                rank=rank,
                name=chunk.side,
                path=target.path,
                start_line=line,
                found_by="text",
                text=clean,
            )
            rank += 1


class Texts:
    """Gives candidates of one target their texts."""

    def __init__(self, index: SymbolIndex, finder: Finder, target: Target, options: ContextOptions) -> None:
        self.index = index
        self.finder = finder
        self.target = target
        self.options = options

    def items(self, candidates: Sequence[Candidate], counts: Counter[str]) -> Iterator[ContextItem]:
        """Yield calls, globals and types, each kind ranked by number of uses, then closeness, then first use."""
        for kind in ("calls", "globals", "types"):
            rank = 0
            for one in sorted((c for c in candidates if c.kind == kind), key=self._order):
                if rank == self.options.items_per_kind:
                    counts[f"{kind}.beyond"] += 1
                    continue
                shown = self.show(one, counts)
                if shown is not None:
                    path, line, text = shown
                    yield ContextItem(
                        kind=kind,
                        rank=rank,
                        name=one.name,
                        path=path,
                        start_line=line,
                        found_by=one.found_by,
                        text=text,
                    )
                    rank += 1

    def is_self(self, one: Candidate) -> bool:
        """Tell whether a candidate is the target: its definition, or a declaration of it."""
        if one.kind != "calls" or one.entry is None:
            return False
        if self._overlaps(one.entry.path, one.entry.start, one.entry.end):
            return True
        found = self._definition(one.entry)
        return found is not None and self._overlaps(found[0].path, found[0].start, found[0].end)

    def show(self, one: Candidate, counts: Counter[str]) -> tuple[str, int, str] | None:
        """Return (path, line, text) of a candidate, None if nothing can be shown without giving the target away."""
        shown = self._call(one) if one.kind == "calls" else self._plain(one)
        if shown is None:
            counts["leaks_removed"] += 1
            return None
        path, line, text = shown
        if leaks(text, self.target.text):
            clean = without_leaks(text, self.target.text) if one.kind == "types" else ""
            counts["leaks_elided" if clean else "leaks_removed"] += 1
            if not clean:
                return None
            text = clean
        return path, line, text if text.endswith("\n") else text + "\n"

    def _order(self, one: Candidate) -> tuple[int, tuple[int, int], int, str, str, int]:
        level = self.finder.level(one.entry) if one.entry is not None else None
        return -one.count, level or (PROJECT, 0), one.first, one.name, one.place[0], one.place[1]

    def _overlaps(self, path: str, start: int, end: int) -> bool:
        return path == self.target.path and start < self.target.end and self.target.start < end

    def _call(self, one: Candidate) -> tuple[str, int, str] | None:
        """A called function: whole when short, else its comment and signature."""
        if one.entry is None:
            return self._plain(one)
        entry = one.entry
        found = self._definition(entry)
        above = self._comment_above(entry)
        if found is not None:
            where, definition = found
            comment = f"{definition.comment.rstrip()}\n" if definition.comment else above
            short = definition.text.count("\n") < self.options.short_lines
            if short and not leaks(comment + definition.text, self.target.text):
                return where.path, where.line, self._cut(comment + definition.text)
            if where == entry:
                return where.path, where.line, self._cut(comment + definition.signature.rstrip() + ";")
            above = above or comment
        if self._overlaps(entry.path, entry.start, entry.end):
            return None
        text = self.index.text(entry).rstrip()
        text = text if text.endswith((";", "}")) else text + ";"
        return entry.path, entry.line, self._cut(above + text)

    def _definition(self, entry: Entry) -> tuple[Entry, Definition] | None:
        """Return the one definition that a declaration of a function can mean, if there is just one."""
        own = self.index.definition(entry)
        if own is not None:
            return entry, own
        if entry.kind not in ("function", "prototype"):
            return None
        others = [
            e for e in self.index.named(entry.name)
            if e.kind == "function" and e.scope == entry.scope and (not e.static or e.path == entry.path)
        ]  # fmt: skip
        if entry.static:
            others = [e for e in others if e.path == entry.path]
        if len(others) != 1:
            return None
        definition = self.index.definition(others[0])
        return None if definition is None else (others[0], definition)

    def _plain(self, one: Candidate) -> tuple[str, int, str] | None:
        """A type, macro or variable: its own text; the type around the target with the target's body taken out."""
        entry = one.entry
        path, start, end, line = one.place if entry is None else (entry.path, entry.start, entry.end, entry.line)
        if self._overlaps(path, start, end):
            if one.kind != "types" or not (start <= self.target.start and self.target.end <= end):
                return None
            data = self.target.data
            head, tail = data[start : self.target.body_start], data[self.target.end : end]
            text = self.target.decode(head + b"{ " + MARK.encode() + b" }" + tail)
            return path, line, self._cut(text.rstrip() + ";")
        if entry is None or one.kind == "types":
            text = self.index.file(path)[start:end].decode("utf-8", "replace")
        else:
            text = self.index.text(entry)
        text = text.rstrip()
        return path, line, self._cut(text if text.endswith(";") or text.startswith("#") else text + ";")

    def _comment_above(self, entry: Entry) -> str:
        """Return the comment lines right above a declaration."""
        lines = self.index.file(entry.path)[: entry.start].decode("utf-8", "replace").split("\n")[:-1]
        kept: list[str] = []
        while lines and COMMENT_LINE.match(lines[-1]):
            kept.insert(0, lines.pop().strip())
        return "".join(f"{line}\n" for line in kept)

    def _cut(self, text: str) -> str:
        if len(text) <= self.options.item_bytes:
            return text
        stop = text.rfind("\n", 0, self.options.item_bytes)
        return text[: stop if stop > 0 else self.options.item_bytes] + f"\n{CUT}"
