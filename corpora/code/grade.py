"""Facts about a reply to a code question, and how near it is to the reference (docs/code-track.md lists the checks).

Layer `static` holds the yes/no facts and decides the status. Layer `similarity` measures: a similarity is no verdict,
so such a check passes as soon as there is code to measure and fails only on an empty reply; its score is the figure.
Token completion has one verdict, the exact match.
"""

from functools import lru_cache
from pathlib import Path

from corpora.code import figures
from corpora.code.locate import cut_block
from corpora.code.schema import GENERATION, TOKEN, Sample
from tasks.contract import Bench, Check, Reply, Status
from tasks.grading import codebleu as measure
from tasks.grading.c_library import in_library
from tasks.grading.facts import Facts, facts, fragment_facts, visible_names
from tasks.grading.lexer import tokens
from tasks.grading.similarity import edit_similarity

STATIC, SIMILARITY = "static", "similarity"

VERSION = f"2+codebleu-{measure.VERSION}"


def grade(sample: Sample, reply: Reply, bench: Bench) -> list[Check]:
    """Return the checks of a reply; `bench.release` holds the companion table `known_names`."""
    if sample.category == TOKEN:
        return _token(sample, reply.code)
    if not reply.code.strip():
        return _nothing(sample, bench)
    if sample.category == GENERATION:
        seen = facts(reply.code, _language(sample), name=sample.function_name, macros=sample.macros)
        code, how = seen.code, _which(seen, sample)
    else:
        code, how = cut_block(reply.code, sample)
        seen = fragment_facts(
            code, _language(sample), prefix=sample.prefix, suffix=sample.suffix, macros=sample.macros
        )  # fmt: skip
    checks = [_parses(seen, how), _known_calls(seen, sample, bench)]
    if sample.category == GENERATION:
        checks.append(_signature(seen, sample))
    checks.append(_substantive(seen))
    return [*checks, *_similarity(sample, code, bench)]


def _token(sample: Sample, code: str) -> list[Check]:
    given, wanted = code.strip(), sample.reference.strip()
    same = given == wanted
    return [
        Check(
            layer=SIMILARITY,
            check="exact_match",
            status=Status.PASS if same else Status.FAIL,
            expected=wanted,
            saw=given[:200],
            score=float(same),
            headline=True,
        ),
        _measured("edit_similarity", edit_similarity(given, wanted) if given else 0.0, bool(given)),
    ]


def _nothing(sample: Sample, bench: Bench) -> list[Check]:
    """Return the checks of an empty reply: it does nothing, and there is nothing to measure."""
    saw = "an empty reply"
    checks = [
        Check(layer=STATIC, check=name, status=Status.FAIL, expected=expected, saw=saw)
        for name, expected in (("parses", "code"), ("substantive", "code that does something"))
    ]
    names = ("codebleu", "codebleu_ngram", "codebleu_weighted_ngram", "codebleu_syntax", "edit_similarity")
    checks += [_measured(name, 0.0, False, headline=name == "codebleu") for name in names]
    return checks + ([figures.package(sample.reference, "", _language(sample))] if bench.figures else [])


def _which(seen: Facts, sample: Sample) -> str:
    if not seen.found:
        return f"no function {sample.function_name} in the reply: all of it is graded"
    return f"one of {seen.functions} functions" if seen.functions > 1 else "the function"


def _parses(seen: Facts, how: str) -> Check:
    if seen.fault is None:
        return Check(layer=STATIC, check="parses", status=Status.PASS, expected="no syntax error", saw=how)
    where = f"line {seen.fault.line}: {seen.fault.text}"
    return Check(layer=STATIC, check="parses", status=Status.FAIL, expected="no syntax error", saw=where)


