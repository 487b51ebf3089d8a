"""Regrading: the same programs, the same verdicts, whatever else the machine does."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tasks.sandbox import Limits
from tasks.sandbox.model import MIB
from tasks.sandbox.verdict import HEADER, header, judge, new_secret

LIMITS = Limits(wall_s=60.0, cpu_s=0.5, memory_bytes=96 * MIB, processes=20, output_bytes=4096)
HARNESS = """
#include "verdict.h"
int subject(void);
int main(void) { verdict_check("answer", subject() == 42, "42", "other"); return verdict_end(); }
"""
SUBJECTS = {
    "right": "int subject(void) { return 42; }",
    "right but slow": "int subject(void) { for (volatile long i = 0; i < 20000000; i++); return 42; }",
    "wrong": "int subject(void) { return 41; }",
    "endless": "int subject(void) { for (;;); }",
    "crash": "int subject(void) { return *(volatile int *)8; }",
    "greedy": "#include <stdlib.h>\\n#include <string.h>\\nint subject(void) { for (;;) memset(malloc(99), 1, 99); }",
    "talkative": '#include <stdio.h>\\nint subject(void) { for (;;) puts("talk"); }',
    "does not compile": "int subject(void) { return 42 }",
}  # fmt: skip


@contextmanager
def both_cores_busy() -> Iterator[None]:
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * (os.cpu_count() or 2))]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


def verdicts(sandbox: Any) -> dict[str, tuple[bool, str]]:
    found = {}
    for name, subject in SUBJECTS.items():
        with sandbox.session() as session:
            files = {"harness.c": HARNESS, "subject.c": subject.replace("\\n", "\n"), HEADER: header()}
            built = session.run(["gcc", "-w", "harness.c", "subject.c"], files)
            if not built.ok:
                found[name] = (False, f"build: {built.ending}")
                continue
            secret = new_secret()
            verdict = judge(session.run(["./a.out"], limits=LIMITS, secret=secret.encode()), secret)
            found[name] = (verdict.passed, verdict.reason)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bubblewrap", pytest.param("docker", marks=pytest.mark.xdist_group("docker"))])
def test_twenty_regrades_agree_also_under_load(kind: str, opened: Callable[[str], Any]) -> None:
    sandbox = opened(kind)
    first = verdicts(sandbox)
    assert [name for name, (passed, _) in first.items() if passed] == ["right", "right but slow"]
    assert {first[name][1] for name in ("endless", "talkative")} == {
        "the program ended with time limit",
        "the program ended with output limit",
    }
    for _ in range(9):
        assert verdicts(sandbox) == first
    with both_cores_busy():
        for _ in range(10):
            assert verdicts(sandbox) == first
