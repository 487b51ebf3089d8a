"""A run without Prefect, to be killed: `python -m tests.inference.driver DATA ADDRESS UNITS CONCURRENCY`.

Asks over HTTP without litellm, whose import would take most of the time there is to be killed in.
"""

import asyncio
import json
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.contract import BaseSample, Config, Message
from tasks.inference.answer import Answer, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.journal import recover
from tasks.inference.models import BUILT_IN, Maker, resolve
from tasks.inference.plan import done_ids, plan, shards
from tasks.inference.shard import run_shard
from tests.inference import toy
from warehouse.layout import Layout

CONFIGS = [Config(name="full"), Config(name="no_context", hidden=frozenset({"calls"}))]
BUILT_IN["http"] = Maker("tests.inference.driver", "HttpModel", False, "the stub server")


class HttpModel(Solver):
    deterministic = False
    verbatim = False

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        self.concurrency = int(parameters["concurrency"])
        self.address = parameters["address"]

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int) -> Answer:
        body = {"model": "stub", "messages": [message.model_dump(mode="json") for message in messages]}
        return await asyncio.to_thread(self.post, body)

    def post(self, body: dict[str, Any]) -> Answer:
        request = urllib.request.Request(f"{self.address}/chat/completions", json.dumps(body).encode())
        start = time.perf_counter()
        with urllib.request.urlopen(request, timeout=30) as response:
            choice = json.load(response)["choices"][0]
        return Answer(choice["message"]["content"], choice["finish_reason"], 100, 0, 20, None,
                      time.perf_counter() - start)  # fmt: skip


def main() -> None:
    data, address, units, concurrency = sys.argv[1:]
    layout, track = Layout(Path(data)), toy.ToyTrack()
    parameters = {"address": address, "concurrency": concurrency}
    samples = toy.samples(int(units) // len(CONFIGS))
    print("ready", flush=True)
    saved = recover(layout)
    asked = plan(track, samples, ["http"], CONFIGS, parameters=parameters, done=done_ids(layout), layout=layout)
    model = resolve("http", layout=layout, parameters=parameters)
    configs = {config.name: config for config in CONFIGS}
    budget = Budget()
    for shard in shards(asked, size=25):
        run_shard(track, samples, shard, model, configs, layout=layout, run_id="run", release="toy-1", budget=budget)
    print(json.dumps({"saved": saved, "asked": asked.asked, "reused": asked.reused}), flush=True)


if __name__ == "__main__":
    main()
