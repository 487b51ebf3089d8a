"""The tools that tracks run do run in every back end, under the default limits."""

import shutil
from typing import Any

import pytest

from tasks.sandbox import Limits

BARE_METAL = r"""
__attribute__((naked)) static int semihosting(int call, void *argument)
{
    __asm__("bkpt 0xab\n bx lr");
}
static int add(int a, int b) { return a + b; }
void _start(void)
{
    int leave[2] = {0x20026, add(3, 4)};
    semihosting(4, "from the target\n");
    semihosting(0x20, leave);
    for (;;)
        ;
}
__attribute__((section(".vectors"), used)) static void *const vectors[] = {(void *)0x20010000, _start};
"""
PLACE = "SECTIONS { . = 0; .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) } }\n"
BUILD = "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O1 -nostdlib -T place.ld main.c -o main.elf"
RUN = "qemu-system-arm -M mps2-an385 -nographic -monitor none -serial none -icount shift=0,sleep=off -kernel main.elf"
SEMIHOSTING = "-semihosting-config enable=on,target=native"


def needs(*programs: str) -> Any:
    absent = [name for name in programs if shutil.which(name) is None]
    return pytest.mark.skipif(bool(absent), reason=f"not installed: {', '.join(absent)}")


@needs("arm-none-eabi-gcc", "qemu-system-arm")
def test_a_cortex_m_program_is_built_and_emulated(sandbox: Any) -> None:
    with sandbox.session() as session:
        build = session.run(BUILD.split(), {"main.c": BARE_METAL, "place.ld": PLACE})
        assert build.ok, build.stderr
        run = session.run([*RUN.split(), *SEMIHOSTING.split()])
        assert (run.stdout + run.stderr, run.exit) == (b"from the target\n", 7)


@needs("arm-none-eabi-gcc", "qemu-system-arm")
def test_an_emulator_that_hangs_meets_its_limits(sandbox: Any) -> None:
    with sandbox.session() as session:
        hang = BARE_METAL.replace("semihosting(0x20, leave);", "")
        assert session.run(BUILD.split(), {"main.c": hang, "place.ld": PLACE}).ok
        run = session.run([*RUN.split(), *SEMIHOSTING.split()], limits=Limits(wall_s=60.0, cpu_s=0.5))
        assert run.timed_out


def test_cpp_with_the_standard_library(sandbox: Any) -> None:
    if shutil.which("g++") is None:
        pytest.skip("not installed: g++")
    source = (
        "#include <iostream>\n#include <vector>\nint main() { std::vector<int> v{1, 2}; std::cout << v.size(); }\n"
    )
    with sandbox.session() as session:
        assert session.run(["g++", "-O1", "main.cpp"], {"main.cpp": source}, Limits(cpu_s=30.0)).ok
        assert session.run(["./a.out"]).stdout == b"2"


def test_threads_pipes_and_signals(sandbox: Any) -> None:
    source = """
    #include <pthread.h>
    #include <signal.h>
    #include <stdio.h>
    #include <time.h>
    #include <unistd.h>
    static volatile sig_atomic_t ticks;
    static void tick(int number) { (void)number; ticks++; }
    static void *work(void *sum)
    {
        for (int i = 0; i < 1000; i++)
            __atomic_fetch_add((int *)sum, 1, __ATOMIC_SEQ_CST);
        return 0;
    }
    int main(void)
    {
        pthread_t threads[8];
        int sum = 0;
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
        struct itimerspec every = {{0, 1000000}, {0, 1000000}};
        timer_t timer;
        signal(SIGALRM, tick);
        if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, 0))
            return 1;
        for (int i = 0; i < 8; i++)
            if (pthread_create(&threads[i], 0, work, &sum))
                return 2;
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
        while (ticks < 3)
            ;
        printf("%d\\n", sum);
        return 0;
    }
    """
    with sandbox.session() as session:
        build = session.run(["gcc", "-O1", "-pthread", "main.c"], {"main.c": source})
        assert build.ok, build.stderr
        assert session.run(["./a.out"]).stdout == b"8000\n"
