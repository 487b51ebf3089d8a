"""The `cortex_m` back end: the same firmware for a Cortex-M3, in QEMU's mps2-an385 on counted instructions.

Computing takes virtual time here, 8 ns an instruction, by the board's own timer; frames go through semihosting on
two pipes, and while the firmware waits for one its clock stands still. So traces repeat to the last byte, and they are
those of `host_virtual` as long as the firmware computes for less than 1 ms between two waits.
"""

from corpora.closedloop.boards import SHARED, Board, BoardBackend
from tasks.grading.platform_backends import ARM_GCC, Tool
from tasks.sandbox import Limits

ARM = "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=gnu11 -O1 -ffunction-sections -Wall -Wextra"
SOURCES = (*SHARED, "port_cortex_m.c")
BOARD = Board(
    name="cortex_m",
    start=(
        "/usr/bin/env", "qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial",
        "none", "-parallel", "none", "-net", "none", "-no-reboot", "-icount", "shift=3,sleep=off",
        "-semihosting-config", "enable=on,target=native", "-kernel", "cortex_m.elf",
    ),
    cpu_s=4,
    loop=Limits(wall_s=180.0, cpu_s=90.0, output_bytes=8 << 20),
    sources=SOURCES,
    files={"cortex_m.ld": "cortex_m.ld"},
    compile=f"{ARM} -c",
    make=(
        f"{ARM} -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments "
        f"-T cortex_m.ld -o cortex_m.elf controller.c {' '.join(f'cortex_m-{s[:-2]}.o' for s in SOURCES)}"
    ),
)  # fmt: skip
BACKEND = BoardBackend(BOARD, needs=(ARM_GCC, Tool("qemu-system-arm", "install the package qemu-system-arm")))
