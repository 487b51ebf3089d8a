"""Replies that are good for another sample: the same question, asked before its checks or its reference changed.

A changed check makes another sample, and so another unit. What the model is shown has not changed, though, and what it
replied is stored: the reply is written down once more for the new unit, at no cost and marked with the generation that
it comes from, and is graded by the new checks. Only scenarios in which the prompt alone decides the reply are carried.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow.compute as pc

from tasks.contract import BaseSample
from tasks.ids import digest
from tasks.inference.plan import Plan, Planned
from warehouse.layout import Layout

AREA = "inference"
BY_PROMPT_ALONE = frozenset({"generation", "bugfix"})
Row = dict[str, Any]
Key = tuple[str, str, str, int, str, str]


def carry(
    layout: Layout,
    planned: Plan,
    samples: Mapping[str, BaseSample],
    models: Iterable[str],
    *,
    track: str,
    release: str,
    run_id: str,
) -> int:
    """Store every finished reply that fits a unit still to be asked of one of `models`; return how many there were.

    It fits if the sample it was given to had the same cluster, and model, config, scenario, attempt, prompt and
    parameters are the same. `models` are those that answer the prompt; a built-in solver answers from the sample.
    """
    from warehouse.reader import read
    from warehouse.writer import write_batch

    names = set(models)
    wanted = [one for one in planned.todo if one.unit.model in names and one.unit.scenario in BY_PROMPT_ALONE]
    if not wanted:
        return 0
    prompts = sorted({one.prompt_hash for one in wanted})
    good = (pc.field("track") == track) & pc.field("error_kind").is_null() & pc.field("prompt_hash").isin(prompts)
    stored = read(layout, "generations", filter=good).to_pylist()
    clusters = _clusters(layout)
    by_key: dict[Key, list[Row]] = {}
    for row in stored:
        key = (row["model"], row["config"], row["scenario"], row["attempt"], row["prompt_hash"] or "",
               clusters.get(row["sample_id"], ""))  # fmt: skip
        by_key.setdefault(key, []).append(row)
    found = {one.generation_id: row for one in wanted if (row := _fitting(one, samples, by_key)) is not None}
    if not found:
        return 0
    now = datetime.now(UTC)
    units = {one.generation_id: one.unit for one in wanted}
    generations = [
        {**row, "generation_id": name, "sample_id": units[name].sample_id, "release": release, "run_id": run_id,
         "cost_usd": 0.0, "carried_from": row["generation_id"], "created_at": now}
        for name, row in found.items()
    ]  # fmt: skip
    old = {row["generation_id"]: name for name, row in found.items()}
    turns = [
        {**turn, "generation_id": old[turn["generation_id"]]}
        for turn in read(layout, "turns", filter=pc.field("generation_id").isin(list(old))).to_pylist()
    ]
    write_batch(
        layout, AREA, f"carried-{digest(sorted(found), length=16)}", {"generations": generations, "turns": turns}
    )
    return len(found)


def _clusters(layout: Layout) -> dict[str, str]:
    from warehouse.reader import read

    table = read(layout, "samples", ["sample_id", "cluster"], area="corpora")
    return dict(zip(table.column("sample_id").to_pylist(), table.column("cluster").to_pylist(), strict=True))


def _fitting(one: Planned, samples: Mapping[str, BaseSample], by_key: Mapping[Key, list[Row]]) -> Row | None:
    """Return the newest reply that would have this unit's identity, had it been given to this sample."""
    unit = one.unit
    key = (unit.model, unit.config, unit.scenario, unit.attempt, one.prompt_hash, samples[unit.sample_id].cluster)
    rows = [
        row
        for row in by_key.get(key, ())
        if unit.generation_id(one.prompt_hash, json.loads(row["parameters"])) == one.generation_id
    ]
    return max(rows, key=lambda row: (row["created_at"], row["generation_id"]), default=None)
