"""Logs of Inspect: letter grades, reasons, limits and errors as our statuses; a log that inspect-ai wrote."""

import pytest

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import WarehouseError
from warehouse.importers.inspect_scores import NOT_SCORED, Reading, reading
from warehouse.layout import Layout


@pytest.mark.parametrize(("value", "reason", "expected"), [
    ("C", None, Reading("pass", 1.0)), ("I", None, Reading("fail", 0.0)), ("P", None, Reading("fail", 0.5)),
    ("N", None, Reading("no_submission", 0.0)), (True, None, Reading("pass", 1.0)), (0, None, Reading("fail", 0.0)),
    (0.25, None, Reading("fail", 0.25)), (7, None, Reading("pass", 1.0)), (float("nan"), None, NOT_SCORED),
    ("very good", None, NOT_SCORED), ({"a": "C", "b": "I"}, None, Reading("fail", 0.5)),
    ([1, True], None, Reading("pass", 1.0)),
    ({"a": "C", "b": "?"}, None, NOT_SCORED), ({}, None, NOT_SCORED), ("I", "refusal", Reading("no_submission", 0.0)),
    ("I", "grader_failed", Reading("infra_error", None)),
])  # fmt: skip
def test_readings_of_scores(value, reason, expected):
    assert reading(value, reason) == expected


@pytest.fixture(scope="module")
def api():
    return pytest.importorskip("inspect_ai.log", reason="inspect-ai, an optional extra, is not installed")


@pytest.fixture
def log(api):
    """Return a function that writes a log of five samples with one epoch of a made-up task."""
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalError,
        EvalLog,
        EvalResults,
        EvalSample,
        EvalSpec,
        EvalStats,
    )
    from inspect_ai.log._log import EvalSampleLimit, EvalScorer
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, ModelOutput, ModelUsage
    from inspect_ai.scorer import Score
    from inspect_ai.tool import ToolCall

    def sample(name, value, **more):
        output = ModelOutput.from_content("m", f"ANSWER: {name}")
        return EvalSample(
            id=name, epoch=1, input=f"What is {name}?", target="42", output=output,
            messages=[ChatMessageUser(content=f"What is {name}?"), ChatMessageAssistant(content=f"ANSWER: {name}")],
            scores={"match": Score(value=value, answer=str(name)), "other": Score(value={"x": 1, "y": 0.5})},
            metadata={"family": "adc", "variant": "base", "tier": "easy"}, total_time=1.5,
            model_usage={"m": ModelUsage(input_tokens=10, output_tokens=5, total_tokens=115,
                                          input_tokens_cache_read=100)},
            completed_at="2026-09-01T10:00:00+00:00", **more,
        )  # fmt: skip

    call = ToolCall(id="1", function="bash", arguments={"cmd": "ls"})
    agent = sample("agent", "C")
    agent.messages = [
        ChatMessageUser(content="Go."),
        ChatMessageAssistant(content="Looking.", tool_calls=[call]),
        ChatMessageTool(content="a.c", tool_call_id="1", function="bash"),
        ChatMessageAssistant(content="Done."),
    ]
    error = EvalError(message="boom", traceback="", traceback_ansi="")
    samples = [sample("good", "C"), sample("bad", "I"), agent,
               sample("slow", "I", limit=EvalSampleLimit(type="time", limit=60)),
               sample("broken", "I", error=error)]  # fmt: skip

    def write(path, model="made/up", eval_id="e1", origin=None):
        mine = [one.model_copy(update={"uuid": f"{origin or eval_id}-{one.id}"}) for one in samples]
        spec = EvalSpec(
            eval_id=eval_id, run_id=f"run-{eval_id}", created="2026-09-01T09:00:00+00:00", task="pkg/regbench",
            task_id="t",
            task_version=1, dataset=EvalDataset(name="d", samples=5, sample_ids=[one.id for one in mine]),
            model=model,
            config=EvalConfig(), packages={"inspect_ai": "0"}, task_args={"domains": "i2c"},
            scorers=[EvalScorer(name="match", options=None, metrics=[], metadata=None)],
        )  # fmt: skip
        stats = EvalStats(started_at="2026-09-01T09:00:00+00:00", completed_at="2026-09-01T10:00:00+00:00")
        results = EvalResults(total_samples=5)
        made = EvalLog(status="success", eval=spec, stats=stats, samples=mine, results=results)
        api.write_eval_log(made, str(path))
        return path

    return write


