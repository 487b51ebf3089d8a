"""What samples say of themselves is something to count by; what measures checks is not counted."""

from datetime import UTC, datetime
from typing import Any

from warehouse.database import query
from warehouse.layout import Layout
from warehouse.writer import write_batch

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SAID = {
    "a": '{"tier":"core","platform":"native_sim","reasoning_types":["api_recall","cross_domain"]}',
    "b": '{"tier":"challenge","platform":"native_sim","reasoning_types":["api_recall"]}',
    "c": "{}",
}
UNITS = [("a", "m", "pass"), ("b", "m", "fail"), ("c", "m", "pass"), ("a", "n", "not_run"), ("b", "n", "pass")]


def stored(layout: Layout) -> Layout:
    samples: list[dict[str, Any]] = [
        {"sample_id": name, "track": "firmware", "release": "r", "category": "timer", "cluster": name,
         "reference": "", "prompt_parts": said, "difficulty": "easy"}
        for name, said in SAID.items()
    ]  # fmt: skip
    write_batch(layout, "corpora", "r", {"samples": samples})
    generations, evaluations, checks = [], [], []
    for sample, model, status in UNITS:
        for scenario in ("generation", "bugfix"):
            unit = f"{sample}{model}{scenario}"
            seen = status if scenario == "generation" else "fail"
            generations.append({"generation_id": unit, "track": "firmware", "release": "r", "sample_id": sample,
                                "model": model, "config": "full", "scenario": scenario, "attempt": 1})  # fmt: skip
            evaluations.append({"evaluation_id": unit, "generation_id": unit, "grader_version": "1", "status": seen,
                                "score": {"pass": 1.0, "fail": 0.0}.get(seen), "created_at": NOW})  # fmt: skip
            checks += [
                {"evaluation_id": unit, "layer": layer, "check": layer, "status": said}
                for layer, said in (("static", seen), ("mutation", "fail"))
            ]
    write_batch(layout, "x", "y", {"generations": generations, "evaluations": evaluations, "checks": checks})
    return layout


def test_rates_by_tier_and_reasoning_keep_models_and_scenarios_apart(tmp_path):
    asked = "SELECT facet, value, model, n_samples, n_asked, n_measured, n_pass FROM per_facet"
    found = query(stored(Layout(tmp_path)), f"{asked} WHERE scenario = 'generation'").to_pylist()
    rows = {(row["facet"], row["value"], row["model"]): tuple(row.values())[3:] for row in found}
    assert rows["tier", "core", "m"] == (1, 1, 1, 1)
    assert rows["tier", "challenge", "m"] == (1, 1, 1, 0)
    assert rows["tier", "core", "n"] == (1, 1, 0, 0), "what could not be measured is in no rate"
    assert rows["reasoning", "api_recall", "m"] == (2, 2, 2, 1)
    assert rows["reasoning", "cross_domain", "m"] == (1, 1, 1, 1)
    assert rows["difficulty", "easy", "m"] == (3, 3, 3, 2)
    assert {key[1] for key in rows if key[0] == "tier"} == {"core", "challenge"}, "a sample that says nothing has none"


def test_bugs_to_repair_are_a_scenario_of_their_own_in_every_view(tmp_path):
    layout = stored(Layout(tmp_path))
    for view in ("leaderboard", "per_stratum", "per_facet", "per_config", "failed_checks", "layer_results"):
        rows = query(layout, f"SELECT DISTINCT scenario FROM {view}").to_pylist()
        assert {row["scenario"] for row in rows} == {"generation", "bugfix"}, view
    board = query(layout, "SELECT model, scenario, n_asked, n_pass FROM leaderboard").to_pylist()
    assert {(row["model"], row["scenario"]): (row["n_asked"], row["n_pass"]) for row in board} == {
        ("m", "generation"): (3, 2), ("m", "bugfix"): (3, 0), ("n", "generation"): (2, 1), ("n", "bugfix"): (2, 0),
    }  # fmt: skip


def test_the_layer_mutation_is_counted_in_no_view_of_models(tmp_path):
    layout = stored(Layout(tmp_path))
    for view in ("failed_checks", "failures", "layer_results"):
        layers = query(layout, f"SELECT DISTINCT layer FROM {view}").to_pylist()
        assert [row["layer"] for row in layers] == ["static"], view


def test_a_verdict_that_halted_counts_only_without_a_whole_one(tmp_path):
    layout = stored(Layout(tmp_path))
    halted = {"evaluation_id": "h", "generation_id": "amgeneration", "grader_version": "2+halt", "status": "fail",
              "score": 0.0, "created_at": datetime(2027, 1, 1, tzinfo=UTC)}  # fmt: skip
    only = {**halted, "evaluation_id": "o", "generation_id": "other"}
    unit = {"generation_id": "other", "track": "firmware", "release": "r", "sample_id": "a", "model": "h",
            "config": "full", "scenario": "generation", "attempt": 1}  # fmt: skip
    write_batch(layout, "x", "z", {"evaluations": [halted, only], "generations": [unit]})
    rows = query(layout, "SELECT generation_id, status FROM results WHERE generation_id IN ('amgeneration', 'other')")
    assert {row["generation_id"]: row["status"] for row in rows.to_pylist()} == {
        "amgeneration": "pass", "other": "fail",
    }  # fmt: skip
