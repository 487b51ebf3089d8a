"""Run the checks of cases on right and wrong texts, and say of each check what it fired on."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from corpora.firmware.audit.lines import line_mutants
from corpora.firmware.case import Case
from corpora.firmware.checking import MODULES, Budget, Job, run_checks, seeded
from corpora.firmware.language import stub_of
from corpora.firmware.layout import commented_out, in_if_zero, reformatted
from corpora.firmware.own_layers import run_own
from tasks.contract import Check, Status
from tasks.grading.evaluate import verdict
from tasks.sandbox import Sandbox

Kind = Literal["reference", "layout", "hidden", "nothing", "seeded", "line"]
WRONG: tuple[Kind, ...] = ("hidden", "nothing", "seeded", "line")
RAN = "ran"
READING = ("static", "heuristic")
HARNESS = frozenset({"builds", "parses", "no_crash", "no_api_misuse", "within_limits", "ends_well"})
"""Checks that no case writes: the grader and the platform's harness make them for each."""


@dataclass(frozen=True)
class Text:
    """One text that a case's checks are run on. `hidden` is the reference as a comment or in `#if 0`."""

    case: Case
    kind: Kind
    name: str
    code: str


@dataclass(frozen=True)
class Result:
    """What the checks said of one text; `runs` says whether it compiled and behaved, None where nothing was run."""

    text: Text
    checks: tuple[Check, ...]
    runs: bool | None


@dataclass(frozen=True)
class Audited:
    """One check of one case. Counts are of texts on which the check had a verdict at all.

    `shown` says pass or fail on the texts of a kind; `disagreements` are mutants on which it failed although they
    compile and pass the runtime layer (None where nothing is run): a false alarm, or a fault that the run cannot see.
    """

    case: str
    category: str
    layer: str
    check: str
    verdicts: tuple[tuple[Kind, str, bool], ...]
    disagreements: tuple[str, ...] | None

    @property
    def is_harness(self) -> bool:
        """Whether the check is one that every case has, and none writes."""
        return self.disagreements is not None and self.check in HARNESS

    def _passed(self, *kinds: Kind) -> list[bool]:
        return [passed for kind, _, passed in self.verdicts if kind in kinds]

    def _named(self, name: str) -> bool | None:
        return next((passed for _, text, passed in self.verdicts if text == name), None)

    @property
    def passes_reference(self) -> bool:
        """Whether it passes on the reference."""
        return all(self._passed("reference"))

    @property
    def survives_layout(self) -> bool | None:
        """Whether it says of the reference in every other layout what it says of the reference; None without one."""
        other = self._passed("layout")
        return all(passed == self.passes_reference for passed in other) if other else None

    @property
    def passes_hidden(self) -> int:
        """On how many of the texts without live code it passes: in comments, or in `#if 0`."""
        return sum(self._passed("hidden"))

    @property
    def hidden(self) -> int:
        """How many texts without live code there are."""
        return len(self._passed("hidden"))

    @cached_property
    def fired_on(self) -> tuple[str, ...]:
        """The seeded bugs that it fails on."""
        return tuple(name for kind, name, passed in self.verdicts if kind == "seeded" and not passed)

    @property
    def seeded(self) -> int:
        """How many seeded bugs there are."""
        return len(self._passed("seeded"))

    @property
    def lines(self) -> int:
        """How many one-line mutants it judged."""
        return len(self._passed("line"))

    @property
    def killed(self) -> int:
        """On how many of them it fails."""
        return sum(not passed for passed in self._passed("line"))

    @property
    def never_fires(self) -> bool:
        """Whether it passes on everything, right and wrong, nothing at all included."""
        return all(passed for _, _, passed in self.verdicts)

    @property
    def fires_on_no_code(self) -> bool:
        """Whether it passes on every text that has code in it: what fires it is only that there is none."""
        return all(self._passed("reference", "layout", "seeded", "line"))

    @property
    def always_fires(self) -> bool:
        """Whether it passes on nothing, the reference included."""
        return not any(passed for _, _, passed in self.verdicts)


