"""Our own cases as samples: asked without hints, executed, and kept by the gate with all their bugs."""

from collections import Counter

import pytest

import corpora
from corpora.firmware import own
from corpora.firmware.bugfix import repairs_of
from corpora.firmware.build import sample_of
from corpora.firmware.case import Case
from corpora.firmware.checking import own_seeded
from corpora.firmware.depth import OF_MODEL, depth
from corpora.firmware.loader import OWN, load
from corpora.firmware.prompt import CONFIGS, prompt
from corpora.firmware.schema import Sample
from tasks.contract import Bench
from tasks.curation.gate import gate
from tasks.grading.platform_run import Toolbox
from tasks.parts import survey
from tasks.sandbox import Sandbox

TRACK = corpora.load("firmware")
NEEDED = ("gcc", "arm-none-eabi-gcc", "qemu-system-arm", "dtc")
ABSENT = [found.part.name for found in survey() if found.part.name in NEEDED and found.where is None]
CASES = load(OWN).cases
ONE_EACH = {case.metadata.execution: case for case in reversed(CASES)}
"""The first case of each execution."""


def samples_of(case: Case, sandbox: Sandbox) -> list[Sample]:
    bugs = own_seeded(case)
    sample = sample_of(case, depth(case, sandbox, Toolbox()), bugs)
    return [sample, *repairs_of(sample, bugs)]


@pytest.fixture(scope="module")
def samples(sandbox: Sandbox) -> list[Sample]:
    return [sample for case in CASES for sample in samples_of(case, sandbox)]


def test_every_case_is_public_dated_and_run_and_its_bugs_are_there_to_be_repaired(samples: list[Sample]) -> None:
    repairs = Counter(sample.cluster for sample in samples if sample.buggy is not None)
    for sample in samples:
        assert (sample.visibility, sample.stratum, sample.licence) == ("public", "executed", "Apache-2.0")
        assert sample.created
        assert sample.reasoning_types
        assert set(sample.layers) | set(sample.left_out) == set(OF_MODEL)
        assert repairs[sample.cluster] == len(own.read(sample.case).negatives)


def test_no_prompt_names_a_bug_and_only_boards_of_zephyr_are_named(samples: list[Sample]) -> None:
    for sample in samples:
        shown = prompt(sample, CONFIGS["full"]).messages[0].content
        words = set(shown.replace(sample.buggy or "", "").split())
        hints = {negative.name for negative in own.read(sample.case).negatives if "_" in negative.name}
        assert not words & hints, sample.cluster
        named = sample.case.metadata.build_board or sample.case.metadata.execution == "zephyr"
        assert ("Target board: " in shown) == bool(named), sample.cluster


@pytest.mark.slow
@pytest.mark.skipif(bool(ABSENT), reason=f"{', '.join(ABSENT)} is not installed")
@pytest.mark.parametrize("execution", sorted(filter(None, ONE_EACH)))
def test_the_gate_keeps_a_case_and_every_bug_of_it(execution: str, sandbox: Sandbox) -> None:
    chosen = samples_of(ONE_EACH[execution], sandbox)  # type: ignore[index]
    gated = gate(TRACK, chosen, Bench(sandbox=sandbox))
    assert [(drop.reason, drop.detail) for drop in gated.dropped] == []
    assert len(gated.kept) == len(chosen) > own.FEWEST_NEGATIVES
