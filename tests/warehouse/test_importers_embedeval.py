"""EmbedEval's trackers and archives: which cases passed, what a skipped layer is worth, what is not believed."""

import json
from collections import Counter

import pytest

from tests.stats import published
from tests.stats.published import FOLDER
from tests.warehouse import foreign
from tests.warehouse.foreign import detail, entry, layer
from warehouse.database import query
from warehouse.errors import WarehouseError
from warehouse.importers.embedeval_cases import Case, category_of, judged
from warehouse.importers.embedeval_runs import runs
from warehouse.importers.embedeval_tracker import tracker

ONE = {"dma-001": ("dma", "compile_gate", "west_build_docker"), "esp-timer-001": ("timer", "static_analysis", "a, b")}
TWO = {"dma-001": ("dma", "runtime_execution", "output_validation")}
STATIC = layer("static_analysis", True, ("header", True, "exact_match", "present"))
SKIPPED = layer("compile_gate", True, ("build_env", True, "environment", "skipped (build not enabled)"))
BUILT = layer("compile_gate", True, ("west_build_docker", True, "compile", "ok"))
RAN = layer("runtime_execution", True, ("output_validation", True, "runtime", "all found"))
GOOD = layer("static_heuristic", True, ("volatile", True, "constraint", "yes"))
BAD = layer("static_heuristic", False, ("volatile", False, "constraint", "no"))
HALTED = layer("compile_gate", False, error="Skipped: layer 0 failed")
MUTATED = layer("test_quality_proof", False, ("mutation_x", False, "mutation", "survived"))
PROVIDER = layer("static_analysis", False, ("llm_call", False, "llm_error", "429"))


def status(*layers, passed=True, checks=(), code="x"):
    found, rows = judged("g", Case("c", "dma", passed, "static", checks, layers, code if layers else None))
    return found["status"], found["failed_layer"], {(row["layer"], row["check"]): row["status"] for row in rows}


@pytest.mark.parametrize(("layers", "passed", "expected"), [
    ((STATIC, BUILT, RAN, GOOD), True, ("pass", None)),
    ((STATIC, SKIPPED, RAN, GOOD), True, ("not_run", None)),
    ((STATIC, SKIPPED, RAN, BAD), False, ("fail", "heuristic")),
    ((layer("static_analysis", False, ("header", False, "exact_match", "absent")), HALTED), False, ("fail", "static")),
    ((STATIC, BUILT, RAN, GOOD, MUTATED), True, ("pass", None)),
    ((PROVIDER, HALTED), False, ("infra_error", None)),
    ((STATIC, layer("compile_gate", True), RAN, GOOD), True, ("not_run", None)),
    ((STATIC, layer("compile_gate", False, ("idf", False, "environment", "none"))), False, ("infra_error", None)),
])  # fmt: skip
def test_layers_decide_by_what_ran(layers, passed, expected):
    checks = ("llm_call",) if layers[0] is PROVIDER else ()
    assert status(*layers, passed=passed, checks=checks)[:2] == expected
    assert status(*layers, passed=passed)[2]["upstream", "verdict"] == ("pass" if passed else "fail")


def test_a_layer_that_was_halted_or_skipped_did_not_run():
    rows = status(STATIC, SKIPPED, layer("runtime_execution", False, error="Skipped: layer 1 failed"), GOOD)[2]
    assert (rows["compile", "build_env"], rows["runtime", "ran"]) == ("not_run", "not_run")
    assert (rows["static", "header"], rows["heuristic", "volatile"]) == ("pass", "pass")


def test_an_empty_reply_is_no_submission_and_a_list_of_failures_is_believed():
    assert status(STATIC, BUILT, RAN, BAD, passed=False, code=" ")[0] == "no_submission"
    assert status(passed=False, checks=("a", "b"))[:2] == ("fail", "static")
    assert status(passed=False, checks=("llm_call",))[0] == "infra_error"
    assert status(passed=True)[:2] == ("pass", None)


def test_categories_of_case_ids():
    ids = {"dma-001": "dma", "isr-concurrency-003": "isr-concurrency", "esp-spi-001": "spi-i2c",
           "stm32-freertos-002": "threading", "dma-002:drop_flush": "dma"}  # fmt: skip
    assert {case: category_of(case) for case in ids} == ids


def counted(layout):
    return query(
        layout, "SELECT model, attempt, category, status, count(*) AS n FROM results GROUP BY ALL"
    ).to_pylist()


