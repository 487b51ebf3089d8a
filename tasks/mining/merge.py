"""Two views of what a function refers to, made one: the symbol index's and libclang's, with who found what."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.mining.clang import Reference
from tasks.mining.index import CALLABLE, Entry, SymbolIndex
from tasks.mining.lookup import Found, Names

KIND_OF = {"function": "calls", "prototype": "calls", "global": "globals"}
"""The context kind of a symbol kind; every other one is `types`."""
DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b[ \t]*(\w*)", re.M)

UNNAMED = "unnamed"

Key = tuple[str, str, str, str]


@dataclass(slots=True)
class Candidate:
    """One thing a function refers to, before it has a text.

    `entry` is its symbol; without one, libclang's (path, start, end, line) stands in `place`. `first` is a byte offset
    in the function's text. `why` says what kept an index-only one from libclang: `macro` (it is one, or is mentioned
    only in the arguments of one), `conditional`, or `other`.
    """

    kind: str
    name: str
    entry: Entry | None
    place: tuple[str, int, int, int]
    scope: str
    count: int
    first: int
    index: bool = False
    libclang: bool = False
    why: str = ""

    @property
    def found_by(self) -> str:
        """Which extractor found it: `both`, `index` or `libclang`."""
        return "both" if self.index and self.libclang else "index" if self.index else "libclang"


def merge(index: SymbolIndex, names: Names, seen: Sequence[Reference] | None, failed: bool, start: int,
          counts: Counter[str]) -> list[Candidate]:  # fmt: skip
    """Return everything a function refers to, each once, and count who found it.

    Arguments: `names` what the index made of its names; `seen` what libclang found, None where it saw no function;
    `failed` whether it could not read the file at all; `start` the function's first byte in its file; `counts` is
    added to. Where both know a name and mean different things, libclang's meaning is kept and `disagree` counted.
    """
    merged: dict[Key, Candidate] = {}
    for reference in seen or ():
        candidate = _of_reference(index, reference, start)
        _add(merged, _key(candidate), candidate)
    meant: dict[tuple[str, str], list[Key]] = {}
    for key, candidate in merged.items():
        meant.setdefault((candidate.kind, candidate.name), []).append(key)
    macros = frozenset(found.entry.name for found in names.found if found.entry.kind == "macro")
    for found in names.found:
        candidate = _of_use(index, found, macros)
        key = _key(candidate)
        if key not in merged and (candidate.kind, candidate.name) in meant:
            counts["disagree"] += 1
            counts[f"{candidate.kind}.disagree"] += 1
            continue
        if seen is None and not failed:
            candidate.why = candidate.why or "conditional"
        _add(merged, key, candidate)
    kept = _without_nested(merged.values())
    for candidate in kept:
        if candidate.found_by == "index" and not candidate.why:
            candidate.why = "conditional" if _hidden(index, candidate.entry) else "other"
    return kept


def tally(candidates: Iterable[Candidate], counts: Counter[str]) -> None:
    """Count candidates by kind and finder, index-only ones also by what hid them, and macros apart."""
    for one in candidates:
        counts[f"{one.kind}.{one.found_by}"] += 1
        if one.entry is not None and one.entry.kind == "macro":
            counts[f"{one.kind}.macro"] += 1
        if one.found_by == "index":
            counts[f"{one.kind}.index.{one.why}"] += 1


def _of_reference(index: SymbolIndex, reference: Reference, start: int) -> Candidate:
    entry = index.at(reference.path, reference.name, reference.start, reference.end)
    if entry is None and reference.definition is not None:
        path, at, _ = reference.definition
        entry = index.at(path, reference.name, at, at + 1)
    kind = "types" if reference.kind == "macro" else reference.kind
    place = (reference.path, reference.start, reference.end, reference.line)
    name = entry.name if entry is not None else reference.name or UNNAMED
    scope = entry.scope if entry is not None else reference.scope
    return Candidate(kind, name, entry, place, scope, reference.count, reference.first - start, libclang=True)


def _of_use(index: SymbolIndex, found: Found, macros: frozenset[str]) -> Candidate:
    entry = index.enum_of(found.entry) if found.entry.kind == "enumerator" else found.entry
    behind = entry.kind == "macro" or not macros.isdisjoint(found.use.within)
    why = "macro" if behind else "conditional" if found.use.conditional else ""
    place = (entry.path, entry.start, entry.end, entry.line)
    kind = KIND_OF.get(entry.kind, "types")
    return Candidate(
        kind, entry.name, entry, place, entry.scope, found.use.count, found.use.first, index=True, why=why
    )


def _key(one: Candidate) -> Key:
    """What makes two findings the same thing: a function's declaration and definition are one."""
    entry = one.entry
    if one.kind in ("calls", "globals") and (entry is None or entry.kind in CALLABLE or entry.kind == "global"):
        return one.kind, one.name, one.scope, entry.path if entry is not None and entry.static else ""
    if entry is not None and entry.kind == "macro":
        return "macro", one.name, "", ""
    path, at, _, _ = one.place if entry is None else (entry.path, entry.start, 0, 0)
    return one.kind, one.name, path, str(at)


def _add(merged: dict[Key, Candidate], key: Key, one: Candidate) -> None:
    known = merged.get(key)
    if known is None:
        merged[key] = one
        return
    same_finder = (known.index and one.index) or (known.libclang and one.libclang)
    known.count = known.count + one.count if same_finder else max(known.count, one.count)
    known.first = min(known.first, one.first)
    known.index, known.libclang = known.index or one.index, known.libclang or one.libclang
    known.entry = known.entry or one.entry
    known.why = known.why if known.why == one.why else ""


def _without_nested(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates without types that stand inside another one of them; those count for the outer one."""
    listed = list(candidates)
    outer: list[Candidate] = []
    inner: list[Candidate] = []
    for one in sorted((c for c in listed if c.kind == "types"), key=lambda c: (c.place[0], _span(c)[0], -_span(c)[1])):
        last = outer[-1] if outer else None
        if last is not None and last.place[0] == one.place[0] and _span(one)[1] <= _span(last)[1]:
            last.count += one.count
            last.name = one.name if last.name == UNNAMED else last.name
            last.first = min(last.first, one.first)
            last.index, last.libclang = last.index or one.index, last.libclang or one.libclang
            inner.append(one)
        else:
            outer.append(one)
    gone = {id(one) for one in inner}
    return [one for one in listed if id(one) not in gone]


def _span(one: Candidate) -> tuple[int, int]:
    return (one.entry.start, one.entry.end) if one.entry is not None else (one.place[1], one.place[2])


def _hidden(index: SymbolIndex, entry: Entry | None) -> bool:
    """Tell whether a symbol stands below an `#if` of its file, the include guard not counted."""
    if entry is None:
        return False
    stack: list[bool] = []
    data = index.file(entry.path)
    for number, match in enumerate(DIRECTIVE.finditer(data, 0, entry.start)):
        if match[1] == b"endif":
            if stack:
                stack.pop()
        else:
            guard = (
                number == 0
                and match[1] == b"ifndef"
                and b"#define " + match[2] in data[match.end() : match.end() + 200]
            )
            stack.append(not guard and match[2] != b"__cplusplus")
    return any(stack)
