"""Scenarios and pictures from the command line: build a release, run a scenario, show, report."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[2]
MAIN = "from flows.cli import main\nif __name__ == '__main__':\n    main()\n"
Firmbench = Callable[..., str]


@pytest.fixture(scope="module")
def firmbench(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Firmbench:
    """The command line on a release of the tank alone, and the folder it works in."""
    folder = tmp_path_factory.mktemp("agents")
    (folder / "main.py").write_text(MAIN)
    environment = os.environ | {
        "PYTHONPATH": str(ROOT), "FIRMBENCH_DATA": str(folder / "data"), "PREFECT_HOME": str(folder / "prefect"),
    }  # fmt: skip

    def run(*arguments: str) -> str:
        command = [sys.executable, str(folder / "main.py"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.folder = folder  # type: ignore[attr-defined]
    run("corpus", "build", "closedloop", "--size", "1", "--workers", "1")
    run("run", "closedloop", "--scenario", "oracle_full", "--model", "reference", "--model", "mutant:no_timeout",
        "--workers", "1")  # fmt: skip
    return run


@pytest.mark.slow
@pytest.mark.xdist_group("flows")
def test_a_scenario_is_run_shown_and_reported(firmbench: Firmbench) -> None:
    lines = firmbench("sql", "FROM agent_runs ORDER BY model", "--format", "json").splitlines()
    wrong, right = (json.loads(line) for line in lines)
    assert (wrong["outcome"], wrong["submissions"], right["outcome"], right["ending"]) == ("HOST", 1, "PASS", "passed")

    folder: Path = firmbench.folder  # type: ignore[attr-defined]
    svg = folder / "picture.svg"
    shown = firmbench("show", wrong["generation_id"], "--svg", str(svg))
    assert "1 submitted" in shown
    assert "sensor_timeout: FAIL, 2200 ms, 100 ms a column" in shown
    assert "^" in shown.rpartition("sensor_timeout: FAIL")[2]
    assert "at 1500 ms timeout: PUMP=1 1200 ms after the last reading" in shown
    assert svg.read_text().startswith("<svg xmlns=")
    assert "FAIL" not in firmbench("show", wrong["sample_id"]).partition("smoke: pass")[2]  # the reference

    page = folder / "report.html"
    firmbench("report", "--out", str(page))
    text = page.read_text()
    assert text.index(f'id="drawn-{wrong["generation_id"]}"') < text.index(f'id="drawn-{right["generation_id"]}"')
    assert "1500 ms: timeout: PUMP=1 1200 ms after the last reading" in text
