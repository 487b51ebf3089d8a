"""The `esp32_qemu` back end: an ESP-IDF build in Espressif's QEMU, over a TCP UART in real time, as in the paper.

The SDK is a folder of this machine that `IDF_PATH` names, with its tools in the folder `IDF_TOOLS_PATH`, or that of
the image `espressif/idf` where the sandbox is a container of it. QEMU connects to a port that the harness has opened
for this one start, so no other firmware can answer. The phase of the poll is what the boot makes it: a sweep repeats.
"""

from corpora.closedloop.boards import INSIDE, SHARED, Board, BoardBackend
from tasks.grading.platform_backends import LARGE_BUILD, Tool
from tasks.sandbox import Limits

SOURCES = ("firmware.h", *SHARED, "port_esp32.c")
ENTER = f"""
if [ -f {INSIDE}/IDF_PATH/export.sh ]; then
    export IDF_PATH={INSIDE}/IDF_PATH IDF_TOOLS_PATH={INSIDE}/IDF_TOOLS_PATH
elif [ -f /opt/esp/idf/export.sh ]; then
    export IDF_PATH=/opt/esp/idf IDF_TOOLS_PATH=/opt/esp
fi
export HOME="$PWD"
if [ -n "$IDF_PATH" ]; then . "$IDF_PATH/export.sh" >/dev/null 2>&1; fi
"""
INSTALL = (
    "install ESP-IDF with its QEMU (idf_tools.py install qemu-xtensa) and set IDF_PATH and IDF_TOOLS_PATH to its "
    "folders, or grade in a container of the image espressif/idf"
)
BOARD = Board(
    name="esp32_qemu",
    harness="uart.c",
    start=(
        "/bin/bash", "-c", f"{ENTER}\nexec qemu-system-xtensa "
        "-machine esp32 -display none -monitor none -net none -no-reboot "
        '-drive file=flash.bin,if=mtd,format=raw -serial "tcp:127.0.0.1:$1,nodelay=on"', "qemu", "PORT",
    ),
    cpu_s=120,
    loop=Limits(wall_s=300.0, cpu_s=300.0, memory_bytes=2 << 30, output_bytes=8 << 20),
    make_limits=LARGE_BUILD,
    files={
        "CMakeLists.txt": "esp32_project.txt",
        "main/CMakeLists.txt": "esp32_main.txt",
        "sdkconfig.defaults": "esp32_sdkconfig.txt",
        **{f"main/{name}": name for name in SOURCES},
    },
    make=(
        "cp controller.c *.h main/ && idf.py set-target esp32 >&2 && idf.py build >&2 && (cd build && "
        "esptool.py --chip esp32 merge_bin --fill-flash-size 4MB -o ../flash.bin @flash_args >&2)"
    ),
    enter=ENTER,
    sdks=("IDF_PATH", "IDF_TOOLS_PATH"),
)  # fmt: skip
BACKEND = BoardBackend(
    BOARD, needs=tuple(Tool(program, INSTALL) for program in ("idf.py", "esptool.py", "qemu-system-xtensa"))
)
