"""Right answers to cases on Zephyr, written in another way than the reference, pass every layer."""

from pathlib import Path

import pytest

from corpora.firmware.loader import OWN, read_case
from corpora.firmware.own_layers import run_own
from tasks.contract import Status
from tasks.sandbox import Sandbox

ANSWERS = sorted((Path(__file__).parent / "answers").glob("*.c"))


@pytest.mark.slow
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: path.stem)
def test_another_right_answer_passes(answer: Path, sandbox: Sandbox) -> None:
    case = read_case(OWN / answer.stem.rsplit("-", 1)[0] / answer.stem, OWN)
    result = run_own(case, answer.read_text(), sandbox)
    wrong = [f"{c.layer}/{c.check} {c.status}: {c.saw}" for c in result.of_model if c.status is not Status.PASS]
    assert not wrong
