"""A journal at every point where its process may die."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tasks.inference import journal as journals
from tasks.inference.journal import AREA, Journal, alone, recover
from warehouse.errors import ModelError
from warehouse.layout import Layout
from warehouse.reader import read
from warehouse.writer import batches

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def row(number: int, reply: str = "int x;") -> dict[str, Any]:
    return {
        "generation_id": f"g{number}", "run_id": "r", "track": "toy", "sample_id": f"toy:{number}", "model": "m",
        "config": "full", "scenario": "generation", "attempt": 1, "reply": reply, "error_kind": None,
        "created_at": NOW,
    }  # fmt: skip


def turn(number: int) -> dict[str, Any]:
    return {"generation_id": f"g{number}", "turn": 1, "role": "assistant", "content": "int x;"}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path)


def written(layout: Layout, count: int, name: str = "shard") -> Path:
    """Leave a journal of `count` replies behind, as a process that died does."""
    journal = Journal.create(layout, name)
    for number in range(count):
        journal.append(row(number), [turn(number)])
    journals._release(journal.path, journal._file)
    return journal.path


def ids(layout: Layout) -> list[str]:
    return read(layout, "generations").column("generation_id").to_pylist()


def test_land_writes_one_batch_with_the_rows_as_given_and_removes_the_journal(layout: Layout) -> None:
    journal = Journal.create(layout, "shard")
    journal.append(row(1, "int\ud83d x;\u2028 é\n"), [turn(1)])
    assert journal.land() == 1
    assert not journal.path.exists()
    (landed,) = read(layout, "generations").to_pylist()
    assert landed["created_at"] == NOW
    assert landed["reply"] == "int\ufffd x;\u2028 é\n"
    assert read(layout, "turns").num_rows == 1


def test_a_reply_is_on_disk_when_append_returns(layout: Layout) -> None:
    journal = Journal.create(layout, "shard")
    journal.append(row(1), [])
    assert json.loads(journal.path.read_bytes())["generation"]["generation_id"] == "g1"
    journal.land()


@pytest.mark.parametrize("cut", [1, 5, 50])
def test_a_line_cut_short_is_no_reply_and_the_others_are(layout: Layout, cut: int) -> None:
    path = written(layout, 3)
    path.write_bytes(path.read_bytes()[:-cut])
    # Without its line feed alone a line is still whole JSON, so it counts.
    assert recover(layout) == (3 if cut == 1 else 2)
    assert ids(layout) == (["g0", "g1", "g2"] if cut == 1 else ["g0", "g1"])
    assert not path.exists()


def test_an_empty_journal_leaves_nothing(layout: Layout) -> None:
    path = written(layout, 0)
    assert path.exists()
    assert recover(layout) == 0
    assert not path.exists()
    assert batches(layout, AREA) == []


def test_killed_between_the_batch_and_the_removal(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(layout, 3)
    content = path.read_bytes()
    assert recover(layout) == 3
    path.write_bytes(content)
    assert recover(layout) == 0
    assert recover(layout) == 0
    assert ids(layout) == ["g0", "g1", "g2"]
    assert not path.exists()


def test_killed_before_the_batch_was_renamed_into_place(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(layout, 3)
    import warehouse.writer

    def die(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(warehouse.writer, "_publish", die)
        with pytest.raises(KeyboardInterrupt):
            recover(layout)
    assert path.exists()
    assert ids(layout) == []
    assert recover(layout) == 3
    assert ids(layout) == ["g0", "g1", "g2"]


def test_a_second_journal_of_the_same_shard_never_takes_a_name_that_landed(layout: Layout) -> None:
    first = Journal.create(layout, "shard")
    second = Journal.create(layout, "shard")
    first.append(row(1), [])
    second.append(row(2), [])
    assert first.land() + second.land() == 2
    third = Journal.create(layout, "shard")
    third.append(row(3), [])
    third.land()
    assert sorted(ids(layout)) == ["g1", "g2", "g3"]


def test_the_journal_of_a_living_process_is_left_alone(layout: Layout) -> None:
    journal = Journal.create(layout, "shard")
    journal.append(row(1), [])
    assert recover(layout) == 0  # ours
    code = f"""
from pathlib import Path
from tasks.inference.journal import recover
from warehouse.layout import Layout
print(recover(Layout(Path({str(layout.root)!r}))))
"""
    root = Path(__file__).resolve().parents[2]
    other = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == "0"
    assert journal.path.exists()
    assert journal.land() == 1


def test_a_forked_child_that_outlives_its_parent_does_not_keep_the_journal(layout: Layout) -> None:
    code = f"""
import os, signal, sys, time
from pathlib import Path
from tasks.inference.journal import Journal
from tests.inference.test_journal import row
from warehouse.layout import Layout
journal = Journal.create(Layout(Path({str(layout.root)!r})), "shard")
journal.append(row(1), [])
if os.fork() == 0:
    sys.stdout.close(); os.close(1)
    time.sleep(20)
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).resolve().parents[2]
    subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=False, stdout=subprocess.DEVNULL, check=False
    )
    assert recover(layout) == 1


def test_only_one_run_asks_a_model(layout: Layout) -> None:
    with alone(layout, "openai/gpt-4o"):
        with pytest.raises(ModelError, match="Another run is asking openai/gpt-4o"), alone(layout, "openai/gpt-4o"):
            pass
        with alone(layout, "openai/gpt-4o-mini"):
            pass
    with alone(layout, "openai/gpt-4o"):
        pass


def test_built_in_answers_are_not_synced_and_models_are(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    for durable, count in ((False, 0), (True, 1)):
        journal = Journal.create(layout, "shard", durable=durable)
        journal.append(row(1), [])
        assert len(synced) == count
        journals._release(journal.path, journal._file)
