"""What mining finds in one file and in one project. Spans are byte offsets into the original, lines are 1-based."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from tasks.sources.model import Source, Tree

SymbolKind = Literal[
    "function", "prototype", "global", "struct", "union", "enum", "enumerator", "typedef", "class", "macro"
]


class Function(NamedTuple):
    """One function definition. `signature` runs from the first byte to the body; `comment` is the one right above.

    `qualified_name` carries the C++ scope (`esphome::Foo::loop`), `name` its last part. `conditional` says that a
    preprocessor line stands inside the span; `has_error` that the parser was lost somewhere inside it.
    """

    name: str
    qualified_name: str
    signature: str
    start_byte: int
    end_byte: int
    body_start_byte: int
    start_line: int
    end_line: int
    comment: str | None
    trivial: bool
    has_error: bool
    conditional: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """One name that a file declares at file or class scope, with the text that shows how to use it.

    A function's text is its signature; a type's its whole definition; a global's its declaration without a long
    initialiser; a macro's its whole `#define`.
    """

    kind: SymbolKind
    name: str
    start_byte: int
    end_byte: int
    start_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A stretch of a file that the miner could not turn into functions, and why."""

    start_byte: int
    end_byte: int
    start_line: int
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MinedFile:
    """Everything mining learns of one file. `language` is `c` or `cpp`, by content."""

    path: str
    language: str
    encoding: str
    size_bytes: int
    lines: int
    licence: str | None
    test: bool
    vendored: bool
    generated: bool
    error_bytes: int
    functions: tuple[Function, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True)
class MinedProject:
    """A mined project as later stages see it: its pin, its tree, and Parquet files of what was found.

    `functions` has the columns of the `functions` table, `symbols` those of `SYMBOLS` in tasks/mining/tables.py.
    `batch` is the warehouse batch that holds `projects`, `functions` and `dropped` of this project.
    """

    source: Source
    tree: Tree
    batch: Path
    functions: Path
    symbols: Path
    summary: dict = field(default_factory=dict)
