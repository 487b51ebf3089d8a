"""One sandbox for all, and a way to play on each model."""

from collections.abc import Iterator
from functools import partial

import pytest

from corpora.platforms.model import platform
from tasks.sandbox import Sandbox, open_sandbox
from tests.platforms.playing import Play, core_alone, play


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as opened:
        yield opened


@pytest.fixture
def on_core(sandbox: Sandbox) -> Play:
    return partial(play, core_alone(), sandbox)


@pytest.fixture
def on_zephyr(sandbox: Sandbox) -> Play:
    return partial(play, platform("zephyr"), sandbox)
