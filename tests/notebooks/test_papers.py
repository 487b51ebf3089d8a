"""What the notebooks show, function by function: print beside ours, and null with a reason where there is nothing."""

import polars as pl
import pytest

from tests.notebooks.conftest import FAMILIES, VARIANTS
from tests.stats import published
from warehouse.database import query
from warehouse.exports import paper_closed_loop, paper_embedeval, paper_realembedbench, paper_registers
from warehouse.exports.beside import Cell, beside, beside_text, rounds_to
from warehouse.exports.needs import NEEDS, release_of, state
from warehouse.writer import write_batch


@pytest.mark.parametrize(("value", "text", "same"), [
    (77.05, "77.0", True), (77.05, "77.1", True), (77.06, "77.0", False), (14, "14", True), (14.4, "14", True),
    (0.6795, "0.680", True), (0.6794, "0.680", False), (-0.05, "-0.1", True), (1e-12, "0", True),
])  # fmt: skip
def test_a_figure_agrees_when_it_rounds_to_print(value, text, same):
    assert rounds_to(value, text) is same


def test_print_and_ours_side_by_side(layout):
    write_batch(layout, "published", "x", {"published": [
        {"source": "s", "table": "t", "row": row, "column": column, "value": value, "text": text}
        for row, column, value, text in (("a", "x", 0.5, "0.50"), ("b", "x", 2.0, "2"), ("a", "label", None, "HOST"))
    ]})  # fmt: skip
    frame = beside(
        layout, "s", "t", [Cell("a", "x", 0.504, 9), Cell("a", "y", None, 0, "no rows"), Cell("c", "x", 1, 2)]
    )
    assert frame.rows() == [
        ("a", "x", 0.5, 0.504, pytest.approx(0.004), 9, True, None),
        ("a", "y", None, None, None, 0, None, "no rows"),
        ("c", "x", None, 1.0, None, 2, None, "not printed"),
        ("a", "label", None, None, None, None, None, "not asked here"),
        ("b", "x", 2.0, None, None, None, None, "not asked here"),
    ]  # fmt: skip
    assert beside(layout, "s", "t", [], columns=["x"], missing="gone")["why"].to_list() == ["gone", "gone"]
    texts = beside_text(layout, "s", "t", [Cell("a", "label", "HOST", 3), Cell("z", "label", None, 3, "PASS = INT")])
    assert texts.rows() == [
        ("a", "label", "HOST", "HOST", 3, True, None),
        ("z", "label", None, None, 3, None, "PASS = INT"),
    ]


def test_the_state_of_a_warehouse_names_what_to_run(layout, filled):
    for notebook, needs in NEEDS.items():
        text = state(layout, notebook)
        assert text.count("**none yet**; run `firmbench ") == len(needs)
    assert "imported runs: 420" in state(filled[0], "closed_loop")
    assert "none yet" not in state(filled[0], "embedeval")
    assert "none yet" not in state(filled[0], "registers")


def test_the_largest_release_is_taken_unless_one_is_named(filled):
    layout, _ = filled
    assert release_of(layout, "imported:embedeval").startswith("imported:embedeval:2026-04-12:233-cases:")
    assert release_of(layout, "imported:embedeval", "mine") == "mine"
    assert release_of(layout, "nothing") is None


def test_closed_loop_tables_equal_print_but_for_the_known_row(filled):
    layout, _ = filled
    off = paper_closed_loop.disagreements(layout)
    assert off["row"].unique().to_list() == ["qwen3.5-2B"]
    assert off.group_by("table").len().sort("table").rows() == [("table3", 3), ("table5", 4)]
    printed = {"table3": 56, "table4": 28, "table5": 45, "figure2": 70}
    for name, figures in printed.items():
        frame = getattr(paper_closed_loop, name)(layout)
        assert frame.height == frame["agrees"].count() == figures
        counted = frame.filter(~pl.col("column").is_in(["runs", "repetitions"]))
        assert counted["n"].null_count() == 0
    assert paper_closed_loop.figure2_outcomes(layout)["agrees"].to_list() == [True] * 35


