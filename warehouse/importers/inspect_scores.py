"""How a sample of an Inspect log reads in our statuses: values, reasons and limits as tables, one function over them.

Inspect's `accuracy` counts C as 1, P as 0.5, I and N as 0; the score is that figure, and only a full one is a pass.
Source: inspect_ai.scorer (value_to_float, Score.reason) and inspect_ai.log (EvalSampleLimit) of 0.3.285.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Reading(NamedTuple):
    """A status and a score in [0, 1], None where nothing was measured."""

    status: str
    score: float | None


VALUES: dict[str, Reading] = {
    "C": Reading("pass", 1.0),
    "P": Reading("fail", 0.5),
    "I": Reading("fail", 0.0),
    "N": Reading("no_submission", 0.0),
}
REASONS: dict[str, Reading] = {
    "invalid_response_format": Reading("no_submission", 0.0),
    "no_response": Reading("no_submission", 0.0),
    "refusal": Reading("no_submission", 0.0),
    "grader_failed": Reading("infra_error", None),
    "scoring_failed": Reading("infra_error", None),
}
"""Why a scorer gave what it gave; outranks the value."""
LIMITS: dict[str, str] = {"time": "timeout", "working": "timeout", "operator": "infra_error"}
"""What a limit that ended a sample makes of it, unless it was scored as a pass; other limits leave the score alone."""
NOT_SCORED = Reading("not_run", None)


def reading(value: Any, reason: str | None = None) -> Reading:
    """Return what one score says; a number is a fraction of full marks, and text that is no letter grade no score."""
    if reason in REASONS:
        return REASONS[reason]
    if isinstance(value, str):
        return VALUES.get(value, NOT_SCORED)
    if isinstance(value, bool | int | float) and math.isfinite(value):
        full = min(1.0, max(0.0, float(value)))
        return Reading("pass" if full == 1.0 else "fail", full)
    if isinstance(value, Mapping) or (isinstance(value, list | tuple) and value):
        parts = [reading(part) for part in (value.values() if isinstance(value, Mapping) else value)]
        return _together(parts)
    return NOT_SCORED


def sample_reading(sample: Any, headline: str | None) -> Reading:
    """Return what a whole EvalSample says: the headline scorer's reading, an error and a limit above it."""
    if sample.error is not None:
        return Reading("infra_error", None)
    if getattr(sample, "invalidation", None) is not None:
        return NOT_SCORED
    scores = sample.scores or {}
    score = scores.get(headline) or next(iter(scores.values()), None)
    found = reading(score.value, getattr(score, "reason", None)) if score is not None else NOT_SCORED
    stopped = LIMITS.get(sample.limit.type) if sample.limit is not None else None
    if stopped is None or found.status == "pass":
        return found
    return Reading(stopped, None if stopped == "infra_error" else found.score or 0.0)


def checks(sample: Any) -> Iterator[dict[str, Any]]:
    """Yield a check for every score of a sample, one a key where a scorer gives several."""
    target = sample.target if isinstance(sample.target, str) else " | ".join(sample.target)
    for name, score in (sample.scores or {}).items():
        parts = score.value if isinstance(score.value, Mapping) else {"": score.value}
        for key, value in parts.items():
            found = reading(value, getattr(score, "reason", None))
            saw = score.answer if score.answer is not None else score.explanation
            yield {"layer": "score", "check": f"{name}.{key}" if key else name, "status": found.status,
                   "expected": target or None, "saw": saw, "score": found.score}  # fmt: skip
    if sample.error is not None:
        yield {"layer": "harness", "check": "error", "status": "infra_error", "saw": sample.error.message}
    if sample.limit is not None:
        status = LIMITS.get(sample.limit.type, "fail")
        yield {
            "layer": "harness",
            "check": f"{sample.limit.type}_limit",
            "status": status,
            "saw": f"{sample.limit.limit:g}",
        }


def _together(parts: list[Reading]) -> Reading:
    """Return one reading of several: unmeasured if any is, else their mean, a pass if all are."""
    if not parts or any(part.score is None for part in parts):
        return next((part for part in parts if part.score is None), NOT_SCORED)
    status = "pass" if all(part.status == "pass" for part in parts) else "fail"
    return Reading(status, sum(part.score or 0.0 for part in parts) / len(parts))
