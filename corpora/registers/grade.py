"""Facts about an answer: there is one, it can be read, and it is right. No model grades."""

from corpora.registers.answers import judge
from corpora.registers.schema import Sample
from tasks.contract import Bench, Check, Reply, Status

LAYER = "static"
VERSION = "1"


def grade(sample: Sample, reply: Reply, bench: Bench) -> list[Check]:
    """Return the checks `answered`, `readable` and `correct`, the last with the score.

    A reply without an answer line reaches this as empty code, which `tasks.grading.evaluate` calls `no_submission`.
    """
    verdict = judge(reply.code, sample.key)
    wanted = sample.expected + (f" {sample.unit}" if sample.unit else "")
    near = f" within {sample.tolerance:g} of it" if sample.tolerance else ""
    facts = (
        ("answered", verdict.answered, "a line ANSWER: <value>"),
        ("readable", verdict.readable, f"one {sample.kind}"),
        ("correct", verdict.correct, wanted + near),
    )
    return [
        Check(
            layer=LAYER,
            check=name,
            status=Status.PASS if true else Status.FAIL,
            expected=expected,
            saw=verdict.saw,
            score=float(true) if name == "correct" else None,
            headline=name == "correct",
        )
        for name, true, expected in facts
    ]
