"""A release as a Hugging Face data set folder: Parquet, a card with front matter, a Croissant description.

Private samples never leave: neither they nor their context are written, and the card says how many were held back.
What was imported from others is not ours to publish and is refused.
"""

import hashlib
import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from warehouse.database import words
from warehouse.errors import UsageError, WarehouseError
from warehouse.importers.landing import imported
from warehouse.layout import Layout
from warehouse.reader import read

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")
CARD, CROISSANT = "README.md", "croissant.json"
PRIVATE = "private"
AREA = "corpora"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
KINDS: dict[pa.DataType, str] = {
    pa.string(): "sc:Text", pa.int64(): "sc:Integer", pa.float64(): "sc:Float", pa.bool_(): "sc:Boolean",
}  # fmt: skip
"""Croissant's data type of a column; lists and structs are described by their Parquet schema alone."""


def export_huggingface(layout: Layout, release: str, out: Path, *, name: str | None = None) -> Path:
    """Write the public samples of `release` and their context into the folder `out`; it appears complete.

    `name` is what the card calls the data set, by default the release.
    Raises UsageError for a release that is not here, is somebody else's, or has no public sample, and for a folder
    that holds something else than an earlier export.
    """
    if imported(release):
        raise UsageError(f"{release} was imported: its questions are their authors' and are not exported.")
    samples = read(layout, "samples", area=AREA, filter=pc.field("release") == release)
    if not samples.num_rows:
        raise UsageError(f"There is no release {release!r}; `firmbench corpus list` lists them.")
    if out.exists() and any(out.iterdir()) and not (out / CROISSANT).is_file():
        raise UsageError(f"{out} holds something else than an exported data set; give another folder.")
    public, items = _public(samples, read(layout, "context_items", area=AREA, batch=release))
    if not public.num_rows:
        raise UsageError(f"All {samples.num_rows} samples of {release} are private; there is nothing to export.")
    folder = out.with_name(f".{out.name}.{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    try:
        files = {table: _write(folder, table, rows) for table, rows in (("samples", public), ("context_items", items))
                 if rows.num_rows}  # fmt: skip
        facts = _facts(release, name or release, public, items, samples.num_rows - public.num_rows, files)
        (folder / CARD).write_text(_environment().get_template("card.md.jinja").render(facts), encoding="utf-8")
        described = json.dumps(croissant(facts, files), indent=2, ensure_ascii=False) + "\n"
        (folder / CROISSANT).write_text(described, encoding="utf-8")
        if out.exists():
            out.rename(folder / ".before")
        folder.rename(out)
        shutil.rmtree(out / ".before", ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return out


def _public(samples: pa.Table, items: pa.Table) -> tuple[pa.Table, pa.Table]:
    private = pc.fill_null(pc.equal(samples["visibility"], PRIVATE), False)
    kept = samples.filter(pc.invert(private)).sort_by("sample_id")
    mine = pc.is_in(items["sample_id"], value_set=kept["sample_id"].combine_chunks())
    return kept, items.filter(mine).sort_by([(key, "ascending") for key in ("sample_id", "kind", "rank")])


def _write(folder: Path, table: str, rows: pa.Table) -> dict[str, Any]:
    import pyarrow.parquet as pq

    path = folder / "data" / f"{table}.parquet"
    pq.write_table(rows, path, compression="zstd")
    data = path.read_bytes()
    return {"path": f"data/{table}.parquet", "sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data),
            "rows": rows.num_rows, "schema": rows.schema}  # fmt: skip


def _facts(release: str, name: str, public: pa.Table, items: pa.Table, held_back: int,
           files: dict[str, Any]) -> dict[str, Any]:  # fmt: skip
    def counts(column: str) -> list[tuple[str, int]]:
        found = Counter(value or "not stated" for value in public[column].to_pylist())
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

    licences = counts("licence")
    size = next((label for most, label in SIZES if public.num_rows < most), "n>1M")
    return {
        "release": release, "name": name, "track": public["track"][0].as_py(), "n_samples": public.num_rows,
        "n_private": held_back, "n_items": items.num_rows, "licences": licences, "categories": counts("category"),
        "projects": counts("project_id"), "n_clusters": len(set(public["cluster"].to_pylist())), "size": size,
        "licence": licences[0][0].lower() if len(licences) == 1 and licences[0][0] != "not stated" else "other",
        "columns": [(field.name, str(field.type), words()["samples"][field.name]) for field in public.schema],
        "tables": list(files),
    }  # fmt: skip


def croissant(facts: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Return a Croissant 1.1 description of the files: their hashes, and the columns that have a plain type."""
    distribution, record_sets = [], []
    for table, file in files.items():
        distribution.append({
            "@type": "cr:FileObject", "@id": f"{table}.parquet", "name": f"{table}.parquet",
            "contentUrl": file["path"], "encodingFormat": "application/vnd.apache.parquet",
            "contentSize": f"{file['size_bytes']} B", "sha256": file["sha256"],
        })  # fmt: skip
        fields = [
            {
                "@type": "cr:Field", "@id": f"{table}/{field.name}", "name": field.name,
                "description": words()[table][field.name], "dataType": KINDS[field.type],
                "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": field.name}},
            }
            for field in file["schema"] if field.type in KINDS
        ]  # fmt: skip
        record_sets.append({
            "@type": "cr:RecordSet", "@id": table, "name": table, "description": words()[table]["about"],
            "field": fields,
        })  # fmt: skip
    return {
        "@context": {
            "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
            "cr": "http://mlcommons.org/croissant/", "dct": "http://purl.org/dc/terms/",
            "conformsTo": "dct:conformsTo", "recordSet": "cr:recordSet", "field": "cr:field", "source": "cr:source",
            "fileObject": "cr:fileObject", "extract": "cr:extract", "column": "cr:column",
            "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        },
        "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.1", "name": facts["name"],
        "description": f"Samples of the {facts['track']} track of firmbench, release {facts['release']}.",
        "license": [licence for licence, _ in facts["licences"]], "version": facts["release"],
        "distribution": distribution, "recordSet": record_sets,
    }  # fmt: skip


def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    if not TEMPLATES.is_dir():
        raise WarehouseError(f"The templates of firmbench are not in {TEMPLATES}; install it again.")
    return Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, trim_blocks=True,
                       lstrip_blocks=True, keep_trailing_newline=True)  # fmt: skip
