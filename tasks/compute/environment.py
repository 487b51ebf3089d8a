"""What a run ran on, as data: stored with the run, hashed into its digest."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType

from tasks.ids import canonical, digest

PACKAGES = ("codebleu", "duckdb", "libclang", "litellm", "polars", "prefect", "pyarrow", "pydantic", "tree-sitter",
            "tree-sitter-c", "tree-sitter-cpp", "xllamacpp")  # fmt: skip
TOOLCHAIN = ("codebleu", "pint", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp")
"""The packages whose version may change a verdict or a figure of a grader."""


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the installed version of each package, `absent` for one that is not installed."""

    def one(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return "absent"

    return {name: one(name) for name in packages}


@cache
def _toolchain() -> dict[str, str]:
    return versions(TOOLCHAIN)


def toolchain_digest(more: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return 12 hex digits that change when a package that graders lean on does, or one of the facts in `more`."""
    return digest("toolchain", _toolchain(), *([dict(more)] if more else []), length=12)


@cache
def program_version(program: str) -> str:
    """Return the first line that a trusted tool on the PATH says of its version, `absent` if it is not installed."""
    path = shutil.which(program)
    if path is None:
        return "absent"
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    return told.partition("\n")[0].strip()


def describe() -> dict[str, str]:
    """Return Python, system, cores and package versions; no host name, no path, no user."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(len(os.sched_getaffinity(0))),
        **versions(PACKAGES),
    }


def described() -> dict[str, str]:
    """Return the `environment` and `environment_digest` columns of a run."""
    facts = describe()
    return {"environment": canonical(facts).decode(), "environment_digest": digest(facts, length=12)}


def git_revision() -> str | None:
    """Return the commit of this checkout, `+` appended when tracked files differ from it; None outside git."""
    folder = Path(__file__).resolve().parent

    def git(*arguments: str) -> str | None:
        try:
            done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    head = git("rev-parse", "HEAD")
    return head and head + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def code_digest(*packages: str) -> str:
    """Return a hash over the sources and data of packages: what a cached build depends on besides its inputs."""
    files = sorted(
        path
        for package in packages
        for root in (Path(sys.modules[package].__file__ or "").parent,)
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    return digest([(path.name, digest(path.read_bytes().hex())) for path in files], length=16)
