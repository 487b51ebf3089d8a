"""Functions whose bodies are the same but for spaces and comments: the first one in order is the original."""

from collections.abc import Sequence

import pyarrow as pa


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
