"""A right answer written another way than the reference passes, too."""

from pathlib import Path

import pytest

from corpora.firmware.loader import OWN, case_folders, read_case
from corpora.firmware.own_layers import run_own
from tasks.contract import Status
from tasks.sandbox import Sandbox

ANSWERS = Path(__file__).parent / "alternatives"


def not_passed(name: str, sandbox: Sandbox) -> list[str]:
    folder = next(folder for folder in case_folders(OWN) if folder.name == name)
    graded = run_own(read_case(folder, OWN), (ANSWERS / f"{name}.c").read_text(), sandbox)
    return [f"{item.layer}/{item.check}: {item.saw}" for item in graded.of_model if item.status is not Status.PASS]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in ANSWERS.glob("*.c")))
def test_another_right_answer_passes(name: str, sandbox: Sandbox) -> None:
    assert not_passed(name, sandbox) == []