def _known_calls(seen: Facts, sample: Sample, bench: Bench) -> Check:
    """Every called name is the project's, a library's, the reply's own, or stands in what the sample shows."""
    expected = "calls of functions that exist"
    names = _known(str(bench.companion("known_names"))) if bench.release is not None else {}
    known = names.get(sample.project_id or "")
    if known is None:
        saw = f"no names of the project {sample.project_id!r} at hand: grade with the sample's release"
        return Check(layer=STATIC, check="known_calls", status=Status.NOT_RUN, expected=expected, saw=saw)
    called = dict.fromkeys(call.name for call in seen.calls)
    language = _language(sample)
    strange = [name for name in called if name not in known and name not in seen.defined]
    strange = [name for name in strange if not in_library(name, language)]
    if strange:
        shown = _shown(sample)
        strange = [name for name in strange if name not in shown]
    if strange:
        saw = f"invented API: {', '.join(strange)}"
        return Check(layer=STATIC, check="known_calls", status=Status.FAIL, expected=expected, saw=saw)
    saw = f"{len(called)} names called"
    return Check(layer=STATIC, check="known_calls", status=Status.PASS, expected=expected, saw=saw)


def _signature(seen: Facts, sample: Sample) -> Check:
    wanted = _reference_facts(sample.reference, _language(sample), sample.function_name, sample.macros).signature
    same = seen.signature == wanted
    return Check(
        layer=STATIC,
        check="signature",
        status=Status.PASS if same else Status.FAIL,
        expected=" ".join(wanted),
        saw=" ".join(seen.signature) or "no function",
    )


def _substantive(seen: Facts) -> Check:
    return Check(
        layer=STATIC,
        check="substantive",
        status=Status.PASS if seen.substantive else Status.FAIL,
        expected="code that does something",
        saw="it does" if seen.substantive else "constants and empty statements only",
    )


def _similarity(sample: Sample, code: str, bench: Bench) -> list[Check]:
    given = tokens(code)
    result = measure.codebleu(_reference(sample.reference, _language(sample)), code)
    checks = [
        _measured("codebleu", result.score, bool(given), headline=True),
        _measured("codebleu_ngram", result.ngram, bool(given)),
        _measured("codebleu_weighted_ngram", result.weighted_ngram, bool(given)),
        _measured("codebleu_syntax", result.syntax, bool(given)),
        _measured("codebleu_dataflow", result.dataflow, bool(given), saw=NO_FLOW if result.dataflow is None else None),
        _measured("edit_similarity", edit_similarity(given, _tokens(sample.reference)), bool(given)),
    ]
    return checks + ([figures.package(sample.reference, code, _language(sample))] if bench.figures else [])


NO_FLOW = "the reference has no data flow"


def _measured(name: str, score: float | None, given: bool, headline: bool = False, saw: str | None = None) -> Check:
    return Check(
        layer=SIMILARITY,
        check=name,
        status=Status.PASS if given else Status.FAIL,
        saw=saw if given else "nothing to compare",
        score=score,
        headline=headline,
    )


def _language(sample: Sample) -> str:
    return sample.language or "c"


def _shown(sample: Sample) -> frozenset[str]:
    """Return the names that the sample itself shows: in its context, its visible code and its signature."""
    texts = (*(item.text for item in sample.context), sample.prefix, sample.suffix, sample.signature)
    return frozenset().union(*map(_visible, texts))


@lru_cache(maxsize=1024)
def _visible(text: str) -> frozenset[str]:
    return visible_names(text)


@lru_cache(maxsize=4)
def _known(path: str) -> dict[str, frozenset[str]]:
    """Return the known names of each project of a release, read once a process."""
    import pyarrow.parquet as pq

    table = pq.read_table(Path(path), columns=["project_id", "name"])
    found: dict[str, set[str]] = {}
    for project_id, name in zip(table["project_id"].to_pylist(), table["name"].to_pylist(), strict=True):
        found.setdefault(project_id, set()).add(name)
    return {project_id: frozenset(names) for project_id, names in found.items()}


@lru_cache(maxsize=512)
def _reference(text: str, language: str) -> measure.Reference:
    return measure.Reference((text,), "c" if language == "c" else "cpp")


@lru_cache(maxsize=512)
def _reference_facts(text: str, language: str, name: str, macros: tuple[str, ...]) -> Facts:
    return facts(text, language, name=name, macros=macros)


@lru_cache(maxsize=512)
def _tokens(text: str) -> list[str]:
    return tokens(text)
