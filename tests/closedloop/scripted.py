"""An agent without a model: a script says what it answers, so that every scenario can be driven to the letter."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora import FolderTrack
from corpora.closedloop.build import sample_of
from corpora.closedloop.model import load
from tasks.contract import Bench, Config, Message
from tasks.inference.answer import Answer, Tool, ToolCall, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.plan import Plan, done_ids, plan, shards
from tasks.inference.shard import run_shard
from tasks.sandbox import Sandbox
from warehouse.layout import Layout
from warehouse.reader import read

TRACK = FolderTrack("closedloop", "corpora.closedloop")
FULL = Config(name="full")
TANK = sample_of(load("tank_fill_drain"), held_out=False)

Call = tuple[str, Mapping[str, Any]]
Step = Answer | Exception | str | Iterable[Call]
"""What one request gets: an answer, a failure, a last word, or the tools to call."""


class Scripted(Solver):
    """The model `scripted`: `script(nth, messages)` answers the `nth` request (from 0) of a unit."""

    deterministic = False
    verbatim = False
    script: Callable[[int, Sequence[Message]], Step]
    offered: list[tuple[str, ...]] = []
    requests = 0

    async def ask(self, messages: Sequence[Message], *, sample: Any, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        cls = type(self)
        cls.requests += 1
        cls.offered.append(tuple(tool.name for tool in tools))
        said = cls.script(sum(message.role == "assistant" for message in messages), messages)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Answer) else answer(said)


def answer(said: str | Iterable[Call], finish_reason: str | None = None, seconds_s: float = 1.0) -> Answer:
    """Return an answer of 100 prompt and 10 completion tokens."""
    calls = () if isinstance(said, str) else tuple(
        ToolCall(id=f"c{index}", name=name, arguments=json.dumps(arguments))
        for index, (name, arguments) in enumerate(said)
    )  # fmt: skip
    text = said if isinstance(said, str) else ""
    reason = finish_reason or ("tool_calls" if calls else "stop")
    return Answer(text, reason, 100, 0, 10, 0.0, seconds_s, calls)


def in_turn(*steps: Step) -> Callable[[int, Sequence[Message]], Step]:
    """Return a script of these steps; after the last the agent stops by itself."""
    return lambda nth, messages: steps[nth] if nth < len(steps) else "I am done."


def planned(layout: Layout, scenario: str, limits: Mapping[str, Any] | None = None, model: str = "scripted") -> Plan:
    return plan(TRACK, {TANK.sample_id: TANK}, [model], [FULL], scenario=scenario, limits=limits,
                done=done_ids(layout), layout=layout)  # fmt: skip


def work(folder: Path, sandbox: Sandbox | None, scenario: str, script: Any, limits: Mapping[str, Any] | None = None,
         model: Any = None) -> dict[str, Any]:  # fmt: skip
    """Let a script work on the tank in a scenario and return what landed: one generation, turns, submissions."""
    layout = Layout(folder)
    Scripted.script, Scripted.offered, Scripted.requests = staticmethod(script), [], 0
    model = model or Scripted("scripted", None, layout, {})
    for shard in shards(planned(layout, scenario, limits, model.name), size=25):
        run_shard(TRACK, {TANK.sample_id: TANK}, shard, model, {"full": FULL}, layout=layout, run_id="r",
                  release="closedloop-test", budget=Budget(), bench=Bench(sandbox=sandbox), limits=limits)  # fmt: skip
    tables = {name: read(layout, name).to_pylist() for name in ("generations", "turns", "submissions")}
    return {**tables, "row": tables["generations"][-1], "said": tool_texts(tables["turns"])}


def tool_texts(turns: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    return [(turn["tool"], turn["content"]) for turn in turns if turn["role"] == "tool"]
