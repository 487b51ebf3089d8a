"""An agent killed in the middle of its work: no finished unit and no answer that arrived is asked again."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.closedloop.agent_driver import SAMPLES, STEPS
from warehouse.layout import Layout
from warehouse.reader import read

ROOT = Path(__file__).resolve().parents[2]


def requests(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


@pytest.mark.slow
def test_a_killed_agent_goes_on_where_it_was(tmp_path: Path) -> None:
    data, log = tmp_path / "data", tmp_path / "log"
    command = [sys.executable, "-m", "tests.closedloop.agent_driver", str(data), str(log)]
    total = STEPS * len(SAMPLES)
    kills = 0
    for reached in (3, STEPS + 1, total - 2):
        run = subprocess.Popen(command, cwd=ROOT)
        while len(requests(log)) < reached and run.poll() is None:
            time.sleep(0.002)
        run.kill()
        kills += run.wait() == -9
    assert kills == 3
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0

    asked = Counter(requests(log))
    assert set(asked) == {f"{sample.task} {nth}" for sample in SAMPLES.values() for nth in range(STEPS)}
    assert sum(asked.values()) <= total + kills  # at most the request in flight
    layout = Layout(data)
    generations = read(layout, "generations").to_pylist()
    assert sorted(row["sample_id"] for row in generations) == sorted(SAMPLES)
    for row in generations:
        assert (row["error_kind"], row["code"]) == (None, SAMPLES[row["sample_id"]].reference)
        assert row["prompt_tokens"] == 100 * STEPS
        turns = [turn["turn"] for turn in read(layout, "turns").to_pylist()
                 if turn["generation_id"] == row["generation_id"]]  # fmt: skip
        assert turns == list(range(1, 5 * STEPS + 1))
    assert len(read(layout, "submissions")) == len(SAMPLES)
    assert not list(layout.journals.rglob("*.jsonl"))
