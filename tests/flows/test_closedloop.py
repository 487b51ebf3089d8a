"""The closedloop track from the command line: back ends and sweeps have verdicts of their own, side by side."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("flows"),
    pytest.mark.skipif(
        not (shutil.which("bwrap") and shutil.which("arm-none-eabi-gcc") and shutil.which("qemu-system-arm")),
        reason="bubblewrap, gcc-arm-none-eabi or qemu-system-arm is not installed",
    ),
]


class Bench:
    """A data folder with a release of one task, asked of three solvers."""

    def __init__(self, folder: Path) -> None:
        self.environment = os.environ | {
            "FIRMBENCH_DATA": str(folder / "data"), "PREFECT_HOME": str(folder / "prefect"),
        }  # fmt: skip
        tasks = 'tasks=["tank_fill_drain"]'
        self.done("corpus", "build", "closedloop", "--option", tasks, "--workers", "1")
        models = [word for name in ("reference", "mutant", "stub") for word in ("--model", name)]
        self.done("run", "closedloop", *models, "--workers", "1")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from flows.cli import main; main()", *arguments]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )  # fmt: skip

    def done(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def sql(self, query: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.done("sql", query, "--format", "json").splitlines()]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("closedloop"))


def test_every_back_end_has_its_verdicts_and_they_agree(bench: Bench) -> None:
    query = "SELECT toolchain_digest, generation_id, status, score FROM evaluations ORDER BY ALL"
    first = bench.sql(query)
    bench.done("grade", "closedloop", "--option", "backend=cortex_m", "--workers", "1")
    both = bench.sql(query)
    digests = {row["toolchain_digest"] for row in both}
    assert len(digests) == 2
    assert len(both) == 2 * len(first)
    verdicts = {(row["generation_id"], row["status"], row["score"]) for row in both}
    assert len(verdicts) == len(first)
    assert {row["status"] for row in first} == {"pass", "fail"}
    bench.done("grade", "closedloop", "--option", "backend=cortex_m", "--workers", "1")
    assert bench.sql(query) == both


def test_a_sweep_says_for_each_scenario_how_many_timings_pass(bench: Bench) -> None:
    bench.done("grade", "closedloop", "--sweep", "4", "--workers", "1")
    rows = bench.sql(
        'SELECT g.model, c."check", c.saw, c.score FROM checks c JOIN evaluations e USING (evaluation_id) '
        "JOIN generations g USING (generation_id) WHERE c.\"check\" LIKE '%/sweep' ORDER BY ALL"
    )
    swept = {row["saw"] for row in rows if row["model"] == "reference"}
    assert swept == {"8 of 8"}
    assert len([row for row in rows if row["model"] == "reference"]) == 4
    assert any(row["score"] < 1 for row in rows if row["model"] == "stub")


def test_an_option_of_grading_that_is_not_there_gets_one_sentence(bench: Bench) -> None:
    wrong = bench.run("grade", "closedloop", "--option", "colour=red")
    assert wrong.returncode != 0
    assert "Grading closedloop has no option colour; it has backend, sweep." in " ".join(wrong.stderr.split())
    wrong = bench.run("grade", "closedloop", "--option", "backend=arduino")
    assert "There is no closed-loop back end 'arduino'" in " ".join(wrong.stderr.split())
