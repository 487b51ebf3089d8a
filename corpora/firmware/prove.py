"""Prove cases of our own: the reference passes however it is laid out, and everything wrong fails.

    python -m corpora.firmware.prove [CASE_FOLDER ...]

prints one line a case, below it one for each claim that does not hold, and exits with 1 if there is any.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from corpora.firmware import own
from corpora.firmware.case import Case
from corpora.firmware.language import stub_of
from corpora.firmware.layout import commented_out, in_if_zero, reformatted
from corpora.firmware.loader import own_cases, read_case
from corpora.firmware.own_layers import run_own
from tasks.contract import Check, Status
from tasks.grading.layers import Layered
from tasks.sandbox import Sandbox, open_sandbox
from warehouse.errors import FirmbenchError

Claim = Literal["passes", "fails", "caught"]
BROKEN: dict[Claim, str] = {"passes": "does not pass", "fails": "does not fail", "caught": "is not caught"}


@dataclass(frozen=True)
class Proof:
    """One claim about one answer to a case, and what keeps it from holding; nothing if it holds."""

    case: str
    answer: str
    claim: Claim
    fault: str | None

    @property
    def holds(self) -> bool:
        """Whether the claim holds."""
        return self.fault is None


def prove(case: Case, sandbox: Sandbox) -> Iterator[Proof]:
    """Yield every claim about the case, proven or not."""
    reference = run_own(case, case.answer, sandbox)
    yield Proof(case.id, "reference", "passes", _not_passing(reference))
    known = {check.check for check in reference.of_model}
    for negative in own.read(case).negatives:
        missing = [name for name in negative.must_fail if name not in known]
        result = run_own(case, own.read(case).mutants[negative.name], sandbox)
        fault = f"no check is called {', '.join(missing)}" if missing else _not_caught(result, negative.must_fail)
        yield Proof(case.id, f"bug {negative.name}", "caught", fault)
    for name, text in wrong(case).items():
        yield Proof(case.id, name, "fails", _not_failing(run_own(case, text, sandbox)))
    for name, text in reformatted(case).items():
        yield Proof(case.id, name, "passes", _not_passing(run_own(case, text, sandbox)))
    names = [(check.layer, check.check) for check in reference.of_model]
    twice = sorted({name for _, name in names if [n for _, n in names].count(name) > 1})
    yield Proof(case.id, "names", "passes", f"two checks are called {', '.join(twice)}" if twice else None)


def wrong(case: Case) -> dict[str, str]:
    """Return the answers that every case must fail, by name."""
    answers = {"empty": "", "stub": stub_of(case)}
    return {**answers, **commented_out(case), **in_if_zero(case)}


def _not_passing(result: Layered) -> str | None:
    if result.verdict().status == Status.PASS:
        return None
    return _told([check for check in result.of_model if check.status != Status.PASS])


def _not_failing(result: Layered) -> str | None:
    status = result.verdict().status
    return None if status == Status.FAIL else f"its verdict is {status.value}"


def _not_caught(result: Layered, named: Sequence[str]) -> str | None:
    if fault := _not_failing(result):
        return fault
    failed = {check.check for check in result.of_model if check.status == Status.FAIL}
    missed = [name for name in named if name not in failed]
    return f"did not fail: {', '.join(missed)}; failed: {', '.join(sorted(failed))}" if missed else None


def _told(checks: Sequence[Check]) -> str:
    parts = [
        f"{check.layer}/{check.check} {check.status.value}"
        + (f", expected {check.expected}" if check.expected else "")
        + (f", saw {check.saw}" if check.saw else "")
        for check in checks
    ]
    return "; ".join(parts)


def main(folders: Sequence[str]) -> int:
    """Prove the cases in the folders, or all of ours, and print what does not hold; return the exit status."""
    faulty = 0
    try:
        cases = [read_case(Path(folder), Path(folder).parent) for folder in folders] or list(own_cases())
        with open_sandbox() as sandbox:
            for case in cases:
                proofs = list(prove(case, sandbox))
                wrong = [proof for proof in proofs if not proof.holds]
                faulty += bool(wrong)
                word = "FAULTY" if wrong else "proven"
                print(f"{word}  {case.id}: {len(proofs) - len(wrong)} of {len(proofs)} claims hold")
                for proof in wrong:
                    print(f"    {proof.answer} {BROKEN[proof.claim]}: {proof.fault}")
    except FirmbenchError as error:
        print(f"firmbench: {error}", file=sys.stderr)
        return 2
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
