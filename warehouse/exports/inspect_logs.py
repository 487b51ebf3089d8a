"""Replies and verdicts of any track as logs of Inspect, which `inspect view` opens: one a model, config and scenario.

Each unit is a sample of the log: its prompt, reply, reference, and two scores. `passed` is the verdict, `score` the
headline score. What was not measured carries an error and no score, so that no mean counts it. Needs the extra
`inspect`.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warehouse.database import connect
from warehouse.errors import UsageError, WarehouseError
from warehouse.layout import Layout
from warehouse.stats.clustered import clustered_mean

if TYPE_CHECKING:
    import duckdb
    from inspect_ai.log import EvalLog, EvalSample, EvalScore

GROUP = ("track", "release", "model", "config", "scenario")
FORMATS = ("eval", "json")
ROWS = """
SELECT r.*, g.messages, g.reply, g.code, g.code_rule, g.finish_reason, g.cached_tokens, g.error, g.created_at,
    s.reference, s.domain, s.difficulty, s.path
FROM results AS r
JOIN generations AS g USING (generation_id)
LEFT JOIN samples AS s ON s.sample_id = r.sample_id AND s.release IS NOT DISTINCT FROM r.release
"""
WHERE = "WHERE r.release = $release AND ($run IS NULL OR r.run_id = $run) AND ($model IS NULL OR r.model = $model)"
STOPS = {"stop": "stop", "length": "max_tokens", "max_tokens": "max_tokens", "content_filter": "content_filter",
         "tool_calls": "tool_calls"}  # fmt: skip
FACTS = ("track", "category", "family", "stratum", "domain", "difficulty", "project_id", "path", "cluster")


def export(layout: Layout, folder: Path, *, release: str | None = None, run: str | None = None,
           model: str | None = None, format: str = "eval") -> list[Path]:  # fmt: skip
    """Write the logs of a release into `folder` and return their paths: `firmbench export inspect FOLDER`.

    Args:
        layout: where the warehouse is.
        folder: where to write; made if it is not there.
        release: the release; by default the one that was asked last.
        run: only the replies of this run.
        model: only those of this model.
        format: `eval`, Inspect's own, or `json`.

    The same rows give logs of the same names, which replace older ones. Raises UsageError without inspect-ai or for
    another format, and WarehouseError where no reply fits.
    """
    if format not in FORMATS:
        raise UsageError(f"There is no format {format!r} of logs; the formats are {', '.join(FORMATS)}.")
    try:
        from inspect_ai.log import write_eval_log
    except ImportError:
        raise UsageError(
            "Exporting to Inspect needs inspect-ai; install it with `pip install firmbench[inspect]`."
        ) from None

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with connect(layout) as connection:
        release = release or _newest(connection)
        given = {"release": release, "run": run, "model": model}
        asked = f"SELECT DISTINCT {', '.join(f'r.{name}' for name in GROUP)} FROM results AS r {WHERE} ORDER BY ALL"
        groups = _rows(connection, asked, **given)
        if not groups:
            asked_for = ", ".join(f"{name} {value}" for name, value in given.items() if value) or "the warehouse"
            raise WarehouseError(f"No reply fits ({asked_for}), so there is nothing to export; see `firmbench sql`.")
        for group in groups:
            log = _log(connection, group, run)
            path = folder / f"{log.eval.created[:19].replace(':', '-')}_{group['track']}_{log.eval.task_id}.{format}"
            as_asked: Any = format
            write_eval_log(log, str(path), format=as_asked)
            written.append(path)
    return written


def _newest(connection: "duckdb.DuckDBPyConnection") -> str | None:
    found = _rows(connection, "SELECT release FROM generations ORDER BY created_at DESC NULLS LAST, release LIMIT 1")
    return found[0]["release"] if found else None


def _log(connection: "duckdb.DuckDBPyConnection", group: dict[str, Any], run: str | None) -> "EvalLog":
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalPlan, EvalResults, EvalSpec, EvalStats

    own = " AND ".join(f"r.{name} IS NOT DISTINCT FROM ${name}" for name in GROUP)
    where = f"WHERE {own} AND ($run IS NULL OR r.run_id = $run) ORDER BY r.sample_id, r.attempt"
    rows = _rows(connection, f"{ROWS} {where}", **group, run=run)
    checks: dict[str, list[dict[str, Any]]] = {}
    wanted = [row["evaluation_id"] for row in rows if row["evaluation_id"]]
    for check in _rows(
        connection, "FROM checks WHERE evaluation_id IN (SELECT unnest($ids)) ORDER BY ALL", ids=wanted
    ):
        checks.setdefault(check["evaluation_id"], []).append(check)
    samples = [_sample(row, checks.get(row["evaluation_id"], [])) for row in rows]
    times = sorted(row["created_at"].isoformat() for row in rows if row["created_at"]) or ["1970-01-01T00:00:00+00:00"]
    name = hashlib.sha256(json.dumps([group, run], sort_keys=True).encode()).hexdigest()[:22]
    ids = sorted({row["sample_id"] for row in rows})
    epochs = max(row["attempt"] for row in rows)
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=name, run_id=name, task_id=name, created=times[0], task=f"firmbench/{group['track']}",
            task_version=rows[0]["grader_version"] or 0, model=group["model"],
            task_args={"release": group["release"], "config": group["config"], "scenario": group["scenario"]},
            dataset=EvalDataset(name=group["release"], samples=len(ids), sample_ids=list(ids)),
            config=EvalConfig(epochs=epochs), metadata={**group, "run": run},
        ),
        plan=EvalPlan(),
        results=EvalResults(
            total_samples=len(rows),
            completed_samples=sum(row["measured"] for row in rows),
            scores=list(_scores(rows)),
        ),
        stats=EvalStats(started_at=times[0], completed_at=times[-1]),
        samples=samples,
    )  # fmt: skip


def _sample(row: dict[str, Any], checks: list[dict[str, Any]]) -> "EvalSample":
    from inspect_ai._util.error import EvalError
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    prompt = _messages(json.loads(row["messages"] or "[]"))
    stop: Any = STOPS.get(row["finish_reason"], "unknown")
    output = ModelOutput.from_content(row["model"], row["reply"] or "", stop)
    asked, said = row["prompt_tokens"], row["completion_tokens"]
    if asked is not None or said is not None:
        asked, said = asked or 0, said or 0
        more: dict[str, Any] = {"input_tokens_cache_read": row["cached_tokens"], "total_cost": row["cost_usd"]}
        output.usage = ModelUsage(input_tokens=asked, output_tokens=said, total_tokens=asked + said, **more)
    failed = [check for check in checks if check["status"] != "pass"] or checks
    told = "\n".join(f"{check['layer']}/{check['check']}: {check['status']}, {_seen(check)}" for check in failed)
    facts = {"status": row["status"], "failed_layer": row["failed_layer"], "code_rule": row["code_rule"],
             "evaluation_id": row["evaluation_id"],
             "checks": {f"{check['layer']}/{check['check']}": check["status"] for check in checks}}  # fmt: skip
    scores: dict[str, Score] = {}
    if row["measured"]:
        reason = "invalid_response_format" if row["status"] == "no_submission" else None
        scores["passed"] = Score(value="C" if row["status"] == "pass" else "I", answer=row["code"], explanation=told,
                                 reason=reason, metadata=facts)  # fmt: skip
        if row["score"] is not None:
            scores["score"] = Score(value=row["score"], answer=row["code"], explanation=told, metadata=facts)
    why = f"{row['status']}: {row['error'] or told or 'not graded yet'}"
    return EvalSample(
        id=row["sample_id"], epoch=row["attempt"], input=prompt, target=row["reference"] or "",
        messages=[*prompt, output.message], output=output, scores=scores or None, uuid=row["generation_id"],
        metadata={name: row[name] for name in FACTS if row[name] is not None}, total_time=row["seconds_s"],
        error=None if row["measured"] else EvalError(message=why, traceback="", traceback_ansi=""),
    )  # fmt: skip


def _seen(check: dict[str, Any]) -> str:
    return f"expected {check['expected']!r}, saw {check['saw']!r}"


def _messages(messages: list[dict[str, Any]]) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser

    kinds: dict[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant,
                             "tool": ChatMessageTool}  # fmt: skip
    return [kinds[message["role"]](content=str(message["content"])) for message in messages]


def _scores(rows: list[dict[str, Any]]) -> Iterator["EvalScore"]:
    """Yield the means over measured rows with their errors clustered as the track says."""
    from inspect_ai.log import EvalMetric, EvalScore

    passed = [(float(row["status"] == "pass"), row["cluster"]) for row in rows if row["measured"]]
    scored = [(row["score"], row["cluster"]) for row in rows if row["measured"] and row["score"] is not None]
    for name, metric, pairs in (("passed", "accuracy", passed), ("score", "mean", scored)):
        found = clustered_mean(*zip(*pairs, strict=True)) if pairs else None
        if found is None:
            continue
        values = {metric: found.estimate} | ({} if found.se is None else {"stderr": found.se})
        yield EvalScore(
            name=name, scorer="firmbench", scored_samples=len(pairs), unscored_samples=len(rows) - len(pairs),
            metrics={key: EvalMetric(name=key, value=value) for key, value in values.items()},
            metadata={"clusters": found.clusters, "method": found.method},
        )  # fmt: skip


def _rows(connection: "duckdb.DuckDBPyConnection", sql: str, **parameters: Any) -> list[dict[str, Any]]:
    return connection.sql(sql, params=parameters).to_arrow_table().to_pylist()
