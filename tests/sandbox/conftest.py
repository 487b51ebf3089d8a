"""Back ends to test, the evil programs compiled, and an account of what a run leaves behind."""

import atexit
import contextlib
import os
import pickle
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tasks.sandbox import Limits, Outcome, cgroups, open_sandbox, supervisor_build
from tasks.sandbox.bubblewrap import Bubblewrap
from tasks.sandbox.containers import LABEL, connect
from tasks.sandbox.engine import private_engine, why_not
from tasks.sandbox.owner import me
from tasks.sandbox.supervisor_build import supervisor

EVIL = Path(__file__).parents[1] / "evil"
REQUIRED = "FIRMBENCH_REQUIRE_SANDBOXES"
"""Set where a missing back end is a failure, as in CI; elsewhere its tests are skipped with the reason."""

DOCKER = pytest.param("docker", marks=[pytest.mark.slow, pytest.mark.xdist_group("docker")])
BACKENDS = ["bubblewrap", "bubblewrap with rlimits", "bubblewrap of a plain user", DOCKER]
SESSIONS = ["bubblewrap", "bubblewrap with rlimits", DOCKER]


def missing(reason: str) -> None:
    if os.environ.get(REQUIRED):
        pytest.fail(f"{REQUIRED} is set, but {reason}")
    pytest.skip(reason)


@cache
def plain_user() -> tuple[int, str]:
    """Return the id of a user that has nothing but a home, with the supervisor's sources in it.

    A checkout below a private folder is closed to that user.
    """
    user = 0x5000_0000 | os.getpid()
    home = tempfile.mkdtemp(prefix="firmbench-plain-")
    atexit.register(shutil.rmtree, home)
    os.chown(home, user, user)
    shutil.copytree(supervisor_build.SOURCES, Path(home, "sources"))
    return user, home


def as_plain_user(function: Callable[[], Any]) -> Any:
    """Return what `function` returns in a forked process without any privilege."""
    reader, writer = os.pipe()
    user, home = plain_user()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            os.environ["XDG_CACHE_HOME"] = home
            supervisor_build.SOURCES = Path(home, "sources")
            supervisor.cache_clear()
            cgroups.usable.cache_clear()
            answer = function()
        except BaseException as error:
            answer = error
        with os.fdopen(writer, "wb") as sink:
            pickle.dump(answer, sink)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        answer = pickle.load(source)
    os.waitpid(pid, 0)
    if isinstance(answer, BaseException):
        raise answer
    return answer


class PlainUser:
    """Bubblewrap without root and without control groups, as on a laptop."""

    kind = "bubblewrap"

    def run(self, *arguments: Any, **named: Any) -> Outcome:
        return as_plain_user(lambda: Bubblewrap().run(*arguments, **named))

    def describe(self) -> dict[str, str]:
        return as_plain_user(lambda: Bubblewrap().describe())


@pytest.fixture(scope="session")
def engine() -> Iterator[str]:
    if reason := why_not():
        missing(reason)
    with private_engine() as address:
        yield address
        home = address.removeprefix("unix://").removesuffix("/docker.sock")
        client = connect(address)
        deadline = time.monotonic() + 20  # those of other processes end with them, a moment later
        while (left := [one.name for one in client.containers.list(all=True)]) and time.monotonic() < deadline:
            time.sleep(0.05)
        client.close()
        overlays = [
            line for line in Path("/proc/self/mountinfo").read_text().splitlines() if f"{home}/data/overlay2/" in line
        ]
        assert (left, overlays) == ([], [])
    assert not Path(home).exists()


@pytest.fixture(scope="session")
def docker_sandbox(engine: str) -> Iterator[Any]:
    with open_sandbox("docker", docker_host=engine) as containers:
        yield containers


@pytest.fixture(scope="session")
def opened(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Any]]:
    """Open each back end at its first use."""
    with contextlib.ExitStack() as stack:
        ready: dict[str, Any] = {}

        def get(name: str) -> Any:
            if name not in ready:
                ready[name] = _open(name, request, stack)
            return ready[name]

        yield get