@pytest.mark.parametrize("with_tracker", [True, False])
def test_a_run_passed_the_cases_it_does_not_list(layout, tmp_path, with_tracker):
    foreign.archive(tmp_path / "results" / "runs", "m", 1, ONE)
    foreign.archive(tmp_path / "results" / "runs", "m", 2, TWO)
    if with_tracker:
        foreign.tracker(
            tmp_path / "results" / "test_tracker.json", {"m": [entry(case, True) for case in foreign.CASES]}
        )
    (landed,) = runs(layout, tmp_path / "results")
    rows = query(layout, "SELECT family, attempt, status, failed_layer FROM results").to_pylist()
    assert len(rows) == 12
    failed = {(row["family"], row["attempt"]): row["failed_layer"] for row in rows if row["status"] == "fail"}
    assert failed == {("dma-001", 1): "compile", ("esp-timer-001", 1): "static", ("dma-001", 2): "runtime"}
    names = {row["family"] for row in rows}
    unnamed = {"dma, never failed, 1", "dma, never failed, 2", "timer, never failed, 1", "spi-i2c, never failed, 1"}
    assert names == (set(foreign.CASES) if with_tracker else {"dma-001", "esp-timer-001"} | unnamed)
    assert ("not named by the source" in " ".join(landed.notes)) == (not with_tracker)
    per_category = Counter((row["category"], row["attempt"]) for row in counted(layout) for _ in range(row["n"]))
    assert per_category == {(name, run): cases for name, cases in foreign.CATEGORIES.items() for run in (1, 2)}
    checks = query(layout, "SELECT \"check\" FROM checks WHERE layer = 'static' ORDER BY ALL").to_pylist()
    assert [row["check"] for row in checks] == ["a", "b"]


def test_a_tracker_of_other_cases_names_nobody(layout, tmp_path):
    foreign.archive(tmp_path / "runs", "m", 1, ONE)
    others = [entry(case, True) for case in (*foreign.CASES[:-1], "uart-001")]
    foreign.tracker(tmp_path / "test_tracker.json", {"m": others})
    runs(layout, tmp_path)
    assert query(layout, "SELECT count(*) AS n FROM samples WHERE family LIKE '%never failed%'").to_pylist() == [
        {"n": 4}
    ]


def test_a_report_that_was_overwritten_is_left_out_and_said_so(layout, tmp_path):
    foreign.archive(tmp_path, "m", 1, ONE)
    foreign.archive(tmp_path, "n", 1, {}, listed_total=1)
    (landed,) = runs(layout, tmp_path)
    assert landed.rows["generations"] == 6
    dropped = query(layout, "SELECT stage, item, reason FROM dropped").to_pylist()
    assert dropped == [{"stage": "import", "item": "2026-04-12_n_n1", "reason": "files_disagree"}]
    assert "1 cases in its table, 6 cases in its summary" in landed.notes[-1]
    with pytest.raises(WarehouseError, match="2026-04-12_n_n1 counts"):
        runs(layout, tmp_path / "2026-04-12_n_n1")
    (tmp_path / "empty").mkdir()
    with pytest.raises(WarehouseError, match=r"holds no report\.md"):
        runs(layout, tmp_path / "empty")


def test_cases_that_do_not_fit_their_category_are_refused(layout, tmp_path):
    place = foreign.archive(tmp_path, "m", 1, {f"uart-00{n}": ("spi-i2c", "static_analysis", "a") for n in (1, 2)})
    assert place.is_dir()
    with pytest.raises(WarehouseError, match="name 2 cases of spi-i2c, but their summary counts 1"):
        runs(layout, tmp_path)


def test_details_bring_replies_tokens_and_every_check(layout, tmp_path):
    place = foreign.archive(tmp_path, "m", 1, {"dma-001": ("dma", "static_heuristic", "volatile")}, total=6)
    (place / "details").mkdir()
    for case in foreign.CASES:
        bad = case == "dma-001"
        layers = [STATIC, SKIPPED if case == "dma-002" else BUILT, RAN, BAD if bad else GOOD]
        (place / "details" / f"{case}.json").write_text(json.dumps(detail(case, not bad, layers, f"// {case}")))
    (landed,) = runs(layout, tmp_path)
    rows = {row["family"]: row for row in query(layout, "FROM results").to_pylist()}
    assert {name: row["status"] for name, row in rows.items() if row["status"] != "pass"} == {
        "dma-001": "fail", "dma-002": "not_run"
    }  # fmt: skip
    assert (rows["dma-001"]["prompt_tokens"], rows["dma-001"]["cost_usd"]) == (10, 0.01)
    assert query(layout, "SELECT code FROM generations WHERE code LIKE '%003'").to_pylist() == [{"code": "// dma-003"}]
    assert "1 verdicts are not_run" in landed.notes
    assert not any("which layers ran" in note for note in landed.notes)


