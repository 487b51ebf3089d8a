"""A docker engine of one's own, for tests, benchmarks and CI machines without one; needs root and dockerd."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from warehouse.errors import SandboxError

START_S = 60.0
FLAGS = ("--iptables=false", "--ip6tables=false", "--bridge=none", "--ip-forward=false", "--ip-masq=false")
"""Containers here have no network, so the engine touches none of the machine's."""


def why_not() -> str | None:
    """Return why no engine can be started here, or None."""
    if os.geteuid() != 0:
        return "only root can start a docker engine"
    if shutil.which("dockerd") is None:
        return "dockerd is not installed (apt-get install docker.io)"
    return None


@contextlib.contextmanager
def private_engine(storage_driver: str = "overlay2") -> Iterator[str]:
    """Start an engine with its own socket and storage, yield its address, and remove everything at the end.

    Raises SandboxError with the end of the engine's log if it does not come up.
    """
    if reason := why_not():
        raise SandboxError(f"A docker engine cannot be started: {reason}.")
    home = Path(tempfile.mkdtemp(prefix="firmbench-engine-"))
    address = f"unix://{home}/docker.sock"
    log = home / "log"
    with log.open("wb") as sink:
        engine = subprocess.Popen(
            ["dockerd", *FLAGS, f"--storage-driver={storage_driver}", "--data-root", str(home / "data"),
             "--exec-root", str(home / "exec"), "--pidfile", str(home / "pid"), "-H", address],
            stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, start_new_session=True,
        )  # fmt: skip
    try:
        _wait_for(engine, address, log)
        yield address
    finally:
        _stop(engine)
        _unmount_below(home)
        shutil.rmtree(home, ignore_errors=True)


def _wait_for(engine: subprocess.Popen[bytes], address: str, log: Path) -> None:
    import docker
    import docker.errors
    import requests

    deadline = time.monotonic() + START_S
    while engine.poll() is None and time.monotonic() < deadline:
        try:
            client = docker.DockerClient(base_url=address, timeout=10)
            client.ping()
        except (docker.errors.DockerException, requests.RequestException):
            time.sleep(0.1)
        else:
            client.close()
            return
    said = log.read_text(errors="replace").strip().splitlines()[-3:]
    raise SandboxError(f"The docker engine does not come up: {' | '.join(said)}.")


def _stop(engine: subprocess.Popen[bytes]) -> None:
    """Ask the engine to end, with its containerd; press the whole group if it does not."""
    engine.terminate()
    try:
        engine.wait(30)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(engine.pid, signal.SIGKILL)
        engine.wait()


def _unmount_below(home: Path) -> None:
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    for mount in sorted((mount for mount in mounts if mount.startswith(f"{home}/")), reverse=True):
        subprocess.run(["umount", "--lazy", mount], check=False)
