"""The `cortex_m` back end: the same firmware for a Cortex-M3, in QEMU's mps2-an385 on counted instructions.

Computing takes virtual time here, 8 ns an instruction, by the board's own timer; frames go through semihosting on
two pipes, and while the firmware waits for one its clock stands still. So traces repeat to the last byte, and they are
those of `host_virtual` as long as the firmware computes for less than 1 ms between two waits.
"""

from corpora.closedloop.lockstep import SHARED, Board, LockStep
from tasks.grading.platform_backends import ARM_GCC, Tool

ARM = "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -std=gnu11 -O1 -ffunction-sections -Wall -Wextra"
BOARD = Board(
    "cortex_m",
    start=(
        "/usr/bin/env", "qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial",
        "none", "-parallel", "none", "-net", "none", "-no-reboot", "-icount", "shift=3,sleep=off",
        "-semihosting-config", "enable=on,target=native", "-kernel", "cortex_m.elf",
    ),
    cpu_s=4,
    loop_cpu_s=90.0,
    sources=(*SHARED, "port_cortex_m.c"),
    files=("cortex_m.ld",),
    compile=f"{ARM} -c",
    link=(
        f"{ARM} -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments "
        "-T cortex_m.ld -o cortex_m.elf"
    ),
)  # fmt: skip
BACKEND = LockStep(BOARD, needs=(ARM_GCC, Tool("qemu-system-arm", "install the package qemu-system-arm")))
