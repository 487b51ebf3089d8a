"""Do the checks of cases accept their references, and see the bugs that the cases seed? About checks, not models."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.firmware.case import Case
from corpora.firmware.checking import MODULES, Budget, Job, Layer, Seeded, run_checks, seeded
from corpora.firmware.own_layers import run_own
from tasks.contract import Check, Status
from tasks.sandbox import Sandbox


@dataclass(frozen=True)
class Reference:
    """What the checks of a case say about its own reference."""

    case: Case
    checks: tuple[Check, ...]

    @property
    def valid(self) -> bool:
        """Whether every check ran and passed."""
        return all(check.status == Status.PASS for check in self.checks)

    @property
    def wrong(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if check.status != Status.PASS)


@dataclass(frozen=True)
class Caught:
    """What became of one seeded bug. `fired` are the checks that failed on the mutant and passed on the reference.

    `status` is `pass` if every check named by the entry fired, `fail` if one did not, `infra_error` if the
    mutation or a check module broke, or a named check does not exist; `reason` says which.
    """

    seeded: Seeded
    fired: tuple[str, ...]
    status: Status
    reason: str

    @property
    def promised(self) -> bool:
        """Whether the case promises that it is caught (`must_fail`), not only wishes so (`should_fail`)."""
        return bool(self.seeded.must_fail)


@dataclass(frozen=True)
class Validation:
    """The references and the seeded bugs of some cases; `faults` are negatives that could not be read."""

    references: tuple[Reference, ...]
    bugs: tuple[Caught, ...]
    faults: tuple[str, ...]

    def figures(self) -> dict[str, int]:
        """Return the counts: references, must_fail and should_fail, each as `of` and as how many held."""
        must = [bug for bug in self.bugs if bug.promised]
        should = [bug for bug in self.bugs if not bug.promised]
        return {
            "references": len(self.references),
            "references_valid": sum(reference.valid for reference in self.references),
            "must_fail": len(must),
            "must_fail_caught": sum(bug.status == Status.PASS for bug in must),
            "should_fail": len(should),
            "should_fail_caught": sum(bug.status == Status.PASS for bug in should),
            "faults": len(self.faults),
        }


def validate(cases: Sequence[Case], sandbox: Sandbox, budget: Budget = Budget()) -> Validation:
    """Run the checks on every reference and on every mutant that the cases' negatives make of it.

    Those are the static and heuristic checks of a public case, and all layers of one of our own.
    """
    references = _on([(case, case.answer) for case in cases], sandbox, budget)
    by_case = dict(zip((case.id for case in cases), references, strict=True))
    bugs, faults = seeded(cases, sandbox, budget)
    changed = [bug for bug in bugs if bug.text is not None]
    verdicts = iter(_on([(bug.case, bug.text or "") for bug in changed], sandbox, budget))
    caught = [judge(bug, by_case[bug.case.id], next(verdicts) if bug.text is not None else ()) for bug in bugs]
    return Validation(
        tuple(Reference(case, by_case[case.id]) for case in cases), tuple(caught), tuple(faults)
    )  # fmt: skip


def judge(bug: Seeded, reference: tuple[Check, ...], mutant: tuple[Check, ...]) -> Caught:
    """Return whether the checks that the entry names fail on the mutant and pass on the reference."""
    named = bug.must_fail or bug.should_fail
    before = {check.check for check in reference if check.status == Status.FAIL}
    fired = tuple(dict.fromkeys(c.check for c in mutant if c.status == Status.FAIL and c.check not in before))
    told = (Status.PASS, Status.FAIL)
    broken = [check.saw for check in reference if check.status not in told]
    # A mutant that does not compile has no runtime layer: that is no fault of a check.
    broken += [check.saw for check in mutant if check.status not in (*told, Status.NOT_RUN)]
    unknown = sorted(set(named) - {check.check for check in reference})
    missed = [name for name in named if name not in fired]
    if bug.fault or broken:
        return Caught(bug, fired, Status.INFRA_ERROR, bug.fault or str(broken[0]))
    if not named:
        return Caught(bug, fired, Status.INFRA_ERROR, "the entry names no check in must_fail or should_fail")
    if unknown and bug.must_fail:
        return Caught(bug, fired, Status.INFRA_ERROR, f"no check is called {', '.join(unknown)}")
    if missed:
        return Caught(bug, fired, Status.FAIL, f"did not fire: {', '.join(missed)}")
    return Caught(bug, fired, Status.PASS, "every named check fired")


def _on(pairs: Sequence[tuple[Case, str]], sandbox: Sandbox, budget: Budget) -> list[tuple[Check, ...]]:
    """Run the check modules of public cases in one batch, and every layer of a case of our own."""
    layers: list[Layer] = list(MODULES)
    foreign = [(case, code) for case, code in pairs if not case.is_own]
    found = iter(run_checks([Job(case, layer, code) for case, code in foreign for layer in layers], sandbox, budget))
    return [
        tuple(run_own(case, code, sandbox).of_model)
        if case.is_own
        else tuple(check for _ in layers for check in next(found))
        for case, code in pairs
    ]
