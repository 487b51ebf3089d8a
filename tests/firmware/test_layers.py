"""Layers are told apart: what failed, what was not run and why, what broke."""

import pytest

from tasks.contract import Check, Status
from tasks.grading.layers import LAYERS, Layer, Name, run_layers
from warehouse.errors import UsageError


def says(layer: Name, status: Status, asked: list[str] | None = None) -> Layer:
    def run() -> tuple[Check, ...]:
        if asked is not None:
            asked.append(layer)
        return (Check(layer=layer, check="a", status=status),)

    return run


def every(**other: Status) -> dict[Name, Layer]:
    return {name: says(name, other.get(name, Status.PASS)) for name in LAYERS}


def test_every_layer_runs_whatever_another_says() -> None:
    found = run_layers(every(static=Status.FAIL))
    assert found.statuses() == {
        "static": "fail", "compile": "pass", "runtime": "pass", "heuristic": "pass", "mutation": "pass",
    }  # fmt: skip
    assert (found.verdict().status, found.verdict().failed_layer) == (Status.FAIL, "static")


def test_halt_stops_behind_the_first_layer_that_does_not_hold_and_says_so() -> None:
    asked: list[str] = []
    layers = {name: says(name, Status.FAIL if name == "static" else Status.PASS, asked) for name in LAYERS}
    found = run_layers(layers, halt=True)
    assert asked == ["static"]
    assert {status.value for name, status in found.statuses().items() if name != "static"} == {"not_run"}
    assert found.by_layer["heuristic"][0].saw == "halted: the layer static did not hold"


@pytest.mark.parametrize("broken", [Status.TIMEOUT, Status.INFRA_ERROR])
def test_halt_also_stops_behind_what_could_not_be_measured(broken: Status) -> None:
    assert run_layers(every(compile=broken), halt=True).statuses()["heuristic"] == "not_run"


def test_an_absent_layer_halts_nothing_and_passes_nothing() -> None:
    found = run_layers(every(compile=Status.NOT_RUN), halt=True)
    assert found.statuses() == {
        "static": "pass", "compile": "not_run", "runtime": "not_run", "heuristic": "pass", "mutation": "pass",
    }  # fmt: skip
    assert found.by_layer["runtime"][0].saw == "the layer compile did not pass: not_run"
    assert found.verdict().status == Status.NOT_RUN


def test_a_skipped_layer_says_why_and_is_not_a_pass() -> None:
    asked: list[str] = []
    layers = {name: says(name, Status.PASS, asked) for name in LAYERS}
    found = run_layers(layers, skipped={"runtime": "the case's l2_skip leaves it out"})
    assert "runtime" not in asked
    assert found.by_layer["runtime"][0].saw == "the case's l2_skip leaves it out"
    assert found.verdict().status == Status.NOT_RUN


def test_the_mutation_layer_says_nothing_about_the_model() -> None:
    found = run_layers(every(mutation=Status.FAIL))
    assert found.statuses()["mutation"] == "fail"
    assert found.verdict().status == Status.PASS


def test_a_layer_that_raises_or_reports_nothing_is_broken_and_harms_no_other() -> None:
    def raises() -> tuple[Check, ...]:
        raise RuntimeError("no disk")

    found = run_layers({**every(), "static": raises, "heuristic": lambda: ()})
    assert found.by_layer["static"][0].saw == "RuntimeError: no disk"
    assert found.by_layer["heuristic"][0].status == Status.INFRA_ERROR
    assert found.statuses()["compile"] == "pass"
    assert found.verdict().status == Status.INFRA_ERROR


def test_a_layer_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="no layer 'linking'"):
        run_layers({"linking": says("static", Status.PASS)})  # type: ignore[dict-item]
