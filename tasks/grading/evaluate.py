"""From checks to one verdict. `docs/statuses.md` says what each status claims."""

import math
import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

from tasks.contract import BaseSample, Bench, Check, GradeMany, Reply, Status, Track
from warehouse.errors import GradingError

HARNESS = "harness"
"""The layer of checks that the harness itself adds: what kept a reply from being graded."""

PRECEDENCE = (Status.FAIL, Status.TIMEOUT, Status.INFRA_ERROR, Status.NOT_RUN, Status.PASS)
"""The first of these that any check has is the verdict: a proven fault outranks what could not be measured."""

SAW_CHARACTERS = 2000


class Verdict(NamedTuple):
    """What a list of checks says together."""

    status: Status
    failed_layer: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on one reply and the checks it rests on. `seconds_s` is wall time spent in the grader."""

    status: Status
    failed_layer: str | None
    score: float | None
    checks: tuple[Check, ...]
    seconds_s: float


def verdict(checks: Iterable[Check], subject: str = "this reply") -> Verdict:
    """Reduce checks, but for those that are aside, to a status, the first failing layer and a score.

    The score is that of the headline check; without one, 1 for pass, 0 for fail and otherwise unknown. Raises
    GradingError, naming `subject`, when two checks are headlines or a score is not a number in [0, 1].
    """
    checks = tuple(check for check in checks if not check.aside)
    for check in checks:
        if check.score is not None and not (math.isfinite(check.score) and 0.0 <= check.score <= 1.0):
            raise GradingError(
                f"The check {check.layer}/{check.check} of {subject} has the score {check.score}; "
                "make its grader return a number in [0, 1] or None."
            )
    headlines = [check for check in checks if check.headline]
    if len(headlines) > 1:
        names = ", ".join(f"{check.layer}/{check.check}" for check in headlines)
        raise GradingError(f"The checks {names} of {subject} are all marked as headline; mark exactly one.")

    present = {check.status for check in checks}
    status = next((status for status in PRECEDENCE if status in present), Status.INFRA_ERROR)
    failed_layer = next((check.layer for check in checks if check.status is Status.FAIL), None)
    if headlines:
        score = headlines[0].score
    else:
        score = {Status.PASS: 1.0, Status.FAIL: 0.0}.get(status)
    return Verdict(status, failed_layer, score)


def evaluate(track: Track, sample: BaseSample, reply: Reply, bench: Bench) -> Evaluation:
    """Grade one reply and reduce its checks to a verdict.

    A blank `reply.code` is `no_submission` with score 0, its checks kept. An exception in the grader is
    `infra_error`, never a pass and never a fail. Raises GradingError where the grader breaks its contract (`verdict`).
    """
    start = time.perf_counter()
    try:
        checks = tuple(track.grade(sample, reply, bench))
    except Exception as error:
        checks = (_harness_check(error),)
    return _evaluation(sample, reply, checks, time.perf_counter() - start)


def evaluate_many(track: Track, pairs: Sequence[tuple[BaseSample, Reply]], bench: Bench) -> list[Evaluation]:
    """Grade several replies as `evaluate` does each, in one call of the track's `grade_many` where it has one.

    The seconds of such a call are shared out evenly. Where it raises or returns another number of lists, the replies
    are graded one by one, so that one of them spoils no other.
    """
    many: GradeMany | None = getattr(track, "grade_many", None)
    if many is None or not pairs:
        return [evaluate(track, sample, reply, bench) for sample, reply in pairs]
    start = time.perf_counter()
    try:
        found = many(pairs, bench)
    except Exception:
        found = []
    if len(found) != len(pairs):
        return [evaluate(track, sample, reply, bench) for sample, reply in pairs]
    share_s = (time.perf_counter() - start) / len(pairs)
    return [
        _evaluation(sample, reply, tuple(checks), share_s)
        for (sample, reply), checks in zip(pairs, found, strict=True)
    ]


def _evaluation(sample: BaseSample, reply: Reply, checks: tuple[Check, ...], seconds_s: float) -> Evaluation:
    status, failed_layer, score = verdict(checks, sample.sample_id)
    if not reply.code.strip():
        status, score = Status.NO_SUBMISSION, 0.0
    return Evaluation(status, failed_layer, score, checks, seconds_s)


def _harness_check(error: Exception) -> Check:
    """Name the exception, its message and the innermost line it came from, without a path of this machine."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    message = str(error).encode(errors="replace").decode()[:SAW_CHARACTERS]
    return Check(
        layer=HARNESS,
        check=type(error).__name__,
        status=Status.INFRA_ERROR,
        expected="a graded reply",
        saw=f"{message}{where}",
    )
