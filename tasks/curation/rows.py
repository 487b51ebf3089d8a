"""Samples to rows of `samples` and `context_items` and back, without loss: the rebuilt sample has the same id."""

from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from json import loads
from math import isfinite
from typing import Any

import pyarrow as pa

from tasks.contract import BaseSample, ContextItem
from tasks.ids import canonical
from warehouse.errors import CorpusError
from warehouse.schema import SCHEMAS

JSON_COLUMNS = ("provenance", "extractors")
"""Fields of every sample that land as JSON text."""

SHARED = tuple(
    name for name in SCHEMAS["samples"].names if name in BaseSample.model_fields and name not in JSON_COLUMNS
)
"""Fields of every sample that have a column of their own; what a track adds goes to `prompt_parts`."""

HASH_BATCH = 4096


def sample_row(sample: BaseSample, track: str, release: str) -> dict[str, Any]:
    """Return the row of a sample; its context goes to `context_rows`."""
    content = sample.model_dump(mode="json")
    own = {name: value for name, value in content.items() if name not in BaseSample.model_fields}
    return {
        "sample_id": sample.sample_id,
        "track": track,
        "release": release,
        **{name: content[name] for name in SHARED},
        **{name: canonical(content[name]).decode() for name in JSON_COLUMNS},
        "prompt_parts": canonical(own).decode(),
    }


def context_rows(sample: BaseSample) -> list[dict[str, Any]]:
    """Return a row for each context item, in the sample's own order."""
    return [{"sample_id": sample.sample_id, **item.model_dump(mode="json")} for item in sample.context]


def rebuild(kind: type[BaseSample], row: Mapping[str, Any], context: Iterable[Mapping[str, Any]]) -> BaseSample:
    """Return the sample that a row and its context rows came from.

    Raises CorpusError, naming the sample, when they no longer make a sample of that id: the rows were changed, or
    the track's `Sample` was.
    """
    items = [{name: item[name] for name in ContextItem.model_fields} for item in context]
    try:
        sample = kind.model_validate(
            {
                **{name: row[name] for name in SHARED},
                **{name: loads(row[name]) for name in JSON_COLUMNS},
                **loads(row["prompt_parts"]),
                "context": items,
            }
        )
    except ValueError as error:
        raise CorpusError(
            f"The sample {row['sample_id']} cannot be read as a {kind.__module__}.{kind.__qualname__}: "
            f"{' '.join(str(error).split())}; build the release again."
        ) from error
    if sample.sample_id != row["sample_id"]:
        raise CorpusError(
            f"The sample {row['sample_id']} rebuilds to {sample.sample_id}, so its rows or the track's Sample changed "
            "since it was written; build the release again."
        )
    return sample


def table_hash(table: pa.Table) -> str:
    """Return the SHA-256 of a table's column names and rows in order, however a Parquet file lays them out."""
    hashed = sha256(canonical(sorted(table.column_names)))
    for batch in table.to_batches(max_chunksize=HASH_BATCH):
        for row in batch.to_pylist():
            hashed.update(canonical(_plain(row)) + b"\n")
    return hashed.hexdigest()


def _plain(value: Any) -> Any:
    """Turn what Arrow gives into what JSON takes: bytes as hex; times, NaN and other scalars as text."""
    if isinstance(value, float):
        return value if isfinite(value) else repr(value)
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, date) else str(value)
