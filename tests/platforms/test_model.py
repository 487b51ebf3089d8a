"""The loader of platform models."""

import pytest

from corpora.platforms.model import INSTRUMENTED, names, platform
from warehouse.errors import CorpusError


@pytest.mark.parametrize("name", names())
def test_every_platform_loads(name: str) -> None:
    model = platform(name)
    assert model.name == name
    assert model.words
    assert model.digest == platform(name).digest


def test_core_is_part_of_a_model() -> None:
    model = platform("zephyr")
    assert "core/sim.h" in model.headers
    assert {"core/harness.c", "zephyr/kernel_boot.c"} <= set(model.sources)
    assert "-Izephyr/include" in model.compiler
    assert set(INSTRUMENTED) <= set(model.candidate)
    assert not set(INSTRUMENTED) & {*model.compiler, *model.own}


def test_unknown_platform_is_named() -> None:
    with pytest.raises(CorpusError, match="no platform 'vxworks'"):
        platform("vxworks")
