"""Promise 3: kill it anywhere, run the same command again, and no finished unit is redone, doubled or lost."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tasks.ids import draw
from tests.inference.stub_server import Says, StubServer
from warehouse.layout import Layout
from warehouse.reader import read

ROOT = Path(__file__).resolve().parents[2]
UNITS, CONCURRENCY, KILLS, LATENCY_S = 600, 4, 20, 0.02


def start(data: Path, server: StubServer) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.inference.driver", str(data), server.address, str(UNITS), str(CONCURRENCY)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def kill_at_a_random_moment(process: subprocess.Popen[str], server: StubServer, number: int) -> bool:
    """Wait for a moment drawn by hash, kill, and say whether the process was still alive.

    Every third moment is a stretch of time after the start, so that reading, recovering and planning are hit; the
    others are some requests and a part of a latency later, so that asking, journalling and landing are.
    """
    assert process.stdout is not None
    process.stdout.readline()
    if number % 3 == 0:
        time.sleep(draw("kill", number) * 0.4)
    else:
        goal = server.total + int(draw("kill", number) * 1.6 * UNITS / KILLS)
        while server.total < goal and process.poll() is None:
            time.sleep(0.001)
        time.sleep(draw("part", number) * 2 * LATENCY_S)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


@pytest.mark.slow
def test_killed_at_20_random_moments_nothing_is_lost_doubled_or_asked_again(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    finished: set[str] = set()
    with StubServer(lambda body, nth: Says(delay_s=LATENCY_S * draw(body["messages"][-1]["content"]) * 2)) as server:
        killed = 0
        for number in range(KILLS):
            process = start(tmp_path, server)
            killed += kill_at_a_random_moment(process, server, number)
            process.stdout.close()  # type: ignore[union-attr]
            on_disk = asked_of_finished(layout)
            assert finished <= on_disk.keys(), "a finished unit was lost"
            finished = set(on_disk)
        assert killed == KILLS, "the run ended before it could be killed 20 times: give it more units"
        assert 0 < len(finished) < UNITS
        before = Counter(server.requests)
        last = start(tmp_path, server)
        output, _ = last.communicate(timeout=60)
        assert last.returncode == 0
        summary = json.loads(output.splitlines()[-1])

        rows = read(layout, "generations").to_pylist()
        assert [row["error_kind"] for row in rows] == [None] * UNITS
        assert len({row["generation_id"] for row in rows}) == UNITS
        assert len({(row["sample_id"], row["config"]) for row in rows}) == UNITS
        assert read(layout, "turns").num_rows == UNITS
        assert list(layout.journals.glob("*.jsonl")) == []

        assert summary["asked"] == UNITS
        assert summary["reused"] == len(finished)
        asked = {json.loads(row["messages"])[0]["content"]: row["generation_id"] for row in rows}
        assert set(server.requests) == set(asked)
        for prompt, generation in asked.items():
            extra = server.requests[prompt] - before[prompt]
            assert extra == (0 if generation in finished else 1), "a finished unit was asked again"
        assert server.total <= UNITS + killed * CONCURRENCY

        total = server.total
        again = start(tmp_path, server)
        output, _ = again.communicate(timeout=60)
        assert json.loads(output.splitlines()[-1]) == {"saved": 0, "asked": UNITS, "reused": UNITS}
        assert server.total == total


def asked_of_finished(layout: Layout) -> dict[str, int]:
    """Return the generations that are finished, in batches or as whole journal lines, with how often each is there.

    The same reply may stand in a batch and in a journal that was to be removed next; never in two batches.
    """
    table = read(layout, "generations", columns=["generation_id"])
    landed = Counter(table.column("generation_id").to_pylist())
    assert not [generation for generation, count in landed.items() if count > 1], "a unit was doubled"
    journalled = [
        json.loads(line)["generation"]["generation_id"]
        for path in layout.journals.glob("*.jsonl")
        for line in path.read_text().splitlines(keepends=True)
        if line.endswith("\n")
    ]
    assert len(journalled) == len(set(journalled)), "a unit was doubled"
    return dict(landed | Counter(journalled))
