"""A batch appears at once, complete, and never changes; whoever dies on the way leaves nothing that a reader sees."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warehouse.errors import WarehouseError
from warehouse.reader import read
from warehouse.writer import INCOMING, batches, incoming, sweep, write_batch

STAGE = {"stage": "flags", "entered": 1, "kept": 1, "dropped": 0}


def stages(count):
    return {"stages": [{**STAGE, "entered": number} for number in range(count)]}


def test_a_batch_is_zstd_parquet_below_area_and_name(layout):
    path = write_batch(layout, "corpora", "r-1", stages(3))
    assert path == layout.batch("corpora", "r-1")
    assert [entry.name for entry in path.iterdir()] == ["stages.parquet"]
    assert pq.read_metadata(path / "stages.parquet").row_group(0).column(0).compression == "ZSTD"
    assert read(layout, "stages")["entered"].to_pylist() == [0, 1, 2]
    assert list((layout.warehouse / INCOMING).iterdir()) == []


def test_a_batch_that_exists_is_left_as_it_is(layout):
    write_batch(layout, "corpora", "r", stages(3))
    before = (layout.batch("corpora", "r") / "stages.parquet").stat()
    write_batch(layout, "corpora", "r", stages(5))
    after = (layout.batch("corpora", "r") / "stages.parquet").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_replace_takes_the_place_of_the_whole_batch(layout):
    write_batch(layout, "a", "b", {**stages(3), "dropped": []})
    write_batch(layout, "a", "b", stages(5), replace=True)
    assert [entry.name for entry in layout.batch("a", "b").iterdir()] == ["stages.parquet"]
    assert read(layout, "stages").num_rows == 5
    assert list((layout.warehouse / INCOMING).iterdir()) == []


def test_replace_writes_a_batch_that_is_not_there_yet(layout):
    write_batch(layout, "a", "b", stages(2), replace=True)
    assert read(layout, "stages").num_rows == 2


def test_where_the_kernel_cannot_exchange_two_renames_do(layout, monkeypatch):
    write_batch(layout, "a", "b", stages(3))
    monkeypatch.setattr("warehouse.writer.ctypes.CDLL", lambda *a, **k: object())
    write_batch(layout, "a", "b", stages(5), replace=True)
    assert read(layout, "stages").num_rows == 5
    assert list((layout.warehouse / INCOMING).iterdir()) == []


def test_a_refused_row_leaves_no_trace(layout):
    with pytest.raises(WarehouseError):
        write_batch(layout, "a", "b", {**stages(3), "dropped": [{"stage": "x"}]})
    assert not layout.batch("a", "b").exists()
    assert not layout.warehouse.exists() or not list(layout.warehouse.glob("*/*"))


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a b", "x\n", "é", "*"])
def test_a_name_that_is_no_plain_file_name_is_refused(layout, name):
    with pytest.raises(WarehouseError, match="cannot name a warehouse batch"):
        write_batch(layout, "area", name, stages(1))
    with pytest.raises(WarehouseError, match="cannot name a warehouse area"):
        write_batch(layout, name, "batch", stages(1))


def test_companions_are_kept_as_they_are_beside_the_tables(layout):
    names = pa.table({"name": ["a", "b"], "count": pa.array([1, 2], pa.int32())})
    path = write_batch(layout, "corpora", "r", stages(1), companions={"names": names})
    assert pq.read_table(path / "names.parquet").equals(names)
    with pytest.raises(WarehouseError, match="companion"):
        write_batch(layout, "corpora", "r2", stages(1), companions={"samples": names})


def test_batches_are_listed_sorted(layout):
    assert batches(layout, "a") == []
    for name in ("b", "a-2", "a-1"):
        write_batch(layout, "a", name, stages(1))
    assert batches(layout, "a") == ["a-1", "a-2", "b"]


def test_threads_racing_for_one_name_leave_one_whole_batch(layout):
    errors = []

    def write(count):
        try:
            write_batch(layout, "a", "b", {**stages(count), "dropped": []})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(count,)) for count in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert read(layout, "stages").num_rows in range(1, 9)
    assert sorted(entry.name for entry in layout.batch("a", "b").iterdir()) == ["dropped.parquet", "stages.parquet"]
    assert list((layout.warehouse / INCOMING).iterdir()) == []


def test_sweep_takes_what_the_dead_left_and_spares_the_living(layout):
    dead = layout.warehouse / INCOMING / "left-behind" / "batch"
    dead.mkdir(parents=True)
    (dead / "stages.parquet").write_bytes(b"half a fi")
    with incoming(layout) as alive:
        (alive / "stages.parquet").write_bytes(b"still writ")
        assert sweep(layout) == [dead.parent]
        assert alive.exists()
        assert read(layout, "stages").num_rows == 0
    assert not alive.exists()
    assert sweep(layout) == []


WRITER = """
import sys
from pathlib import Path
from warehouse.layout import Layout
from warehouse.writer import write_batch
layout = Layout(Path(sys.argv[1]))
rows = [{"stage": f"s{n}", "entered": n, "kept": n, "dropped": 0} for n in range(4000)]
drops = [{"stage": f"s{n}", "item": str(n), "reason": "x" * 40} for n in range(4000)]
for number in range(10_000):
    write_batch(layout, "area", f"b{number % 7}", {"stages": rows, "dropped": drops}, replace=True)
    print(number, flush=True)
"""


def test_a_killed_writer_leaves_no_half_batch(layout):
    """Killed in the midst of a stream of replacements, at a point that moves from one round to the next."""
    for round_number in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(layout.root)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        for _ in range(2 + round_number):
            process.stdout.readline()
        time.sleep(0.003 * round_number)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        for name in batches(layout, "area"):
            assert read(layout, "stages", area="area", batch=name).num_rows == 4000
            assert read(layout, "dropped", area="area", batch=name).num_rows == 4000
    sweep(layout)
    assert os.listdir(layout.warehouse / INCOMING) == []
