"""The package's own CodeBLEU as a figure beside ours: one worker a process, and no verdict that depends on it."""

from tasks.contract import Check, Status
from warehouse.errors import GradingError

NAME = "codebleu_package"


def package(reference: str, candidate: str, language: str) -> Check:
    """Return the check `codebleu_package`; where there is no figure it still passes, and `saw` says why."""
    from tasks.grading.codebleu_package import shared

    try:
        figure = shared().score(reference, candidate, language)
        score, reason = figure.score, figure.reason
    except GradingError as error:
        score, reason = None, str(error)
    return Check(layer="similarity", check=NAME, status=Status.PASS, score=score, saw=reason)
