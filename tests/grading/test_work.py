"""What is missing, what a shard yields, and that grading again lands in the same place."""

import pickle
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from tasks.contract import BaseSample, Bench, Check, Reply, Status
from tasks.grading import work
from tasks.ids import digest, evaluation_id
from warehouse.cast import cast
from warehouse.errors import GradingError
from warehouse.layout import Layout
from warehouse.reader import read

START = datetime(2026, 1, 1, tzinfo=UTC)


class Question(BaseSample):
    track = "toy"


class Toy:
    """Pass when the answer is the reference; `boom` breaks the grader."""

    name = "toy"
    grader_version = "1"

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        if reply.code == "boom":
            raise RuntimeError("grader broke")
        right = reply.code.strip() == sample.reference
        return [
            Check(
                layer="static",
                check="equal",
                status=Status.PASS if right else Status.FAIL,
                expected=sample.reference,
                saw=reply.code,
                score=1.0 if right else 0.5,
                headline=True,
            )
        ]


SAMPLES = {
    sample.sample_id: sample
    for sample in (Question(category="sum", cluster="c", reference=str(n), stub="x") for n in range(4))
}
IDS = sorted(SAMPLES)


def generation(name: str, sample: str = IDS[0], reply: str | None = "0", minute: int = 0, **changes):
    row = {
        "generation_id": name,
        "track": "toy",
        "sample_id": sample,
        "model": "m",
        "config": "full",
        "scenario": "generation",
        "attempt": 0,
        "reply": reply,
        "code": reply,
        "code_rule": "fence",
        "finish_reason": "stop",
        "error_kind": None,
        "error": None,
        "created_at": START + timedelta(minutes=minute),
    }
    return {**row, **changes}


def failed(name: str, kind: str, minute: int = 0, **changes):
    nothing = {"reply": None, "code": None, "code_rule": None, "finish_reason": None}
    return generation(name, minute=minute, error_kind=kind, error="sad", **{**nothing, **changes})


def grade(items, track=None, bench=None):
    return work.grade_shard(track or Toy(), SAMPLES, items, bench or Bench())


def regrade(rows, evaluations, **options):
    """Find what is missing, grade it, and return the evaluations with the new ones."""
    items = work.missing(Toy(), rows, evaluations, "tc", **options)
    return items, [*evaluations, *(grade(items)["evaluations"] if items else [])]


def test_the_id_of_a_verdict_is_that_of_reply_grader_and_toolchain():
    row = generation("g1")
    (item,) = work.missing(Toy(), [row], [], "tc")
    hashed = digest("0", "0", "fence", None)
    assert item.reply_hash == hashed
    assert item.evaluation_id == evaluation_id("g1", hashed, "1", "tc")


def test_nothing_is_missing_once_graded_and_everything_after_a_new_grader_or_toolchain():
    rows = [generation("g1"), generation("g2", IDS[1], "9"), failed("g3", "rate_limit")]
    items, done = regrade(rows, [])
    assert len(items) == 3
    assert work.missing(Toy(), rows, done, "tc") == []

    class Newer(Toy):
        grader_version = "2"

    assert len(work.missing(Newer(), rows, done, "tc")) == 3
    assert len(work.missing(Toy(), rows, done, "other")) == 3


def test_tables_and_rows_give_the_same_work():
    rows = [generation("g1"), generation("g2", IDS[1], "9"), failed("g3", "empty")]
    _, done = regrade(rows[:1], [])
    tables = cast("generations", rows), cast("evaluations", done)
    assert work.missing(Toy(), *tables, "tc") == work.missing(Toy(), rows, done, "tc") != []


def test_generations_of_other_tracks_are_left_alone():
    assert work.missing(Toy(), [generation("g1", track="other")], [], "tc") == []


