"""An agent's work, to be killed: `python -m tests.closedloop.agent_driver DATA LOG`.

Each request is a line in LOG, `sample nth`, written before it is answered. The agent submits a wrong controller in
every step and the reference in the last.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corpora.closedloop.build import sample_of
from corpora.closedloop.model import load
from tasks.contract import Message
from tasks.inference.answer import Answer, Tool, Unit
from tasks.inference.budget import Budget
from tasks.inference.builtin import Solver
from tasks.inference.journal import recover
from tasks.inference.models import BUILT_IN, Maker, resolve
from tasks.inference.plan import done_ids, plan, shards
from tasks.inference.shard import run_shard
from tests.closedloop.scripted import FULL, TRACK, answer
from warehouse.layout import Layout

STEPS = 8
SAMPLES = {sample.sample_id: sample for sample in (sample_of(load(name), False) for name in
           ("tank_fill_drain", "thermal_chamber_hysteresis"))}  # fmt: skip
SCENARIO = "oneshot_blind"


class Logged(Solver):
    deterministic = False
    verbatim = False

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        self.log = parameters["log"]

    async def ask(self, messages: Sequence[Message], *, sample: Any, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        nth = sum(message.role == "assistant" for message in messages)
        with open(self.log, "a") as file:
            file.write(f"{sample.task} {nth}\n")
            file.flush()
            os.fsync(file.fileno())
        time.sleep(0.02)
        code = sample.reference if nth == STEPS - 1 else f"{sample.stub}\n/* {nth} */\n"
        last = [("submit", {})] if nth == STEPS - 1 else [("list", {})]
        return answer([("write", {"path": "controller.c", "content": code}), *last])


def main() -> None:
    BUILT_IN["logged"] = Maker("tests.closedloop.agent_driver", "Logged", False, "an agent that logs its requests")
    layout = Layout(Path(sys.argv[1]))
    reach = {"log": sys.argv[2]}
    recover(layout)
    units = plan(TRACK, SAMPLES, ["logged"], [FULL], scenario=SCENARIO, parameters=reach, done=done_ids(layout),
                 layout=layout)  # fmt: skip
    model = resolve("logged", layout=layout, parameters=reach)
    for shard in shards(units, size=25):
        run_shard(
            TRACK, SAMPLES, shard, model, {"full": FULL}, layout=layout, run_id="r", release="t", budget=Budget()
        )


if __name__ == "__main__":
    main()
