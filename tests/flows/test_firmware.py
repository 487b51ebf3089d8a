"""The firmware track from the command line: a checkout, solvers in every scenario, filters, packs, halting."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.small import BEHAVIOR, METADATA, NEGATIVES, REFERENCE, STATIC

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("flows")]

MORE = "tier: {tier}\nreasoning_types: [{reasoning}]\ncreated_date: {created}\n"
CASES = {
    "timer-001": MORE.format(tier="core", reasoning="api_recall", created="2026-01-01"),
    "timer-002": MORE.format(tier="challenge", reasoning="cross_domain", created="2026-03-24"),
    "dma-001": MORE.format(tier="core", reasoning="cross_domain", created="2026-03-24"),
}


def write_case(folder: Path, more: str, changed: Mapping[str, str] = {}) -> None:
    metadata = METADATA.format(id=folder.name).replace("category: timer", f"category: {folder.name[:-4]}")
    files = {
        "metadata.yaml": metadata + more, "prompt.md": "Let the lamp blink.\n", "reference/main.c": REFERENCE,
        "checks/static.py": STATIC, "checks/behavior.py": BEHAVIOR, "checks/negatives.py": NEGATIVES, **changed,
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


class Bench:
    """A data folder with a release of small cases, whose checkout is gone once it is built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "FIRMBENCH_DATA": str(folder / "data"), "PREFECT_HOME": str(folder / "prefect"),
        }  # fmt: skip
        for name, more in CASES.items():
            write_case(folder / "checkout/cases" / name, more)
        write_case(folder / "checkout/cases/timer-009", "colour: red\n")
        write_case(folder / "checkout/cases/pwm-001", "", {"checks/static.py": "def run_checks(code):\n    1 // 0\n"})
        write_case(folder / "hidden/uart-001", MORE.format(tier="core", reasoning="api_recall", created="2026-03-24"))
        options = ("--cases", str(folder / "checkout"), "--private", str(folder / "hidden"), "--workers", "1")
        self.built = self.run("corpus", "build", "firmware", *options)
        self.again = self.run("corpus", "build", "firmware", *options)
        shutil.rmtree(folder / "checkout")

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-c", "from flows.cli import main; main()", *arguments]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )  # fmt: skip

    def ask(self, *arguments: str) -> str:
        done = self.run("run", "firmware", *arguments, "--workers", "1")
        assert done.returncode == 0, done.stderr
        return done.stderr

    def sql(self, query: str) -> list[dict[str, Any]]:
        done = self.run("sql", query, "--format", "json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("firmware"))


def test_a_build_names_what_it_drops_and_does_nothing_twice(bench: Bench) -> None:
    assert bench.built.returncode == 0, bench.built.stderr
    told = " ".join(bench.built.stderr.split())
    assert "dropped timer-009 in load, bad_case: Case timer-009: metadata.yaml has 1 wrong keys: " in told
    assert "gate_infra_error" in told
    assert "checks/static.py: line 2: ZeroDivisionError" in told
    assert "1 dma, 2 timer, 1 uart; 4 more are for scenarios of their own" in told
    assert "it was there already" in bench.again.stderr


def test_solvers_run_in_both_scenarios_and_views_keep_them_apart(bench: Bench) -> None:
    solvers = ("--model", "reference", "--model", "stub", "--model", "empty", "--model", "mutant")
    assert "1 private samples are left out; --visibility all asks them too" in bench.ask(*solvers)
    bench.ask(*solvers, "--scenario", "bugfix")
    asked = "SELECT scenario, model, sum(n_asked) AS n, sum(n_pass) AS p FROM leaderboard GROUP BY ALL"
    rows = {(row["scenario"], row["model"]): (int(row["n"]), int(row["p"])) for row in bench.sql(asked)}
    assert rows == {
        (scenario, model): (3, 3 if model == "reference" else 0)
        for scenario in ("generation", "bugfix")
        for model in ("reference", "stub", "empty", "mutant")
    }
    facets = bench.sql(
        "SELECT value, n_pass, n_measured FROM per_facet "
        "WHERE facet = 'tier' AND model = 'reference' AND scenario = 'generation' ORDER BY value"
    )
    assert [tuple(row.values()) for row in facets] == [("challenge", 1, 1), ("core", 2, 2)]
    layers = bench.sql("SELECT layer, status, count(*) AS n FROM layer_results WHERE model = 'reference' GROUP BY ALL")
    assert {(row["layer"], row["status"]) for row in layers} == {
        ("static", "pass"), ("compile", "not_run"), ("runtime", "not_run"), ("heuristic", "pass"),
    }  # fmt: skip
    texts = bench.sql("SELECT scenario, messages FROM generations WHERE model = 'stub' AND scenario = 'bugfix'")
    assert all("there is a bug in it" in row["messages"] and "plain" not in row["messages"] for row in texts)


def test_filters_choose_what_is_asked_and_private_cases_are_asked_only_by_name(bench: Bench) -> None:
    assert "3 units:" in bench.ask("--model", "empty", "--visibility", "all", "--tier", "core")
    rows = bench.sql("SELECT DISTINCT cluster, visibility FROM results JOIN samples USING (sample_id, cluster) "
                     "WHERE model = 'empty' AND scenario = 'generation' ORDER BY cluster")  # fmt: skip
    assert {row["cluster"]: row["visibility"] for row in rows} == {
        "dma-001": "public", "timer-001": "public", "timer-002": "public", "uart-001": "private",
    }  # fmt: skip


def test_rounds_where_there_are_none_get_one_sentence(bench: Bench) -> None:
    done = bench.run("run", "firmware", "--model", "empty", "--rounds", "2")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "The scenario generation takes no '2' rounds." in done.stderr


def test_a_pack_is_a_config_of_its_own_and_stands_beside_full(bench: Bench) -> None:
    (bench.folder / "pack.md").write_text("Check every result.\n")
    bench.ask("--model", "reference", "--pack", str(bench.folder / "pack.md"))
    rows = bench.sql(
        "SELECT config, sum(n_pairs) AS n FROM context_ablation WHERE model = 'reference' AND scenario = 'generation' "
        "GROUP BY ALL ORDER BY config"
    )
    assert [(row["config"][:10], int(row["n"])) for row in rows] == [("full", 3), ("full+pack-", 3)]
    (shown,) = bench.sql("SELECT DISTINCT messages FROM generations WHERE config LIKE 'full+pack-%' AND sample_id IN "
                         "(SELECT sample_id FROM samples WHERE cluster = 'dma-001')")  # fmt: skip
    assert json.loads(shown["messages"])[0]["content"].startswith("## Team Context\n\nCheck every result.\n\nLet the")


def test_halting_grades_again_in_the_methods_order_and_leaves_whole_verdicts_in_place(bench: Bench) -> None:
    done = bench.run("grade", "firmware", "--halt", "--workers", "1")
    assert done.returncode == 0, done.stderr
    halted = bench.sql("SELECT count(*) AS n FROM checks WHERE saw LIKE 'halted:%'")
    assert halted[0]["n"] > 0
    assert not bench.sql("SELECT * FROM results WHERE grader_version LIKE '%+halt'")


def test_rounds_of_feedback_are_a_scenario_of_their_own(bench: Bench) -> None:
    bench.ask("--model", "reference", "--model", "stub", "--scenario", "feedback", "--rounds", "1")
    rows = bench.sql(
        "SELECT model, scenario, sum(n_pass) AS p FROM leaderboard WHERE scenario LIKE 'feedback%' GROUP BY ALL"
    )
    assert {(row["model"], row["scenario"]): int(row["p"]) for row in rows} == {
        ("reference", "feedback@1"): 3, ("stub", "feedback@1"): 0,
    }  # fmt: skip
    tiers = bench.sql(
        "SELECT DISTINCT value FROM per_facet WHERE facet = 'tier' AND scenario = 'feedback@1' ORDER BY 1"
    )
    assert [row["value"] for row in tiers] == ["challenge", "core"]