def test_a_generation_counts_once_by_its_newest_good_row():
    rows = [
        generation("g1", reply="old", minute=1),
        generation("g1", reply="new", minute=2),
        failed("g1", "rate_limit", minute=3),
        failed("g1", "empty", minute=4),
    ]
    for seed in range(5):
        Random(seed).shuffle(rows)
        (item,) = work.missing(Toy(), rows, [], "tc")
        assert item.code == "new"


def test_an_empty_reply_outranks_a_provider_error_because_it_is_a_fact():
    rows = [failed("g1", "empty", minute=1), failed("g1", "server", minute=2)]
    (item,) = work.missing(Toy(), rows, [], "tc")
    assert item.error_kind == "empty"


def test_rows_of_one_moment_are_told_apart_by_content_not_by_order():
    rows = [generation("g1", reply="a"), generation("g1", reply="b")]
    assert work.missing(Toy(), rows, [], "tc") == work.missing(Toy(), rows[::-1], [], "tc")


@pytest.mark.parametrize("kind", ["rate_limit", "content_filter", "context_window", "auth"])
def test_a_provider_error_is_infra_error_and_is_not_graded(kind):
    class Untouchable(Toy):
        def grade(self, sample, reply, bench):
            raise AssertionError("graded")

    tables = grade(work.missing(Toy(), [failed("g1", kind)], [], "tc"), Untouchable())
    (row,) = tables["evaluations"]
    assert (row["status"], row["score"], row["failed_layer"]) == ("infra_error", None, None)
    (check,) = tables["checks"]
    assert (check["layer"], check["check"], check["status"], check["saw"]) == ("harness", kind, "infra_error", "sad")


@pytest.mark.parametrize("kind", ["empty", "empty_reply"])
def test_an_empty_reply_is_no_submission_and_its_checks_are_kept(kind):
    tables = grade(work.missing(Toy(), [failed("g1", kind)], [], "tc"))
    (row,) = tables["evaluations"]
    assert (row["status"], row["score"], row["failed_layer"]) == ("no_submission", 0.0, "static")
    assert [check["check"] for check in tables["checks"]] == ["equal"]


def test_a_retried_generation_gets_a_new_verdict():
    _, done = regrade([failed("g1", "server")], [])
    rows = [failed("g1", "server"), generation("g1", reply=SAMPLES[IDS[0]].reference, minute=1)]
    items, done = regrade(rows, done)
    assert len(items) == 1
    assert [row["status"] for row in done] == ["infra_error", "pass"]


def test_infra_errors_of_the_grader_are_retried_only_when_asked_and_provider_errors_never():
    rows = [generation("g1", reply="boom"), failed("g2", "server"), generation("g3")]
    _, done = regrade(rows, [])
    assert [row["status"] for row in done].count("infra_error") == 2
    assert work.missing(Toy(), rows, done, "tc") == []
    (again,) = work.missing(Toy(), rows, done, "tc", retry_infra=True)
    assert again.generation_id == "g1"
    measured = [*done, {**done[0], "evaluation_id": again.evaluation_id, "status": "pass"}]
    assert work.missing(Toy(), rows, measured, "tc", retry_infra=True) == []


def test_a_changed_extraction_rule_regrades_only_replies_whose_code_changes(monkeypatch):
    import sys
    from types import SimpleNamespace

    kinds = []

    def extract(text, kind):
        kinds.append(kind)
        return text.removeprefix("Sure: "), "whole" if text == "8" else "prose"

    rows = [
        generation("g1", reply="Sure: 0", code="Sure: 0"),
        generation("g2", IDS[1], reply="7", code="7", code_rule="prose"),
        generation("g3", IDS[2], reply="Sure: 1", code="Sure: 1", code_rule="whole", model="mutant:first"),
        failed("g4", "server"),
        generation("g5", IDS[3], reply="8", code="8", code_rule="whole"),
    ]
    _, done = regrade(rows, [])
    monkeypatch.setitem(sys.modules, "tasks.inference.extract", SimpleNamespace(extract=extract))
    (item,) = work.missing(Toy(), rows, done, "tc", reextract=SAMPLES)
    assert (item.generation_id, item.code, item.code_rule, item.reply) == ("g1", "0", "prose", "Sure: 0")
    assert kinds == ["code"] * 3
    done += grade([item])["evaluations"]
    assert work.missing(Toy(), rows, done, "tc", reextract=SAMPLES) == []
    assert work.missing(Toy(), rows, done, "tc") == []


