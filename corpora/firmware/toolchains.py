"""Where the SDKs of this machine are, and the sandbox that sees them."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tasks.contract import Bench
from tasks.grading.platform_backends import Sdk, backends
from tasks.grading.platform_run import Toolbox
from tasks.sandbox import Sandbox, open_sandbox

INSIDE = "/sdk"
PATH = "/usr/local/bin:/usr/bin:/bin"


def sdk_folders(environment: Mapping[str, str]) -> dict[str, Path]:
    """Return the SDK folders that the environment names, by variable; a variable that names no folder is none."""
    needs = (need for backend in backends().values() for need in (*backend.needs, *backend.run_needs))
    names = sorted({need.variable for need in needs if isinstance(need, Sdk)})
    found = {name: Path(environment[name]) for name in names if environment.get(name)}
    return {name: path.resolve() for name, path in found.items() if path.is_dir()}


def toolbox_of(folders: Mapping[str, Path]) -> Toolbox:
    """Return where tools are inside a sandbox with these SDK folders."""
    return Toolbox(path=PATH, sdks={name: f"{INSIDE}/{name}" for name in folders})


@contextlib.contextmanager
def workbench(bench: Bench | None = None) -> Iterator[tuple[Sandbox, Toolbox]]:
    """Open the sandbox that grading runs in, with this machine's SDKs read-only, or take the one of the bench.

    Raises SandboxError where there is none.
    """
    folders = sdk_folders(os.environ)
    if bench is not None and bench.sandbox is not None:
        yield bench.sandbox, toolbox_of(folders)
        return
    with open_sandbox(readonly={f"{INSIDE}/{name}": path for name, path in folders.items()}) as sandbox:
        yield sandbox, toolbox_of(folders)
