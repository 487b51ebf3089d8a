"""How a verdict of EmbedEval reads in our statuses: layers, check kinds and case names as tables.

EmbedEval counts a layer it skipped as passed and a provider's failure as a failed case; here one is `not_run` and the
other `infra_error`. Its own verdict is kept beside ours as the check `upstream/verdict`. Its fifth layer mutates
replies to test its own checks and decides nothing. Source: src/embedeval/{models,evaluator,runner}.py, 2026-04-19.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from warehouse.importers.landing import Row, Source, digest, verdict

SOURCE = Source("embedeval", "Ecro/embedeval", "embedeval-import-1")
UNRECORDED = "unrecorded"

LAYERS: dict[str, str] = {
    "static_analysis": "static",
    "compile_gate": "compile",
    "runtime_execution": "runtime",
    "static_heuristic": "heuristic",
    "behavioral_assertion": "heuristic",  # its name until March 2026
    "test_quality_proof": "mutation",
}
"""Our layer by theirs."""
NUMBERED = ("static", "compile", "runtime", "heuristic", "mutation")
DECIDES_NOTHING = "mutation"

KINDS: dict[tuple[str, bool], str] = {
    ("environment", True): "not_run",  # "skipped (build not enabled)" and nine more of that kind
    ("environment", False): "infra_error",
    ("llm_error", False): "infra_error",
}
"""Status of a check by its kind and whether it is recorded as passed; any other kind is what it is recorded as."""
SKIPPED = "skipped ("
"""How a check begins to tell what it saw when it was not run, whatever its kind."""
PROVIDER_CHECKS = frozenset({"llm_call"})
"""Checks that fail when the model was not heard; lists of failed checks name them like any other."""

CATEGORIES: dict[str, str] = {
    "esp-adc": "sensor-driver", "esp-i2c": "spi-i2c", "esp-nvs": "storage", "esp-ota": "ota",
    "esp-sleep": "power-mgmt", "esp-spi": "spi-i2c", "esp-timer": "timer", "esp-wifi": "networking",
    "esp-gpio": "gpio-basic", "esp-ble": "ble",
    "stm32-freertos": "threading", "stm32-i2c": "spi-i2c", "stm32-lowpower": "power-mgmt", "stm32-spi": "spi-i2c",
    "stm32-timer": "timer", "stm32-gpio": "gpio-basic", "stm32-uart": "uart", "stm32-adc": "adc", "stm32-dma": "dma",
}  # fmt: skip
"""Category by the beginning of a case id, where it is not the beginning itself."""


class Case(NamedTuple):
    """What a source holds of one case in one run. `layers` are details of EvalResult, where it keeps them."""

    name: str
    category: str
    passed: bool
    failed_layer: str | None = None
    failed_checks: tuple[str, ...] = ()
    layers: Sequence[Mapping[str, Any]] = ()
    code: str | None = None
    named_by: str = "report"


def category_of(case_id: str) -> str:
    """Return the category that a case id says, through CATEGORIES; `esp-spi-001` is one of spi-i2c."""
    stem = re.sub(r"-\d+$", "", case_id.partition(":")[0])
    return CATEGORIES.get(stem, stem)


def judged(generation_id: str, case: Case) -> tuple[Row, list[Row]]:
    """Return the rows of `evaluations` and `checks` of a case."""
    checks = _of_layers(case) if case.layers else _of_lists(case)
    status = _status(case, checks)
    failed = (
        next((check["layer"] for check in checks if check["status"] == "fail"), None) if status == "fail" else None
    )
    saw = "passed" if case.passed else f"failed at {case.failed_layer or 'no layer it names'}"
    said = {"layer": "upstream", "check": "verdict", "expected": "passed", "saw": saw}
    said["status"] = "pass" if case.passed else "fail"
    return verdict(SOURCE, generation_id, status, [*checks, said], failed_layer=failed or case.failed_layer
                   if status == "fail" else None)  # fmt: skip


def sample(release: str, case: Case, **provenance: Any) -> Row:
    """Return the row of `samples` of a case; its text and its reference are not in any of these sources."""
    return {
        "sample_id": SOURCE.sample_id(release, case.name), "track": SOURCE.track, "release": release,
        "project_id": SOURCE.address, "family": case.name, "category": case.category, "cluster": case.name,
        "licence": "Apache-2.0", "reference": "",
        "provenance": json.dumps({"repository": SOURCE.address, "named_by": case.named_by, **provenance}),
    }  # fmt: skip


def generation(release: str, case: Case, model: str, attempt: int, *, config: str = "bare",
               scenario: str = "generation", **columns: Any) -> Row:  # fmt: skip
    """Return the row of `generations` of a case; the unit and the release are its identity."""
    silent = PROVIDER_CHECKS.intersection(case.failed_checks)
    sample_id = SOURCE.sample_id(release, case.name)
    return {
        "generation_id": digest("generation", release, sample_id, model, config, scenario, attempt),
        "run_id": release, "track": SOURCE.track, "release": release, "sample_id": sample_id, "model": model,
        "config": config, "scenario": scenario, "attempt": attempt, "reply": case.code, "code": case.code,
        "code_rule": "as imported" if case.code is not None else None,
        "error_kind": "other" if silent else None, "error": ", ".join(sorted(silent)) or None, **columns,
    }  # fmt: skip


def _status(case: Case, checks: Sequence[Row]) -> str:
    """Return the first of these that any deciding check has; a list of failures decides as it is recorded."""
    found = {check["status"] for check in checks if check["layer"] != DECIDES_NOTHING}
    if "infra_error" in found and PROVIDER_CHECKS.intersection(case.failed_checks):
        return "infra_error"
    if case.code is not None and not case.code.strip():
        return "no_submission"
    if not case.layers:
        return "pass" if case.passed else "fail"
    return next((status for status in ("fail", "infra_error", "not_run") if status in found), "pass")


def _of_lists(case: Case) -> list[Row]:
    layer = case.failed_layer or DECIDES_NOTHING if case.passed else case.failed_layer or UNRECORDED
    return [
        {"layer": layer, "check": name, "status": "infra_error" if name in PROVIDER_CHECKS else "fail"}
        for name in case.failed_checks
    ]


def _of_layers(case: Case) -> list[Row]:
    rows = []
    for layer in case.layers:
        name = LAYERS.get(str(layer["name"]), str(layer["name"]))
        for detail in layer.get("details") or ():
            rows.append({"layer": name, "check": detail["check_name"], "status": _check_status(detail),
                         "expected": _text(detail.get("expected")), "saw": _text(detail.get("actual"))})  # fmt: skip
        if not layer.get("details"):
            skipped = str(layer.get("error") or "").startswith("Skipped")
            # An empty layer that passed had nothing to check: no file of checks, or one that could not be loaded.
            status = "not_run" if skipped or layer.get("passed") else "fail"
            rows.append({"layer": name, "check": "ran", "status": status,
                         "saw": layer.get("error") or "no check"})  # fmt: skip
    return [row for row in rows if (row["layer"], row["check"], row["status"]) != (DECIDES_NOTHING, "ran", "not_run")]


def _check_status(detail: Mapping[str, Any]) -> str:
    passed = bool(detail["passed"])
    if passed and str(detail.get("actual") or "").startswith(SKIPPED):
        return "not_run"
    return KINDS.get((str(detail.get("check_type")), passed), "pass" if passed else "fail")


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
