"""One verdict from many checks: what outranks what, and what can never pass."""

import itertools
from dataclasses import dataclass
from typing import Any

import pytest

from tasks.contract import BaseSample, Bench, Check, Reply, Status
from tasks.grading.evaluate import HARNESS, evaluate, evaluate_many, verdict
from warehouse.errors import GradingError


class Question(BaseSample):
    track = "toy"


SAMPLE = Question(category="sum", cluster="one", reference="3", stub="0")
ANSWER = Reply(text="3", code="3")
BLANK = Reply(text="I cannot help with that.", code=" \n\t")


@dataclass
class Toy:
    """A grader that returns, or raises, what the test says."""

    outcome: Any

    def grade(self, sample: BaseSample, reply: Reply, bench: Bench) -> list[Check]:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def check(status: Status | str, layer: str = "static", **fields: Any) -> Check:
    return Check(layer=layer, check=fields.pop("check", "c"), status=Status(status), **fields)


def graded(outcome: Any, reply: Reply = ANSWER):
    return evaluate(Toy(outcome), SAMPLE, reply, Bench())


def slow_status(statuses: list[Status]) -> Status:
    """The rule as the issue words it."""
    if Status.FAIL in statuses:
        return Status.FAIL
    if Status.TIMEOUT in statuses:
        return Status.TIMEOUT
    if Status.INFRA_ERROR in statuses:
        return Status.INFRA_ERROR
    if Status.NOT_RUN in statuses:
        return Status.NOT_RUN
    return Status.PASS if Status.PASS in statuses else Status.INFRA_ERROR


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_status_follows_the_precedence_whatever_the_order(size):
    for statuses in itertools.product(list(Status)[:5], repeat=size):
        assert graded([check(status) for status in statuses]).status is slow_status(list(statuses)), statuses


def test_no_checks_at_all_is_not_a_pass():
    result = graded([])
    assert (result.status, result.score, result.failed_layer) == (Status.INFRA_ERROR, None, None)


def test_failed_layer_is_that_of_the_first_failing_check_in_order():
    checks = [check("timeout", "compile"), check("pass", "static"), check("fail", "runtime"), check("fail", "static")]
    assert graded(checks).failed_layer == "runtime"
    assert graded(checks[:2]).failed_layer is None


@pytest.mark.parametrize(
    ("status", "score"), [("pass", 1.0), ("fail", 0.0), ("timeout", None), ("infra_error", None), ("not_run", None)]
)
def test_without_a_headline_the_score_is_the_verdict_or_unknown(status, score):
    assert graded([check(status, score=0.4)]).score == score


@pytest.mark.parametrize("status", ["pass", "fail", "not_run"])
@pytest.mark.parametrize("score", [0.0, 0.25, 1.0, None])
def test_the_headline_gives_the_score_and_does_not_touch_the_status(status, score):
    result = graded([check("pass"), check(status, score=score, headline=True)])
    assert result.score == score
    assert result.status is slow_status([Status.PASS, Status(status)])


def test_two_headlines_are_refused_by_name():
    checks = [check("pass", check="bleu", headline=True), check("pass", "model", check="exact", headline=True)]
    with pytest.raises(GradingError, match=rf"static/bleu, model/exact of {SAMPLE.sample_id} .* exactly one"):
        graded(checks)


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -0.01, 1.01])
@pytest.mark.parametrize("headline", [True, False])
def test_a_score_outside_the_unit_interval_is_refused_by_name(score, headline):
    with pytest.raises(GradingError, match=r"static/bleu .* has the score .*\[0, 1\]"):
        graded([check("pass", check="bleu", score=score, headline=headline)])


@pytest.mark.parametrize("status", ["pass", "fail", "infra_error", "timeout"])
def test_a_blank_answer_is_no_submission_with_score_zero_and_keeps_its_checks(status):
    result = graded([check(status, score=0.25, headline=True)], BLANK)
    assert (result.status, result.score) == (Status.NO_SUBMISSION, 0.0)
    assert [c.status for c in result.checks] == [Status(status)]
    assert graded([], BLANK).status is Status.NO_SUBMISSION


def test_an_exception_in_the_grader_is_an_infra_error_that_names_it():
    result = graded(ZeroDivisionError("by zero \ud800"))
    assert (result.status, result.score, result.failed_layer) == (Status.INFRA_ERROR, None, None)
    (only,) = result.checks
    assert (only.layer, only.check, only.status) == (HARNESS, "ZeroDivisionError", Status.INFRA_ERROR)
    assert only.saw.startswith("by zero ? (test_evaluate.py:")
    assert "/" not in only.saw


def test_an_exception_on_a_blank_answer_stays_no_submission():
    result = graded(ValueError("no tokens"), BLANK)
    assert (result.status, result.score, result.checks[0].check) == (Status.NO_SUBMISSION, 0.0, "ValueError")


def test_an_interrupt_is_not_swallowed():
    class Stopped(Toy):
        def grade(self, sample, reply, bench):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(Stopped(None), SAMPLE, ANSWER, Bench())


def test_verdict_is_the_same_reduction_without_a_reply():
    assert verdict([check("pass", score=0.5, headline=True)]) == (Status.PASS, None, 0.5)
    assert verdict([]) == (Status.INFRA_ERROR, None, None)


def test_what_is_aside_is_kept_and_decides_nothing():
    aside = [check("not_run", "compile", aside=True), check("fail", "mutation", aside=True, score=0.5, headline=True)]
    seen = graded([check("pass"), *aside])
    assert (seen.status, seen.failed_layer, seen.score) == (Status.PASS, None, 1.0)
    assert len(seen.checks) == 3
    assert graded(aside).status is Status.INFRA_ERROR


@dataclass
class Many(Toy):
    """A grader that also takes several replies at once, and says how often it was asked to."""

    calls: int = 0

    def grade_many(self, pairs, bench):
        self.calls += 1
        if any(reply.text == "poison" for _, reply in pairs):
            raise OSError("no space")
        asked = pairs[:1] if pairs[0][1].text == "few" else pairs
        return [self.grade(sample, reply, bench) for sample, reply in asked]


def test_many_replies_are_graded_in_one_call_as_each_alone():
    track = Many([check("pass")])
    pairs = [(SAMPLE, ANSWER), (SAMPLE, BLANK)]
    seen = evaluate_many(track, pairs, Bench())
    assert [one.status for one in seen] == [Status.PASS, Status.NO_SUBMISSION]
    assert track.calls == 1
    assert [one.status for one in evaluate_many(Toy([check("fail")]), pairs, Bench())] == [
        Status.FAIL, Status.NO_SUBMISSION,
    ]  # fmt: skip
    assert evaluate_many(track, [], Bench()) == []


@pytest.mark.parametrize("text", ["poison", "few"])
def test_a_call_that_breaks_is_made_again_for_each_alone(text):
    track = Many([check("pass")])
    seen = evaluate_many(track, [(SAMPLE, Reply(text=text, code="3")), (SAMPLE, ANSWER)], Bench())
    assert [one.status for one in seen] == [Status.PASS, Status.PASS]
