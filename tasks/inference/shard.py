"""Ask one model one shard of units: each reply is journalled as it arrives, and the shard lands as one batch."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from tasks.contract import BaseSample, Bench, Config, Message, Prompt, Reply, Track
from tasks.grading.evaluate import Evaluation, evaluate
from tasks.grading.work import SUBMITTED
from tasks.ids import canonical
from tasks.inference.answer import Answer, Tool
from tasks.inference.budget import Budget
from tasks.inference.extract import extract
from tasks.inference.journal import Journal
from tasks.inference.kept import Kept
from tasks.inference.models import Model
from tasks.inference.plan import Planned, Shard, prompt_hash
from tasks.inference.scenarios import Outcome, Scenario, Workplace, scenario
from tasks.inference.tokens import estimate
from tasks.inference.workplace import LimitReached
from warehouse.errors import BudgetError, ModelError, SandboxError
from warehouse.layout import Layout

Row = dict[str, Any]


@dataclass(frozen=True)
class ShardSummary:
    """How a shard went. `model_s` is the wall time with at least one request in flight, out of `wall_s`.

    `busy` are the spans that make up `model_s`, on the clock of `time.perf_counter`. `stopped` says why the units left
    (`unasked`) were not asked: the budget, or a key the provider refused.
    """

    answered: int
    errors: int
    model_s: float
    wall_s: float
    unasked: int = 0
    stopped: str | None = None
    busy: tuple[tuple[float, float], ...] = ()


def run_shard(track: Track, samples: Mapping[str, BaseSample], shard: Shard, model: Model,
              configs: Mapping[str, Config], *, layout: Layout, run_id: str, release: str,
              budget: Budget, on_reply: Callable[[int], None] = lambda count: None, bench: Bench = Bench(),
              limits: Mapping[str, Any] | None = None) -> ShardSummary:  # fmt: skip
    """Ask the units of `shard`, `model.concurrency` at a time, and write one batch of generations, turns, submissions.

    A failure of the provider, or an empty reply of a model that might answer next time, becomes a row with an
    `error_kind`, which the next run asks again. `on_reply` is called with 1 for each. `bench` is for scenarios that
    grade on the way and `limits` as in `plan`. Whatever ends this early, the replies that came are landed. Raises
    ModelError if a prompt is not the one that was planned.
    """
    started = time.perf_counter()
    journal = Journal.create(layout, shard.name, durable=not model.deterministic)
    work = _Work(track, samples, model, configs, run_id, release, budget, journal, on_reply, bench,
                 limits or {})  # fmt: skip
    try:
        asyncio.run(work.all(shard.units))
    finally:
        journal.land()
    return ShardSummary(
        answered=work.answered,
        errors=work.errors,
        model_s=union_s(work.busy.spans),
        wall_s=time.perf_counter() - started,
        unasked=len(shard.units) - work.answered - work.errors,
        stopped=work.stopped,
        busy=tuple(work.busy.spans),
    )


def totals(summaries: Iterable[ShardSummary]) -> dict[str, Any]:
    """Return the sums of shards of one process as columns of the `runs` table; time shards share counts once."""
    every = list(summaries)
    return {
        "answered": sum(one.answered for one in every),
        "errors": sum(one.errors for one in every),
        "model_s": union_s(span for one in every for span in one.busy),
    }


def union_s(spans: Iterable[tuple[float, float]]) -> float:
    """Return the seconds that at least one of `spans` (start, end) covers."""
    covered, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return covered


class _Busy:
    """The spans of time during which at least one request was in flight."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []
        self._open = 0
        self._since = 0.0

    def __enter__(self) -> None:
        if not self._open:
            self._since = time.perf_counter()
        self._open += 1

    def __exit__(self, *raised: object) -> None:
        self._open -= 1
        if not self._open:
            self.spans.append((self._since, time.perf_counter()))


