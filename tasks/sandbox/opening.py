"""`open_sandbox`: one way to every back end."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args

from tasks.sandbox.bubblewrap import Bubblewrap, checked_readonly
from tasks.sandbox.model import MIB, Limits, Sandbox
from tasks.sandbox.trusted import NoSandbox
from warehouse.errors import SandboxError, UsageError

Kind = Literal["bubblewrap", "docker", "none"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@contextlib.contextmanager
def open_sandbox(
    kind: Kind = "bubblewrap",
    *,
    trusted: bool = False,
    readonly: Mapping[str, Path] | None = None,
    disk_bytes: int = 256 * MIB,
    cpus: float | None = None,
    image: str | None = None,
    docker_host: str | None = None,
) -> Iterator[Sandbox]:
    """Open a back end, run one program in it to see that it works, and take everything away at the end.

    `readonly` maps paths inside to folders outside; `disk_bytes` is the size of the writable directory; `cpus` is the
    share of CPUs a session gets (None: no limit, and one CPU in docker). `image` and `docker_host` are for docker: an
    image that holds the supervisor (None: make one) and the engine's address (None: as the environment says).
    Raises UsageError for `none` without `trusted` and for unusable folders, SandboxError if the back end is not here.
    """
    if kind not in KINDS:
        raise UsageError(f"There is no sandbox {kind!r}; there are {', '.join(KINDS)}.")
    folders = checked_readonly(readonly or {})
    if kind == "none":
        if not trusted:
            raise UsageError(
                "The sandbox 'none' runs programs unprotected; say that the code is trusted, or use bubblewrap."
            )
        if folders:
            raise UsageError("The sandbox 'none' has no read-only folders: programs see this machine as it is.")
        yield NoSandbox()
        return
    if kind == "bubblewrap":
        sandbox = Bubblewrap(folders, disk_bytes, cpus)
        _probe(sandbox)
        yield sandbox
        return
    from tasks.sandbox.containers import Containers

    with Containers(folders, disk_bytes, cpus, image_name=image, docker_host=docker_host) as containers:
        _probe(containers)
        yield containers


def _probe(sandbox: Sandbox) -> None:
    outcome = sandbox.run(["true"], limits=Limits(wall_s=60.0))
    if not outcome.ok:
        raise SandboxError(f"The sandbox {sandbox.kind!r} cannot run the program `true` here: {outcome.ending}.")