def test_a_log_is_read_as_what_it_says(layout, log, tmp_path):
    from warehouse.importers.inspect_logs import inspect_logs

    (landed,) = inspect_logs(layout, log(tmp_path / "one.eval"))
    rows = {row["sample_id"]: row for row in query(layout, "FROM results").to_pylist()}
    asked = "SELECT sample_id, provenance ->> 'sample' AS name FROM samples"
    names = {row["sample_id"]: row["name"] for row in query(layout, asked).to_pylist()}
    found = {names[key]: (row["status"], row["score"]) for key, row in rows.items()}
    assert found == {"good": ("pass", 1.0), "bad": ("fail", 0.0), "agent": ("pass", 1.0), "slow": ("timeout", 0.0),
                     "broken": ("infra_error", None)}  # fmt: skip
    one = next(iter(rows.values()))
    assert (one["track"], one["family"], one["cluster"], one["category"]) == ("imported:inspect", "adc", "adc", "base")
    assert (one["prompt_tokens"], one["completion_tokens"], one["seconds_s"], one["config"]) == (
        110,
        5,
        1.5,
        "domains=i2c",
    )
    turns = query(layout, "SELECT role, tool, content FROM turns ORDER BY turn").to_pylist()
    assert [tuple(turn.values()) for turn in turns] == [
        ("user", None, "Go."), ("assistant", None, "Looking."), ("assistant", "bash", '{"cmd": "ls"}'),
        ("tool", "bash", "a.c"), ("assistant", None, "Done."),
    ]  # fmt: skip
    checks = query(
        layout, "SELECT DISTINCT \"check\", status FROM checks WHERE layer = 'score' ORDER BY ALL"
    ).to_pylist()
    assert [tuple(check.values()) for check in checks] == [("match", "fail"), ("match", "pass"), ("other.x", "pass"),
                                                           ("other.y", "fail")]  # fmt: skip
    assert query(layout, "SELECT run_id, errors, graded FROM runs").to_pylist() == [
        {"run_id": "run-e1", "errors": 1, "graded": 5}
    ]
    assert landed.release.startswith("imported:inspect:regbench:")


def test_logs_of_one_task_are_one_release_and_no_sample_counts_twice(layout, log, tmp_path):
    from warehouse.importers.inspect_logs import inspect_logs

    for suffix in ("json", "eval"):
        log(tmp_path / "logs" / f"one.{suffix}")
    log(tmp_path / "logs" / "two.json", model="made/other", eval_id="e2")
    landed = inspect_logs(layout, tmp_path / "logs")
    assert len({one.release for one in landed}) == 1
    assert sorted(one.new for one in landed) == [False, True, True]
    count = "SELECT model, count(*) AS n FROM results GROUP BY ALL ORDER BY ALL"
    both = [{"model": "made/other", "n": 5}, {"model": "made/up", "n": 5}]
    assert query(layout, count).to_pylist() == both
    inspect_logs(layout, log(tmp_path / "retry.eval", eval_id="e3", origin="e1"))
    assert query(layout, count).to_pylist() == both
    assert [one.new for one in inspect_logs(layout, tmp_path / "logs")] == [False, False, False]


def test_other_files_are_refused(layout, api, tmp_path):
    from warehouse.importers.inspect_logs import inspect_logs

    with pytest.raises(WarehouseError, match="holds no Inspect log"):
        inspect_logs(layout, tmp_path)
    (tmp_path / "x.json").write_text('{"a": 1}')
    with pytest.raises(WarehouseError, match=r"x\.json cannot be read as an Inspect log"):
        inspect_logs(layout, tmp_path)


def test_our_own_verdicts_survive_the_way_through_logs(layout, api, tmp_path):
    from warehouse.exports.inspect_logs import export
    from warehouse.importers.inspect_logs import inspect_logs

    synthetic.land(layout, 10)
    export(layout, tmp_path / "logs", format="json")
    other = Layout(tmp_path / "other")
    inspect_logs(other, tmp_path / "logs")
    asked = "SELECT model, config, scenario, attempt, cluster, status FROM results ORDER BY ALL"
    assert query(other, asked).to_pylist() == query(layout, asked).to_pylist()
