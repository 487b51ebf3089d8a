"""Verdicts do not hang on what a basic block costs: at another pace the same answers pass and the same bugs fail."""

from dataclasses import replace

import pytest

from corpora.firmware import execution, own
from corpora.firmware.loader import OWN, case_folders, read_case
from corpora.firmware.own_layers import run_own
from corpora.platforms.model import Platform, platform
from tasks.contract import Status
from tasks.sandbox import Sandbox

CASES = (
    "gpio-basic-01", "gpio-basic-02", "isr-concurrency-01", "isr-concurrency-02", "power-mgmt-01", "power-mgmt-02",
    "threading-01", "threading-02", "timer-01", "timer-02", "watchdog-01", "watchdog-02",
)  # fmt: skip
COVERAGE = "core/coverage.c"


def at_pace(block_ns: int, access_ns: int) -> Platform:
    model = platform("zephyr")
    text = model.sources[COVERAGE]
    paced = text.replace("BLOCK_NS 160", f"BLOCK_NS {block_ns}").replace("ACCESS_NS 32", f"ACCESS_NS {access_ns}")
    assert paced != text
    return replace(model, sources={**model.sources, COVERAGE: paced}, digest=f"{model.digest} {block_ns} {access_ns}")


@pytest.mark.slow
@pytest.mark.parametrize(("block_ns", "access_ns"), [(60, 12), (400, 80)])
@pytest.mark.parametrize("name", CASES)
def test_the_same_verdicts_at_another_pace(
    name: str, block_ns: int, access_ns: int, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = at_pace(block_ns, access_ns)
    monkeypatch.setattr(execution, "platform", lambda _: model)
    case = read_case(next(folder for folder in case_folders(OWN) if folder.name == name), OWN)

    def passes(code: str) -> bool:
        return all(check.status is Status.PASS for check in run_own(case, code, sandbox).of_model)

    assert passes(case.answer)
    assert [bug for bug, code in own.read(case).mutants.items() if passes(code)] == []