@dataclass
class _Work:
    track: Track
    samples: Mapping[str, BaseSample]
    model: Model
    configs: Mapping[str, Config]
    run_id: str
    release: str
    budget: Budget
    journal: Journal
    on_reply: Callable[[int], None]
    bench: Bench
    limits: Mapping[str, Any]
    busy: _Busy = field(default_factory=_Busy)
    answered: int = 0
    errors: int = 0
    stopped: str | None = None

    async def all(self, units: Sequence[Planned]) -> None:
        """Ask every unit, until something stops the shard."""
        queue = iter(units)
        await asyncio.gather(*(self.worker(queue) for _ in range(min(self.model.concurrency, len(units)))))

    async def worker(self, queue: Iterator[Planned]) -> None:
        """Take units off the shared queue, one at a time."""
        for planned in queue:
            if self.stopped:
                return
            await self.one(planned)

    async def one(self, planned: Planned) -> None:
        """Ask one unit and journal what came."""
        unit = planned.unit
        sample, config = self.samples[unit.sample_id], self.configs[unit.config]
        working = scenario(unit.scenario, self.track).within(self.limits)
        prompt = working.shown(self.track, sample, config)
        if prompt_hash(prompt) != planned.prompt_hash:
            raise ModelError(
                f"The prompt of {unit.sample_id}, config {unit.config}, is not the one that was planned: "
                "plan again with the same configs and the same code."
            )
        workplace = self.workplace(working, sample, prompt, planned, config)
        row = self.row(planned, prompt, working.sent(self.model.sent(unit, config.reply_tokens)))
        try:
            outcome = await _finished(working, sample, prompt, workplace)
        except BudgetError as error:
            self.stopped = str(error)
            return
        except (ModelError, SandboxError) as error:
            kind = "sandbox" if isinstance(error, SandboxError) else getattr(error, "error_kind", "other")
            row |= {"error_kind": kind, "error": str(error)}
            outcome = workplace.outcome(None)
        else:
            row |= _replied(outcome, sample, self.model)
        if row["error_kind"] == "auth":
            self.stopped = f"{row['error']} Give a key that {self.model.name} accepts and run the same command again."
        row["created_at"] = datetime.now(UTC)
        submitted = _submissions(planned, outcome, self.track, self.bench)
        self.journal.append(row, _turns(planned, outcome), submitted)
        self.on_reply(1)
        self.errors += row["error_kind"] is not None
        self.answered += row["error_kind"] is None

    def workplace(self, working: Scenario, sample: BaseSample, prompt: Prompt, planned: Planned,
                  config: Config) -> Workplace:  # fmt: skip
        """Return what the scenario of one unit works with."""

        kept = Kept(self.journal.layout, planned.generation_id) if working.version else None

        async def send(messages: Sequence[Message], tools: Sequence[Tool]) -> Answer:
            asked = partial(self.ask, messages, tools, prompt, planned, config)
            return await (kept.ask(messages, tools, asked) if kept and not self.model.deterministic else asked())

        def judge(code: str) -> Evaluation:
            return evaluate(self.track, sample, Reply(text=code, code=code, rule=SUBMITTED), self.bench)

        def take(text: str) -> str:
            return text if self.model.verbatim else extract(text, sample.answer_kind)[0]

        return Workplace(working.allowance, send, judge, take, self.model.deterministic, self.bench.sandbox)

    async def ask(self, messages: Sequence[Message], tools: Sequence[Tool], prompt: Prompt, planned: Planned,
                  config: Config) -> Answer:  # fmt: skip
        """Send one request within the budget."""
        sample = self.samples[planned.unit.sample_id]
        offered: Mapping[str, Any] = {"tools": tools} if tools else {}

        async def send() -> Answer:
            with self.busy:
                return await self.model.ask(
                    messages, sample=sample, unit=planned.unit, reply_tokens=config.reply_tokens, **offered
                )

        if self.model.deterministic:
            return await send()
        first = messages is prompt.messages
        tokens = prompt.tokens if first else sum(estimate(message.content) for message in messages)
        self.budget.before(tokens)
        answer = None
        try:
            answer = await send()
            return answer
        finally:
            self.budget.after(tokens, answer)

    def row(self, planned: Planned, prompt: Prompt, sent: Mapping[str, Any]) -> Row:
        """Return the columns of a generation that are known before the reply."""
        unit = planned.unit
        return {
            "generation_id": planned.generation_id,
            "run_id": self.run_id,
            "track": self.track.name,
            "release": self.release,
            "sample_id": unit.sample_id,
            "model": unit.model,
            "config": unit.config,
            "scenario": unit.scenario,
            "attempt": unit.attempt,
            "prompt_hash": planned.prompt_hash,
            "messages": _json([message.model_dump(mode="json") for message in prompt.messages]),
            "prompt_cut": _json([cut.model_dump(mode="json") for cut in prompt.cut]),
            "parameters": _json(sent),
            "error_kind": None,
            "error": None,
        }