def test_shards_hold_everything_once_and_keep_the_replies_to_a_sample_together():
    rows = [generation(f"g{n}", IDS[n % 4]) for n in range(103)]
    items = work.missing(Toy(), rows, [], "tc")
    shuffled = items[:]
    Random(1).shuffle(shuffled)
    cut = work.shards(shuffled, size=20)
    assert cut == work.shards(items, size=20)
    assert [len(shard) for shard in cut] == [20, 20, 20, 20, 20, 3]
    assert sorted(item.generation_id for shard in cut for item in shard) == sorted(
        row["generation_id"] for row in rows
    )
    assert all(len(work.needed(SAMPLES, shard)) <= 2 for shard in cut)
    assert work.shards([]) == []


def test_a_shard_survives_the_trip_to_another_process():
    items = work.missing(Toy(), [generation("g1"), generation("g2", IDS[1], "9")], [], "tc")
    sent = pickle.loads(pickle.dumps((Toy(), work.needed(SAMPLES, items), items, Bench())))
    here, there = grade(items), work.grade_shard(*sent)
    assert there["checks"] == here["checks"]
    timeless = [{**row, "seconds_s": 0} for row in there["evaluations"]]
    assert timeless == [{**row, "seconds_s": 0} for row in here["evaluations"]]


def test_a_generation_of_another_release_is_refused_by_name():
    items = work.missing(Toy(), [generation("g1", "toy:unknown")], [], "tc")
    with pytest.raises(GradingError, match=r"g1 answers toy:unknown, which is not in the release"):
        grade(items)


def test_a_shard_graded_again_lands_in_the_same_batch_once(tmp_path):
    layout = Layout(tmp_path)
    rows = [generation("g1"), generation("g2", IDS[1], "9"), failed("g3", "server")]
    items = work.missing(Toy(), rows, [], "tc")
    first = work.write(layout, items, grade(items))
    again = work.write(layout, items[::-1], grade(items[::-1]))
    assert first == again
    stored = read(layout, "evaluations")
    assert stored.num_rows == 3
    assert stored["created_at"].null_count == 0
    assert read(layout, "checks").num_rows == 3
    assert work.missing(Toy(), rows, stored, "tc") == []


def test_a_retry_that_measures_lands_beside_the_old_verdict(tmp_path):
    class Mended(Toy):
        def grade(self, sample, reply, bench):
            return [Check(layer="static", check="equal", status=Status.PASS)]

    layout = Layout(tmp_path)
    rows = [generation("g1", reply="boom")]
    items = work.missing(Toy(), rows, [], "tc")
    work.write(layout, items, grade(items))
    again = work.missing(Toy(), rows, read(layout, "evaluations"), "tc", retry_infra=True)
    work.write(layout, again, grade(again, Mended()))
    stored = sorted(read(layout, "evaluations").to_pylist(), key=lambda row: row["created_at"])
    assert [row["status"] for row in stored] == ["infra_error", "pass"]
    assert len({row["evaluation_id"] for row in stored}) == 1


def test_rows_of_another_shard_are_not_written(tmp_path):
    items = work.missing(Toy(), [generation("g1"), generation("g2", IDS[1])], [], "tc")
    with pytest.raises(GradingError, match="write each shard with the tables"):
        work.write(Layout(tmp_path), items[:1], grade(items[1:]))
    with pytest.raises(GradingError):
        work.write(Layout(tmp_path), [], {"evaluations": [], "checks": []})
