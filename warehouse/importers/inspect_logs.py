"""Logs of Inspect (`.eval` or `.json`), read by inspect-ai itself, which is an optional extra.

Logs of one task over one set of samples are one release, whatever models they are of; each is a batch of its own. A
sample that a retry carried over from an older log keeps its identity and counts once.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warehouse.errors import WarehouseError
from warehouse.importers.inspect_scores import checks, sample_reading
from warehouse.importers.landing import Landed, Row, Source, digest, land, verdict
from warehouse.layout import Layout

SOURCE = Source("inspect", "an Inspect log", "inspect-import-1")
SUFFIXES = (".eval", ".json")
METADATA: dict[str, tuple[str, ...]] = {
    "category": ("category", "variant"),
    "cluster": ("cluster", "family", "repo"),
    "family": ("family",),
    "domain": ("domain",),
    "difficulty": ("difficulty", "tier"),
}
"""Columns of `samples` and the keys of a sample's metadata that fill them, the first there is."""


def inspect_logs(layout: Layout, path: Path) -> list[Landed]:
    """Land a log, or every log below a folder; returns one record a log.

    Raises WarehouseError where inspect-ai is not installed, where there is no log, and for a file it cannot read.
    """
    try:
        import inspect_ai.log as api
    except ImportError as error:
        raise WarehouseError("Inspect logs are read with inspect-ai: install firmbench[inspect].") from error
    files = [path] if path.is_file() else sorted(file for suffix in SUFFIXES for file in path.glob(f"**/*{suffix}"))
    if not files:
        raise WarehouseError(f"{path} holds no Inspect log ({' or '.join(SUFFIXES)}).")
    return [_land(layout, api, file) for file in files]


def _land(layout: Layout, api: Any, file: Path) -> Landed:
    try:
        log = api.read_eval_log(str(file), resolve_attachments=True)
    except Exception as error:  # whatever its reader raises on a file of something else
        reason = " ".join(str(error).split())[:200]
        raise WarehouseError(f"{file} cannot be read as an Inspect log: {reason}") from error
    spec = log.eval
    task = spec.task.rpartition("/")[2]
    ids = sorted(map(str, spec.dataset.sample_ids or {sample.id for sample in log.samples or ()}))
    release = SOURCE.release(task, digest(spec.task, spec.task_version, spec.dataset.name, ids, length=8))
    headline = spec.scorers[0].name if spec.scorers else None
    tables: dict[str, list[Row]] = {name: [] for name in ("samples", "generations", "evaluations", "checks", "turns")}
    samples: dict[str, Row] = {}
    for sample in log.samples or ():
        row = _sample(release, task, sample)
        samples.setdefault(row["sample_id"], row)
        reply = _generation(release, spec, sample, row["sample_id"])
        found = sample_reading(sample, headline)
        evaluation, facts = verdict(
            SOURCE, reply["generation_id"], found.status, list(checks(sample)), score=found.score,
            failed_layer="score" if found.status == "fail" else None, created_at=reply["created_at"],
        )  # fmt: skip
        tables["generations"].append(reply)
        tables["evaluations"].append(evaluation)
        tables["checks"] += facts
        tables["turns"] += [{"generation_id": reply["generation_id"], **turn} for turn in _turns(sample.messages)]
    tables["samples"] = list(samples.values())
    tables["runs"] = [_run(release, log, tables)]
    notes = () if log.status == "success" else (f"the log's own status is {log.status}",)
    return land(layout, SOURCE, release, tables, part=digest(spec.eval_id, length=8), notes=notes)


def _sample(release: str, task: str, sample: Any) -> Row:
    known: Mapping[str, Any] = sample.metadata or {}
    told = {
        column: next((str(known[key]) for key in keys if known.get(key) is not None), None)
        for column, keys in METADATA.items()
    }
    target = sample.target if isinstance(sample.target, str) else "\n".join(sample.target)
    parts = {"input": _text(sample.input), "choices": sample.choices, "metadata": dict(known)}
    return {
        "sample_id": SOURCE.sample_id(release, str(sample.id)), "track": SOURCE.track, "release": release,
        "reference": target, "prompt_parts": json.dumps(parts, ensure_ascii=False, default=str), **told,
        "category": told["category"] or task, "cluster": told["cluster"] or str(sample.id),
        "provenance": json.dumps({"task": task, "sample": sample.id}, default=str),
    }  # fmt: skip


