"""One sandbox for all tests of the closedloop track."""

from collections.abc import Iterator

import pytest

from tasks.sandbox import Sandbox, open_sandbox
from warehouse.errors import SandboxError


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    try:
        opened = open_sandbox()
        box = opened.__enter__()
    except SandboxError as error:
        pytest.skip(str(error))
    yield box
    opened.__exit__(None, None, None)
