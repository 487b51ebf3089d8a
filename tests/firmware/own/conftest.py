"""A small case of our own format in a folder of its own."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import pytest

from tests.firmware import small

METADATA = small.METADATA + "execution: {execution}\n"
LAMP = {
    "prompt.md": "Let the lamp blink.\n",
    "reference/main.c": """\
#include "lamp.h"
#define PERIOD 5

int main(void)
{
	int ret = lamp_init(PERIOD);

	if (ret < 0) {
		return ret;
	}
	return lamp_set(1);
}
""".replace('#include "lamp.h"\n', "int lamp_init(int period);\nint lamp_set(int on);\n"),
    "checks/tree.yaml": """\
static:
  - {check: sets_the_lamp, rule: calls, call: lamp_set}
heuristic:
  - {check: init_is_checked, rule: result_used, call: lamp_init}
""",
    "checks/scenario.c": """\
#include "sim.h"
int lamp_init(int period);
int lamp_set(int on);
static int seen = -1, period = -1;
int lamp_init(int given) { period = given; return 0; }
int lamp_set(int on) { seen = on; return 0; }
void scenario(void) { fb_end_at(FB_MS(10)); }
void conclude(void)
{
	FB_CHECK("lamp_is_on", seen == 1, "on", "saw %d", seen);
	FB_CHECK("period", period == 5, "5", "saw %d", period);
}
""",
    "checks/negatives.yaml": """\
- name: lamp_off
  bug: the lamp is put out
  edits: [{find: lamp_set(1), replace: lamp_set(0)}]
  must_fail: [lamp_is_on]
- name: slow
  bug: the period is ten times as long
  edits: [{find: PERIOD 5, replace: PERIOD 50}]
  must_fail: [period]
- name: unchecked
  bug: the lamp is set whether or not it is there
  edits: [{find: "\\tif (ret < 0) {\\n\\t\\treturn ret;\\n\\t}\\n", replace: ""}]
  must_fail: [init_is_checked]
""",
}


class MakeOwn(Protocol):
    def __call__(self, name: str, extra: Mapping[str, str | None] = {}, execution: str = "freertos") -> Path: ...


@pytest.fixture
def make_own(tmp_path: Path) -> MakeOwn:
    """Write the lamp case under this name; `extra` replaces files, None removes one."""

    def make(name: str, extra: Mapping[str, str | None] = {}, execution: str = "freertos") -> Path:
        folder = tmp_path / name
        for path, text in {"metadata.yaml": METADATA.format(id=name, execution=execution), **LAMP, **extra}.items():
            if text is not None:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
        return folder

    return make


NEEDS = {"devicetree": ("gcc", "dtc", "fdtoverlay"), "cortex_m": ("arm-none-eabi-gcc", "qemu-system-arm")}
"""What an execution needs beside gcc."""


def skip_without_tools(execution: str | None) -> None:
    """Skip a test whose case needs a program that is not here, and name the program."""
    absent = [program for program in NEEDS.get(execution or "", ("gcc",)) if shutil.which(program) is None]
    if absent:
        pytest.skip(f"{absent[0]} is not installed")
