"""The notebooks run offline from top to bottom, hold no function and no output, and show what the tables hold."""

import ast
import json

import pytest

from tests.notebooks.conftest import NOTEBOOKS
from warehouse.database import query
from warehouse.exports.needs import NEEDS

nbformat = pytest.importorskip("nbformat", reason="the notebooks extra is not installed")

DUMP = """
import json
frames = {name: value.to_dicts() for name, value in globals().items() if isinstance(value, pl.DataFrame)
          and not name.startswith("_")}
display({"application/json": json.loads(json.dumps(frames, default=str))}, raw=True)
"""


def code_of(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def frames_of(path, data, monkeypatch):
    """Execute a notebook in a kernel of its own and return its frames by name, as rows, and its outputs."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(DUMP))
    monkeypatch.setenv("FIRMBENCH_DATA", str(data))
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in notebook.cells[:-1] for output in cell.get("outputs", ())]
    return notebook.cells[-1].outputs[0].data["application/json"], outputs


def test_there_is_a_notebook_for_everything_the_needs_name(notebooks):
    assert set(notebooks) == set(NEEDS)


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_a_notebook_is_parameters_queries_and_plots(notebooks, name):
    notebook = nbformat.read(notebooks[name], as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.cells[0].cell_type == "markdown"
    assert [cell.metadata.get("tags") for cell in notebook.cells if cell.metadata.get("tags")] == [["parameters"]]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.execution_count is None
            assert cell.outputs == []
            for node in ast.walk(ast.parse(cell.source)):
                assert not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda)


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_on_an_empty_warehouse_a_notebook_says_what_to_run(notebooks, name, tmp_path, monkeypatch):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    import altair as alt
    import polars as pl
    from IPython.utils.capture import capture_output

    monkeypatch.setenv("FIRMBENCH_DATA", str(tmp_path / "data"))
    with capture_output(), pl.Config(), alt.renderers.enable("default"):
        done = [shell.run_cell(source) for source in code_of(notebooks[name])]
    for cell in done:
        cell.raise_error()
    said = next(cell.result.data for cell in done if type(cell.result).__name__ == "Markdown")
    assert said.count("none yet") == len(NEEDS[name])
    assert str(tmp_path) in said


@pytest.mark.slow
def test_closed_loop_shows_the_printed_tables(notebooks, filled, monkeypatch):
    layout, _ = filled
    frames, outputs = frames_of(notebooks["closed_loop"], layout.root, monkeypatch)
    told = query(layout, "FROM published WHERE source = 'closed_loop' AND value IS NOT NULL").to_pylist()
    for row in told:
        shown = {(line["row"], line["column"]): line for line in frames[row["table"]]}
        line = shown[row["row"], row["column"]]
        assert line["printed"] == row["value"]
        assert line["difference"] == pytest.approx(line["ours"] - row["value"])
        assert line["agrees"] or row["row"] == "qwen3.5-2B"
    assert len(frames["disagree"]) == 7
    assert all(line["agrees"] for line in frames["figure2_outcomes"])
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 5


@pytest.mark.slow
def test_embedeval_shows_the_printed_tables(notebooks, filled, monkeypatch):
    layout, _ = filled
    frames, outputs = frames_of(notebooks["embedeval"], layout.root, monkeypatch)
    told = query(
        layout, "FROM published WHERE source = 'embedeval' AND \"table\" IN ('leaderboard', 'heatmap')"
    ).to_pylist()
    assert len(told) == 17 + 46
    for row in told:
        shown = {(line["row"], line["column"]): line for line in frames[row["table"]]}
        assert shown[row["row"], row["column"]]["printed"] == row["value"]
    assert frames["gap"][2]["se"] == pytest.approx(0.021721954107012303, abs=1e-9)
    assert all(line["last_run_agrees"] for line in frames["heatmap"])
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 1


@pytest.mark.slow
def test_realembedbench_shows_the_printed_tables(notebooks, filled, monkeypatch):
    layout, _ = filled
    frames, outputs = frames_of(notebooks["realembedbench"], layout.root, monkeypatch)
    told = query(layout, "FROM published WHERE source = 'realembedbench'").to_pylist()
    assert {row["table"] for row in told} == {"table5", "table6", "table8", "table9", "table10", "table11", "table12"}
    for row in told:
        shown = {(line["row"], line["column"]): line for line in frames[row["table"]]}
        assert shown[row["row"], row["column"]]["printed"] == row["value"]
    assert {line["model"] for line in frames["ablation"] if line["source"] != "print"} == {
        "hosted/large", "hosted/small", "local/tiny"
    }  # fmt: skip
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 1


@pytest.mark.slow
def test_registers_shows_figures_with_their_power(notebooks, filled, monkeypatch):
    layout, _ = filled
    frames, outputs = frames_of(notebooks["registers"], layout.root, monkeypatch)
    deltas = [line for line in frames["metrics"] if line["metric"].endswith("_delta")]
    assert len(deltas) == 2 * 3
    assert all(line["detectable"] is not None and line["families"] == 12 for line in deltas)
    assert {line["printed_runs"] for line in frames["against"]} == {5, 3, 2}
    assert json.dumps(frames["families"]).count("all_pass") >= 1
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 1
