"""What an answer's object and ours may not share: names of the C library that we call, and names of the harness.

An answer may define a function called `write`. Linked as it is, our harness would call that one. And an answer may not
call the core, nor what scenarios set devices up with: it could then write its own record.
"""

import ctypes
import re
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMBOL_TABLE, _LOCAL, _WEAK = 2, 0, 2
_WORD = re.compile(r"\b[A-Za-z_]\w*")
_OF_SCENARIOS = re.compile(r"(?:.*/)?(?:fb_\w+|\w+_scenario)\.h")
_MADE = ("__", "_GLOBAL_")
"""Beginnings of names that the compiler calls by itself, or that macros of the API put together."""


@dataclass(frozen=True)
class Symbols:
    """The names of an object that others see: those it defines, those it needs, and those it can do without."""

    defined: frozenset[str]
    needed: frozenset[str]
    optional: frozenset[str] = frozenset()


def symbols(compiled: bytes) -> Symbols:
    """Return the symbols of a relocatable 64-bit little-endian ELF object; none of anything else."""
    if compiled[:6] != b"\x7fELF\x02\x01":
        return Symbols(frozenset(), frozenset())
    header = _HEADER.unpack_from(compiled)
    start, size, count = header[6], header[11], header[12]
    sections = [_SECTION.unpack_from(compiled, start + size * i) for i in range(count)]
    defined: set[str] = set()
    needed: set[str] = set()
    optional: set[str] = set()
    for section in sections:
        if section[1] != _SYMBOL_TABLE:
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], _SYMBOL.size):
            name, info, _, index, _, _ = _SYMBOL.unpack_from(compiled, at)
            if name and info >> 4 != _LOCAL:
                text = compiled[names + name : compiled.index(b"\0", names + name)].decode(errors="replace")
                (defined if index else optional if info >> 4 == _WEAK else needed).add(text)
    return Symbols(frozenset(defined), frozenset(needed), frozenset(optional))


def taken_from_library(answer: Symbols, ours: Iterable[Symbols]) -> tuple[str, ...]:
    """Return the names that the answer defines, and that our objects want from the C library.

    What ours can do without is left to the answer to define: the kernel's `init_module`, which the C library has, too.
    """
    wanted = frozenset(name for one in ours for name in one.needed)
    return tuple(sorted(name for name in answer.defined & wanted if hasattr(_library(), name)))


def harness_calls(answer: Symbols, ours: Symbols, api: frozenset[str]) -> tuple[str, ...]:
    """Return what the answer needs of ours that is not in `api`, so that it calls the harness itself."""
    wanted = (answer.needed | answer.optional) & ours.defined - api
    return tuple(sorted(name for name in wanted if not name.startswith(_MADE) and not hasattr(_library(), name)))


def api_words(headers: Mapping[str, str]) -> frozenset[str]:
    """Return every word in the headers of an API.

    They are in folders of a platform; beside its sources are those of the model, and of scenarios are `fb_*.h` and
    `*_scenario.h`.
    """
    told = (text for path, text in headers.items() if path.count("/") > 1 and not _OF_SCENARIOS.fullmatch(path))
    return frozenset(word for text in told for word in _WORD.findall(text))


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)
