"""The track as an Inspect task, and results of any track as Inspect logs. Both need the extra `inspect`."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import corpora
from corpora.registers.items_import import samples
from corpora.registers.schema import Sample
from tasks.contract import Bench, Reply
from tasks.grading.evaluate import evaluate
from tasks.inference.extract import extract
from tests.registers import small
from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import UsageError, WarehouseError
from warehouse.exports.inspect_logs import export
from warehouse.layout import Layout
from warehouse.stats.registers import metrics

ROOT = Path(__file__).resolve().parents[2]
needs_inspect = pytest.mark.skipif(
    importlib.util.find_spec("inspect_ai") is None,
    reason="inspect-ai is not installed: pip install firmbench[inspect]",
)


def reply_to(sample: Sample, number: int) -> str:
    """Return a right, a wrong, an unreadable reply or none, so that every verdict is met."""
    return [
        f"So it is.\n\n**{sample.reference}**",
        sample.mutants[0].text,
        "It cannot be said.",
        f"{sample.reference} or so",
        "ANSWER: many",
    ][number % 5]


@pytest.fixture
def questions(tmp_path) -> dict[str, Sample]:
    return {one.sample_id: one for one in samples(small.write(tmp_path)) if isinstance(one, Sample)}


@needs_inspect
def test_inspect_gives_the_scores_of_our_grader(tmp_path, questions) -> None:
    from inspect_ai import eval as run
    from inspect_ai.model import ModelOutput, get_model

    from corpora.registers.inspect_task import registers

    track = corpora.load("registers")
    replies = {id: reply_to(one, place) for place, (id, one) in enumerate(questions.items())}
    outputs = [ModelOutput.from_content("mockllm/model", reply) for reply in replies.values()]
    model = get_model("mockllm/model", custom_outputs=outputs)
    task = registers(items=str(tmp_path / "items.jsonl"))
    (log,) = run(task, model=model, log_dir=str(tmp_path / "logs"), max_samples=1, display="none")
    assert log.status == "success", log.error
    assert {one.id for one in log.samples} == set(questions)
    rows = []
    for one in log.samples:
        sample, text = questions[str(one.id)], replies[str(one.id)]
        assert one.output.completion == text
        code, rule = extract(text, sample.answer_kind)
        ours = evaluate(track, sample, Reply(text=text, code=code, rule=rule), Bench())
        (score,) = one.scores.values()
        assert score.value == {"correct": ours.score, "no_answer": float(ours.status == "no_submission")}
        assert score.metadata["status"] == ours.status
        rows.append((sample.family, sample.category, sample.difficulty, ours.score, ours.status != "no_submission"))
    assert len({one.scores["graded"].metadata["status"] for one in log.samples}) == 3
    ours = {one.name: one.estimate.estimate for one in metrics(*(list(column) for column in zip(*rows, strict=True)))}
    theirs = {one.name: one.value for score in log.results.scores for one in score.metrics.values()}
    for name in ("accuracy", "accuracy_base", "accuracy_easy", "rename_delta", "renumber_consistency"):
        assert theirs[name] == pytest.approx(ours[name]), name
    no_answer = next(score for score in log.results.scores if score.name == "no_answer")
    assert no_answer.metrics["mean"].value == pytest.approx(ours["no_answer_rate"])


@needs_inspect
def test_epochs_are_averaged_within_an_item(tmp_path, questions) -> None:
    """Two epochs of opposite luck: accuracy one half everywhere, and a delta of nothing."""
    from inspect_ai import eval as run
    from inspect_ai.model import ModelOutput, get_model

    from corpora.registers.inspect_task import registers

    right = [f"{one.reference}" for one in questions.values()]
    replies = [text for pair in ((text, "ANSWER: many") for text in right) for text in pair]
    model = get_model(
        "mockllm/model", custom_outputs=[ModelOutput.from_content("mockllm/model", one) for one in replies]
    )
    (log,) = run(
        registers(items=str(tmp_path / "items.jsonl")), model=model, epochs=2, log_dir=str(tmp_path / "logs"),
        max_samples=1, display="none",
    )  # fmt: skip
    found = {one.name: one.value for score in log.results.scores for one in score.metrics.values()}
    graded = sum(one.scores["graded"].value["correct"] for one in log.samples) / len(log.samples)
    assert found["accuracy"] == pytest.approx(graded)
    assert 0 < graded < 1


@needs_inspect
def test_filters_and_configs_of_the_task(tmp_path) -> None:
    from corpora.registers.inspect_task import registers

    path = str(small.write(tmp_path))
    assert len(registers(items=path, variants="base,renumber").dataset) == 6
    assert len(registers(items=path, families=["shift"], variants="base").dataset) == 1
    assert len(registers(items=path, domains="demo, other").dataset) == 9
    direct = registers(items=path, config="direct").dataset[0].input
    assert "nothing else" in direct[0].content
    with pytest.raises(UsageError, match="loosen one of the filters"):
        registers(items=path, domains="nothing")
    with pytest.raises(UsageError, match="the configs are full, direct"):
        registers(items=path, config="terse")


@needs_inspect
@pytest.mark.slow
def test_the_task_runs_from_the_command_line_and_its_log_reads_back(tmp_path) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    command = [sys.executable, "-m", "inspect_ai", "eval", "corpora/registers/inspect_task.py"]
    command += ["--model", "mockllm/model", "-T", f"items={small.write(tmp_path)}", "-T", "variants=base,rename"]
    command += ["--log-dir", str(tmp_path / "logs"), "--display", "none"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (found,) = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(found)
    assert (log.status, len(log.samples)) == ("success", 6)
    assert {one.scores["graded"].metadata["status"] for one in log.samples} == {"no_submission"}


@pytest.fixture(scope="module")
def landed(tmp_path_factory) -> Layout:
    layout = Layout(tmp_path_factory.mktemp("landed"))
    synthetic.land(layout)
    return layout


@needs_inspect
@pytest.mark.parametrize("format", ["eval", "json"])
def test_logs_hold_every_unit_and_its_verdict(landed, tmp_path, format) -> None:
    from inspect_ai.log import list_eval_logs, read_eval_log

    paths = export(landed, tmp_path / "logs", model="hosted/small", format=format)
    rows = query(landed, "FROM results WHERE model = 'hosted/small'").to_pylist()
    assert len(paths) == len({row["config"] for row in rows}) == len(synthetic.CONFIGS)
    assert len(list_eval_logs(str(tmp_path / "logs"))) == len(paths)
    seen = 0
    for path in paths:
        log = read_eval_log(str(path))
        own = {
            (row["sample_id"], row["attempt"]): row for row in rows if row["config"] == log.eval.task_args["config"]
        }
        assert {(one.id, one.epoch) for one in log.samples} == set(own)
        for one in log.samples:
            row = own[one.id, one.epoch]
            seen += 1
            assert one.uuid == row["generation_id"]
            assert one.target
            assert [message.role for message in one.messages] == ["system", "user", "assistant"]
            if not row["measured"]:
                assert one.error is not None
                assert one.scores is None
                continue
            assert one.error is None
            assert one.scores["passed"].value == ("C" if row["status"] == "pass" else "I")
            assert one.scores["passed"].metadata["status"] == row["status"]
            assert ("score" in one.scores) == (row["score"] is not None)
            if row["score"] is not None:
                assert one.scores["score"].value == pytest.approx(row["score"])
    assert seen == len(rows)
    assert any(not row["measured"] for row in rows)


@needs_inspect
def test_figures_of_a_log_are_those_of_the_leaderboard(landed, tmp_path) -> None:
    from inspect_ai.log import read_eval_log

    for path in export(landed, tmp_path, model="hosted/large"):
        log = read_eval_log(str(path), header_only=True)
        board = query(
            landed,
            "SELECT sum(n_pass) / sum(n_measured) AS rate, sum(mean_score * n_scored) / sum(n_scored) AS score "
            f"FROM leaderboard WHERE model = 'hosted/large' AND config = '{log.eval.task_args['config']}'",
        ).to_pylist()[0]
        found = {score.name: score.metrics for score in log.results.scores}
        assert found["passed"]["accuracy"].value == pytest.approx(board["rate"])
        assert found["score"]["mean"].value == pytest.approx(board["score"])
        assert found["passed"]["stderr"].value > 0


@needs_inspect
def test_the_same_rows_give_the_same_log(landed, tmp_path) -> None:
    first, second = (export(landed, tmp_path / name, model="local/tiny", format="json") for name in ("one", "two"))
    assert [path.name for path in first] == [path.name for path in second]
    assert [json.loads(path.read_text())["results"] for path in first] == [
        json.loads(path.read_text())["results"] for path in second
    ]


@needs_inspect
@pytest.mark.slow
def test_inspects_own_command_reads_a_log(landed, tmp_path) -> None:
    path = export(landed, tmp_path, model="hosted/large")[0]
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", "log", "dump", str(path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert json.loads(done.stdout)["eval"]["model"] == "hosted/large"


@needs_inspect
def test_what_cannot_be_exported_is_told(landed, tmp_path) -> None:
    with pytest.raises(WarehouseError, match="No reply fits"):
        export(landed, tmp_path, model="nobody/nothing")
    with pytest.raises(UsageError, match="the formats are eval, json"):
        export(landed, tmp_path, format="xml")


def test_without_inspect_the_error_names_the_extra(landed, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(UsageError, match=r"firmbench\[inspect\]"):
        export(landed, tmp_path)