def test_closed_loop_intervals_widen_with_tasks_and_leave_out_what_was_not_measured(filled):
    layout, _ = filled
    frame = paper_closed_loop.with_clusters(layout)
    assert frame["tasks"].to_list() == [5] * 7
    width = (pl.col("clustered_high") - pl.col("clustered_low")) / (pl.col("wilson_high") - pl.col("wilson_low"))
    assert frame.select(width.min()).item() > 1.4
    assert paper_closed_loop.unmeasured(layout)["model"].value_counts().sort("model").rows() == [
        ("gpt-5.4", 1), ("qwen3.5-2B", 3), ("qwen3.5-4B", 1), ("qwen3.5-9B", 2)
    ]  # fmt: skip


def test_embedeval_golden_figures_from_the_warehouse(filled):
    layout, _ = filled
    board = paper_embedeval.leaderboard(layout)
    assert board.filter(~pl.col("agrees"))["row"].to_list() == ["sonnet − haiku"]
    assert board["printed"].count() == board["ours"].count() == board.height == 17
    errors = {(row["model"], row["design"]): row["se"] for row in paper_embedeval.with_clusters(layout).to_dicts()}
    assert errors["sonnet", "clustered by case"] == pytest.approx(0.02855366197290366, abs=1e-9)
    assert errors["haiku", "clustered by case"] == pytest.approx(0.028246140085374728, abs=1e-9)
    assert errors["sonnet", "clustered by category"] == pytest.approx(0.049228072097713294, abs=1e-9)
    gap = {row["design"]: row for row in paper_embedeval.gap(layout).to_dicts()}
    paired = gap["by case, paired"]
    assert paired["ours"] == pytest.approx(0.11015736766809725, abs=1e-9)
    assert paired["se"] == pytest.approx(0.021721954107012303, abs=1e-9)
    assert (paired["printed"], paired["n"]) == (0.111, 233)
    assert gap["by case, unpaired"]["statistic"] == pytest.approx(2.7426813912745134, abs=1e-9)


def test_the_printed_heat_map_is_the_last_run_alone(filled):
    frame = paper_embedeval.heatmap(filled[0])
    assert frame.height == 46
    assert frame["last_run_agrees"].to_list() == [True] * 46
    by_model = frame.group_by("column").agg(pl.col("agrees").sum()).sort("column")
    assert by_model.rows() == [("haiku", 5), ("sonnet", 6)]
    row = frame.row(by_predicate=(pl.col("row") == "pwm") & (pl.col("column") == "sonnet"), named=True)
    assert (row["printed"], row["ours"], row["n"]) == (1.0, pytest.approx(1 / 3), 3)


def test_two_runs_of_one_model_differ_as_much_as_a_pack_is_said_to_matter(filled):
    rows = paper_embedeval.noise(filled[0]).select("model", "runs", "helpful", "harmful", "n").rows()
    assert rows == [
        ("sonnet", "1 → 2", 15, 5, 233), ("sonnet", "1 → 3", 13, 10, 233), ("sonnet", "2 → 3", 5, 12, 233),
        ("haiku", "1 → 2", 19, 26, 233), ("haiku", "1 → 3", 17, 20, 233), ("haiku", "2 → 3", 24, 20, 233),
    ]  # fmt: skip


def test_the_context_example(filled):
    layout, _ = filled
    assert paper_embedeval.context_example(layout)["agrees"].to_list() == [True, True]
    assert paper_embedeval.context_rates(layout)["n"].to_list() == [10, 10, 10]
    assert paper_embedeval.context_test(layout)["p_value"].to_list() == [pytest.approx(0.0625), pytest.approx(0.03125)]


def test_every_printed_figure_of_realembedbench_stands_in_its_table(filled):
    layout, _ = filled
    shown = {"table5": paper_realembedbench.table5(layout), "table8": paper_realembedbench.table8(layout),
             "table10": paper_realembedbench.table10(layout),
             **{name: paper_realembedbench.other(layout, name) for name in paper_realembedbench.TRACK_OF}}  # fmt: skip
    for name, frame in shown.items():
        told = query(layout, f"FROM published WHERE source = 'realembedbench' AND \"table\" = '{name}'").to_pylist()
        assert told
        ours = {(row["row"], row["column"]): row["printed"] for row in frame.to_dicts()}
        assert {(row["row"], row["column"]): row["value"] for row in told}.items() <= ours.items()
        missing = frame.filter(pl.col("ours").is_null())
        assert missing["why"].null_count() == 0
    raw = published.rows("realembedbench_table10.csv")[0]
    ours = {(row["row"], row["column"]): row["printed"] for row in shown["table10"].to_dicts()}
    assert ours[raw["model"], "NoCtx"] == float(raw["NoCtx"])


