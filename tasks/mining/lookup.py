"""What a name in a function means, from the symbol index alone: the closest declaration that C's rules let it see.

Closeness: the same file, its own header, a header it reaches, the same folder, the rest of the project. Types, macros
and enumerators of another source file are out of sight, and so are its static functions and variables; a C++ type must
be reached by an include or stand in the same folder. Where the closest level holds two different things, nothing is
chosen: a wrong item is worse than a missing one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tasks.mining.includes import HEADER_SUFFIXES, IncludeGraph
from tasks.mining.index import CALLABLE, RECORDS, TYPES, Entry, SymbolIndex
from tasks.mining.uses import Use

SAME_FILE, OWN_HEADER, REACHED, SAME_FOLDER, PROJECT = range(5)

KINDS_BY_ROLE: dict[str, frozenset[str]] = {
    "call": CALLABLE | TYPES | {"macro", "global"},
    "method": CALLABLE,
    "type": TYPES | {"macro"},
    "value": CALLABLE | TYPES | {"global", "enumerator", "macro"},
    "scope": TYPES,
    "macro": frozenset({"macro"}),
}
PREFERRED = ("macro", "class", "typedef", "struct", "union", "enum", "enumerator", "prototype", "function", "global")
"""Between two declarations of one thing in one file, the earlier kind here is shown."""
MAX_BASES = 12
BASES = re.compile(r"^[^{;]*?[^:]:(?!:)([^{;]*)\{", re.S)
BASE = re.compile(r"(?:(?:public|private|protected|virtual)\s+)*(?:\w+\s*::\s*)*(\w+)")
MEMBER = re.compile(r"(?<!\breturn)[\w>\]*&]\s*[\s*&]\s*([A-Za-z_]\w*)\s*(?=[;{=\[,:])")


@dataclass(frozen=True, slots=True)
class Found:
    """A use and the symbol it means."""

    use: Use
    entry: Entry


@dataclass(frozen=True, slots=True)
class Names:
    """What became of a function's names: found, several candidates equally close, nothing in the project."""

    found: tuple[Found, ...]
    ambiguous: tuple[Use, ...]
    unresolved: tuple[Use, ...]


