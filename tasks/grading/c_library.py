"""Names that code may call without declaring them: the languages, their libraries, the compilers' builtins."""

import tomllib
from functools import cache
from pathlib import Path

DATA = Path(__file__).with_name("c_library.toml")


@cache
def _table() -> dict:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


@cache
def library_names(language: str) -> frozenset[str]:
    """Return the names that `c` or `cpp` code may call; C++ has all of C's."""
    table = _table()
    groups = [*table["c"].values(), *(table["cpp"].values() if language == "cpp" else ())]
    return frozenset(name for group in groups for name in group.split())


@cache
def library_prefixes() -> tuple[str, ...]:
    """Return prefixes of whole families of compiler builtins."""
    return tuple(_table()["prefixes"])


def in_library(name: str, language: str) -> bool:
    """Return whether a called name belongs to the language, its library or the compiler."""
    return name in library_names(language) or name.startswith(library_prefixes())
