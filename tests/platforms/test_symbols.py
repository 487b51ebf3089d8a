"""An answer takes no name of the C library from the harness, and does not call the core."""

import shutil
import subprocess
from pathlib import Path

import pytest

from corpora.firmware.execution import Run
from corpora.firmware.loader import OWN, case_folders, read_case
from corpora.platforms.model import platform
from corpora.platforms.symbols import Symbols, api_words, harness_calls, symbols, taken_from_library
from tasks.contract import Check, Status
from tasks.sandbox import Sandbox


def test_symbols_of_an_object(tmp_path: Path) -> None:
    gcc = shutil.which("gcc")
    if not gcc:
        pytest.skip("gcc is not installed")
    source = (
        'int puts(const char *); static int own(void) { return 1; } int all; int go(void) { return own() + puts(""); }'
    )
    (tmp_path / "a.c").write_text(source)
    subprocess.run([gcc, "-O0", "-g", "-c", "a.c"], cwd=tmp_path, check=True)
    found = symbols((tmp_path / "a.o").read_bytes())
    assert found.defined == {"all", "go"}
    assert "puts" in found.needed
    assert symbols(b"no object") == Symbols(frozenset(), frozenset())


def test_names_of_the_library_and_of_the_core() -> None:
    ours = Symbols(frozenset({"fb_trace"}), frozenset({"write", "candidate_main", "strlen"}), frozenset({"read"}))
    defined = frozenset({"write", "candidate_main", "read"})
    answer = Symbols(defined, frozenset({"fb_trace", "fb_log"}), frozenset({"fb_size"}))
    assert taken_from_library(answer, [ours]) == ("write",)


def test_an_answer_uses_of_ours_what_the_headers_of_the_api_name() -> None:
    headers = {
        "zephyr/include/zephyr/logging/log.h": "void fb_log(int);",
        "core/sim.h": "void fb_trace(void);",
        "stm32_hal/include/stm32_scenario.h": "void stm32_press(void);",
    }
    ours = Symbols(frozenset({"fb_log", "fb_trace", "stm32_press", "__tsan_read4", "malloc"}), frozenset())
    answer = Symbols(frozenset(), frozenset({"fb_log", "fb_trace", "__tsan_read4", "malloc", "own"}),
                     frozenset({"stm32_press"}))  # fmt: skip
    assert harness_calls(answer, ours, api_words(headers)) == ("fb_trace", "stm32_press")


ANSWER = """
#include <zephyr/kernel.h>
#include <unistd.h>
int32_t sensor_read(void);
void publish(int32_t mean, uint32_t missed);
"""


def graded(code: str, sandbox: Sandbox) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    folder = next(folder for folder in case_folders(OWN) if folder.name == "timer-01")
    with sandbox.session() as session:
        run = Run(read_case(folder, OWN), code, session, sandbox)
        compiled = run.compile()
        return compiled, run.run() if compiled[0].status is Status.PASS else ()


def test_an_answer_that_takes_write_does_not_get_the_verdict(sandbox: Sandbox) -> None:
    """It would see every line of the verdict, and could turn each `fail` into `pass`."""
    code = ANSWER + "ssize_t write(int fd, const void *text, size_t n) { return fd ? (ssize_t)n : text != NULL; }\n"
    compiled, ran = graded(code + "int main(void) { return 0; }\n", sandbox)
    assert compiled[0].status is Status.PASS
    assert "reads_on_the_grid" in {check.check for check in ran}


def test_an_answer_that_writes_its_own_record_does_not_build(sandbox: Sandbox) -> None:
    code = ANSWER + 'int main(void) { fb_trace("console", "done"); return 0; }\n'
    compiled, _ = graded(code, sandbox)
    assert compiled[0].status is Status.FAIL
    assert "fb_trace" in (compiled[0].saw or "")
    assert platform("zephyr").name in (compiled[0].saw or "")
