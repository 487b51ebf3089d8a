"""Small cases in folders of their own, and one sandbox for all."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tasks.sandbox import Sandbox, open_sandbox
from tests.firmware.small import BEHAVIOR, METADATA, REFERENCE, STATIC, MakeCase


@pytest.fixture
def make_case(tmp_path: Path) -> MakeCase:
    """Write the case `where` (its last part is the id) below tmp_path/cases; `extra` replaces files, None removes."""

    def make(where: str, extra: Mapping[str, str | None] = {}) -> Path:
        folder = tmp_path / "cases" / where
        files: dict[str, str | None] = {
            "metadata.yaml": METADATA.format(id=folder.name),
            "prompt.md": "Let the lamp blink.\n",
            "reference/main.c": REFERENCE,
            "checks/static.py": STATIC,
            "checks/behavior.py": BEHAVIOR,
            **extra,
        }
        for name, text in files.items():
            if text is not None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text)
        return folder

    return make


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        yield opened
