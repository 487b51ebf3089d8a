"""Builds the supervisor, the small C program that is the first process of every sandbox, and keeps the binary."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from warehouse.errors import SandboxError

SOURCES = Path(__file__).parent / "supervisor"
FLAGS = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror")


@cache
def supervisor() -> Path:
    """Return the path of the binary, built once per user and content of its sources.

    It is linked statically where that can be done, so that any root file system can hold it.
    Raises SandboxError if there is no compiler or the sources do not compile.
    """
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SandboxError("The sandbox's supervisor needs a C compiler once; install one with apt-get install gcc.")
    sources = sorted(SOURCES.glob("*.[ch]"))
    digest = hashlib.sha256(b"\0".join([*(path.read_bytes() for path in sources), " ".join(FLAGS).encode()]))
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "firmbench" / "sandbox"
    built = home / f"supervisor-{digest.hexdigest()[:16]}"
    if built.exists():
        return built
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=home) as work:
            fresh = Path(work) / "supervisor"
            _compile(compiler, [str(path) for path in sources if path.suffix == ".c"], fresh)
            fresh.chmod(0o755)
            fresh.replace(built)
    except OSError as error:
        raise SandboxError(f"The sandbox's supervisor cannot be kept in {home}: {error}.") from error
    return built


def _compile(compiler: str, sources: list[str], target: Path) -> None:
    message = ""
    for static in (["-static"], []):
        done = subprocess.run(
            [compiler, *FLAGS, *static, "-o", str(target), *sources], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return
        message = done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit {done.returncode}"
    raise SandboxError(f"The sandbox's supervisor does not compile: {message}.")