async def _finished(working: Scenario, sample: BaseSample, prompt: Prompt, workplace: Workplace) -> Outcome:
    """Run a scenario to its end, which may be a limit of the unit."""
    try:
        return await working.run(workplace.ask, sample, prompt, workplace)
    except LimitReached as reached:
        return workplace.outcome(reached.ending)


def _replied(outcome: Outcome, sample: BaseSample, model: Model) -> Row:
    """Return the columns of a generation that the reply decides."""
    ending = outcome.ending or outcome.answers[-1].finish_reason
    if outcome.code is not None:
        code, rule = outcome.code, SUBMITTED
    else:
        code, rule = (outcome.reply, "whole") if model.verbatim else extract(outcome.reply, sample.answer_kind)
    row: Row = {
        "reply": outcome.reply,
        "code": code,
        "code_rule": rule,
        "finish_reason": ending,
        "prompt_tokens": _sum(answer.prompt_tokens for answer in outcome.answers),
        "cached_tokens": _sum(answer.cached_tokens for answer in outcome.answers),
        "completion_tokens": _sum(answer.completion_tokens for answer in outcome.answers),
        "cost_usd": _sum(answer.cost_usd for answer in outcome.answers),
        "seconds_s": sum(answer.seconds_s for answer in outcome.answers),
    }
    if outcome.code is None and not outcome.reply.strip() and not model.deterministic:
        kind = "content_filter" if ending == "content_filter" else "empty"
        row |= {"error_kind": kind, "error": f"{model.name} replied nothing (finish reason {ending})."}
    return row


def _turns(planned: Planned, outcome: Outcome) -> list[Row]:
    return [
        {
            "generation_id": planned.generation_id,
            "turn": position,
            "role": turn.role,
            "tool": turn.tool,
            "content": turn.content,
            "seconds_s": turn.seconds_s,
        }
        for position, turn in enumerate(outcome.turns, start=1)
    ]


def _submissions(planned: Planned, outcome: Outcome, track: Track, bench: Bench) -> list[Row]:
    return [
        {
            "generation_id": planned.generation_id,
            "submission": position,
            "turn": one.turn,
            "after_s": one.after_s,
            "after_tokens": one.after_tokens,
            "code": one.code,
            "status": one.evaluation.status.value,
            "failed_layer": one.evaluation.failed_layer,
            "score": one.evaluation.score,
            "checks": _json([check.model_dump(mode="json", exclude_defaults=True) for check in one.evaluation.checks]),
            "grader_version": track.grader_version,
            "toolchain_digest": bench.toolchain_digest,
        }
        for position, one in enumerate(outcome.submissions, start=1)
    ]


def _sum(values: Iterator[Any]) -> Any:
    """Return the sum, or None if any part is unknown."""
    known = list(values)
    return None if any(value is None for value in known) else sum(known)


def _json(value: Any) -> str:
    return canonical(value).decode()
