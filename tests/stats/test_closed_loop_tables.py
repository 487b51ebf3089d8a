"""Tables and figures of the closed-loop paper: slow definitions on made-up runs, print on the published outcomes."""

import statistics

import pytest

from tests.stats import published
from warehouse.errors import WarehouseError
from warehouse.stats.closed_loop_tables import (
    FORMS,
    MODELS,
    MODES,
    figure2,
    figure3,
    figure4,
    outcome,
    table3,
    table4,
    table5,
)

KNOWN = {
    "table3": {"mean_total_tokens_millions", "mean_tool_calls", "mean_self_test_runs"},
    "table5": {"mean_wall_minutes", "mean_first_submit_minutes", "mean_total_tokens_millions", "mean_tool_calls"},
}
"""Figures of the printed qwen3.5-2B rows that the authors' own index does not give."""


def run(model="qwen3.5-9B", task="tank_fill_drain", mode="realistic_self_verify", result="PASS", **figures):
    return {"model": model, "task": task, "mode": mode, "outcome": result, "wall_clock_s": 60.0,
            "first_submission_s": 30.0, "total_tokens": 1_000_000, "tool_calls": 10, "submissions": 1,
            "self_test_runs": 2, **figures}  # fmt: skip


def outcomes():
    """Return the published outcomes as runs, read here by hand."""
    return [
        {
            "model": MODELS[row["model_label"]].name, "task": row["task_id"], "mode": row["mode"],
            "outcome": outcome(row["failure_family"]), "wall_clock_s": float(row["wall_clock_seconds"]),
            "first_submission_s": float(row["time_to_first_submission_seconds"] or "nan")
            if row["time_to_first_submission_seconds"] else None,
            "total_tokens": int(row["total_tokens"]), "tool_calls": int(row["tool_call_count"]),
            "submissions": int(row["hidden_eval_calls"]), "self_test_runs": int(row["self_test_runs"]),
        }
        for row in published.rows("closed_loop_420_outcomes.csv")
    ]  # fmt: skip


def rounds(value, text):
    return abs(float(value) - float(text)) <= 0.5 * 10 ** -len(text.partition(".")[2]) + 1e-9


def compare(ours, name, key=("model",)):
    """Return (row, column) of every printed figure that ours does not round to."""
    mine = {tuple(row[label] for label in key): row for row in ours}
    told = published.rows(f"closed_loop_{name}.csv")
    assert mine.keys() == {tuple(row[label] for label in key) for row in told}
    off = set()
    for row in told:
        found = mine[tuple(row[label] for label in key)]
        for column, text in row.items():
            if column in key:
                continue
            value = found[column]
            same = value == text if isinstance(value, str) else rounds(value, text)
            if not same:
                off.add((row[key[0]], column))
    return off


@pytest.mark.parametrize(("name", "table"), [("table3", table3), ("table4", table4), ("table5", table5)])
def test_tables_equal_print_but_for_the_row_that_is_known(name, table):
    assert compare(table(outcomes()), name) == {("qwen3.5-2B", column) for column in KNOWN.get(name, ())}


def test_figure_2_equals_print_in_all_35_cells():
    rows = figure2(outcomes())
    assert len(rows) == 35
    assert compare(rows, "figure2", ("task", "model")) == set()


def test_figures_3_and_4_are_the_tables_drawn():
    runs = outcomes()
    cells = {(row["model"], row["mode"]): row for row in figure3(runs)}
    assert len(cells) == 7 * 4
    for row in table4(runs):
        for mode in MODES:
            cell = cells[row["model"], mode]
            assert (cell["passes"], cell["runs"]) == (row[mode], row[f"runs_{mode}"]) == (row[mode], 15)
            assert cell["wilson_low"] <= cell["pass_rate"] <= cell["wilson_high"]
    local = {row["model"]: row for row in table5(runs)}
    for point in figure4(runs):
        assert {name: local[point["model"]][name] for name in point} == point
    assert [point["model"] for point in figure4(runs)] == [name for name, model in FORMS.items() if model.local]


def test_means_are_means_and_a_run_without_submission_has_no_time():
    runs = [run(total_tokens=n * 1_000_000, first_submission_s=first, result=result, wall_clock_s=60.0 * n)
            for n, first, result in ((1, 30.0, "PASS"), (2, None, "NONE"), (6, 90.0, "HOST"))]  # fmt: skip
    (row,) = table5(runs)
    assert row["mean_total_tokens_millions"] == pytest.approx(statistics.mean([1, 2, 6]))
    assert row["mean_wall_minutes"] == pytest.approx(statistics.mean([1, 2, 6]))
    assert (row["passes"], row["runs"], row["n_submit"]) == (1, 3, 2)
    assert row["mean_first_submit_minutes"] == pytest.approx(statistics.mean([30, 90]) / 60)
    (silent,) = table5([run(result="NONE", first_submission_s=None)])
    assert (silent["n_submit"], silent["mean_first_submit_minutes"]) == (0, None)


def test_each_table_takes_its_own_runs():
    runs = [run(), run(mode="oracle_full"), run(model="gpt-5.4"), run(model="someone/else", mode="oracle_full")]
    assert [(row["model"], row["runs"]) for row in table3(runs)] == [("gpt-5.4", 1), ("qwen3.5-9B", 1)]
    assert [row["model"] for row in table4(runs)] == ["gpt-5.4", "qwen3.5-9B", "someone/else"]
    assert "ci_red_green" not in table4(runs)[0]
    assert [(row["model"], row["runs"]) for row in table5(runs)] == [("qwen3.5-9B", 2)]
    assert table3([]) == table4([]) == table5([]) == figure2([]) == figure3([]) == figure4([]) == []


def test_a_tie_has_no_most_likely_outcome():
    runs = [run(result=result) for result in ("PASS", "HOST", "HOST")]
    assert figure2(runs)[0]["modal_outcome"] == "HOST"
    (tied,) = figure2([*runs, run(result="PASS")])
    assert (tied["modal_outcome"], tied["tied"], tied["passes"]) == (None, "HOST = PASS", 2)


def test_a_figure_that_a_run_does_not_hold_is_an_error_and_no_zero():
    with pytest.raises(WarehouseError, match=r"A run of qwen3\.5-9B has no tool_calls"):
        table3([run(tool_calls=None)])


def test_labels_of_outcomes():
    families = ("pass", "host_tests", "integration", "no_submission", "infra", "unknown", None)
    assert [outcome(name) for name in families] == ["PASS", "HOST", "INT", "NONE", "INFRA", "UNKNOWN", "UNKNOWN"]
