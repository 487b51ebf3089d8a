"""Opening: what is refused, with which words; read-only folders; no sandbox at all; copies in other processes."""

import contextlib
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tasks.sandbox import KINDS, Limits, NotStarted, Sandbox, cgroups, open_sandbox, supervisor_build
from tasks.sandbox.bubblewrap import Bubblewrap
from tasks.sandbox.containers import LABEL, Containers, connect
from tasks.sandbox.model import MIB
from tasks.sandbox.owner import me
from tasks.sandbox.trusted import NoSandbox
from warehouse.errors import GradingError, SandboxError, UsageError


def groups() -> list[Path]:
    """The control groups of this process's sandboxes."""
    hierarchy = cgroups.usable()
    return [path for parent in (hierarchy.folders if hierarchy else []) for path in parent.glob(f"*{me()}*")]


def test_unprotected_running_must_be_asked_for() -> None:
    with pytest.raises(UsageError, match="say that the code is trusted"), open_sandbox("none"):
        pass


def test_an_unknown_kind_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="bubblewrap, docker, none"), open_sandbox("podman"):  # type: ignore[arg-type]
        pass
    assert KINDS == ("bubblewrap", "docker", "none")


def test_without_bubblewrap_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    before = groups()
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"), open_sandbox("bubblewrap"):
        pass
    assert groups() == before
    assert issubclass(SandboxError, GradingError)


def test_without_an_engine_the_error_says_where_it_was_sought(tmp_path: Path) -> None:
    address = f"unix://{tmp_path}/nothing.sock"
    where = r"nothing\.sock; start one or set DOCKER_HOST"
    with pytest.raises(SandboxError, match=where), open_sandbox("docker", docker_host=address):
        pass


@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_an_image_that_the_engine_does_not_have_is_named(engine: str) -> None:
    name = "not/there:1"
    with (
        pytest.raises(SandboxError, match=f"no image '{name}'"),
        open_sandbox("docker", docker_host=engine, image=name),
    ):
        pass


@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_an_image_of_ones_own_stands_by_itself(engine: str, docker_sandbox: Any) -> None:
    """One that holds the supervisor and nothing else can take files, and start nothing."""
    client = connect(engine)
    client.images.get(docker_sandbox.describe()["image"]).tag("ours", "bare")
    client.close()
    with Containers(docker_host=engine, image_name="ours:bare") as containers, containers.session() as session:
        assert containers.describe()["tools"] == "the image's"
        session.write({"a": "text"})
        assert session.read(["a"]) == {"a": b"text"}
        with pytest.raises(NotStarted, match="No such file"):
            session.run(["gcc"])


def test_a_sandbox_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch, opened: Any) -> None:
    opened("bubblewrap")
    start = Bubblewrap.command
    monkeypatch.setattr(Bubblewrap, "command", lambda self: [start(self)[0], "--no-such-option"])
    before = groups()
    with pytest.raises(SandboxError, match=r"does not start: .*no-such-option"), open_sandbox("bubblewrap"):
        pass
    assert groups() == before


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_build.shutil, "which", lambda name: None)
    with pytest.raises(SandboxError, match="apt-get install gcc"):
        supervisor_build.supervisor.__wrapped__()


