"""Functions whose bodies are the same but for spaces and comments: the first one in order is the original."""

import hashlib
import re
from collections.abc import Sequence

import pyarrow as pa

from tasks.mining import lexis

CODE_OR_COMMENT = re.compile(
    rb"((?:[^\"'/]++|" + lexis.STRING + rb"|" + lexis.CHARACTER + rb"|/(?![/*])|[\"'])++)|"
    + lexis.BLOCK_COMMENT + rb"|" + lexis.LINE_COMMENT
)  # fmt: skip
"""A stretch of code up to the next comment, or a comment, which is in no group."""

BLANKS = b" \t\r\n\f\v"


def body_hash(body: bytes) -> str:
    """Return a hash of a function body that spaces, line ends and comments do not change."""
    if b"//" in body or b"/*" in body:
        body = b"".join(CODE_OR_COMMENT.findall(body))
    return hashlib.blake2b(body.translate(None, BLANKS), digest_size=8).hexdigest()


def mark(tables: Sequence[pa.Table]) -> list[pa.Table]:
    """Return the tables with `duplicate_of` filled: the `function_id` of the first function with the same body.

    Arguments: `tables`, rows of `functions`, one table a project in project order, each in order of path and span. The
    original itself stays null. A bodies' hash is taken with the language, so C never duplicates C++.
    """
    originals: dict[tuple[str, str], str] = {}
    marked = []
    for table in tables:
        rows = zip(*(table.column(name).to_pylist() for name in ("function_id", "body_hash", "language")), strict=True)
        values = []
        for function_id, body_hash, language in rows:
            first = originals.setdefault((body_hash, language), function_id)
            values.append(None if first == function_id else first)
        at = table.schema.get_field_index("duplicate_of")
        marked.append(table.set_column(at, table.schema.field(at), pa.array(values, pa.string())))
    return marked
