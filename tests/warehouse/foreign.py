"""Small results as other tools write them, made up here, for the tests of the importers."""

import csv
import json
from pathlib import Path

COLUMNS = ("repetition", "task_id", "mode", "model_label", "hidden_status", "failure_family", "stage_reached",
           "infra_failure", "wall_clock_seconds", "time_to_first_submission_seconds", "iterations",
           "hidden_eval_calls", "build_attempts", "total_tokens", "tool_call_count", "files_touched_count",
           "lines_changed_total", "self_tests_written", "self_test_runs")  # fmt: skip
PASS = {
    "repetition": "rep0", "task_id": "tank_fill_drain", "mode": "realistic_self_verify", "model_label": "gpt-5.4",
    "hidden_status": "PASS", "failure_family": "pass", "stage_reached": "integration", "infra_failure": "False",
    "wall_clock_seconds": "120.5", "time_to_first_submission_seconds": "60.25", "iterations": "3",
    "hidden_eval_calls": "1", "build_attempts": "2", "total_tokens": "2000000", "tool_call_count": "40",
    "files_touched_count": "2", "lines_changed_total": "99", "self_tests_written": "4", "self_test_runs": "5",
}  # fmt: skip


def run(**changes: str) -> dict[str, str]:
    """Return a row of a run index."""
    return {**PASS, **changes}


RUNS = (
    run(),
    run(repetition="rep1", hidden_status="HOST_TEST_FAILED", failure_family="host_tests"),
    run(repetition="rep2", hidden_status="QEMU_SMOKE_FAILED", failure_family="host_tests"),
    run(mode="oracle_full", hidden_status="INTEGRATION_FAILED", failure_family="integration"),
    run(mode="oracle_full", repetition="rep1", hidden_status="INTEGRATION_FAILED", failure_family="infra",
        infra_failure="True"),
    run(mode="ci_red_green", hidden_status="NO_SUBMISSION", failure_family="no_submission", hidden_eval_calls="0",
        time_to_first_submission_seconds=""),
    run(mode="ci_red_green", repetition="rep1", hidden_status="NO_SUBMISSION", failure_family="no_submission",
        hidden_eval_calls="0", time_to_first_submission_seconds="", total_tokens="0", tool_call_count="0"),
    run(mode="oneshot_blind", hidden_status="", failure_family="unknown", stage_reached=""),
    run(mode="oneshot_blind", repetition="rep1", hidden_status="EDIT_SURFACE_VIOLATION", failure_family="host_tests"),
)  # fmt: skip


def index(path: Path, runs=RUNS, columns=COLUMNS) -> Path:
    """Write a run index."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(runs)
    return path


def bundle(folder: Path) -> Path:
    """Write a bundle: the index with more columns, and one run with its prompt, usage and session."""
    folder.mkdir()
    index(folder / "official_run_index.csv", [{**row, "provider": "made-up"} for row in RUNS], (*COLUMNS, "provider"))
    place = folder / "runs" / "rep0__tank_fill_drain__realistic_self_verify__gpt-5.4"
    place.mkdir(parents=True)
    (place / "prompt.txt").write_text("Write the controller.")
    usage = {"prompt_tokens": 100, "cache_read_tokens": 1000, "cache_write_tokens": 7, "completion_tokens": 50}
    (place / "summary.json").write_text(json.dumps({"model_usage": usage}))
    call = {"type": "toolCall", "id": "1", "name": "bash", "arguments": {"command": "ls"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Write the controller."}]},
        {"role": "assistant", "stopReason": "toolUse",
         "content": [{"type": "thinking", "thinking": "sealed"}, {"type": "text", "text": "Looking."}, call]},
        {"role": "toolResult", "toolName": "bash", "content": [{"type": "text", "text": "controller.c"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}], "stopReason": "stop"},
    ]  # fmt: skip
    lines = [{"type": "session", "version": 3, "timestamp": "2026-03-24T13:00:00.000Z"}]
    lines += [
        {"type": "message", "timestamp": f"2026-03-24T13:00:0{second + 1}.500Z", "message": message}
        for second, message in enumerate(messages)
    ]
    (place / "session.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


CATEGORIES = {"dma": 3, "timer": 2, "spi-i2c": 1}
CASES = ("dma-001", "dma-002", "dma-003", "timer-001", "esp-timer-001", "esp-spi-001")


def archive(folder: Path, model: str, number: int, failed: dict[str, tuple[str, str, str]], *,
            total: int = 6, listed_total: int | None = None) -> Path:  # fmt: skip
    """Write a run's folder: `failed` is (category, layer, checks) by case."""
    place = folder / f"2026-04-12_{model.replace(':', '_').replace('/', '_')}_n{number}"
    place.mkdir(parents=True)
    rows = "".join(f"| `{case}` | {what[0]} | {what[1]} | {what[2]} |\n" for case, what in sorted(failed.items()))
    (place / "report.md").write_text(
        f"# Benchmark Report: {model}\n\n**Date:** 2026-04-12 17:52 UTC\n\n## Summary\n\n| Metric | Value |\n"
        f"|--------|-------|\n| Model | {model} |\n| Total Cases | {listed_total or total} |\n"
        f"| Passed | {total - len(failed)} |\n| Failed | {len(failed)} |\n\n## Failed Cases ({len(failed)})\n\n"
        f"| Case | Difficulty | Failed Layer | Failed Checks |\n|---|---|---|---|\n{rows}"
        "\n## Failure Patterns\n\n| Check Name | Failures | Cases |\n|---|---|---|\n| `made_up` | 1 | dma-001 |\n"
    )
    categories = [{"category": name, "total_cases": cases} for name, cases in CATEGORIES.items()]
    summary = {"model": model, "total_results": total, "failed": len(failed), "categories": categories,
               "scenario": "generation", "date": "2026-04-12"}  # fmt: skip
    (place / "summary.json").write_text(json.dumps(summary))
    return place


def entry(case: str, passed: bool, layer: int | None = None, checks: tuple[str, ...] = (), **more: object) -> dict:
    """Return a case of a tracker."""
    return {"case_id": case, "passed": passed, "failed_at_layer": layer, "failed_checks": list(checks),
            "case_git_hash": f"hash-{case}", "tested_at": "2026-04-12T09:37:27+00:00", **more}  # fmt: skip


def tracker(path: Path, results: dict[str, list[dict]], **more: object) -> Path:
    """Write a `test_tracker.json`."""
    by_model = {model: {row["case_id"]: row for row in rows} for model, rows in results.items()}
    path.write_text(json.dumps({"version": 1, "results": by_model, **more}))
    return path


def detail(case: str, passed: bool, layers: list[dict], code: str = "int main(void) { return 0; }") -> dict:
    """Return an EvalResult as `details/<case>.json` holds it."""
    return {"case_id": case, "category": "dma", "model": "m", "attempt": 1, "generated_code": code, "layers": layers,
            "passed": passed, "duration_seconds": 2.5, "cost_usd": 0.01,
            "token_usage": {"input_tokens": 10, "output_tokens": 20, "total_tokens": 30}}  # fmt: skip


def layer(name: str, passed: bool, *checks: tuple[str, bool, str, str], error: str | None = None) -> dict:
    """Return a layer of it; each check is (name, passed, kind, what it saw)."""
    details = [{"check_name": check, "passed": good, "check_type": kind, "expected": "x", "actual": saw}
               for check, good, kind, saw in checks]  # fmt: skip
    return {"name": name, "passed": passed, "details": details, "error": error}
