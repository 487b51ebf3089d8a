"""The image of the docker back end, built from the Dockerfile beside this file."""

import hashlib
import io
import os
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.sandbox.bubblewrap import SYSTEM
from tasks.sandbox.supervisor_build import SOURCES, supervisor
from warehouse.errors import SandboxError

DOCKERFILE = Path(__file__).with_name("Dockerfile")
REPOSITORY = "firmbench-sandbox"
TOOLS = "tools"
TOP = ("tmp", "proc", "dev", "sys", "etc", "etc/ld.so.conf.d", "etc/alternatives")


def host_folders() -> list[str]:
    """Return what a container on the `host` image mounts read-only from this machine."""
    return [path for path in SYSTEM if os.path.exists(path) and not os.path.islink(path)]


def ensure(client: Any, name: str | None) -> tuple[str, list[str]]:
    """Return an image that the engine has, and the folders of this machine that its containers mount.

    None is the `host` image, made on the spot without a registry; `tools` is built from a base of the registry unless
    it was before; any other name is taken as it is. Raises SandboxError.
    """
    import docker.errors

    if name is None:
        return _host(client), host_folders()
    wanted = f"{REPOSITORY}:{TOOLS}" if name == TOOLS else name
    try:
        client.images.get(wanted)
    except docker.errors.ImageNotFound:
        if name != TOOLS:
            raise SandboxError(f"The docker engine has no image {name!r}; pull it or build it first.") from None
        _build(client, _context(), TOOLS, wanted)
    return wanted, []


def _context() -> bytes:
    """Return what the Dockerfile needs. The engine's older builder works through every target up to the one wanted."""
    sources = {f"supervisor/{path.name}": path.read_bytes() for path in sorted(SOURCES.glob("*.[ch]"))}
    return _tar({"Dockerfile": DOCKERFILE.read_bytes(), "rootfs.tar": _root_file_system(), **sources})


def _host(client: Any) -> str:
    import docker.errors

    context = _context()
    tag = f"{REPOSITORY}:host-{hashlib.sha256(context).hexdigest()[:12]}"
    try:
        client.images.get(tag)
    except docker.errors.ImageNotFound:
        _build(client, context, "host", tag)
    return tag


def _build(client: Any, context: bytes, target: str, tag: str) -> None:
    import docker.errors

    try:
        client.images.build(
            fileobj=io.BytesIO(context), custom_context=True, target=target, tag=tag, rm=True, forcerm=True
        )
    except (docker.errors.BuildError, docker.errors.APIError) as error:
        raise SandboxError(f"The docker image {tag} cannot be built: {error}.") from error


def _root_file_system() -> bytes:
    """Return a tar of the supervisor, empty directories, and the symbolic links that this machine has at its top."""
    files = {"supervisor": supervisor().read_bytes()}
    files |= {path[1:]: b"" for path in host_folders() if not os.path.isdir(path)}
    folders = [*TOP, *(path[1:] for path in host_folders() if os.path.isdir(path) and path[1:] not in TOP)]
    links = {path[1:]: os.readlink(path) for path in SYSTEM if os.path.islink(path)}
    return _tar(files, folders, links)


def _tar(files: Mapping[str, bytes], folders: Sequence[str] = (), links: Mapping[str, str] | None = None) -> bytes:
    """Return a tar whose bytes depend on its content only."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in folders:
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.DIRTYPE
            entry.mode = 0o1777 if name == "tmp" else 0o755  # a tmpfs mounted there takes its mode from it
            archive.addfile(entry)
        for name, target in (links or {}).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), 0o755
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()
