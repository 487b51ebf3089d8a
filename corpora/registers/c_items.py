"""The C path of an answer: fragments of many items in one program, compiled and run on the host and on Cortex-M."""

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from warehouse.errors import CorpusError

Target = Literal["host", "cortex-m"]
# Plain char is unsigned and an enum takes the smallest type that holds it, as in the procedure call standard of Arm.
ABI = ("-std=c11", "-funsigned-char", "-fshort-enums", "-fno-strict-aliasing", "-w")
HOST = ("gcc", *ABI, "-O0")
CORTEX_M = (
    "arm-none-eabi-gcc", *ABI, "-O1", "-mcpu=cortex-m3", "-mthumb", "-nostartfiles", "--specs=nano.specs",
    "-Wl,--section-start=.vectors=0,-Ttext=0x100,-e,reset",
)  # fmt: skip
MACHINE = (
    "qemu-system-arm", "-M", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "none",
    "-semihosting-config", "enable=on,target=native", "-kernel",
)  # fmt: skip
CORTEX_M_PACKAGES = "gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-system-arm"
ROWS_A_PROGRAM = 10_000  # keeps the tables and functions of one program within the 4 MB of the simulated board
LIMIT_S = 600.0


@dataclass(frozen=True)
class CCode:
    """A fragment that computes one answer.

    Rows with the same `body` and `prelude` share one compiled function, so a body that takes its numbers from `a` is
    compiled once for all draws. Put a number into the text only where its C type matters (an operand, a shift count).
    The program includes stdint.h, stddef.h, stdbool.h, string.h and limits.h; plain char is unsigned, enums are short.

    Args:
        body: statements of `static int64_t f(const int64_t *a)`, ending in a `return`.
        args: the values of `a[0]`, `a[1]`, ...; each fits in int64_t.
        prelude: declarations at file scope. They are emitted once for each function: spell every name that is
            declared there with the prefix `@`, which becomes unique, in the body too (`struct @frame {...}`).
        cortex_m_only: the fragment's answer holds on a 32-bit ABI alone (pointers, `long`), so the host skips it.

    The int64_t returned is the answer of an integer question, and the index into `choices` of a choice question.
    """

    body: str
    args: tuple[int, ...] = ()
    prelude: str = ""
    cortex_m_only: bool = False


def available(target: Target) -> bool:
    """Return whether the compiler, and for Cortex-M the simulator, are installed."""
    return all(shutil.which(tool) for tool in ((HOST[0],) if target == "host" else (CORTEX_M[0], MACHINE[0])))


def program(rows: Sequence[CCode]) -> str:
    """Return the C source that prints the answer of each row on a line of its own."""
    functions: dict[tuple[str, str], int] = {}
    texts: list[str] = []
    values: list[int] = []
    table: list[str] = []
    for row in rows:
        index = functions.setdefault((row.body, row.prelude), len(functions))
        if index == len(texts):
            texts.append(
                f"{row.prelude}\nstatic int64_t @f(const int64_t *a) {{\n{row.body}\n}}\n".replace("@", f"q{index}_")
            )
        table.append(f"{{q{index}_f, {len(values)}}}")
        values += row.args
    numbers = ",".join("INT64_MIN" if value == -(1 << 63) else f"{value}LL" for value in values) or "0"
    return "\n".join([
        *(f"#include <{header}.h>" for header in ("limits", "stdbool", "stddef", "stdint", "string")),
        *texts,
        f"#define ROW_COUNT {len(rows)}u",
        f"static const int64_t values[] = {{{numbers}}};",
        "static const struct { int64_t (*f)(const int64_t *); uint32_t at; } rows[ROW_COUNT] = {",
        ",\n".join(table) + "};",
        (files("corpora.registers") / "c_items_main.c").read_text(encoding="utf-8"),
    ])  # fmt: skip


def run(rows: Sequence[CCode], target: Target = "host", flags: Sequence[str] = ()) -> list[int]:
    """Compile and run all rows and return their answers in order.

    Args:
        rows: fragments; one program holds up to `ROWS_A_PROGRAM` of them.
        target: `host`, or `cortex-m` on a simulated Cortex-M3.
        flags: further flags of the compiler, as a sanitizer.

    Raises CorpusError when a tool is missing, or a program does not compile, fails, or prints too few answers.
    """
    if not available(target):
        missing = "gcc" if target == "host" else CORTEX_M_PACKAGES
        raise CorpusError(f"The C items cannot run on {target}; install {missing}.")
    answers: list[int] = []
    for start in range(0, len(rows), ROWS_A_PROGRAM):
        answers += _run(rows[start : start + ROWS_A_PROGRAM], target, flags)
    return answers


def _run(rows: Sequence[CCode], target: Target, flags: Sequence[str]) -> list[int]:
    with tempfile.TemporaryDirectory(prefix="firmbench-c-") as folder:
        source, binary = Path(folder) / "items.c", Path(folder) / "items.elf"
        source.write_text(program(rows))
        compiler, machine = (HOST, ()) if target == "host" else (CORTEX_M, MACHINE)
        for command in ([*compiler, *flags, "-o", str(binary), str(source)], [*machine, str(binary)]):
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
            except subprocess.TimeoutExpired:
                raise CorpusError(f"{command[0]} on {len(rows)} C items ran for over {LIMIT_S:.0f} s.") from None
            if done.returncode:
                said = "\n".join(done.stderr.splitlines()[:20])
                raise CorpusError(f"{command[0]} on {len(rows)} C items ended with {done.returncode}: {said}")
    lines = done.stdout.split()
    if len(lines) != len(rows):
        raise CorpusError(f"The C items on {target} printed {len(lines)} answers for {len(rows)} rows.")
    return [int.from_bytes(bytes.fromhex(line), "big", signed=True) for line in lines]
