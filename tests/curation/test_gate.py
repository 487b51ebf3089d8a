"""The gate, one seeded fault a test: what it drops, why, and what it lists as proven."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from tasks.contract import Bench, Mutant
from tasks.curation.gate import CHUNK, gate
from tasks.curation.ledger import Ledger


def only_drop(sums, sample, track=None):
    gated = gate(track or sums.track, [sums.question(1, 1), sample], Bench())
    assert [kept.sample_id for kept in gated.kept] == [sums.question(1, 1).sample_id]
    assert gated.proof.sample_ids == {sums.question(1, 1).sample_id}
    (drop,) = gated.dropped
    assert (drop.stage, drop.item, drop.project_id) == ("gate", sample.sample_id, "p")
    return drop.reason, drop.detail


def test_sound_samples_pass_and_are_listed_with_their_grader(sums):
    samples = [sums.question(left, 5) for left in range(3)]
    gated = gate(sums.track, samples, Bench(toolchain_digest="tc"))
    kept, dropped = gated
    assert (kept, dropped) == (samples, [])
    assert gated.proof.sample_ids == {sample.sample_id for sample in samples}
    assert (gated.proof.track, gated.proof.grader_version, gated.proof.toolchain_digest) == ("sums", "1", "tc")
    assert gated.proof.replies == 3 * (1 + 2 + 1 + 1)


def test_it_holds_without_a_headline_score_too(sums):
    gated = gate(sums.Track(scored=False), [sums.question(1, 2)], Bench())
    assert len(gated.kept) == 1


def test_a_reference_that_fails(sums):
    reason, detail = only_drop(sums, sums.question(1, 2, reference="4"))
    assert reason == "reference_fails"
    assert detail == "reference: run/value is fail (expected '4', saw '4')"


def test_a_blank_reference(sums):
    assert only_drop(sums, sums.question(1, 2, reference=" "))[0] == "reference_fails"


@pytest.mark.parametrize("score", ["0.999", "0.0"])
def test_a_reference_that_passes_without_scoring_one(sums, score):
    reason, detail = only_drop(sums, sums.question(1, 2, broken=f"scores:3={score}"))
    assert (reason, detail) == ("reference_fails", f"reference: run/value scores {float(score)}, not 1")


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ("not_run:3", "reference: parse/number is not_run (expected 'a parser', saw 'none')"),
        ("timeout:3", "reference: parse/number is timeout"),
        ("raises:3", "reference: harness/OSError is infra_error (expected 'a graded reply', saw 'no space"),
        ("raises:4", "mutant off_by_one: harness/OSError is infra_error"),
        ("not_run:4", "mutant off_by_one: the check value is absent, not fail; parse/number is not_run"),
        ("raises_on_empty", "empty: harness/ValueError is infra_error"),
        ("raises:0", "stub: harness/OSError is infra_error"),
        ("not_run:0", "stub: parse/number is not_run"),
    ],
)
def test_what_could_not_be_measured_is_neither_kept_nor_called_a_fault_of_the_sample(sums, broken, named):
    reason, detail = only_drop(sums, sums.question(1, 2, broken=broken))
    assert reason == "gate_infra_error"
    assert detail.startswith(named)


def test_a_mutant_that_passes_its_target(sums):
    wrong = Mutant(name="same", text="03", target="value")
    reason, detail = only_drop(sums, sums.question(1, 2, mutants=(wrong,)))
    assert (reason, detail) == ("mutant_survives", "mutant same: the check value is pass, not fail")


def test_a_mutant_must_fail_the_check_it_targets_not_just_any(sums):
    aimed = Mutant(name="aimed", text="4", target="number")
    reason, detail = only_drop(sums, sums.question(1, 2, mutants=(aimed,)))
    assert (reason, detail) == ("mutant_survives", "mutant aimed: the check number is pass, not fail")


def test_a_mutant_may_name_its_target_with_the_layer_and_a_wrong_layer_is_no_hit(sums):
    right = Mutant(name="right", text="4", target="run/value")
    assert len(gate(sums.track, [sums.question(1, 2, mutants=(right,))], Bench()).kept) == 1
    wrong = Mutant(name="wrong", text="4", target="parse/value")
    assert only_drop(sums, sums.question(1, 2, mutants=(wrong,)))[0] == "mutant_survives"


def test_a_mutant_that_scores_like_the_reference(sums):
    reason, detail = only_drop(sums, sums.question(1, 2, broken="scores:4=1.0"))
    assert (reason, detail) == ("mutant_scores_as_reference", "mutant off_by_one: scores 1.0, the reference 1.0")


def test_a_mutant_without_a_target_need_only_score_below(sums):
    free = Mutant(name="free", text="4")
    lenient = sums.question(1, 2, mutants=(free,), broken="passes:4")
    assert len(gate(sums.track, [lenient], Bench()).kept) == 1
    reason, detail = only_drop(sums, lenient, sums.Track(scored=False))
    assert (reason, detail) == ("mutant_survives", "mutant free: no check fails, the status is pass")


def test_a_mutant_that_never_ends_proves_nothing_unless_a_check_says_fail(sums):
    endless = sums.question(1, 2, mutants=(Mutant(name="endless", text="4"),), broken="timeout:4")
    reason, detail = only_drop(sums, endless, sums.Track(scored=False))
    assert (reason, detail) == ("mutant_survives", "mutant endless: no check fails, the status is timeout")


def test_an_empty_reply_that_the_checks_let_pass_although_it_is_no_submission(sums):
    assert only_drop(sums, sums.question(1, 2, broken="passes:"))[0] == "empty_passes"


def test_an_empty_reply_that_the_checks_score(sums):
    """codebleu 0.7.0 gives an empty reply 0.25."""
    reason, detail = only_drop(sums, sums.question(1, 2, broken="scores:=0.25"))
    assert (reason, detail) == ("empty_passes", "empty: run/value scores 0.25, not 0")


@pytest.mark.parametrize(
    ("fields", "status"),
    [({"broken": "passes:0"}, "pass"), ({"broken": "timeout:0"}, "timeout"), ({"stub": " "}, "no_submission")],
)
def test_a_stub_that_does_not_fail(sums, fields, status):
    reason, detail = only_drop(sums, sums.question(1, 2, **fields))
    assert (reason, detail) == ("stub_passes", f"stub: no check fails, the status is {status}")


def test_chunks_travel_and_come_back_in_order_on_any_number_of_workers(sums):
    samples = [sums.question(left, 5, reference="9" if left % 7 == 0 else str(left + 5)) for left in range(3 * CHUNK)]
    calls = []

    def threads(function, items, label):
        assert label == "gate"
        items = list(items)
        calls.append([len(item) for item in items])
        travelled = pickle.loads(pickle.dumps(function))
        with ThreadPoolExecutor(4) as pool:
            yield from pool.map(travelled, pickle.loads(pickle.dumps(items)))

    alone, spread = gate(sums.track, samples, Bench()), gate(sums.track, samples, Bench(), threads)
    assert calls == [[CHUNK] * 3]
    assert spread == alone
    assert {drop.reason for drop in alone.dropped} == {"reference_fails"}
    assert [kept.left for kept in alone.kept] == [left for left in range(3 * CHUNK) if left % 7 or left == 4]


def test_the_ledger_takes_the_gate_as_a_stage(sums):
    gated = gate(sums.track, [sums.question(1, 1), sums.question(1, 2, reference="4")], Bench())
    (row,) = Ledger(gated.entries()).stages()
    assert (row["stage"], row["entered"], row["kept"], row["dropped"]) == ("gate", 2, 1, 1)


def test_a_track_that_grades_many_at_once_is_asked_once_a_chunk_and_judged_the_same(sums):
    calls = []

    class Many(sums.Track):
        def grade_many(self, pairs, bench):
            calls.append(len(pairs))
            return [self.grade(sample, reply, bench) for sample, reply in pairs]

    samples = [sums.question(left, 5) for left in range(CHUNK + 1)] + [sums.question(1, 2, reference="4")]
    one_by_one, at_once = gate(sums.track, samples, Bench()), gate(Many(), samples, Bench())
    assert (at_once.kept, at_once.dropped) == (one_by_one.kept, one_by_one.dropped)
    assert at_once.proof.sample_ids == one_by_one.proof.sample_ids
    assert len(calls) == 2
    assert calls[0] == CHUNK * 5
