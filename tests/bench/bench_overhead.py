"""What the harness costs a unit, beside the time its model takes: planning, prompts, journal, extraction, landing.

A stub server answers each prompt after a while of its own. The model's time is that of a bare client that posts the
same prompts, as many in flight, and keeps nothing; what a run takes longer is overhead. Through litellm, as every
hosted model; imports and the first request, which a run pays once, are left out of both.
"""

import json
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tasks.contract import BaseSample, Config
from tasks.ids import draw
from tasks.inference.budget import Budget
from tasks.inference.models import Model, resolve
from tasks.inference.plan import Shard, done_ids, plan, shards
from tasks.inference.shard import run_shard
from tests.bench.ratio import Ratio
from tests.inference import toy
from tests.inference.stub_server import Says, StubServer
from warehouse.layout import Layout

UNITS, CONCURRENCY, LATENCY_S = 200, 8, 1.0
SHARDS_IN_FLIGHT = 4
"""As `flows.evaluation` has it."""

FULL = Config(name="full")


def run() -> list[Ratio]:
    """Return the overhead beside a model's time, and the whole time of a free solver beside an answer of a second."""
    return [hosted(), built_in()]


def hosted() -> Ratio:
    """Run `UNITS` units against a server that takes 0.5 to 1.5 s for each."""

    def behaviour(body: dict[str, Any], nth: int) -> Says:
        return Says(delay_s=LATENCY_S * (0.5 + draw("latency", body["messages"][-1]["content"])))

    samples = toy.samples(UNITS)
    reach = {"concurrency": CONCURRENCY, "api_key": "none"}
    with tempfile.TemporaryDirectory() as folder, StubServer(behaviour) as server:
        name = f"openai/stub@{server.address}"
        with resolve(name, layout=Layout(Path(folder)), parameters=reach) as model:
            cycle(Path(folder, "warm"), name, model, toy.samples(1), reach)
            start = time.perf_counter()
            prompts = cycle(Path(folder, "run"), name, model, samples, reach)
            ours_s = time.perf_counter() - start
        start = time.perf_counter()
        with ThreadPoolExecutor(CONCURRENCY) as pool:
            list(pool.map(lambda prompt: post(server.address, prompt), prompts))
        bare_s = time.perf_counter() - start
    return Ratio("harness overhead beside model time", ours_s - bare_s, bare_s, "s", "<= 0.05",
                 f"{UNITS} units of {LATENCY_S:g} s, {CONCURRENCY} in flight, through litellm")  # fmt: skip


def built_in() -> Ratio:
    """Run a solver that takes no time, and set its time a unit beside an answer of one second."""
    samples = toy.samples(1000)
    with tempfile.TemporaryDirectory() as folder:
        model = resolve("reference", layout=Layout(Path(folder)))
        start = time.perf_counter()
        cycle(Path(folder), "reference", model, samples, {})
        unit_s = (time.perf_counter() - start) / len(samples)
    return Ratio("harness time a unit beside an answer of 1 s", unit_s, 1.0, "s", "<= 0.05", "reference, 1,000 units")


def cycle(
    folder: Path, name: str, model: Model, samples: Mapping[str, BaseSample], reach: dict[str, Any]
) -> list[str]:
    """Plan, ask shards side by side, as a flow does, and land; return the prompts in the order of the shards."""
    layout, track = Layout(folder), toy.ToyTrack()
    cut = shards(plan(track, samples, [name], [FULL], parameters=reach, done=done_ids(layout), layout=layout))

    def one(shard: Shard) -> None:
        run_shard(
            track, samples, shard, model, {"full": FULL}, layout=layout, run_id="bench", release="toy", budget=Budget()
        )

    with ThreadPoolExecutor(SHARDS_IN_FLIGHT) as pool:
        list(pool.map(one, cut))
    order = [samples[planned.unit.sample_id] for shard in cut for planned in shard.units]
    return [track.prompt(sample, FULL).messages[0].content for sample in order]


def post(address: str, prompt: str) -> None:
    """Send one prompt and read the reply."""
    body = json.dumps({"model": "stub", "messages": [{"role": "user", "content": prompt}]}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{address}/chat/completions", body), timeout=60) as response:
        response.read()
