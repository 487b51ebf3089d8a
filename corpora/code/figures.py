"""The package's own CodeBLEU as a figure beside ours: one worker a process, and no verdict that depends on it."""

from tasks.contract import Check, Status

NAME = "codebleu_package"


def package(reference: str, candidate: str, language: str) -> Check:
    """Return the check `codebleu_package`; without a figure it still passes, and `saw` says why there is none."""
    from tasks.grading import codebleu_package

    figure = codebleu_package.shared().score(reference, candidate, language)
    return Check(layer="similarity", check=NAME, status=Status.PASS, score=figure.score, saw=figure.reason)
