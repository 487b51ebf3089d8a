"""An imported campaign graded again from the command line: our verdicts stand beside those it brought."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warehouse import campaign
from tests.warehouse.campaign import DEAF, SOURCE, Talk, edit, read, recorded
from warehouse.database import query
from warehouse.layout import Layout

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("flows"),
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


def firmbench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"FIRMBENCH_DATA": str(folder / "data"), "PREFECT_HOME": str(folder / "prefect")}
    command = [sys.executable, "-c", "from flows.cli import main; main()", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)


def test_a_regraded_verdict_stands_beside_the_imported_one(tmp_path: Path) -> None:
    lines = recorded(7, 1, SOURCE)
    nothing = {"repetition": "rep2", "hidden_status": "NO_SUBMISSION", "hidden_eval_calls": "0"}
    folder = campaign.bundle(tmp_path / "repository", {
        "good": ({}, edit(read(Talk())).submit().end(), lines),
        "deaf": ({"repetition": "rep1"}, edit(read(Talk()), new=DEAF).submit().end(), lines),
        "none": (nothing, read(Talk()).end(), recorded(0, 0)),
    })  # fmt: skip
    layout = Layout(tmp_path / "data")
    told = firmbench(tmp_path, "import", "closed-loop", str(folder))
    assert told.returncode == 0, told.stderr
    assert "2 of 3 transcripts hand in, 2 times; 3 replays equal" in told.stdout
    release = told.stdout.split(": ")[0]
    before = query(layout, "FROM imported_closed_loop").to_pylist()
    command = ("grade", "closedloop", "--imported", release, "--workers", "1")
    graded = firmbench(tmp_path, *command)
    assert graded.returncode == 0, graded.stderr
    assert "recorded PASS: 2, of which our plants say" in graded.stdout + graded.stderr
    wanted = "SELECT attempt, hidden_status, status, failed, exact FROM regraded_closed_loop"
    assert query(layout, wanted).to_pylist() == [
        {"attempt": 1, "hidden_status": "PASS", "status": "pass", "failed": None, "exact": True},
        {"attempt": 2, "hidden_status": "PASS", "status": "fail", "failed": "sensor_timeout/timeout", "exact": True},
    ]
    assert query(layout, "SELECT attempt, submission, status, exact FROM regraded_submissions").to_pylist() == [
        {"attempt": 1, "submission": 1, "status": "pass", "exact": True},
        {"attempt": 2, "submission": 1, "status": "fail", "exact": True},
    ]
    assert query(layout, "FROM imported_closed_loop").to_pylist() == before
    count = "SELECT count(*) AS n FROM evaluations"
    verdicts = query(layout, count).to_pylist()
    assert firmbench(tmp_path, *command).returncode == 0
    assert query(layout, count).to_pylist() == verdicts