def test_again_changes_nothing_and_printed_figures_come_along(layout, tmp_path):
    foreign.archive(tmp_path, "m", 1, ONE)
    first, again = runs(layout, tmp_path)[0], runs(layout, tmp_path)[0]
    assert (first.new, again.new, first.release) == (True, False, again.release)
    told = query(
        layout, "SELECT value FROM published WHERE source = 'embedeval' AND \"column\" = 'ci_low' ORDER BY ALL"
    )
    assert [row["value"] for row in told.to_pylist()] == [0.532, 0.644]
    foreign.archive(tmp_path, "m", 2, TWO)
    more = runs(layout, tmp_path)[0]
    assert more.release != first.release
    pooled = query(layout, "SELECT release, count(*) AS n FROM results GROUP BY ALL ORDER BY n").to_pylist()
    assert [row["n"] for row in pooled] == [6, 12]


def test_a_tracker_keeps_versions_of_a_case_apart(layout, tmp_path):
    path = foreign.tracker(tmp_path / "test_tracker.json", {
        "m": [entry("dma-001", True), entry("dma-002", False, 0, ("a", "b")),
              entry("dma-003", False, 0, ("llm_call",)),
              entry("dma-002:seeded", True, None, ("mutation_x",))],
        "n": [entry("dma-001", True, case_git_hash="other"),
              entry("dma-002", True, tested_at="2026-04-10T00:00:00+00:00")],
    }, context_pack_hash="abc")  # fmt: skip
    landed = tracker(layout, tmp_path)
    rows = query(layout, "SELECT model, family, scenario, config, status, failed_layer FROM results").to_pylist()
    assert Counter((row["family"], row["model"], row["status"]) for row in rows) == {
        ("dma-001", "m", "pass"): 1, ("dma-001", "n", "pass"): 1, ("dma-002", "m", "fail"): 1,
        ("dma-002", "n", "pass"): 1, ("dma-003", "m", "infra_error"): 1, ("dma-002", "m", "pass"): 1,
    }  # fmt: skip
    versions = query(layout, "SELECT family, count(*) AS n FROM samples GROUP BY ALL ORDER BY ALL").to_pylist()
    assert versions == [{"family": "dma-001", "n": 2}, {"family": "dma-002", "n": 2}, {"family": "dma-003", "n": 1}]
    assert {row["scenario"] for row in rows} == {"generation", "bugfix"}
    assert {row["config"] for row in rows} == {"pack:abc"}
    assert landed.notes == (
        "the verdicts are of 2 days, 2026-04-10 to 2026-04-12: case and check versions may differ",
    )
    assert tracker(layout, path).new is False


def test_what_is_no_tracker_is_refused(layout, tmp_path):
    (tmp_path / "test_tracker.json").write_text("[]")
    with pytest.raises(WarehouseError, match=r"is no test_tracker.json"):
        tracker(layout, tmp_path)
    (tmp_path / "test_tracker.json").write_text("{")
    with pytest.raises(WarehouseError, match="cannot be read as JSON"):
        tracker(layout, tmp_path)
    foreign.tracker(tmp_path / "test_tracker.json", {"m": [entry("dma-001", False, 7)]})
    with pytest.raises(WarehouseError, match="case 'dma-001': no verdict with a layer from 0 to 4"):
        tracker(layout, tmp_path)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="shared/published is not beside the repository")
def test_the_published_failures_are_the_published_table(layout):
    (landed,) = runs(layout, FOLDER / "embedeval_2026-04-12_failures.csv")
    assert landed.rows["generations"] == 2 * 3 * 233
    ours = query(layout, "SELECT model, attempt, category, status FROM results").to_pylist()
    found = Counter((row["model"], str(row["attempt"]), row["category"], row["status"] == "pass") for row in ours)
    told = Counter((row["model"], row["run"], row["category"], row["passed"]) for row in published.embedeval())
    assert found == told