def test_the_supervisor_is_built_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    built = supervisor_build.supervisor.__wrapped__()
    first = built.stat().st_mtime_ns
    assert supervisor_build.supervisor.__wrapped__() == built
    assert built.stat().st_mtime_ns == first
    assert [path.name for path in built.parent.iterdir()] == [built.name]


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that any user can read, as read-only folders must be."""
    folder = tmp_path_factory.mktemp("platform")
    (folder / "api.h").write_text("#define ANSWER 42\n")
    folder.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    "kind", ["bubblewrap", pytest.param("docker", marks=[pytest.mark.slow, pytest.mark.xdist_group("docker")])]
)
def test_a_read_only_folder_is_read_only(kind: Any, folder: Path, request: pytest.FixtureRequest, opened: Any) -> None:
    opened(kind)
    host = request.getfixturevalue("engine") if kind == "docker" else None
    with open_sandbox(kind, readonly={"/platforms/ours": folder}, disk_bytes=8 * MIB, docker_host=host) as sandbox:
        read = sandbox.run(["cat", "/platforms/ours/api.h"], {})
        write = sandbox.run(
            ["sh", "-c", "echo x >> /platforms/ours/api.h; echo y > /platforms/ours/new; echo z > /platforms/z"], {}
        )
        full = sandbox.run(["sh", "-c", "head -c 20000000 /dev/zero > f"], {})
        assert read.stdout == b"#define ANSWER 42\n"
        assert write.exit == 2
        assert full.exit == 1
    assert [path.name for path in folder.iterdir()] == ["api.h"]
    assert (folder / "api.h").read_text() == "#define ANSWER 42\n"


@pytest.mark.parametrize(
    "inside",
    ["relative", "/", "/usr", "/usr/lib/x", "/tmp", "/tmp/box", "/proc/x", "/dev", "/a/../usr", "/supervisor"],
)
def test_a_read_only_folder_cannot_hide_the_sandbox(inside: str, folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot be the place"), open_sandbox("bubblewrap", readonly={inside: folder}):
        pass


def test_a_folder_that_is_absent_or_private_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"), open_sandbox(readonly={"/x": folder / "absent"}):
        pass
    folder.chmod(0o700)
    with pytest.raises(UsageError, match="chmod"), open_sandbox(readonly={"/x": folder}):
        pass


def test_unprotected_running_keeps_the_limits_that_need_no_sandbox() -> None:
    with open_sandbox("none", trusted=True) as sandbox, sandbox.session() as session:
        assert isinstance(sandbox, Sandbox)
        box = Path(session.run(["pwd"]).stdout.decode().strip())
        assert session.run(["cat", "a"], {"a": "text"}, env={"X": "1"}, collect=["a"]).collected == {"a": b"text"}
        assert session.run(["sh", "-c", "sleep 1000 & sleep 1000"], limits=Limits(wall_s=0.3)).timed_out
        assert session.run(["sh", "-c", "while :; do :; done"], limits=Limits(cpu_s=0.1, wall_s=60)).timed_out
        assert session.run(["yes"], limits=Limits(output_bytes=10)).stdout == b"y\ny\ny\ny\ny\n"
        assert session.run(["sh", "-c", "(setsid sleep 1234 &) ; echo $$"]).ok
        assert session.run(["env"]).stdout == b"PATH=/usr/bin:/bin\n"
        left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"sleep\x001234" in path.read_bytes()]
    assert left == []
    assert not box.exists()


@pytest.mark.slow
@pytest.mark.xdist_group("docker")
def test_a_forked_process_does_not_speak_on_the_parents_channel(docker_sandbox: Any) -> None:
    with docker_sandbox.session() as session:
        session.write({"mine": "parent"})
        child = os.fork()
        if child == 0:
            with docker_sandbox.session() as own:
                os._exit(0 if own.read(["mine"]) == {} and own.run(["true"]).ok else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert session.read(["mine"]) == {"mine": b"parent"}


def test_every_back_end_says_how_it_limits(backend: Any) -> None:
    said = backend.describe()
    assert {"kind", "version", "user", "memory", "processes", "cpu", "disk", "network", "system calls"} <= set(said)
    assert said["kind"] == backend.kind
    assert all(said.values())
    assert set(NoSandbox().describe()) <= set(said)


def _answer(sandbox: Any) -> bytes:
    return sandbox.run(["sh", "-c", "echo $((6 * 7))"], {}).stdout


def _containers(sandbox: Any) -> int:
    if sandbox.kind != "docker":
        return 0
    client = connect(sandbox.docker_host)
    with contextlib.closing(client):
        return len(client.containers.list(all=True, filters={"label": f"{LABEL}={me()}"}))


def test_a_copy_works_in_another_process(sandbox: Any, opened: Callable[[str], Any]) -> None:
    """Grading runs in worker processes, and a bench carries the sandbox there, once a task."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        answers = [pool.submit(_answer, sandbox).result(60) for _ in range(3)]
        containers = pool.submit(_containers, sandbox).result(60)
    assert answers == [b"42\n"] * 3
    assert containers == (1 if sandbox.kind == "docker" else 0)
