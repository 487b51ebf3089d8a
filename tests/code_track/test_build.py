"""From a mined project to samples: what is kept, what is dropped and why, and that nothing else decides it."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tasks.contract import BuildInputs
from tasks.curation.ledger import Ledger
from tasks.curation.rows import context_rows, rebuild, sample_row
from tasks.mining.leaks import leaks
from warehouse.errors import CorpusError

OWN = {
    "ring_put", "ring_get", "ring_drain", "ring_checksum", "clamp", "motor_tick", "motor_set", "motor_log", "setup",
    "fetch_", "loop", "calibrate", "average", "scale", "level_percent",
}  # fmt: skip


def test_the_accounts_add_up(ledger):
    ledger.check()
    assert [row["stage"] for row in ledger.stages()] == [
        "filter", "near_duplicates", "read", "sampling", "context", "description", "completion", "samples",
    ]  # fmt: skip


def test_own_functions_are_kept_and_the_others_dropped_with_a_reason(ledger, by_name):
    assert set(by_name) == OWN
    reasons = ledger.reasons()
    assert reasons["filter"]["test"] == 1
    assert reasons["filter"]["trivial"] == 3, "ring_total_lost, on_reading, the constructor"
    assert reasons["filter"]["duplicate"] + reasons["near_duplicates"]["near_duplicate"] == 1, (
        "ring_drain_again repeats ring_drain"
    )


def test_every_function_has_points_of_both_levels_and_enough_in_all(samples, by_name):
    levels = Counter((sample.function_name, sample.category) for sample in samples)
    assert all(1 <= levels[name, "completion_token"] <= 2 for name in by_name)
    assert all(levels[name, "completion_block"] <= 2 for name in by_name)
    completions = sum(sample.category != "generation" for sample in samples)
    assert completions >= len(by_name) * 3026 / 1426


def test_the_parts_rebuild_the_function_byte_for_byte(samples, by_name):
    for sample in samples:
        if sample.category != "generation":
            whole = sample.prefix + sample.reference + sample.suffix
            assert whole == by_name[sample.function_name].reference


def test_spans_point_into_the_file_in_its_own_encoding(samples):
    root = Path(__file__).with_name("data")
    encodings = Counter()
    for sample in samples:
        data = (root / sample.path).read_bytes()
        assert data[sample.start_byte : sample.end_byte].decode(sample.encoding) == sample.reference
        encodings[sample.encoding] += 1
    assert encodings["latin-1"] >= 3


def test_carriage_returns_stay(by_name):
    assert by_name["level_percent"].reference.count("\r\n") == 13


def test_no_context_item_holds_the_target(samples, by_name):
    """The model never sees the target lines in any context item, whatever the question."""
    seen = 0
    for sample in samples:
        for item in sample.context:
            seen += 1
            assert not leaks(item.text, by_name[sample.function_name].reference), (sample.sample_id, item)
    assert seen > 100


def test_descriptions_say_where_they_are_from(by_name):
    assert by_name["motor_tick"].description_source == "comment"
    assert "latch faults" in by_name["motor_tick"].description
    assert by_name["motor_set"].description_source == "signature"


def test_a_model_describes_when_there_is_one(track, project, layout):
    def ask(messages):
        assert messages
        return "Does what its name says, and nothing beyond that, for the rest of the firmware."

    options = {"layout": layout, "ask": ask, "describer": "toy"}
    built = Ledger(track.build(BuildInputs(projects=(project,), size=3, options=options)))
    assert {sample.description_source for sample in built.samples} == {"model:toy"}


def test_samples_carry_their_origin(by_name):
    sample = by_name["ring_put"]
    assert (sample.cluster, sample.project_id, sample.licence) == ("plant", "plant", "Apache-2.0")
    assert sample.provenance["path"] == "src/ring.c"
    assert sample.provenance["function_span"] == [sample.start_byte, sample.end_byte]
    assert sample.family == sample.provenance["function_id"]
    assert sample.stratum == "[0,20]"
    assert sample.counts["types"] >= 1


def test_the_signature_leaves_initialisers_out(by_name):
    assert by_name["ring_put"].signature == "bool ring_put(struct ring *ring, uint8_t byte)"
    assert by_name["average"].signature == "float Sensor::average(size_t last) const"


def test_rows_rebuild_the_sample(track, samples):
    for sample in samples:
        assert (
            rebuild(track.Sample, sample_row(sample, "code", "r"), context_rows(sample)).sample_id == sample.sample_id
        )


def test_a_smaller_size_draws_a_part_and_counts_the_rest(track, project, layout, by_name):
    built = Ledger(track.build(BuildInputs(projects=(project,), size=6, options={"layout": layout})))
    built.check()
    drawn = {sample.function_name for sample in built.samples if sample.category == "generation"}
    assert len(drawn) == 6
    assert drawn < set(by_name)
    assert built.reasons()["sampling"]["not_drawn"] == len(by_name) - 6
    assert sum(sample.category != "generation" for sample in built.samples) == 13, "ceil(6 * 3026 / 1426)"


def test_known_names_say_where_they_are_from(ledger):
    companion = next(one for one in ledger.companions if one.name == "known_names")
    rows = {(row["project_id"], row["name"]): row["origin"] for row in companion.table.to_pylist()}
    assert rows["plant", "ring_put"] == "function"
    assert rows["plant", "RING_NEXT"] == "macro"
    assert rows["plant", "Reading"] == "type"
    assert rows["plant", "sdk_pwm_write"] == "called", "its header is not in the tree"
    assert ("plant", "if") not in rows


def test_how_far_the_extractors_agree_is_a_table(ledger):
    companion = next(one for one in ledger.companions if one.name == "context_agreement")
    rows = companion.table.to_pylist()
    assert [(row["project_id"], row["kind"]) for row in rows] == [
        (project, kind)
        for project in sorted({sample.project_id for sample in ledger.samples})
        for kind in ("calls", "globals", "types")
    ]
    for row in rows:
        assert row["only_index"] == row["macro"] + row["conditional"] + row["other"]
        assert row["both"] + row["only_libclang"] + row["only_index"] > 0


def test_a_build_without_projects_says_so(track):
    with pytest.raises(CorpusError, match="name at least one source"):
        list(track.build(BuildInputs()))


IDS = """
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
import corpora
from tasks.contract import BuildInputs, Companion, serial_map
from tasks.curation.ledger import Ledger
from tasks.curation.rows import table_hash
from tasks.mining.mine import mine_project
from tasks.sources.fetch import fetch
from tasks.sources.model import Source
from warehouse.layout import Layout

