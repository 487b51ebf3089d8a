"""Every case of ours keeps its promise: the reference passes however it is laid out, all that is wrong fails."""

import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from corpora.firmware import own
from corpora.firmware.case import CATEGORIES, Case
from corpora.firmware.layout import reformatted
from corpora.firmware.loader import OWN as FOLDER
from corpora.firmware.loader import case_folders, own_cases, read_case
from corpora.firmware.own_layers import run_own
from corpora.firmware.prove import prove
from tasks.contract import Status
from tasks.sandbox import Sandbox
from tests.firmware.own.conftest import skip_without_tools

FAST = ("kconfig-01", "device-tree-02", "yocto-01")
REGRADED = ("gpio-basic-01", "isr-concurrency-01", "threading-01", "yocto-02", "kconfig-02", "device-tree-01")
IDS = [folder.name for folder in case_folders(FOLDER)]


@cache
def case(name: str) -> Case:
    return next(read_case(folder, FOLDER) for folder in case_folders(FOLDER) if folder.name == name)


def proven(name: str, sandbox: Sandbox) -> list[tuple[str, str | None]]:
    skip_without_tools(case(name).metadata.execution)
    return [(proof.answer, proof.fault) for proof in prove(case(name), sandbox) if not proof.holds]


@pytest.mark.parametrize("name", FAST)
def test_a_case_keeps_its_promise(name: str, sandbox: Sandbox) -> None:
    assert proven(name, sandbox) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in IDS if name not in FAST])
def test_every_case_keeps_its_promise(name: str, sandbox: Sandbox) -> None:
    assert proven(name, sandbox) == []


def test_every_category_has_cases_and_every_case_its_bugs() -> None:
    cases = own_cases()
    counts = Counter(case.metadata.category for case in cases)
    assert {name: count for name in CATEGORIES if (count := counts[name]) < 2} == {}
    assert all(len(own.read(case).negatives) >= own.FEWEST_NEGATIVES for case in cases)
    assert all(case.metadata.created_date for case in cases)


def test_a_layout_changes_the_text() -> None:
    for name in FAST:
        assert all(text != case(name).answer for text in reformatted(case(name)).values())


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """Keep the cores busy."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(cores)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in REGRADED if name in IDS])
def test_twenty_regrades_agree_half_of_them_on_a_busy_machine(name: str, sandbox: Sandbox) -> None:
    """Of the reference, of a seeded bug and of an answer that never ends."""
    skip_without_tools(case(name).metadata.execution)
    asked = own.read(case(name))
    texts = [case(name).answer, next(iter(asked.mutants.values()))]
    if asked.rules is not None:
        texts.append("int main(void) { volatile int x = 0; while (1) { x++; } }\n")

    def grades() -> list[tuple[str, str, str, str | None]]:
        found = [check for text in texts for check in run_own(case(name), text, sandbox).of_model]
        return [(check.layer, check.check, check.status.value, check.saw) for check in found]

    first = grades()
    assert Status.INFRA_ERROR.value not in {status for _, _, status, _ in first}
    for _ in range(9):
        assert grades() == first
    with busy(2 * (os.cpu_count() or 1)):
        for _ in range(10):
            assert grades() == first