@dataclass(frozen=True)
class CaseAudited:
    """What all checks of a case say together.

    `passed` says of each text that is neither the reference nor a mutant whether it passes: layouts, which should, and
    texts without live code, which should not. `killed` are the one-line mutants that any check fails on,
    `killed_by_reading` those that a static or heuristic check does; `survivors` pass every check, for what they do is
    the same, or because no check asks for what they break.
    """

    case: str
    category: str
    passed: tuple[tuple[Kind, str, bool], ...]
    lines: int
    killed: int
    killed_by_reading: int
    survivors: tuple[str, ...]


def texts(case: Case, bugs: dict[str, str], most: int) -> Iterator[Text]:
    """Yield every text that the case's checks are run on."""
    yield Text(case, "reference", "reference", case.answer)
    for name, code in reformatted(case).items():
        yield Text(case, "layout", name, code)
    for name, code in {**commented_out(case), **in_if_zero(case)}.items():
        yield Text(case, "hidden", name, code)
    for name, code in {"empty": "", "stub": stub_of(case)}.items():
        yield Text(case, "nothing", name, code)
    for name, code in bugs.items():
        yield Text(case, "seeded", name, code)
    for mutant in line_mutants(case, most):
        yield Text(case, "line", mutant.name, mutant.text)


def audit(
    cases: Sequence[Case],
    sandbox: Sandbox,
    *,
    most: int = 20,
    budget: Budget = Budget(),
    done: Callable[[Case], None] = lambda case: None,
) -> tuple[list[Audited], list[CaseAudited]]:
    """Return every check of the cases, and what the checks of each case say together.

    `most` is the number of one-line mutants a case.
    Public cases are only read (static and heuristic layers), in the sandbox; those of our own are run, too.
    """
    bugs: dict[str, dict[str, str]] = {case.id: {} for case in cases}
    for bug in seeded(cases, sandbox, budget)[0]:
        if bug.text is not None:
            bugs[bug.case.id][bug.name] = bug.text
    checks: list[Audited] = []
    together: list[CaseAudited] = []
    for case in cases:
        results = list(_run(list(texts(case, bugs[case.id], most)), sandbox, budget))
        checks += _audited(case, results)
        together.append(_together(case, results))
        done(case)
    return checks, together


def _run(asked: list[Text], sandbox: Sandbox, budget: Budget) -> Iterator[Result]:
    if not asked[0].case.is_own:
        jobs = [Job(text.case, layer, text.code) for text in asked for layer in MODULES]
        found = iter(run_checks(jobs, sandbox, budget))
        for text in asked:
            yield Result(text, tuple(check for _ in MODULES for check in next(found)), None)
        return
    for text in asked:
        layered = run_own(text.case, text.code, sandbox)
        statuses = layered.statuses()
        runs = statuses["compile"] == Status.PASS and statuses["runtime"] == Status.PASS
        yield Result(text, tuple(layered.of_model), runs)


def _audited(case: Case, results: list[Result]) -> Iterator[Audited]:
    names = dict.fromkeys((check.layer, check.check) for result in results for check in result.checks)
    for layer, name in names:
        if name == RAN:
            continue
        verdicts: list[tuple[Kind, str, bool]] = []
        disagreements: list[str] = []
        for result in results:
            status = next((c.status for c in result.checks if (c.layer, c.check) == (layer, name)), None)
            if status not in (Status.PASS, Status.FAIL):
                continue
            verdicts.append((result.text.kind, result.text.name, status == Status.PASS))
            if status == Status.FAIL and result.runs and result.text.kind in ("seeded", "line"):
                disagreements.append(result.text.name)
        told = tuple(disagreements) if case.is_own else None
        yield Audited(case.id, case.metadata.category, layer, name, tuple(verdicts), told)


def _together(case: Case, results: list[Result]) -> CaseAudited:
    mutants = [result for result in results if result.text.kind == "line"]
    reading = [_status(check for check in r.checks if check.layer in READING) for r in mutants]
    others = [result for result in results if result.text.kind in ("layout", "hidden", "nothing")]
    return CaseAudited(
        case.id,
        case.metadata.category,
        tuple((r.text.kind, r.text.name, _status(r.checks) == Status.PASS) for r in others),
        len(mutants),
        sum(_status(result.checks) == Status.FAIL for result in mutants),
        sum(status == Status.FAIL for status in reading),
        tuple(result.text.name for result in mutants if _status(result.checks) == Status.PASS),
    )


def _status(checks: Iterable[Check]) -> Status:
    return verdict(checks).status
