"""The build systems of embedded platforms, as data: what each needs, which files, which commands, how a run ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tasks.sandbox import Limits
from tasks.sandbox.model import MIB
from warehouse.errors import UsageError


@dataclass(frozen=True)
class Tool:
    """A program that must be on the PATH inside the sandbox."""

    program: str
    install: str


@dataclass(frozen=True)
class Sdk:
    """A folder that the environment variable names, mounted into the sandbox under that path."""

    variable: str
    install: str


Need = Tool | Sdk


SMALL_BUILD = Limits(wall_s=60.0, cpu_s=30.0)
LARGE_BUILD = Limits(
    wall_s=1800.0, cpu_s=1200.0, memory_bytes=2048 * MIB, processes=512, file_bytes=512 * MIB, output_bytes=8 * MIB,
    open_files=1024,
)  # fmt: skip
SHORT_RUN = Limits(wall_s=30.0, cpu_s=10.0)


@dataclass(frozen=True, kw_only=True)
class Backend:
    """One platform.

    The candidate's code goes to `source`; `files` are put beside it unless the case brings its own. In `compile`, the
    commands in their order, `{board}` is the case's board; a command that needs a shell says so. `runs` maps the
    beginning of a board's name to the command that runs what was built; the first that fits is taken, and `run_needs`
    is what a run takes beyond the build. `endless` says that firmware there has no end, so that the time limit proves
    nothing; `no_run` why nothing can be run.
    """

    name: str
    source: str
    needs: tuple[Need, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    compile: tuple[tuple[str, ...], ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    run_needs: tuple[Need, ...] = ()
    endless: bool = False
    no_run: str = ""
    compile_limits: Limits = SMALL_BUILD
    run_limits: Limits = SHORT_RUN

    def run(self, board: str) -> tuple[str, ...]:
        """Return the command that runs what was built for the board; empty if there is none."""
        return next((argv for start, argv in self.runs if board.startswith(start)), ())


ARM_GCC = Tool("arm-none-eabi-gcc", "install the packages gcc-arm-none-eabi and libnewlib-arm-none-eabi")
QEMU_M3 = (
    "qemu-system-arm", "-M", "mps2-an385", "-nographic", "-monitor", "none", "-serial", "null",
    "-semihosting-config", "enable=on,target=native", "-kernel", "firmware.elf",
)  # fmt: skip
WARN = ("-Wall", "-Wextra", "-O1", "-g")


@cache
def _data(name: str) -> str:
    return (Path(__file__).parent / "platform_files" / name).read_text()


def backends() -> dict[str, Backend]:
    """Return every back end by name."""
    return {backend.name: backend for backend in _table()}


@cache
def _table() -> tuple[Backend, ...]:
    return (
        Backend(
            name="zephyr",
            source="src/main.c",
            needs=(
                Tool("west", "install Zephyr's west and its SDK"),
                Sdk("ZEPHYR_BASE", "set ZEPHYR_BASE to a Zephyr tree"),
            ),
            files={
                "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20.0)\nfind_package(Zephyr REQUIRED HINTS "
                "$ENV{ZEPHYR_BASE})\nproject(candidate)\ntarget_sources(app PRIVATE src/main.c)\n",
                "prj.conf": "",
            },
            compile=(("west", "build", "-p", "always", "-b", "{board}", "-d", "build", "."),),
            runs=(
                ("native_sim", ("./build/zephyr/zephyr.exe",)),
                ("qemu_", ("west", "build", "-d", "build", "-t", "run")),
            ),
            endless=True,
            compile_limits=LARGE_BUILD,
        ),
        Backend(
            name="esp_idf",
            source="main/main.c",
            needs=(
                Tool("idf.py", "install ESP-IDF and put its tools on the PATH"),
                Sdk("IDF_PATH", "set IDF_PATH to an ESP-IDF tree"),
            ),
            files={
                "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\n"
                "include($ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(candidate)\n",
                "main/CMakeLists.txt": 'idf_component_register(SRCS "main.c" INCLUDE_DIRS ".")\n',
            },
            compile=(("idf.py", "set-target", "esp32"), ("idf.py", "build")),
            runs=(("", ("idf.py", "qemu")),),
            run_needs=(Tool("qemu-system-xtensa", "install Espressif's QEMU with idf_tools.py"),),
            endless=True,
            compile_limits=LARGE_BUILD,
        ),
        Backend(
            name="stm32_hal",
            source="main.c",
            needs=(ARM_GCC, Sdk("STM32_HAL_PATH", "set STM32_HAL_PATH to an STM32CubeF4 tree")),
            compile=(
                (
                    "sh", "-c",
                    "exec arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -DSTM32F407xx "
                    '-DUSE_HAL_DRIVER -I"$STM32_HAL_PATH/Drivers/STM32F4xx_HAL_Driver/Inc" '
                    '-I"$STM32_HAL_PATH/Drivers/CMSIS/Device/ST/STM32F4xx/Include" '
                    '-I"$STM32_HAL_PATH/Drivers/CMSIS/Include" -I. -Wall -Wextra -O1 -c main.c -o main.o',
                ),
            ),
            no_run="there is no model of an STM32 board to run it on",
        ),
        Backend(
            name="linux_module",
            source="candidate.c",
            needs=(
                Tool("make", "install make and a C compiler"),
                Sdk("KERNEL_BUILD", "set KERNEL_BUILD to a kernel build tree, such as linux-headers installs"),
            ),
            files={"Kbuild": "obj-m := candidate.o\n"},
            compile=(("sh", "-c", 'exec make -C "$KERNEL_BUILD" M="$PWD" modules'),),
            no_run="a kernel module is not loaded into the kernel of the machine that grades",
            compile_limits=LARGE_BUILD,
        ),
        Backend(
            name="yocto",
            source="meta-candidate/recipes-candidate/candidate/candidate_1.0.bb",
            needs=(
                Tool("bitbake", "install BitBake"),
                Sdk("YOCTO_BASE", "set YOCTO_BASE to a Poky tree with oe-init-build-env"),
            ),
            files={
                "meta-candidate/conf/layer.conf": 'BBPATH .= ":${LAYERDIR}"\nBBFILES += '
                '"${LAYERDIR}/recipes-*/*/*.bb"\nBBFILE_COLLECTIONS += "candidate"\nBBFILE_PATTERN_candidate = '
                '"^${LAYERDIR}/"\nLAYERSERIES_COMPAT_candidate = "scarthgap"\n',
            },
            compile=(
                (
                    "sh", "-c",
                    '. "$YOCTO_BASE/oe-init-build-env" build && bitbake-layers add-layer ../meta-candidate '
                    "&& bitbake -n candidate",
                ),
            ),
            no_run="a recipe has nothing to run before an image is built",
            compile_limits=LARGE_BUILD,
        ),
        Backend(
            name="cortex_m",
            source="main.c",
            needs=(ARM_GCC,),
            files={"startup.c": _data("cortex_m_startup.c"), "memory.ld": _data("cortex_m_memory.ld.txt")},
            compile=(
                (
                    "arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-std=gnu11", *WARN, "-nostartfiles",
                    "--specs=rdimon.specs", "-T", "memory.ld", "main.c", "startup.c", "-o", "firmware.elf",
                ),
            ),
            runs=(("", QEMU_M3),),
            run_needs=(Tool("qemu-system-arm", "install the package qemu-system-arm"),),
            run_limits=Limits(wall_s=60.0, cpu_s=10.0, memory_bytes=1024 * MIB),
        ),
        Backend(
            name="host",
            source="main.c",
            needs=(Tool("gcc", "install gcc and the C library's headers"),),
            compile=(("gcc", "-std=gnu11", *WARN, "main.c", "-o", "program", "-lpthread", "-lm"),),
            runs=(("", ("./program",)),),
        ),
    )  # fmt: skip


PLATFORMS: dict[str, str] = {
    "native_sim": "zephyr",
    "qemu_arm": "zephyr",
    "esp_idf": "esp_idf",
    "stm32_hal": "stm32_hal",
    "docker_only": "linux_module",
    "yocto_build": "yocto",
    "cortex_m": "cortex_m",
    "host": "host",
}
"""What a case calls its platform → the back end."""


def backend_of(platform: str) -> Backend | None:
    """Return the back end of a case's platform, None if there is none for it."""
    return backends().get(PLATFORMS.get(platform, ""))


def named(name: str) -> Backend:
    """Return the back end called `name`; raises UsageError naming those there are."""
    if name not in backends():
        raise UsageError(f"There is no platform back end {name!r}; there are {', '.join(sorted(backends()))}.")
    return backends()[name]