def _open(name: str, request: pytest.FixtureRequest, stack: contextlib.ExitStack) -> Any:
    if name == "docker":
        return request.getfixturevalue("docker_sandbox")
    if shutil.which("bwrap") is None:
        missing("bubblewrap is not installed (apt-get install bubblewrap)")
    if name == "bubblewrap":
        return stack.enter_context(open_sandbox("bubblewrap"))
    if os.geteuid() != 0:
        pytest.skip("these tests run as a plain user already, so `bubblewrap` is this variant")
    return Bubblewrap(use_cgroups=False) if name == "bubblewrap with rlimits" else PlainUser()


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, opened: Callable[[str], Any]) -> Any:
    """A sandbox that can run programs once."""
    return opened(request.param)


@pytest.fixture(params=SESSIONS)
def sandbox(request: pytest.FixtureRequest, opened: Callable[[str], Any]) -> Any:
    """A sandbox that can open sessions in this process."""
    return opened(request.param)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Compile an evil program, once."""
    folder = tmp_path_factory.mktemp("evil")

    def get(name: str) -> bytes:
        binary = folder / name
        if not binary.exists():
            subprocess.run(["gcc", "-O1", "-static", "-o", str(binary), str(EVIL / f"{name}.c")], check=True)
        return binary.read_bytes()

    return get


@dataclass
class Trial:
    """Runs one evil program under a name that occurs nowhere else, and knows what of it may still be found."""

    backend: Any
    compiled: Callable[[str], bytes]
    marker: str = field(default_factory=lambda: f"evil{uuid.uuid4().hex}")

    def run(self, name: str, *arguments: str, limits: Limits | None = None, **named: Any) -> Outcome:
        files = {self.marker: self.compiled(name)}
        return self.backend.run([f"./{self.marker}", *arguments], files, limits or Limits(), **named)

    def left_behind(self) -> list[str]:
        """Name everything that bears the marker or belongs to a sandbox of this process."""
        left = [f"process {path.parent.name}" for path in Path("/proc").glob("[0-9]*/cmdline") if self._is_ours(path)]
        left += [f"process {path.parent.name}" for path in Path("/proc").glob("[0-9]*/comm") if self._is_ours(path)]
        left += [
            f"mount {line}" for line in Path("/proc/self/mountinfo").read_text().splitlines() if self.marker in line
        ]
        for folder in (Path(tempfile.gettempdir()), Path("/dev/shm"), Path("/"), Path.home(), Path.cwd()):
            left += [f"file {path}" for path in folder.glob(f"*{self.marker}*")]
        left += [f"folder {path}" for path in Path(tempfile.gettempdir()).glob("firmbench-box-*")]
        hierarchy = cgroups.usable()
        for parent in hierarchy.folders if hierarchy else []:
            left += [f"group {path}" for path in parent.glob(f"{cgroups.PREFIX}{me()}.*")]
        if self.backend.kind == "docker":
            client = connect(self.backend.docker_host)
            mine = client.containers.list(all=True, filters={"label": f"{LABEL}={me()}"})
            idle = {container.handle.id for container in self.backend._idle}
            left += [f"container {container.name}" for container in mine if container.id not in idle]
            client.close()
            seen = self.backend.run(["find", "/tmp", "/dev/mqueue", "/dev/shm"], {}).stdout.split()
            left += [
                f"file in a used container: {path!r}"
                for path in seen
                if path not in (b"/tmp", b"/tmp/box", b"/dev/mqueue")
            ]
        return left

    def _is_ours(self, path: Path) -> bool:
        try:
            return self.marker[:15].encode() in path.read_bytes()
        except OSError:
            return False


@pytest.fixture
def trial(backend: Any, compiled: Callable[[str], bytes]) -> Iterator[Trial]:
    """One evil program on one back end; fails if anything of it is still there a moment later."""
    trial = Trial(backend, compiled)
    yield trial
    deadline = time.monotonic() + 5
    while (left := trial.left_behind()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


@pytest.fixture(scope="session", autouse=True)
def _no_group_outlives_the_tests() -> Iterator[None]:
    yield
    hierarchy = cgroups.usable()
    parents = hierarchy.folders if hierarchy else []
    assert [path for parent in parents for path in parent.glob(f"{cgroups.PREFIX}{me()}.*")] == []