class Finder:
    """Looks names up as one file sees them.

    Arguments: `index`, `graph` of the project; `path` the file; `language` c or cpp.
    """

    def __init__(self, index: SymbolIndex, graph: IncludeGraph, path: str, language: str) -> None:
        self.index = index
        self.path = path
        self.cpp = language == "cpp"
        self.reached = graph.reached(path)
        self.own = graph.own_header(path)
        self.folder = PurePosixPath(path).parent
        self._bases: dict[str, tuple[Entry, ...]] = {}

    def level(self, entry: Entry) -> tuple[int, int] | None:
        """Return (closeness, steps of inclusion) of a symbol, None if this file cannot see it."""
        if entry.path == self.path:
            return SAME_FILE, 0
        if entry.path == self.own:
            return OWN_HEADER, 0
        if (steps := self.reached.get(entry.path)) is not None:
            return REACHED, steps
        if not entry.path.endswith(HEADER_SUFFIXES) and (entry.kind not in ("function", "global") or entry.static):
            return None
        if self.cpp and entry.kind in TYPES | {"enumerator"} and PurePosixPath(entry.path).parent != self.folder:
            return None
        return (SAME_FOLDER if PurePosixPath(entry.path).parent == self.folder else PROJECT), 0

    def resolve(self, uses: Sequence[Use], own_class: str) -> Names:
        """Return what each use means inside a function of the class `own_class` (empty for a free function)."""
        found: list[Found] = []
        ambiguous: list[Use] = []
        unresolved: list[Use] = []
        members = self.members(own_class)
        if own_class:
            uses = [*uses, Use("scope", own_class, "", 1, 0, False)]
        for use in uses:
            if use.role == "value" and not use.scope and use.name in members:
                continue
            visible = self.candidates(use, own_class)
            entry = self.choose(visible)
            if entry is not None:
                found.append(Found(use, entry))
            elif visible:
                ambiguous.append(use)
            elif use.role not in ("scope", "macro"):
                unresolved.append(use)
        return Names(tuple(found), tuple(ambiguous), tuple(unresolved))

    def candidates(self, use: Use, own_class: str) -> list[Entry]:
        """Return the symbols that a use may mean by its role and scope, before closeness decides."""
        kinds = KINDS_BY_ROLE[use.role]
        listed = [e for e in self.index.named(use.name) if e.kind in kinds and self.level(e) is not None]
        if not listed or use.role == "macro":
            return listed
        if use.role == "scope":
            if use.name == own_class:
                return listed
            return self.of_classes(listed, own_class) or [e for e in listed if not e.scope or not self.cpp]
        if use.role == "method":
            return self.methods(listed, use, own_class)
        if use.role == "value":
            # C's `(some_t) x` reads as a value where the grammar cannot know the type.
            listed = [e for e in listed if e.kind not in TYPES] or listed
        if use.scope and use.scope != "::":
            inside = [e for e in listed if use.scope in self.scopes_of(e)]
            if inside or use.scope in self.index.classes:
                return inside or self.of_classes(listed, use.scope)
            return [e for e in listed if not e.scope or e.kind == "enumerator"]
        if use.role == "type":
            mine = self.of_classes(listed, own_class)
            return mine or [e for e in listed if not e.scope or not self.cpp]
        if own_class and not use.scope and (mine := self.of_classes(listed, own_class)):
            return mine
        return [e for e in listed if not e.scope or e.kind in ("enumerator", "macro")]

    def methods(self, listed: list[Entry], use: Use, own_class: str) -> list[Entry]:
        """Return what `x.f()` may call: the own class's on `this`, else those of classes that the file sees."""
        if not self.cpp:
            return []
        if use.scope == "this":
            return self.of_classes(listed, own_class)
        return [e for e in listed if e.scope and (self.level(e) or (PROJECT, 0))[0] <= REACHED]

    def of_classes(self, listed: list[Entry], name: str) -> list[Entry]:
        """Return the candidates that belong to a class or, failing that, to the nearest of its bases."""
        for entry in self.bases(name):
            if mine := [e for e in listed if e.scope == entry.name]:
                return mine
        return []

    def scopes_of(self, entry: Entry) -> tuple[str, ...]:
        """Return the names that may stand before `::` of a symbol."""
        if entry.kind != "enumerator":
            return (entry.scope,) if entry.scope else ()
        enum = self.index.enum_of(entry)
        return tuple(name for name in (enum.name, enum.scope, entry.scope) if name)

    def choose(self, listed: Sequence[Entry]) -> Entry | None:
        """Return the closest symbol, or None where the closest level holds different things."""
        placed = [(place, entry) for entry in listed if (place := self.level(entry)) is not None]
        if not placed:
            return None
        best = min(place[0] for place, _ in placed)
        closest = [(place, entry) for place, entry in placed if place[0] == best]
        owners = {entry.scope for _, entry in closest if entry.kind in CALLABLE}
        if len(owners) > 1 or (best >= SAME_FOLDER and len({_stem(entry.path) for _, entry in closest}) > 1):
            return None
        return min(closest, key=lambda pair: (pair[0][1], self._preference(pair[1]), pair[1].path, pair[1].start))[1]

    def _preference(self, entry: Entry) -> tuple[bool, int]:
        forward = entry.kind in RECORDS and b"{" not in self.index.raw(entry)
        return forward, PREFERRED.index(entry.kind)

    def bases(self, name: str) -> tuple[Entry, ...]:
        """Return the definition of a class and of its bases, nearest first; empty for a name that is none."""
        if not name:
            return ()
        if name not in self._bases:
            chain: list[Entry] = []
            waiting = [name]
            while waiting and len(chain) < MAX_BASES:
                at = waiting.pop(0)
                entry = self.choose([e for e in self.index.named(at) if e.kind in RECORDS])
                if entry is None or entry in chain:
                    continue
                chain.append(entry)
                head = BASES.match(self.index.text(entry))
                if head is not None:
                    waiting += [m[1] for part in _split(head[1]) if (m := BASE.match(part.strip()))]
            self._bases[name] = tuple(chain)
        return self._bases[name]

    def members(self, name: str) -> frozenset[str]:
        """Return the names that look like data members of a class or of its bases."""
        return frozenset(
            word
            for entry in self.bases(name)
            for word in MEMBER.findall(self.index.raw(entry).decode("utf-8", "replace"))
        )


def _stem(path: str) -> str:
    return str(PurePosixPath(path).with_suffix(""))


def _split(bases: str) -> list[str]:
    """Split a list of bases at commas outside template arguments."""
    parts, depth = [""], 0
    for letter in bases:
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