def test_our_figures_of_realembedbench_are_those_of_the_views(filled):
    layout, _ = filled
    frame = paper_realembedbench.table10(layout).filter(pl.col("ours").is_not_null())
    told = query(layout, "SELECT model, \"column\", codebleu_package, n_package FROM published_vs_ours "
                 "WHERE \"table\" = 'table10' AND n_package > 0").to_pylist()  # fmt: skip
    assert frame.height == len(told) == 3 * 7
    assert {(row["row"], row["column"]): (row["ours"], row["n"]) for row in frame.to_dicts()} == {
        (row["model"], row["column"]): (row["codebleu_package"], row["n_package"]) for row in told
    }  # fmt: skip
    worth = paper_realembedbench.order_of_worth(layout)
    drops = [float(row["NoCtx"]) - float(row["Full"]) for row in published.rows("realembedbench_table10.csv")]
    last = worth.row(by_predicate=pl.col("config") == "no_context", named=True)
    assert last["printed"] == pytest.approx(sum(drops) / len(drops))
    assert last["difference"] == pytest.approx(last["ours"] - last["printed"])
    assert worth["config"][0] == "no_context"


def test_built_in_solvers_are_no_models_in_the_ablation(filled):
    rows = paper_realembedbench.ablation(filled[0], models=["hosted/large"])
    assert rows.filter(pl.col("source") != "print")["model"].unique().to_list() == ["hosted/large"]
    assert rows.filter(pl.col("source") != "print")["low"].null_count() == 0


def test_registers_metrics_against_a_slow_definition(filled):
    layout, units = filled
    frame = paper_registers.metrics(layout)
    found = {(row["model"], row["metric"]): row for row in frame.to_dicts()}
    for model in ("hosted/large", "local/tiny"):
        mine = [unit for unit in units if unit["model"] == model]
        accuracy = sum(unit["passed"] for unit in mine) / len(mine)
        assert found[model, "accuracy"]["value"] == pytest.approx(accuracy)
        assert (found[model, "accuracy"]["n"], found[model, "accuracy"]["families"]) == (len(mine), FAMILIES)
        by = {(unit["family"], unit["variant"]): unit["passed"] for unit in mine}
        for variant in VARIANTS:
            if variant != "base":
                lost = [by[family, "base"] - by[family, variant] for family, v in by if v == "base"]
                assert found[model, f"{variant}_delta"]["value"] == pytest.approx(sum(lost) / FAMILIES)
    families = paper_registers.saturated(layout)
    assert families.filter(pl.col("family") == "family-0")["saturated"].to_list() == ["all_pass"]
    assert families.height == FAMILIES


def test_registers_beside_print(filled):
    rows = paper_registers.against_print(filled[0])
    accuracy = rows.filter(pl.col("metric") == "accuracy")
    told = [float(row["accuracy"]) for row in published.rows("regbench_results.csv")]
    assert accuracy["printed"].to_list() == [pytest.approx(sum(told) / 5)] * 2
    assert (accuracy["printed_low"][0], accuracy["printed_high"][0]) == (min(told), max(told))
    assert accuracy.select((pl.col("ours") - pl.col("printed") - pl.col("difference")).abs().max()).item() < 1e-12
    delta = rows.filter(pl.col("metric") == "rename_delta")["printed"][0]
    assert delta == pytest.approx((3.33 + 0 + 1.67) / 3 / 100)


@pytest.mark.parametrize("module", [paper_closed_loop, paper_embedeval, paper_realembedbench, paper_registers])
def test_pictures_draw_with_rows_and_without(layout, filled, module):
    import vl_convert

    names = [name for name in dir(module) if name.startswith("picture")]
    assert names
    for place in (layout, filled[0]):
        for name in names:
            drawn = getattr(module, name)(place)
            for chart in drawn if isinstance(drawn, tuple) else (drawn,):
                svg = vl_convert.vegalite_to_svg(chart.to_dict())
                assert ("nothing to draw yet" in svg) == (place is layout)
