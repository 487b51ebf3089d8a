"""Releases: refused when unproven, named by content alone, read back as they were, compared."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contract import Bench, Companion, Counted, Dropped
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.release import describe, diff, listing, load, write
from tasks.curation.rows import context_rows, rebuild, sample_row, table_hash
from warehouse.errors import CorpusError

NAMES = pa.table({"name": ["f", "g"], "count": [1, 2]})


def some(sums, count=3, **fields):
    return [sums.question(left, 5, **fields) for left in range(count)]


def test_a_release_reads_back_with_every_field_and_its_context_in_order(sums, layout):
    samples = some(sums)
    written = sums.release(samples, build={"size": 3})
    read = load(layout, sums.track)
    assert read.release == written.release
    assert read.samples == {sample.sample_id: sample for sample in samples}
    assert [item.text for item in read.samples[samples[0].sample_id].context] == ["0 +", "int plus();\n", " 5é"]
    assert list(read.samples) == sorted(read.samples)
    assert read.folder == layout.batch("corpora", read.release)
    assert all(name == sample.sample_id for name, sample in read.samples.items())


def test_the_folder_holds_the_tables_the_companions_and_the_manifest(sums, layout):
    book = Ledger([Counted(stage="make", entered=4, kept=3), Dropped(stage="make", item="x", reason="trivial")])
    release = sums.release(some(sums), Companion("names", NAMES), ledger=book, build={"size": 3})
    assert sorted(path.name for path in release.folder.iterdir()) == [
        "context_items.parquet",
        "dropped.parquet",
        "names.parquet",
        "release.json",
        "samples.parquet",
        "stages.parquet",
    ]
    assert pq.read_table(Bench(release=release.folder).companion("names")).equals(NAMES)
    manifest = json.loads((release.folder / "release.json").read_text())
    assert manifest == release.manifest
    assert (manifest["release"], manifest["track"], manifest["build"]) == (release.release, "sums", {"size": 3})
    assert manifest["counts"] == {"samples": 3, "context_items": 9, "dropped": 1, "gate_replies": 15}
    assert manifest["versions"] == {"grader": "1", "toolchain_digest": "", "extractors": {"index": ["1"]}}
    stages = pq.read_table(release.folder / "stages.parquet").to_pylist()
    assert [(row["stage"], row["position"]) for row in stages] == [("make", 0), ("gate", 1)]
    assert {row["release"] for row in stages} == {release.release}


def test_the_name_depends_on_content_alone(sums, layout):
    samples = some(sums)
    first = sums.release(samples, Companion("names", NAMES), build={"size": 3})
    again = sums.release(samples[::-1], Companion("names", NAMES), build={"size": 3})
    assert (again.release, again.reused, first.reused) == (first.release, True, False)
    assert again.manifest == first.manifest
    chunked = pa.concat_tables([NAMES.slice(0, 1), NAMES.slice(1)]).select(["count", "name"])
    assert sums.release(samples, Companion("names", chunked), build={"size": 3}).release == first.release
    assert len(listing(layout)) == 1


def test_another_build_of_the_same_content_brings_its_own_accounts_and_is_the_newest(sums, layout):
    samples = some(sums)
    first = sums.release(samples, build={"size": 3})
    other = sums.release(samples[:1], build={"size": 1})
    assert load(layout, sums.track).release == other.release
    book = Ledger([Counted(stage="make", entered=3, kept=3)])
    again = sums.release(samples, ledger=book, build={"size": None})
    assert (again.release, again.reused) == (first.release, True)
    assert again.manifest["created_at"] == first.manifest["created_at"] < again.manifest["built_at"]
    assert again.manifest["build"] == {"size": None}
    assert [row["stage"] for row in describe(layout, again.release).stages] == ["make", "gate"]
    assert load(layout, sums.track).samples == first.samples
    assert len(listing(layout)) == 2


def test_the_name_changes_with_any_sample_field_and_any_companion_row(sums):
    samples = some(sums)
    names = {
        sums.release(samples).release,
        sums.release(samples[:2]).release,
        sums.release([*samples[:2], samples[2].model_copy(update={"difficulty": "hard"})]).release,
        sums.release(samples, Companion("names", NAMES)).release,
        sums.release(samples, Companion("other", NAMES)).release,
        sums.release(samples, Companion("names", NAMES.slice(1))).release,
    }
    assert len(names) == 6


@given(st.lists(st.tuples(st.text(), st.none() | st.floats(), st.binary()), max_size=8), st.integers(1, 5))
def test_a_table_s_hash_does_not_depend_on_chunks_or_a_trip_through_parquet(rows, size):
    table = pa.table(
        {
            "a": pa.array([row[0] for row in rows], pa.string()),
            "b": pa.array([row[1] for row in rows], pa.float64()),
            "c": pa.array([row[2] for row in rows], pa.binary()),
        }
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, row_group_size=size)
    assert table_hash(pq.read_table(pa.BufferReader(sink.getvalue()))) == table_hash(table)


def test_ungated_samples_are_refused_by_name(sums, layout):
    gated = gate(sums.track, some(sums), Bench())
    stray = sums.question(9, 9)
    with pytest.raises(CorpusError, match=rf"1 of 4 samples did not pass the gate, first {stray.sample_id}"):
        write(layout, sums.track, [*gated.kept, stray], Ledger(), (), gated.proof, build={})
    assert listing(layout) == []


def test_a_sample_changed_after_the_gate_is_ungated(sums, layout):
    gated = gate(sums.track, some(sums), Bench())
    changed = gated.kept[0].model_copy(update={"reference": "6"})
    with pytest.raises(CorpusError, match="did not pass the gate"):
        write(layout, sums.track, [changed], Ledger(), (), gated.proof, build={})


@pytest.mark.parametrize("change", [{"grader_version": "2"}, {"name": "sums2"}])
def test_a_proof_under_another_grader_or_track_is_refused(sums, layout, change):
    gated = gate(sums.track, some(sums), Bench())
    with pytest.raises(CorpusError, match="gate the samples again"):
        write(layout, replace(sums.track, **change), gated.kept, Ledger(), (), gated.proof, build={})


def test_an_empty_release_is_refused(sums):
    with pytest.raises(CorpusError, match="left no sample"):
        sums.release([sums.question(1, 1, reference="9")])


def test_a_question_built_twice_is_refused(sums):
    with pytest.raises(CorpusError, match="was built twice"):
        sums.release([sums.question(1, 1), sums.question(1, 1)])


def test_accounts_that_do_not_add_up_refuse_the_release(sums, layout):
    with pytest.raises(CorpusError, match="'make' lost count"):
        sums.release(some(sums), ledger=Ledger([Counted(stage="make", entered=9, kept=3)]))
    assert listing(layout) == []


def test_there_is_no_release_yet(sums, layout):
    with pytest.raises(CorpusError, match=r"no release of the track 'sums'; run `firmbench corpus build sums`"):
        load(layout, sums.track)
    with pytest.raises(CorpusError, match="there are: none yet"):
        load(layout, sums.track, "sums-000000000000")


def test_the_newest_of_the_track_is_loaded_unless_one_is_named(sums, layout):
    other = replace(sums.track, name="sums2")
    first = sums.release(some(sums, 2))
    second = sums.release(some(sums, 3))
    foreign = sums.release(some(sums, 1), on=other)
    assert [manifest["release"] for manifest in listing(layout)] == [r.release for r in (first, second, foreign)]
    assert load(layout, sums.track).release == second.release
    assert load(layout, sums.track, first.release).release == first.release
    with pytest.raises(CorpusError, match="is of the track 'sums2', not of 'sums'"):
        load(layout, sums.track, foreign.release)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("samples", "reference", "99"),
        ("samples", "prompt_parts", '{"left":0,"right":6}'),
        ("context_items", "text", "!"),
    ],
)
def test_a_release_changed_on_disk_is_refused_naming_the_sample(sums, layout, table, column, value):
    release = sums.release(some(sums, 1))
    path = release.folder / f"{table}.parquet"
    rows = pq.read_table(path)
    position = rows.column_names.index(column)
    pq.write_table(rows.set_column(position, rows.field(position), pa.array([value] * rows.num_rows)), path)
    (name,) = release.samples
    with pytest.raises(CorpusError, match=rf"{name} rebuilds to sums:\w+, so its rows or the track's Sample changed"):
        load(layout, sums.track)


def test_a_sample_class_that_lost_a_field_says_so(sums):
    sample = sums.question(1, 2)
    row = sample_row(sample, "sums", "r") | {"prompt_parts": '{"left":1,"right":2,"gone":3}'}
    with pytest.raises(CorpusError, match=rf"{sample.sample_id} cannot be read as a .*Sum: .*gone.*build the release"):
        rebuild(sums.Sample, row, context_rows(sample))


def test_what_changed_between_two_releases(sums, layout):
    before = [
        sums.question(1, 2, path="a.c", start_byte=0),
        sums.question(2, 2, path="a.c", start_byte=10),
        sums.question(3, 2, path="b.c", start_byte=0),
        sums.question(4, 2, path="c.c", start_byte=0, stratum="(100,200]"),
    ]
    after = [
        before[0],
        sums.question(2, 2, path="a.c", start_byte=17),  # moved, same reference
        sums.question(3, 3, path="b.c", start_byte=0),  # same place, other content
        sums.question(5, 2, path="d.c", start_byte=0, stratum="[0,20]", category="new"),
    ]
    result = diff(layout, sums.release(before).release, sums.release(after).release)
    assert result.same == 1
    assert sorted(result.changed) == sorted((before[n].sample_id, after[n].sample_id) for n in (1, 2))
    assert result.removed == [before[3].sample_id]
    assert result.added == [after[3].sample_id]
    assert result.counts["category"] == {"new": (0, 1), "small": (4, 3)}
    assert list(result.counts["stratum"].items()) == [("[0,20]", (0, 1)), ("(100,200]", (1, 0))]
    assert result.counts["project_id"] == {"p": (4, 4)}
    assert "difficulty" not in result.counts


def test_cases_of_a_family_without_a_path_pair_up_one_to_one(sums, layout):
    family = {"family": "f", "path": None, "start_byte": None}
    before = [sums.question(n, 2, **family) for n in (1, 2)]
    after = [sums.question(n, 3, **family) for n in (5, 6)] + [sums.question(4, 3, **family)]
    result = diff(layout, sums.release(before).release, sums.release(after).release)
    assert (len(result.changed), len(result.added), len(result.removed), result.same) == (2, 1, 0, 0)
    assert len({new for _, new in result.changed}) == 2


def test_a_release_compared_with_itself_does_not_differ(sums, layout):
    name = sums.release(some(sums)).release
    result = diff(layout, name, name)
    assert (result.added, result.removed, result.changed, result.same) == ([], [], [], 3)


def test_a_release_in_numbers(sums, layout):
    book = Ledger([Counted(stage="make", entered=5, kept=3)])
    book.take(Dropped(stage="make", item=str(n), reason="trivial") for n in range(2))
    release = sums.release(some(sums, 6, licence="MIT"), ledger=book)
    summary = describe(layout, release.release)
    assert summary.counts["category"] == {"big": 1, "small": 5}
    assert summary.counts["licence"] == {"MIT": 6}
    assert summary.context == {"calls": 1.0, "window": 2.0}
    assert [row["stage"] for row in summary.stages] == ["make", "gate"]
    assert summary.reasons == {"make": {"trivial": 2}}
    assert summary.manifest["counts"]["samples"] == 6
    with pytest.raises(CorpusError, match=f"no release 'nope' .*{release.release}"):
        describe(layout, "nope")
