"""Published result files beside the repository; the tests that read them are skipped where they are not there."""

import csv
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "published"


def rows(name: str) -> list[dict[str, str]]:
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is not in shared/published beside the repository")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def embedeval() -> list[dict[str, Any]]:
    """Return one row a (model, run, case): 2 × 3 × 233 of them. A case that no run failed is named by its category."""
    failed = {(row["model"], row["run"], row["case_id"]) for row in rows("embedeval_2026-04-12_failures.csv")}
    known: dict[str, set[str]] = {}
    for row in rows("embedeval_2026-04-12_failures.csv"):
        known.setdefault(row["category"], set()).add(row["case_id"])
    table = []
    for row in rows("embedeval_2026-04-12_categories.csv"):
        category, count = row["category"], int(row["cases"])
        cases = sorted(known.get(category, set()))
        cases += [f"{category}, never failed, {number}" for number in range(count - len(cases))]
        assert len(cases) == count
        table += [
            {
                "model": model,
                "run": run,
                "case": case,
                "category": category,
                "passed": (model, run, case) not in failed,
            }
            for model in ("sonnet", "haiku")
            for run in ("1", "2", "3")
            for case in cases
        ]
    return table
