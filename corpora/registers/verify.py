"""Release verification: both paths on every draw, and what a family must keep to be worth asking."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from string import Template

from corpora.registers import c_items
from corpora.registers.families import MODULES, families
from corpora.registers.family import (
    VARIANTS,
    Answer,
    Family,
    Item,
    Params,
    Question,
    Variant,
    canonical,
    form,
    gives_away,
    item,
    parameters,
)
from tasks.ids import digest
from warehouse.errors import CorpusError

FORMS: tuple[Variant, ...] = ("base", "isolate")
AGREEMENT = Fraction(1, 10**9)  # relative; both paths of a quantity are exact or nearly so
COMMONEST = {"integer": 0.35, "quantity": 0.35, "choice": 0.7}  # largest share that one answer may have
DISTINCT_DRAWS = {"base": 400, "isolate": 24}  # different questions wanted; half of the draws where that is less
ENOUGH_DRAWS = 50  # shares are judged from this many draws on
TEXT_DRAWS = 3  # draws whose every wording is rendered and read


@dataclass(frozen=True)
class Row:
    """What verification saw of one form of a family; `paths` are the ways beside the formula that agreed."""

    family: str
    form: Variant
    draws: int
    paths: tuple[str, ...]
    distinct_answers: int
    distinct_texts: int
    commonest: float


@dataclass(frozen=True)
class Report:
    """The rows of a release that may be published, and what could not be run, with what to install."""

    rows: tuple[Row, ...]
    texts: int
    not_run: tuple[str, ...]

    @property
    def answers(self) -> int:
        """Number of answers that were computed by two paths or more."""
        return sum(row.draws for row in self.rows)

    def __str__(self) -> str:
        families = len({row.family for row in self.rows})
        paths = Counter(path for row in self.rows for path in row.paths)
        ways = ", ".join(f"{path} {count} forms" for path, count in sorted(paths.items()))
        lines = [f"verified {self.answers} answers of {families} families ({ways}) and {self.texts} texts"]
        return "\n".join([*lines, *(f"not run: {reason}" for reason in self.not_run)])


@dataclass(frozen=True)
class Drawn:
    """A form of a family with the parameters and formula answers of all draws."""

    family: Family
    variant: Variant
    params: tuple[Params, ...]
    answers: tuple[Answer, ...]

    @property
    def question(self) -> Question:
        """The form."""
        return form(self.family, self.variant)

    @property
    def label(self) -> str:
        """`name` or `name (isolate)`."""
        return self.family.name + (" (isolate)" if self.variant == "isolate" else "")


def verify(release: Mapping[str, Family], draws: int = 1000, *, cortex_m: bool | None = None) -> Report:
    """Return the report of a release; raises CorpusError, naming family, draw and both answers, where paths disagree.

    Args:
        release: the families by name.
        draws: draws of each form, from index 0.
        cortex_m: whether C items also run on a simulated Cortex-M; None where the tools are installed.
    """
    forms = [drawn(family, variant, draws) for family in release.values() for variant in FORMS]
    c_forms = [one for one in forms if one.question.c is not None]
    targets, not_run = _targets(c_forms, cortex_m)
    with ThreadPoolExecutor(max_workers=2) as pool:  # gcc and the programs run while Python recomputes the others
        pending = [pool.submit(check_c, c_forms, target) for target in targets]
        for one in forms:
            check_second(one)
        texts = sum(check_texts(family) for family in release.values())
        for future in pending:
            future.result()
    rows = tuple(_row(one, targets) for one in forms)
    return Report(rows=rows, texts=texts, not_run=not_run)


def verify_release(
    modules: Sequence[str] = MODULES, draws: int = 1000, *, workers: int = 1, cortex_m: bool | None = None
) -> Report:
    """Verify the registered families with several processes and return one report; raises as `verify` does.

    Args:
        modules: modules of `corpora.registers.families`.
        draws: draws of each form.
        workers: processes, each with a share of the families and a C program of its own.
        cortex_m: as for `verify`.
    """
    names = list(families(modules))
    shares = [names[k::workers] for k in range(workers) if names[k::workers]]
    if len(shares) == 1:
        reports = [_verify_share(modules, shares[0], draws, cortex_m)]
    else:
        with ProcessPoolExecutor(max_workers=workers) as pool:
            pending = [pool.submit(_verify_share, tuple(modules), share, draws, cortex_m) for share in shares]
            reports = [future.result() for future in pending]
    rows = {(row.family, row.form): row for report in reports for row in report.rows}
    return Report(
        rows=tuple(rows[name, variant] for name in names for variant in FORMS),
        texts=sum(report.texts for report in reports),
        not_run=tuple(dict.fromkeys(reason for report in reports for reason in report.not_run)),
    )


def _verify_share(modules: Sequence[str], names: Sequence[str], draws: int, cortex_m: bool | None) -> Report:
    found = families(modules)
    return verify({name: found[name] for name in names}, draws, cortex_m=cortex_m)


def _targets(c_forms: Sequence[Drawn], cortex_m: bool | None) -> tuple[list[c_items.Target], tuple[str, ...]]:
    if not c_forms:
        return [], ()
    if cortex_m is False:
        return ["host"], ("the C items on Cortex-M, as asked",)
    if cortex_m or c_items.available("cortex-m"):
        return ["host", "cortex-m"], ()
    return ["host"], (f"the C items on Cortex-M; install {c_items.CORTEX_M_PACKAGES}",)


def drawn(family: Family, variant: Variant, draws: int) -> Drawn:
    """Return a form with all its draws; raises CorpusError for an answer that is of the wrong kind."""
    question = form(family, variant)
    params = tuple(parameters(family, variant, index) for index in range(draws))
    answers = tuple(question.answer(one) for one in params)
    for answer in answers:
        canonical(question, answer)
    return Drawn(family, variant, params, answers)


def agree(question: Question, first: Answer, other: Answer) -> bool:
    """Return whether two paths give the same answer: exactly, or a quantity within a relative 1e-9."""
    if question.kind != "quantity":
        return type(first) is type(other) and first == other
    left, right = Fraction(first), Fraction(other)
    return abs(left - right) <= AGREEMENT * max(abs(left), abs(right))


def check_second(one: Drawn) -> None:
    """Recompute every draw by the second path; raises CorpusError at the first that disagrees."""
    if one.question.second is None:
        return
    for index, (params, answer) in enumerate(zip(one.params, one.answers, strict=True)):
        _compare(one, index, answer, one.question.second(params), "the second path")


def check_c(forms: Sequence[Drawn], target: c_items.Target, flags: Sequence[str] = ()) -> int:
    """Compile and run the C items of all forms in one batch and return how many there were.

    Raises CorpusError at the first that disagrees with its formula.
    """
    cases = [case for one in forms for case in _cases(one, target)]
    results = c_items.run([code for _, _, code in cases], target, flags) if cases else []
    for (one, index, _), result in zip(cases, results, strict=True):
        question = one.question
        value: Answer = result
        if question.kind == "choice":
            value = question.choices[result] if 0 <= result < len(question.choices) else f"choice {result}"
        _compare(one, index, one.answers[index], value, f"the C path on {target}")
    return len(cases)


def _cases(one: Drawn, target: c_items.Target) -> Iterator[tuple[Drawn, int, c_items.CCode]]:
    assert one.question.c is not None
    for index, params in enumerate(one.params):
        code = one.question.c(params)
        if target == "cortex-m" or not code.cortex_m_only:
            yield one, index, code


def _compare(one: Drawn, index: int, first: Answer, other: Answer, path: str) -> None:
    if not agree(one.question, first, other):
        raise CorpusError(
            f"Family {one.label}, draw {index}: the formula gives {_told(first)} and {path} gives {_told(other)} "
            f"for {one.params[index]}; the release is refused until they agree."
        )


def _told(value: Answer) -> str:
    return f"{value} ({value:#x})" if isinstance(value, int) else str(value)


def _row(one: Drawn, targets: Sequence[c_items.Target]) -> Row:
    """Return the figures of a form; raises CorpusError for a family that hardly varies."""
    question, draws = one.question, len(one.answers)
    counts = Counter(canonical(question, answer) for answer in one.answers)
    answer, most = counts.most_common(1)[0]
    distinct_texts = len({digest(dict(question.show(params))) for params in one.params})
    wanted = min(draws // 2, DISTINCT_DRAWS[one.variant])
    paths = ("second",) * (question.second is not None) + (tuple(targets) if question.c is not None else ())
    if question.second is None and not any(next(_cases(one, target), None) for target in targets):
        raise CorpusError(f"Family {one.label} has no path that runs here; install {c_items.CORTEX_M_PACKAGES}.")
    if draws >= ENOUGH_DRAWS:
        if most / draws > COMMONEST[question.kind]:
            raise CorpusError(f"Family {one.label} answers {answer} in {most} of {draws} draws; widen its parameters.")
        if distinct_texts < wanted:
            raise CorpusError(
                f"Family {one.label} asks {distinct_texts} different questions in {draws} draws, not {wanted}."
            )
    return Row(one.family.name, one.variant, draws, paths, len(counts), distinct_texts, most / draws)


def check_texts(family: Family) -> int:
    """Read every wording of a few draws in every variant and return how many texts there were.

    Raises CorpusError for a wording that leaves a parameter out, two wordings that read alike, different parameters
    that read alike, or a distractor that holds the answer.
    """
    seen: dict[str, Item] = {}
    for variant in FORMS:
        _check_placeholders(family, variant)
    for variant in VARIANTS:
        for index in range(1 if variant in ("base", "rename") else TEXT_DRAWS):
            for wording in range(1 if variant == "base" else len(form(family, variant).wordings)):
                if (variant == "renumber" and not index) or (variant == "rename" and not wording):
                    continue
                made = item(family, variant, index, wording)
                other = seen.setdefault(made.question, made)
                if other is not made and (other.draw == made.draw or other.params != made.params):
                    raise CorpusError(f"Family {family.name} asks {made.key} in the words of {other.key}.")
                if variant == "distractor":
                    _check_distractor(family, index, wording)
    return len(seen)


def _check_placeholders(family: Family, variant: Variant) -> None:
    question = form(family, variant)
    keys = set(question.show(parameters(family, variant, 0)))
    for index, wording in enumerate(question.wordings):
        given = _used(wording)
        if question.conventions:
            given |= _used(question.conventions[index % len(question.conventions)])
        if missing := sorted(keys - given):
            raise CorpusError(f"Wording {index} of {family.name} ({variant}) leaves out {', '.join(missing)}.")


def _used(text: str) -> set[str]:
    return {
        found.group("named") or found.group("braced")
        for found in Template.pattern.finditer(text)
        if found.group("named") or found.group("braced")
    }


def _check_distractor(family: Family, index: int, wording: int) -> None:
    """The paragraph adds to the question, changes nothing else, and does not hold the answer."""
    plain = item(family, "renumber" if index else "rename" if wording else "base", index, wording)
    busy = item(family, "distractor", index, wording)
    added = [part for part in busy.question.split("\n\n") if part not in plain.question.split("\n\n")]
    if len(added) != 1 or busy.answer != plain.answer or gives_away(added[0], busy.answer):
        raise CorpusError(f"The distractor of {busy.key} changes the question or holds the answer.")
