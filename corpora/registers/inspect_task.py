"""The registers track as a task of Inspect: `inspect eval corpora/registers/inspect_task.py --model ...`.

Questions are those of a release, of a file of items, or freshly generated ones; scores are those of `grade.py`, taken
by the very functions that `firmbench run` uses. Needs the extra `inspect`.
"""

import importlib.util
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as Question
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, accuracy, mean, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate

import corpora
from corpora.registers.build import VERIFY_DRAWS
from corpora.registers.schema import Sample
from tasks.contract import Bench, BuildInputs, Message, Reply, Status
from tasks.curation.release import listing, load
from tasks.grading.evaluate import evaluate
from tasks.inference.extract import extract
from warehouse.errors import UsageError
from warehouse.layout import Layout
from warehouse.stats.registers import metrics

TRACK = "registers"
SIZE = 200
DECIDE_WITHOUT = ("accuracy", "accuracy_answered", "no_answer_rate")
"""Figures that Inspect's own metrics give, or that need more than one number a sample."""

Names = str | list[str] | None


def count_tokens_offline() -> None:
    """Let Inspect's token counts, which its mock model takes too, use the vocabulary that litellm ships."""
    found = importlib.util.find_spec("litellm")
    for root in (found.submodule_search_locations or ()) if found else ():
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(root) / "litellm_core_utils" / "tokenizers"))


count_tokens_offline()


@task
def registers(
    release: str | None = None,
    items: str | None = None,
    size: int = SIZE,
    config: str = "full",
    variants: Names = None,
    domains: Names = None,
    families: Names = None,
    data: str | None = None,
    verify_draws: int = VERIFY_DRAWS,
) -> Task:
    """Register-level reasoning under rewording, renumbering and distraction.

    Args:
        release: a release of the track in the data folder; by default the newest one there.
        items: a file of items with check blocks to ask instead.
        size: how many items to generate where there is no release.
        config: what the model is shown: `full`, or `direct` for the answer alone.
        variants: only these, comma-separated or a list; `domains` and `families` likewise.
        data: the data folder; default $FIRMBENCH_DATA, else ./data.
        verify_draws: draws a family that both answer paths are compared on before items are generated.
    """
    track = corpora.load(TRACK)
    if config not in track.configs:
        raise UsageError(f"There is no config {config!r}; the configs are {', '.join(track.configs)}.")
    held = _samples(release, items, size, Layout.default(data), verify_draws)
    wanted = {"category": _names(variants), "domain": _names(domains), "family": _names(families)}
    kept = {
        one.sample_id: one
        for one in held
        if all(names is None or getattr(one, field) in names for field, names in wanted.items())
    }
    if not kept:
        raise UsageError("No item is of these variants, domains and families; loosen one of the filters.")
    questions = [
        Question(
            id=one.sample_id,
            input=_messages(track.prompt(one, track.configs[config]).messages),
            target=one.expected,
            metadata={"family": one.family, "variant": one.category, "domain": one.domain, "tier": one.difficulty,
                      "kind": one.kind, "unit": one.unit, "tolerance": one.tolerance, "base": one.base,
                      "rationale": one.rationale},
        )
        for one in kept.values()
    ]  # fmt: skip
    return Task(
        dataset=MemoryDataset(questions, name=TRACK),
        solver=generate(),
        scorer=graded(kept),
        version=track.grader_version,
    )


@metric
def robustness() -> Metric:
    """Accuracy by variant and tier, deltas and consistencies, and the least delta that is found with 80 % power."""

    def compute(scores: list[SampleScore]) -> Value:
        rows = [(one.sample_metadata or {}, one.score.as_float()) for one in scores]
        family, variant, tier = ([str(facts.get(name)) for facts, _ in rows] for name in ("family", "variant", "tier"))
        found = metrics(family, variant, tier, [value for _, value in rows], [1] * len(rows))
        values: dict[str, str | int | float | bool | None] = {
            one.name: one.estimate.estimate for one in found if one.name not in DECIDE_WITHOUT
        }
        return values | {f"{one.name}_detectable": one.detectable for one in found if one.detectable is not None}

    return compute


@scorer(
    metrics={"correct": [accuracy(), stderr(cluster="family"), robustness()],
             "no_answer": [mean(), stderr(cluster="family")]}
)  # fmt: skip
def graded(samples: dict[str, Sample]) -> Scorer:
    """Grade as `firmbench` does; `no_answer` is apart from `correct`, which counts such a reply as wrong."""
    track = corpora.load(TRACK)

    async def score(state: TaskState, target: Target) -> Score:
        sample = samples[str(state.sample_id)]
        text = state.output.completion
        code, rule = extract(text, sample.answer_kind)
        verdict = evaluate(track, sample, Reply(text=text, code=code, rule=rule), Bench())
        checks = {check.check: str(check.status) for check in verdict.checks}
        return Score(
            value={"correct": verdict.score or 0.0, "no_answer": float(verdict.status is Status.NO_SUBMISSION)},
            answer=code or None,
            explanation=next((check.saw for check in verdict.checks if check.saw), None),
            metadata={"status": str(verdict.status), "rule": rule, "checks": checks},
        )

    return score


def _samples(release: str | None, items: str | None, size: int, layout: Layout, draws: int) -> Iterable[Sample]:
    """Return the samples of a file, of a release, or newly generated ones, in that order of precedence."""
    from corpora.registers import items_import
    from corpora.registers.build import build

    if items is not None:
        return [one for one in items_import.samples(Path(items).expanduser()) if isinstance(one, Sample)]
    if release is not None or any(manifest["track"] == TRACK for manifest in listing(layout)):
        return [one for one in load(layout, corpora.load(TRACK), release).samples.values() if isinstance(one, Sample)]
    built = build(BuildInputs(size=size, options={"verify_draws": draws}))
    return [one for one in built if isinstance(one, Sample)]


def _messages(messages: Sequence[Message]) -> list[ChatMessage]:
    kinds: dict[str, Any] = {"system": ChatMessageSystem, "user": ChatMessageUser}
    return [kinds[message.role](content=message.content) for message in messages]


def _names(names: Names) -> frozenset[str] | None:
    """Return names given as a list or comma-separated, as Inspect passes `-T` values."""
    if names is None:
        return None
    parts = names.split(",") if isinstance(names, str) else names
    return frozenset(str(part).strip() for part in parts) - {""} or None
