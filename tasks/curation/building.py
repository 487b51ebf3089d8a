"""From mined projects to a release: build, review, gate, write. Unchanged inputs and code reuse what is there."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tasks.compute.environment import code_digest, toolchain_digest
from tasks.contract import BaseSample, Bench, BuildInputs, Companion, Map, Message, Track
from tasks.curation import reviews
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.manifest import listing
from tasks.curation.release import Release, load, write
from tasks.curation.rows import table_hash
from tasks.ids import digest
from tasks.mining.records import MinedProject
from warehouse.layout import Layout
from warehouse.reader import read

BUILD_CODE = ("tasks.sources", "tasks.mining", "tasks.curation", "tasks.grading")
"""Packages whose sources decide what a build makes, besides the track's own."""

Ask = Callable[[list[Message]], str]


@dataclass(frozen=True)
class Wanted:
    """What a build is asked for. `describer` names the model that writes descriptions and gives the function that
    asks it; `options` are the track's own."""

    projects: tuple[MinedProject, ...] = ()
    size: int | None = None
    describer: tuple[str, Ask] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """A release, and the ledger of the build that made it; None when nothing had to be built."""

    release: Release
    ledger: Ledger | None


def build_release(track: Track, wanted: Wanted, layout: Layout, map: Map) -> Built:
    """Return the release of these inputs, building it unless it is there.

    Raises CorpusError when the accounts of a stage do not add up or no sample passes the gate.
    """
    parameters = _parameters(track, wanted, layout)
    for manifest in reversed(listing(layout)):
        if manifest["track"] == track.name and manifest["build"] == parameters:
            return Built(replace(load(layout, track, manifest["release"]), reused=True), None)
    options = {**wanted.options, "layout": layout}
    if wanted.describer is not None:
        options |= {"describer": wanted.describer[0], "ask": wanted.describer[1]}
    inputs = BuildInputs(wanted.projects, wanted.size, options, layout.cache, map)
    ledger = Ledger(track.build(inputs))
    reviewed = reviews.apply(layout, ledger.samples)
    ledger.take(reviewed.entries())
    companions = stage_companions(ledger.companions, layout.cache / "companions")
    gated = gate(track, reviewed.kept, Bench(companions, toolchain_digest(), figures=False), map)
    ledger.take(gated.entries())
    ledger.check()
    release = write(layout, track, gated.kept, ledger, ledger.companions, gated.proof, build=parameters)
    return Built(release, ledger)


def stage_companions(companions: Iterable[Companion], folder: Path) -> Path:
    """Write companion tables where the gate can read them before the release exists; named by their content."""
    tables = {companion.name: companion.table for companion in companions}
    staged = folder / digest({name: table_hash(table) for name, table in tables.items()}, length=16)
    staged.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        partial = staged / f".{name}.partial"
        pq.write_table(table, partial)
        partial.rename(staged / f"{name}.parquet")
    return staged


def _parameters(track: Track, wanted: Wanted, layout: Layout) -> dict[str, Any]:
    """Return what decides the content of a release, as JSON values; equal parameters mean an equal release."""
    package = type(track).__module__ if not hasattr(track, "package") else track.package
    packages = (*BUILD_CODE, package)
    for name in packages:
        importlib.import_module(name)
    decisions = read(layout, "reviews", ["sample_id", "reviewer", "decision", "correction"]).to_pylist()
    return {
        "projects": {project.source.project_id: project.batch.name for project in wanted.projects},
        "size": wanted.size,
        "describer": wanted.describer[0] if wanted.describer else None,
        "options": dict(wanted.options),
        "read": track.fingerprint(wanted.options) if hasattr(track, "fingerprint") else "",
        "reviews": digest(sorted(map(str, decisions)), length=12),
        "code": code_digest(*packages),
        "toolchain": toolchain_digest(),
    }


def count_by_category(samples: Iterable[BaseSample]) -> dict[str, int]:
    """Return how many samples each category has, by name."""
    counts: dict[str, int] = {}
    for sample in samples:
        counts[sample.category] = counts.get(sample.category, 0) + 1
    return dict(sorted(counts.items()))
