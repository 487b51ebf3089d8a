"""Reviews: what is still to be read, and what a decision does to the next release."""

import pytest

from tasks.contract import Bench
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.release import load, write
from tasks.curation.reviews import apply, pending, record
from warehouse.errors import CorpusError, UsageError
from warehouse.reader import read


def rebuild(sums, layout, samples):
    """Build a release the way a flow does: reviews, then the gate."""
    reviewed = apply(layout, samples)
    gated = gate(sums.track, reviewed.kept, Bench())
    book = Ledger([*reviewed.entries(), *gated.entries()])
    return write(layout, sums.track, gated.kept, book, (), gated.proof, build={})


@pytest.fixture
def samples(sums):
    return [sums.question(left, 5) for left in range(3)]


def test_the_queue_empties_as_samples_are_read(sums, layout, samples):
    release = sums.release(samples).release
    assert pending(layout, release) == sorted(sample.sample_id for sample in samples)
    record(layout, samples[0].sample_id, "ana", "accept")
    record(layout, samples[1].sample_id, "ana", "reject", note="ambiguous")
    assert pending(layout, release) == [samples[2].sample_id]
    with pytest.raises(CorpusError, match="no release 'nope'"):
        pending(layout, "nope")


def test_without_reviews_nothing_changes(layout, samples):
    kept, dropped = apply(layout, samples)
    assert (kept, dropped) == (samples, [])


def test_a_rejected_sample_is_left_out_of_the_next_release_with_its_reason(sums, layout, samples):
    sums.release(samples)
    record(layout, samples[1].sample_id, "ana", "reject", note="ambiguous")
    later = rebuild(sums, layout, samples)
    assert samples[1].sample_id not in later.samples
    assert len(later.samples) == 2
    (row,) = read(layout, "dropped", batch=later.release).to_pylist()
    assert (row["stage"], row["item"], row["reason"], row["detail"]) == (
        "review",
        samples[1].sample_id,
        "rejected_in_review",
        "ana: ambiguous",
    )


def test_a_corrected_description_is_in_the_next_release_and_is_not_queued_again(sums, layout, samples):
    first = sums.release(samples)
    record(layout, samples[0].sample_id, "ana", "correct", "Add the two numbers.")
    later = rebuild(sums, layout, samples)
    assert later.release != first.release
    (corrected,) = [sample for sample in load(layout, sums.track).samples.values() if sample.description]
    assert corrected.description == "Add the two numbers."
    assert corrected.description_source == "reviewer:ana"
    assert corrected.provenance["corrected"] == {"sample_id": samples[0].sample_id, "reviewer": "ana"}
    assert corrected.reference == samples[0].reference
    assert corrected.context == samples[0].context
    assert pending(layout, later.release) == sorted(sample.sample_id for sample in samples[1:])
    assert rebuild(sums, layout, samples).release == later.release


def test_a_corrected_sample_can_be_corrected_and_rejected_in_turn(sums, layout, samples):
    sums.release(samples)
    record(layout, samples[0].sample_id, "ana", "correct", "first")
    (one,) = [s for s in rebuild(sums, layout, samples).samples.values() if s.description]
    record(layout, one.sample_id, "bo", "correct", "second")
    (two,) = [s for s in rebuild(sums, layout, samples).samples.values() if s.description]
    assert (two.description, two.provenance["corrected"]["sample_id"]) == ("second", one.sample_id)
    record(layout, two.sample_id, "ana", "reject")
    assert [drop.item for drop in apply(layout, samples).dropped] == [two.sample_id]


def test_a_reviewer_may_think_again_and_another_s_rejection_stands(sums, layout, samples):
    sums.release(samples)
    name = samples[0].sample_id
    record(layout, name, "ana", "reject")
    record(layout, name, "ana", "accept")
    assert apply(layout, samples).dropped == []
    record(layout, name, "bo", "reject")
    record(layout, name, "ana", "correct", "better")
    assert [drop.detail for drop in apply(layout, samples).dropped] == ["bo"]
    assert read(layout, "reviews").num_rows == 4


def test_of_several_corrections_the_last_one_holds(sums, layout, samples):
    sums.release(samples)
    for reviewer, text in (("bo", "one"), ("ana", "two")):
        record(layout, samples[0].sample_id, reviewer, "correct", text)
    assert apply(layout, samples).kept[0].description == "two"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ana", "perhaps"), "no decision 'perhaps'; decide accept, correct, reject"),
        ((" ", "accept"), "has no reviewer"),
        (("ana", "correct"), "give a corrected text"),
        (("ana", "correct", "  "), "give a corrected text"),
        (("ana", "accept", "text"), "give a corrected text"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused(sums, layout, samples, arguments, said):
    sums.release(samples)
    with pytest.raises(UsageError, match=said):
        record(layout, samples[0].sample_id, *arguments)
    assert read(layout, "reviews").num_rows == 0


def test_a_review_of_a_sample_that_no_release_holds_is_refused(layout):
    with pytest.raises(CorpusError, match="No release holds the sample sums:000000000000"):
        record(layout, "sums:000000000000", "ana", "accept")