def _generation(release: str, spec: Any, sample: Any, sample_id: str) -> Row:
    messages = [{"role": "user", "content": sample.input}] if isinstance(sample.input, str) else [
        {"role": message.role, "content": message.text} for message in sample.input
    ]  # fmt: skip
    output = sample.output
    usage = list((sample.model_usage or {}).values())
    limit = sample.limit.type if sample.limit is not None else None
    told = spec.task_args or {}  # logs that firmbench exported say config and scenario here
    config = spec.model_generate_config.model_dump(exclude_none=True) if spec.model_generate_config else {}
    return {
        "generation_id": digest("generation", release, sample.uuid or (spec.eval_id, str(sample.id), sample.epoch)),
        "run_id": spec.run_id or spec.eval_id, "track": SOURCE.track, "release": release, "sample_id": sample_id,
        "model": spec.model, "attempt": sample.epoch,
        "scenario": str(told.get("scenario") or spec.solver or "generation"),
        "config": str(told.get("config") or ",".join(f"{name}={told[name]}" for name in sorted(told)) or "full"),
        "messages": json.dumps(messages, ensure_ascii=False), "prompt_hash": digest(messages, length=16),
        "parameters": json.dumps(config, default=str, sort_keys=True),
        "reply": output.completion if output is not None and not output.empty else None,
        "finish_reason": (str(output.stop_reason) if output is not None and output.choices else None) or limit,
        "prompt_tokens": _sum(usage, "input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"),
        "cached_tokens": _sum(usage, "input_tokens_cache_read"), "completion_tokens": _sum(usage, "output_tokens"),
        "cost_usd": sum(costs) if (costs := [use.total_cost for use in usage if use.total_cost is not None]) else None,
        "seconds_s": sample.total_time, "error_kind": "other" if sample.error is not None else None,
        "error": sample.error.message if sample.error is not None else None,
        "created_at": _when(sample.completed_at or sample.started_at),
    }  # fmt: skip


def _turns(messages: Any) -> Iterator[Row]:
    """Yield the turns of a conversation that has several, one for each text and tool call; none of a plain reply."""
    if sum(message.role == "assistant" for message in messages) < 2 and all(m.role != "tool" for m in messages):
        return
    said: list[tuple[str, str | None, str]] = []
    for message in messages:
        if message.role == "tool":
            said.append(("tool", message.function, message.text))
            continue
        if message.text:
            said.append((message.role, None, message.text))
        for call in getattr(message, "tool_calls", None) or ():
            said.append((message.role, call.function, json.dumps(call.arguments, ensure_ascii=False, default=str)))
    for turn, (role, tool, content) in enumerate(said):
        yield {"turn": turn, "role": role, "tool": tool, "content": content}


def _run(release: str, log: Any, tables: Mapping[str, list[Row]]) -> Row:
    spec, stats = log.eval, log.stats
    started = _when(stats.started_at) or _when(spec.created)
    if started is None:
        raise WarehouseError(f"The Inspect log of {spec.task} does not say when it was made.")
    return {
        "run_id": spec.run_id or spec.eval_id, "command": f"inspect eval {spec.task} --model {spec.model}",
        "git_revision": spec.revision.commit if spec.revision else None, "track": SOURCE.track, "release": release,
        "models": [spec.model], "configs": sorted({row["config"] for row in tables["generations"]}),
        "started_at": started, "ended_at": _when(stats.completed_at),
        "environment": json.dumps({"packages": spec.packages, "status": log.status}, sort_keys=True),
        "planned": len(tables["generations"]), "answered": sum(row["error"] is None for row in tables["generations"]),
        "errors": sum(row["error"] is not None for row in tables["generations"]),
        "graded": sum(row["status"] != "not_run" for row in tables["evaluations"]),
    }  # fmt: skip


def _text(content: Any) -> str:
    return (
        content if isinstance(content, str) else "\n\n".join(f"{message.role}: {message.text}" for message in content)
    )


def _sum(usage: list[Any], *names: str) -> int | None:
    found = [getattr(use, name) for use in usage for name in names if getattr(use, name) is not None]
    return sum(found) if found else None


def _when(text: Any) -> datetime | None:
    if not text:
        return None
    when = text if isinstance(text, datetime) else datetime.fromisoformat(str(text))
    return when if when.tzinfo else when.replace(tzinfo=UTC)
