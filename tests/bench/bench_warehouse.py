"""How long the leaderboard takes over 10,000 units and over a million rows, landed in shards like a real run's."""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tasks.ids import draw
from tests.bench.ratio import Ratio, best_of
from warehouse.database import connect, query
from warehouse.layout import Layout
from warehouse.writer import write_batch

SHARD = 50
CHECKS = ("codebleu", "codebleu_ngram", "codebleu_syntax", "codebleu_dataflow", "parses", "known_calls", "signature",
          "substantive")  # fmt: skip
MODELS = tuple(f"model-{number}" for number in range(5))
CONFIGS = ("full", "no_imports", "no_window", "no_calls", "no_globals", "no_types", "no_context")
RELEASE = "code-benchmark000"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
COUNTED = ("generations", "evaluations", "checks")
QUESTION = "FROM leaderboard"
ALL_THREE = "SELECT (SELECT count(*) FROM leaderboard) AS rows, (SELECT count(*) FROM components) AS components"


def run() -> Iterator[Ratio]:
    """Yield the seconds of a leaderboard over 10,000 units, and with components over a million rows."""
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(Path(folder))
        land(layout, 10_000, SHARD)
        yield _timed("leaderboard of 10,000 units", layout, QUESTION, 1.0)
        yield _timed("leaderboard and components of 10,000 units", layout, ALL_THREE, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(Path(folder))
        land(layout, 100_000, 1_000)
        yield _timed("leaderboard and components of a million rows", layout, ALL_THREE, 5.0)


def land(layout: Layout, units: int, shard: int) -> None:
    """Write `units` units (one row of generations, one of evaluations, eight of checks each) in batches of `shard`."""
    samples = max(1, units // (len(MODELS) * len(CONFIGS)) + 1)
    write_batch(layout, "corpora", RELEASE, {"samples": [_sample(number) for number in range(samples)]})
    for start in range(0, units, shard):
        numbers = range(start, min(start + shard, units))
        name = f"shard-{start // shard:05}"
        write_batch(layout, "inference", name, {"generations": [_generation(number) for number in numbers]})
        write_batch(layout, "grading", name, {
            "evaluations": [_evaluation(number) for number in numbers],
            "checks": [check for number in numbers for check in _checks(number)],
        })  # fmt: skip


def _timed(name: str, layout: Layout, sql: str, goal_s: float) -> Ratio:
    query(layout, sql)  # builds the file of views
    with connect(layout) as connection:
        counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0] for table in COUNTED]
    batches = sum(1 for _ in layout.warehouse.glob("*/*"))
    seconds = best_of(lambda: query(layout, sql))
    return Ratio(
        name, seconds, goal_s, "s", "<= 1", f"{sum(counts):,} rows in {batches:,} batches, connection included"
    )


def _sample(number: int) -> dict[str, Any]:
    return {"sample_id": f"code:{number:012x}", "track": "code", "release": RELEASE, "category": "generation",
            "cluster": f"project-{number % 15}", "project_id": f"project-{number % 15}", "stratum": f"s{number % 5}",
            "reference": "int f(void)\n{\n    return 0;\n}\n" * 10}  # fmt: skip


def _generation(number: int) -> dict[str, Any]:
    model = MODELS[number % len(MODELS)]
    config = CONFIGS[number // len(MODELS) % len(CONFIGS)]
    sample = number // (len(MODELS) * len(CONFIGS))
    return {"generation_id": f"{number:024x}", "track": "code", "release": RELEASE, "sample_id": f"code:{sample:012x}",
            "model": model, "config": config, "scenario": "generation", "attempt": 1, "prompt_cut": "[]",
            "reply": f"int f_{number}(void)\n{{\n    return {number};\n}}\n" * 8, "prompt_tokens": 900,
            "completion_tokens": 120, "created_at": NOW}  # fmt: skip


def _evaluation(number: int) -> dict[str, Any]:
    score = draw("score", number)
    return {"evaluation_id": f"e{number:023x}", "generation_id": f"{number:024x}", "grader_version": "1",
            "status": "pass" if score > 0.7 else "fail", "score": score, "seconds_s": 0.01,
            "created_at": NOW}  # fmt: skip


def _checks(number: int) -> Iterator[dict[str, Any]]:
    for place, name in enumerate(CHECKS):
        figure = place < 4
        yield {"evaluation_id": f"e{number:023x}", "layer": "similarity" if figure else "static", "check": name,
               "status": "pass", "score": draw(name, number) if figure else None}  # fmt: skip
