"""A caller that is killed leaves nothing; what a crashed engine or guard left is swept at the next opening."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tasks.sandbox import cgroups, owner
from tasks.sandbox.containers import LABEL, connect, sweep
from warehouse.errors import SandboxError

ROOT = Path(__file__).parents[2]
CALLER = """
import sys
from tasks.sandbox import Limits, open_sandbox
from tasks.sandbox.owner import me
kind, marker, host = sys.argv[1:]
options = {"trusted": True} if kind == "none" else {"docker_host": host} if kind == "docker" else {}
with open_sandbox(kind, **options) as sandbox:
    print(me(), flush=True)
    sandbox.run(["sh", "-c", f"(setsid sleep {marker} &) ; sleep {marker}"], {}, Limits(wall_s=500.0))
"""
KINDS = ["bubblewrap", "none", pytest.param("docker", marks=[pytest.mark.slow, pytest.mark.xdist_group("docker")])]


def sleeping(marker: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes() == f"sleep\0{marker}\0".encode():
                found.append(path.parent.name)
        except OSError:
            pass
    return found


def groups_of(name: str) -> list[Path]:
    hierarchy = cgroups.usable()
    return [path for parent in (hierarchy.folders if hierarchy else []) for path in parent.glob(f"*{name}*")]


def until(condition: Any, what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_caller_leaves_nothing(kind: str, opened: Any, request: pytest.FixtureRequest) -> None:
    if kind != "none":
        opened(kind)
    host = request.getfixturevalue("engine") if kind == "docker" else "-"
    marker = f"{10_000_000 + os.getpid()}.{time.monotonic_ns() % 1_000_000}"
    boxes = set(Path("/tmp").glob("firmbench-box-*"))
    caller = subprocess.Popen(
        [sys.executable, "-c", CALLER, kind, marker, host], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with caller:
        assert caller.stdout is not None
        name = caller.stdout.readline().strip()
        until(lambda: len(sleeping(marker)) == 2, "the program did not start")
        caller.kill()
    until(lambda: not sleeping(marker), "a process outlives its caller")
    until(lambda: not groups_of(name), "a control group outlives its caller")
    until(lambda: set(Path("/tmp").glob("firmbench-box-*")) <= boxes, "a directory outlives its caller")
    if kind == "docker":
        client = connect(host)
        until(
            lambda: not client.containers.list(all=True, filters={"label": f"{LABEL}={name}"}), "a container outlives"
        )
        client.close()


def dead_owner() -> str:
    """Return the name of a process of this machine that has ended."""
    code = "from tasks.sandbox.owner import me; print(me())"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_control_groups_of_the_dead_are_swept_and_others_are_not() -> None:
    hierarchy = cgroups.usable()
    if hierarchy is None:
        pytest.skip("no control group can be made here")
    sleeper = subprocess.Popen(["sleep", "1000"])
    dead = [parent / f"{cgroups.PREFIX}{dead_owner()}.0" for parent in hierarchy.folders]
    foreign = [parent / f"{cgroups.PREFIX}00000000.1-1-1.0" for parent in hierarchy.folders]
    ours = cgroups.make(hierarchy, cpus=None)
    try:
        for folder in (*dead, *foreign):
            folder.mkdir()
        (dead[0] / "cgroup.procs").write_text(str(sleeper.pid))
        cgroups.sweep(hierarchy)
        assert [folder for folder in dead if folder.exists()] == []
        assert all(folder.exists() for folder in (*foreign, *ours.folders))
        assert sleeper.wait(10) == -signal.SIGKILL
    finally:
        sleeper.kill()
        sleeper.wait()
        for folder in foreign:
            folder.rmdir()
        ours.remove()
    assert not any(folder.exists() for folder in ours.folders)


@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_containers_of_the_dead_are_swept_and_others_are_not(engine: str, docker_sandbox: Any) -> None:
    client = connect(engine)
    name, _ = docker_sandbox._connect()[1]
    made = [
        client.containers.create(name, labels={LABEL: label}) for label in (dead_owner(), owner.me(), "elsewhere-1-1")
    ]
    try:
        assert sweep(client) == [made[0].name]
        left = {container.id for container in client.containers.list(all=True)}
        assert [container.id in left for container in made] == [False, True, True]
    finally:
        for container in made[1:]:
            container.remove(force=True)
        client.close()


@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_a_container_that_ends_under_a_run_is_an_error_and_is_replaced(docker_sandbox: Any) -> None:
    with docker_sandbox.session() as session:
        session.run(["true"])
        session._container.handle.kill()
        with pytest.raises(SandboxError, match="ended before its work was done"):
            session.run(["true"])
    assert docker_sandbox.run(["true"], {}).ok


def test_an_owner_is_alive_until_it_ends() -> None:
    assert not owner.is_dead(owner.me())
    assert owner.is_dead(dead_owner())
    boot_and_namespace = owner.me().split("-")[0]
    assert owner.is_dead(f"{boot_and_namespace}-{os.getpid()}-1")  # the pid is in use again
    assert not owner.is_dead("another.world-1-1")
    assert not owner.is_dead("")
