"""Verdicts that graded code cannot print: exit status and result lines tagged with a secret of the run.

The harness prints `firmbench-verdict SECRET<tab>pass|fail<tab>name<tab>expected<tab>saw` for each check and, last,
`firmbench-verdict SECRET<tab>end<tab><tab>checks<tab>failures`: in C through `verdict.h`, elsewhere through `report`.
"""

import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tasks.sandbox.model import Outcome

HEADER = "verdict.h"
TAG = "firmbench-verdict"


@dataclass(frozen=True)
class Reported:
    """One check as the harness reported it."""

    name: str
    passed: bool
    expected: str | None = None
    saw: str | None = None


@dataclass(frozen=True)
class Verdict:
    """`passed` only if the program exited with 0, broke no limit, and its harness reported to the end that every check
    passed; otherwise `reason` says what is missing first. `checks` are those reported, also of an unfinished run."""

    passed: bool
    reason: str
    checks: tuple[Reported, ...] = ()


@cache
def header() -> str:
    """Return the C header that a harness includes; put it into the sandbox under the name HEADER."""
    return Path(__file__).with_name(HEADER).read_text()


def new_secret() -> str:
    """Return a fresh secret for one run, the `secret` of `run`; no figure and no verdict depends on its value."""
    return secrets.token_hex(16)


def line(secret: str, kind: str, name: str = "", expected: str = "", saw: str = "") -> str:
    """Return one result line: `kind` is `pass`, `fail` or, with the numbers of checks and failures, `end`."""
    fields = ("".join(char if char >= " " else " " for char in text) for text in (kind, name, expected, saw))
    return "\n" + "\t".join([f"{TAG} {secret}", *fields]) + "\n"


def report(secret: str, checks: list[Reported]) -> str:
    """Return all result lines of a harness that is not written in C."""
    lines = [line(secret, "pass" if c.passed else "fail", c.name, c.expected or "", c.saw or "") for c in checks]
    failures = sum(not check.passed for check in checks)
    return "".join([*lines, line(secret, "end", "", str(len(checks)), str(failures))])


def judge(outcome: Outcome, secret: str, *, expected_checks: int | None = None) -> Verdict:
    """Return the verdict on a run whose harness was given `secret`.

    `expected_checks` is how many checks a whole run reports, where that is known. Raises ValueError without a secret.
    """
    if not secret:
        raise ValueError("a verdict needs the secret of its run")
    start = f"{TAG} {secret}\t".encode()
    tagged = [text[len(start) :] for text in outcome.stdout.split(b"\n") if text.startswith(start)]
    rows = [(text.decode(errors="replace").split("\t") + [""] * 4)[:4] for text in tagged]
    checks = tuple(
        Reported(name, kind == "pass", expected or None, saw or None)
        for kind, name, expected, saw in rows
        if kind in ("pass", "fail")
    )
    reason = _missing(outcome, rows, checks, expected_checks)
    return Verdict(reason is None, reason or "every check passed", checks)


def _missing(
    outcome: Outcome, rows: list[list[str]], checks: tuple[Reported, ...], expected_checks: int | None
) -> str | None:
    failed = [check.name for check in checks if not check.passed]
    ends = [row for row in rows if row[0] == "end"]
    told = ["end", "", str(len(checks)), str(len(failed))]
    if failed:
        return f"check {failed[0]!r} failed"
    if not outcome.ok:
        return f"the program ended with {outcome.ending}"
    if not ends:
        return "the harness did not reach its end"
    if len(ends) > 1 or rows[-1] != told:
        return "the harness's lines do not add up"
    if not checks:
        return "the harness reported no check"
    if expected_checks is not None and len(checks) != expected_checks:
        return f"the harness reported {len(checks)} of {expected_checks} checks"
    return None
