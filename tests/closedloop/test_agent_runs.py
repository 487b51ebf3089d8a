"""The view over agents' runs: the paper's labels, and what each run handed in and used."""

from pathlib import Path
from typing import Any

import pytest

from tasks.contract import Bench
from tasks.grading import work as grading
from tasks.inference.models import BUILT_IN, Maker
from tasks.sandbox import Sandbox
from tests.closedloop.scripted import TANK, TRACK, answer, in_turn, planned, work
from warehouse.database import query
from warehouse.errors import ProviderError
from warehouse.layout import Layout
from warehouse.reader import read

SUBMIT = ("submit", {})
MUTANTS = {mutant.name: mutant.text for mutant in TANK.mutants}
LATE = TANK.reference.replace("output.on[ACTUATOR_PUMP] = pump;",
                              "output.on[ACTUATOR_PUMP] = pump && input->now_ms % 200 < 150;")  # fmt: skip


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "scripted", Maker("tests.closedloop.scripted", "Scripted", False, "a script"))


def put(code: str) -> tuple[str, dict[str, str]]:
    return "write", {"path": "controller.c", "content": code}


def runs(folder: Path, sandbox: Sandbox) -> list[dict[str, Any]]:
    """Grade what is stored and return the view."""
    layout = Layout(folder)
    items = grading.missing(TRACK, read(layout, "generations"), read(layout, "evaluations"), "tools")
    samples = {TANK.sample_id: TANK}
    for shard in grading.shards(items):
        grading.write(layout, shard, grading.grade_shard(TRACK, samples, shard, Bench(sandbox=sandbox)))
    return query(layout, "FROM agent_runs ORDER BY scenario").to_pylist()


RUNS: list[tuple[Any, tuple[str, str | None, str | None]]] = [
    ([put(TANK.reference), SUBMIT], ("PASS", "submitted", None)),
    ([put(MUTANTS["low_includes_edge"]), SUBMIT], ("HOST", "submitted", None)),
    ([put(LATE), SUBMIT], ("INT", "submitted", None)),
    ("Done.", ("NONE", "stop", None)),
    (answer("I will now", "length"), ("NONE", "length", None)),
    (ProviderError("down", error_kind="server"), ("INFRA_ERROR", None, "server")),
]
"""What an agent answers first, and what its run is called."""


def test_outcomes_are_the_papers_labels(sandbox: Sandbox, tmp_path: Path) -> None:
    wanted = {}
    for index, (step, labels) in enumerate(RUNS):
        limits = {"rounds": 10 + index}  # another limit is another unit, so all of them land in one place
        work(tmp_path, sandbox, "realistic_self_verify", in_turn(step), limits)
        (unit,) = planned(Layout(tmp_path), "realistic_self_verify", limits).units
        wanted[unit.generation_id] = labels
    found = {
        row["generation_id"]: (row["outcome"], row["ending"], row["error_kind"]) for row in runs(tmp_path, sandbox)
    }
    assert found == wanted
    assert len(found) == len(RUNS)


def test_what_a_run_used_is_counted(sandbox: Sandbox, tmp_path: Path) -> None:
    aids = [("build", {}), ("test", {}), ("test", {}), ("probe", {"frames": "0 SENSE LEVEL 3"})]
    work(tmp_path, sandbox, "ci_red_green", in_turn([*aids, SUBMIT], [put(TANK.reference), SUBMIT]))
    (row,) = runs(tmp_path, sandbox)
    assert (row["rounds"], row["tool_calls"], row["builds"], row["self_tests"], row["probes"]) == (2, 7, 1, 2, 1)
    assert (row["submissions"], row["first_status"], row["passed_at"], row["outcome"]) == (2, "fail", 2, "PASS")
    assert (row["first_submission_tokens"], row["total_tokens"], row["model_s"]) == (110, 220, 2.0)
    assert row["first_submission_s"] > 1.0
