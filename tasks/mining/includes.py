"""Who includes whom in a tree, from `#include` lines alone: cheap, and blind to conditions on purpose."""

import json
import os
import re
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from tasks.sources.model import Source, Tree
from tasks.sources.select import c_files

INCLUDE = re.compile(rb"""^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?:"([^"\r\n]+)"|<([^>\r\n]+)>)""", re.M)
HEADER_SUFFIXES = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tpp", ".tcc", ".def")

STANDARD = frozenset({
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h",
    "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h", "string.h", "strings.h", "tgmath.h", "threads.h", "time.h",
    "uchar.h", "wchar.h", "wctype.h", "unistd.h", "fcntl.h", "alloca.h", "malloc.h", "memory.h", "pthread.h",
    "sys/types.h", "sys/stat.h", "sys/time.h", "sys/socket.h", "sys/select.h", "netinet/in.h", "arpa/inet.h",
    "netdb.h", "poll.h", "dirent.h", "algorithm", "any", "array", "atomic", "bit", "bitset", "cassert", "cctype",
    "cerrno", "cfloat", "charconv", "chrono", "cinttypes", "climits", "clocale", "cmath", "compare", "complex",
    "concepts", "condition_variable", "coroutine", "csetjmp", "csignal", "cstdarg", "cstdbool", "cstddef",
    "cstdint", "cstdio", "cstdlib", "cstring", "ctime", "cuchar", "cwchar", "cwctype", "deque", "exception",
    "execution", "expected", "filesystem", "format", "forward_list", "fstream", "functional", "future",
    "initializer_list", "iomanip", "ios", "iosfwd", "iostream", "istream", "iterator", "latch", "limits", "list",
    "locale", "map", "memory", "memory_resource", "mutex", "new", "numbers", "numeric", "optional", "ostream",
    "queue", "random", "ranges", "ratio", "regex", "scoped_allocator", "semaphore", "set", "shared_mutex",
    "source_location", "span", "sstream", "stack", "stdexcept", "streambuf", "string", "string_view", "strstream",
    "system_error", "thread", "tuple", "type_traits", "typeindex", "typeinfo", "unordered_map", "unordered_set",
    "utility", "valarray", "variant", "vector", "version",
})  # fmt: skip
"""Headers of the C, C++ and POSIX libraries: never taken for a project's file of that name, never counted missing."""


def included(data: bytes) -> list[tuple[str, bool]]:
    """Return what the bytes of a file include, in order and each once: (name, in quotes rather than brackets)."""
    found: dict[tuple[str, bool], None] = {}
    for match in INCLUDE.finditer(data):
        quoted = match[1] is not None
        found[(match[1] or match[2]).decode("utf-8", "replace").strip(), quoted] = None
    return list(found)


def load(tree: Tree, source: Source, place: Path) -> dict[str, list[tuple[str, bool]]]:
    """Return `included` of every C and C++ file of a tree, kept as JSON at `place` between calls."""
    if place.is_file():
        stored = json.loads(place.read_text())
        return {path: [(name, bool(quoted)) for name, quoted in names] for path, names in stored.items()}
    paths = [file.path for file in c_files(tree, source)]
    graph = {path: included(data) for path, data in tree.read_many(paths)}
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    part.write_text(json.dumps(graph, separators=(",", ":")))
    os.replace(part, place)
    return graph


class IncludeGraph:
    """Resolves includes to files of the tree and tells how far one file is from another.

    Arguments: `names` as `load` returns them; `include_paths` folders of the tree to look in first.
    """

    def __init__(self, names: Mapping[str, Iterable[tuple[str, bool]]], include_paths: Iterable[str] = ()) -> None:
        self.names = {path: list(listed) for path, listed in names.items()}
        self.include_paths = tuple(path.strip("/") for path in include_paths)
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(self.names):
            self._by_name.setdefault(PurePosixPath(path).name, []).append(path)
        self._direct: dict[str, tuple[str, ...]] = {}
        self._reached: dict[str, dict[str, int]] = {}
        self._folders: dict[str, dict[str, None]] = {}

    def resolve(self, path: str, name: str, quoted: bool) -> str | None:
        """Return the file of the tree that `path` means by `name`, or None.

        The including file's folder comes first (quotes), then the declared include paths, then any file that ends in
        `name`: the one that shares the longest run of folders with the including file.
        """
        folder = PurePosixPath(path).parent
        if quoted and (near := _join(folder, name)) in self.names:
            return near
        if name in STANDARD:
            return None
        for base in self.include_paths:
            if (there := _join(PurePosixPath(base), name)) in self.names:
                return there
        tail = PurePosixPath(name)
        parts = tuple(part for part in tail.parts if part not in (".", ".."))
        if not parts:
            return None
        ending = [c for c in self._by_name.get(parts[-1], ()) if PurePosixPath(c).parts[-len(parts) :] == parts]
        own = folder.parts
        return min(ending, key=lambda c: (-_shared(own, PurePosixPath(c).parts), c.count("/"), c), default=None)

    def direct(self, path: str) -> tuple[str, ...]:
        """Return the files of the tree that a file includes itself, in order."""
        if path not in self._direct:
            found = (self.resolve(path, name, quoted) for name, quoted in self.names.get(path, ()))
            self._direct[path] = tuple(dict.fromkeys(file for file in found if file is not None and file != path))
        return self._direct[path]

    def reached(self, path: str) -> Mapping[str, int]:
        """Return every file that `path` includes, directly or not, with the number of steps; itself at 0."""
        if path not in self._reached:
            steps = {path: 0}
            queue = deque([path])
            while queue:
                at = queue.popleft()
                for file in self.direct(at):
                    if file not in steps:
                        steps[file] = steps[at] + 1
                        queue.append(file)
            self._reached[path] = steps
        return self._reached[path]

    def own_header(self, path: str) -> str | None:
        """Return the header that goes with a source file: included or beside it, and of the same stem."""
        if path.endswith(HEADER_SUFFIXES):
            return None
        stem = PurePosixPath(path).stem
        for file in self.direct(path):
            if PurePosixPath(file).stem == stem and file.endswith(HEADER_SUFFIXES):
                return file
        beside = PurePosixPath(path)
        return next(
            (str(beside.with_suffix(s)) for s in HEADER_SUFFIXES if str(beside.with_suffix(s)) in self.names), None
        )

    def folders(self, path: str) -> list[str]:
        """Return the include folders (from the tree's root, `.` for it) that make the includes of `path` resolve."""
        found: dict[str, None] = dict.fromkeys(self.include_paths)
        for file in self.reached(path):
            found.update(self._asked(file))
        found["."] = None
        return list(found)

    def _asked(self, path: str) -> dict[str, None]:
        """Return the folders that a file's own includes ask for."""
        if path not in self._folders:
            found: dict[str, None] = {}
            for name, quoted in self.names.get(path, ()):
                there = self.resolve(path, name, quoted)
                if there is None or (quoted and there == _join(PurePosixPath(path).parent, name)):
                    continue
                parts = [part for part in PurePosixPath(name).parts if part not in (".", "..")]
                found["/".join(there.split("/")[: -len(parts)]) or "."] = None
            self._folders[path] = found
        return self._folders[path]


def _join(folder: PurePosixPath, name: str) -> str:
    return os.path.normpath(str(folder / name))


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
