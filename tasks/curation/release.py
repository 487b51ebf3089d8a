"""Releases: the samples of a track built together, named by the hash of their content, written once and never changed.

A release is the batch `corpora/<release>`: `samples`, `context_items`, `dropped` and `stages`, the track's companion
tables, and `release.json`, which says when and how it was built and is no part of its identity.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from tasks.contract import BaseSample, Companion, Track, release_id
from tasks.curation.gate import Proof
from tasks.curation.inspection import Diff, Summary, describe, diff
from tasks.curation.ledger import Ledger
from tasks.curation.manifest import AREA, MANIFEST, listing, manifest_in, manifest_of, newest
from tasks.curation.rows import context_rows, rebuild, sample_row, table_hash
from warehouse.errors import CorpusError
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.schema import SCHEMAS

__all__ = ["Diff", "Release", "Summary", "describe", "diff", "listing", "load", "write"]


@dataclass(frozen=True)
class Release:
    """A release on disk. `manifest` is its `release.json`; `reused` says that the same content was there already."""

    release: str
    track: str
    folder: Path
    samples: dict[str, BaseSample]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    reused: bool = False


def write(
    layout: Layout,
    track: Track,
    samples: Iterable[BaseSample],
    ledger: Ledger,
    companions: Iterable[Companion],
    proof: Proof,
    *,
    build: Mapping[str, Any],
) -> Release:
    """Write a release and return it; the same samples and companions again are the release that is there already.

    `build` are the parameters of the build, JSON values, kept in `release.json`. Where other parameters lead to the
    same content, the accounts and `release.json` become those of the new build in one step. Raises CorpusError when
    there is no sample, when one did not pass the gate under the track's present grader, when two are the same, when
    the accounts of a stage do not add up, or when a sample would not read back as it is.
    """
    from warehouse.writer import write_batch

    ordered = sorted(samples, key=lambda sample: sample.sample_id)
    _refuse(track, ordered, proof)
    stages = ledger.stages()
    tables = {companion.name: companion.table for companion in companions}
    hashes = {name: table_hash(table) for name, table in sorted(tables.items())}
    name = release_id(track.name, [sample.sample_id for sample in ordered], hashes)
    folder = layout.batch(AREA, name)
    by_id = {sample.sample_id: sample for sample in ordered}
    parameters = json.loads(json.dumps(dict(build)))
    there = manifest_in(folder) if folder.exists() else None
    if there is not None and there["build"] == parameters:
        return Release(name, track.name, folder, by_id, there, reused=True)

    rows = [sample_row(sample, track.name, name) for sample in ordered]
    items = [context_rows(sample) for sample in ordered]
    for row, context in zip(rows, items, strict=True):
        rebuild(track.Sample, row, context)
    now = datetime.now(UTC).isoformat()
    manifest = {
        "release": name,
        "track": track.name,
        "created_at": there["created_at"] if there else now,
        "built_at": now,
        "counts": {
            "samples": len(ordered),
            "context_items": sum(map(len, items)),
            "dropped": len(ledger.drops),
            "gate_replies": proof.replies,
        },
        "build": parameters,
        "companions": hashes,
        "versions": {
            "grader": proof.grader_version,
            "toolchain_digest": proof.toolchain_digest,
            "extractors": _versions(ordered),
        },
    }
    own = {table: content for table, content in tables.items() if table not in SCHEMAS}
    shared = {table: _with_release(content, name) for table, content in tables.items() if table in SCHEMAS}
    write_batch(
        layout,
        AREA,
        name,
        {
            **shared,
            "samples": rows,
            "context_items": [row for context in items for row in context],
            "dropped": [{"release": name, **row} for row in ledger.dropped()],
            "stages": [{"release": name, **row} for row in stages],
        },
        companions=own,
        extras={MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True).encode()},
        replace=there is not None,
    )
    return Release(name, track.name, folder, by_id, manifest_in(folder), reused=there is not None)


def load(layout: Layout, track: Track, release: str | None = None) -> Release:
    """Return a release of the track, the newest unless one is named, its samples rebuilt and their ids verified.

    Raises CorpusError when there is none, when it belongs to another track, or when a sample was changed on disk.
    """
    manifest = newest(layout, track.name) if release is None else manifest_of(layout, release)
    if manifest["track"] != track.name:
        raise CorpusError(f"The release {release!r} is of the track {manifest['track']!r}, not of {track.name!r}.")
    name = manifest["release"]
    context = defaultdict(list)
    for item in read(layout, "context_items", area=AREA, batch=name).to_pylist():
        context[item["sample_id"]].append(item)
    rows = read(layout, "samples", area=AREA, batch=name).to_pylist()
    samples = {row["sample_id"]: rebuild(track.Sample, row, context[row["sample_id"]]) for row in rows}
    return Release(name, track.name, layout.batch(AREA, name), samples, manifest)


def _with_release(table: pa.Table, name: str) -> pa.Table:
    """Return the rows of a companion that is a warehouse table, under the name of the release."""
    rest = table.drop_columns(["release"]) if "release" in table.column_names else table
    return rest.append_column("release", pa.array([name] * rest.num_rows, pa.string()))


def _refuse(track: Track, ordered: Sequence[BaseSample], proof: Proof) -> None:
    """Raise CorpusError unless there are samples, all different, all gated under the grader of today."""
    if not ordered:
        raise CorpusError(f"The build of the track {track.name!r} left no sample; its dropped items say why.")
    if (proof.track, proof.grader_version) != (track.name, track.grader_version):
        raise CorpusError(
            f"The proof is of the track {proof.track!r} under grader {proof.grader_version}, not of {track.name!r} "
            f"under {track.grader_version}; gate the samples again."
        )
    ungated = [sample.sample_id for sample in ordered if sample.sample_id not in proof.sample_ids]
    if ungated:
        raise CorpusError(
            f"{len(ungated)} of {len(ordered)} samples did not pass the gate, first {ungated[0]}; "
            "release only what `gate` kept."
        )
    twice = [sample_id for sample_id, count in Counter(sample.sample_id for sample in ordered).items() if count > 1]
    if twice:
        raise CorpusError(f"The sample {twice[0]} was built twice; make the track yield each question once.")


def _versions(samples: Iterable[BaseSample]) -> dict[str, list[str]]:
    versions: dict[str, set[str]] = defaultdict(set)
    for sample in samples:
        for extractor, version in sample.extractors.items():
            versions[extractor].add(version)
    return {extractor: sorted(found) for extractor, found in sorted(versions.items())}