def main():
    data, root, workers = sys.argv[1:]
    layout = Layout(Path(root))
    source = Source(project_id="plant", kind="dir", address=data, licence="Apache-2.0", domain="demo",
                    first_seen="2026-01-02")
    pool = ProcessPoolExecutor(int(workers), get_context("spawn")) if int(workers) > 1 else None
    map = serial_map if pool is None else lambda function, items, label: pool.map(function, items)
    project = mine_project(source, fetch(source, layout), layout, map)
    ledger = Ledger(corpora.load("code").build(BuildInputs((project,), 50, {"layout": layout}, map=map)))
    print(*sorted(sample.sample_id for sample in ledger.samples))
    print(*(table_hash(one.table) for one in ledger.companions))

if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
def test_workers_and_hash_seeds_do_not_matter(samples, tmp_path):
    """Two machines' worth of settings give the same samples and the same companion."""
    script = tmp_path / "ids.py"
    script.write_text(IDS)
    path = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
    found = []
    for seed, workers in (("1", "1"), ("2", "2")):
        done = subprocess.run(
            [sys.executable, str(script), str(Path(__file__).with_name("data")), str(tmp_path / seed), workers],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.split())
    assert found[0] == found[1]
    assert found[0][:-2] == sorted(sample.sample_id for sample in samples)
