"""EmbedEval's `test_tracker.json`: the last verdict of every (model, case), as the tool keeps it between runs.

A tracker stitches runs of different days, checks and case versions together; a case that changed is another sample
here, told by its content hash. Of several attempts it keeps the last one only.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warehouse.errors import WarehouseError
from warehouse.importers.embedeval_cases import NUMBERED, SOURCE, Case, category_of, generation, judged, sample
from warehouse.importers.landing import Landed, Row, digest, land, read_json
from warehouse.layout import Layout

NAME = "test_tracker.json"
NO_HASH = frozenset({"", "unknown", "changed"})
"""What stands for a case hash where the tool has none."""


def tracker(layout: Layout, path: Path) -> Landed:
    """Land the verdicts of a `test_tracker.json`, or of the one in a folder.

    Raises WarehouseError for a file that is no tracker, or an entry without case, verdict or a known layer.
    """
    file = path / NAME if path.is_dir() else path
    content = read_json(file)
    results = content.get("results") if isinstance(content, dict) else None
    if not isinstance(results, dict):
        raise WarehouseError(f"{file} is no {NAME}: it has no results by model.")
    pack = content.get("context_pack_hash")
    config = f"pack:{pack}" if pack else "bare"
    release = SOURCE.release("tracker", digest(content, length=8))
    tables: dict[str, list[Row]] = {"samples": [], "generations": [], "evaluations": [], "checks": []}
    samples: dict[str, Row] = {}
    for model in sorted(results):
        for name, entry in sorted(results[model].items()):
            case = _case(file, model, name, entry)
            known = sample(release, case, case_hash=entry.get("case_git_hash"))
            known["cluster"] = known["family"] = name.partition(":")[0]
            samples[known["sample_id"]] = known
            reply = generation(
                release, case, model, 1, config=config, scenario="bugfix" if ":" in name else "generation",
                created_at=_when(entry.get("tested_at")), prompt_tokens=entry.get("input_tokens"),
                completion_tokens=entry.get("output_tokens"), cost_usd=entry.get("cost_usd"),
                parameters=json.dumps({"recorded": {"attempts": entry.get("attempts")}}),
            )  # fmt: skip
            evaluation, checks = judged(reply["generation_id"], case)
            tables["generations"].append(reply)
            tables["evaluations"].append({**evaluation, "created_at": reply["created_at"]})
            tables["checks"] += checks
    tables["samples"] = list(samples.values())
    tables["runs"] = _runs(release, tables["generations"], config)
    return land(layout, SOURCE, release, tables, part="tracker", notes=_notes(tables["generations"]))


def _case(file: Path, model: str, name: str, entry: Mapping[str, Any]) -> Case:
    layer = entry.get("failed_at_layer")
    if not isinstance(entry.get("passed"), bool) or layer not in (None, *range(len(NUMBERED))):
        raise WarehouseError(f"{file}, {model}, case {name!r}: no verdict with a layer from 0 to 4 in {dict(entry)}.")
    version = str(entry.get("case_git_hash") or "")
    return Case(
        name=name if version in NO_HASH else f"{name}@{version}",
        category=category_of(name),
        passed=entry["passed"],
        failed_layer=None if layer is None else NUMBERED[layer],
        failed_checks=tuple(entry.get("failed_checks") or ()),
        named_by="tracker",
    )


def _runs(release: str, generations: list[Row], config: str) -> list[Row]:
    times = [row["created_at"] for row in generations if row["created_at"]]
    if not times:
        return []
    return [{
        "run_id": release, "command": f"import of {SOURCE.address} {NAME}", "track": SOURCE.track, "release": release,
        "models": sorted({row["model"] for row in generations}), "configs": [config], "started_at": min(times),
        "ended_at": max(times), "planned": len(generations), "answered": len(generations), "graded": len(generations),
    }]  # fmt: skip


def _notes(generations: list[Row]) -> tuple[str, ...]:
    days = sorted({row["created_at"].date().isoformat() for row in generations if row["created_at"]})
    if len(days) < 2:
        return ()
    return (f"the verdicts are of {len(days)} days, {days[0]} to {days[-1]}: case and check versions may differ",)


def _when(text: str | None) -> datetime | None:
    if not text:
        return None
    when = datetime.fromisoformat(text)
    return when if when.tzinfo else when.replace(tzinfo=UTC)
