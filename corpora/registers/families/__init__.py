"""The families of the registers track: each module named here exposes `FAMILIES`, a tuple of `Family`."""

from collections.abc import Sequence
from importlib import import_module

from corpora.registers.family import Family
from warehouse.errors import CorpusError

MODULES: tuple[str, ...] = (
    "i2c", "spi", "uart", "adc", "pwm_timers", "gpio", "bit_fields", "scheduling", "qnx_ipc", "c_source", "c_layout",
    "c_effects", "clocks", "baud_budget", "can_timing", "dma", "watchdog", "response_time", "priority", "mpu",
    "endianness", "crc", "fixed_point", "linker",
)  # fmt: skip


def families(modules: Sequence[str] = MODULES) -> dict[str, Family]:
    """Return the families of the modules by name, in declared order; raises CorpusError for a name used twice."""
    found: dict[str, Family] = {}
    for module in modules:
        for family in import_module(f"{__name__}.{module}").FAMILIES:
            if family.name in found:
                raise CorpusError(f"Two families are called {family.name}; rename the one in {module}.py.")
            found[family.name] = family
    return found
