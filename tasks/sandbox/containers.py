"""The docker back end: one container a session, emptied and used again, with the same supervisor inside."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

from tasks.sandbox import image
from tasks.sandbox.bubblewrap import BOX, SUPERVISOR, fresh_user
from tasks.sandbox.model import MIB, Limits
from tasks.sandbox.owner import is_dead, me
from tasks.sandbox.session import Occupied, Own, RunsOnce, SupervisedSession
from tasks.sandbox.wire import GRACE_S, START_S, Channel
from warehouse.errors import SandboxError

LABEL = "firmbench.owner"
MOST_PROCESSES = 1024
"""What the engine allows a container; a run has its own, smaller limit."""

ENGINE_S = 60
"""How long the engine may take for one request."""


class Container:
    """One running container and the channel to its supervisor, which is its first process."""

    def __init__(self, handle: Any, channel: Channel, memory_bytes: int) -> None:
        self.handle = handle
        self.channel = channel
        self.memory_bytes = memory_bytes

    def impose(self, limits: Limits) -> Own:
        """Set the memory limit of the next run; the number of processes is the supervisor's to set."""
        import docker.errors

        if limits.memory_bytes != self.memory_bytes:
            with _engine_errors("set the memory limit of"):
                try:
                    self.handle.update(mem_limit=limits.memory_bytes, memswap_limit=limits.memory_bytes)
                except docker.errors.APIError as error:
                    if "busy" in str(error) or "current usage" in str(error):
                        raise Occupied from error
                    raise
            self.memory_bytes = limits.memory_bytes
        return Own(processes=min(limits.processes, MOST_PROCESSES) + 1)

    def wiped(self) -> bool:
        """Kill and delete everything in it; False if it cannot be used again."""
        try:
            self.channel.send((b"W", b""))
            answer = self.channel.receive(time.monotonic() + GRACE_S)
        except SandboxError:
            return False
        return answer == (b"w", b"")

    def remove(self) -> None:
        """End and remove the container and wait until the engine has forgotten it."""
        import docker.errors

        self.channel.close()
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                self.handle.remove(force=True)
            except docker.errors.NotFound:
                return
            except docker.errors.APIError:  # its removal is under way
                time.sleep(0.02)
        raise SandboxError(f"The docker engine does not remove the container {self.handle.name}.")


class ContainerSession(SupervisedSession):
    """A session that asks the engine why a container ended under a run."""

    def __init__(self, container: Container, client: Any) -> None:
        super().__init__(container.channel, container.impose)
        self._container = container
        self._client = client

    def was_out_of_memory(self, since: float) -> bool:
        """Whether the kernel took the supervisor for want of memory, by the engine's account."""
        wanted = {"container": self._container.handle.id, "event": "oom"}
        with _engine_errors("ask after"):
            events = self._client.events(since=int(since), until=int(time.time()) + 1, decode=True, filters=wanted)
            return any(event["timeNano"] >= since * 1e9 for event in events)


class Containers(RunsOnce):
    """`readonly`, `disk_bytes` and `cpus` as for `Bubblewrap`; `image_name` and `docker_host` as for `open_sandbox`.

    A context manager. All copies pickled into a process are one there, so its containers are used again from task to
    task; they end with the process: a supervisor whose channel closes exits, and the engine removes its container.
    """

    def __init__(
        self,
        readonly: Mapping[str, Path] | None = None,
        disk_bytes: int = 256 * MIB,
        cpus: float | None = None,
        *,
        image_name: str | None = None,
        docker_host: str | None = None,
    ) -> None:
        self.readonly = dict(readonly or {})
        self.disk_bytes = disk_bytes
        self.cpus = 1.0 if cpus is None else cpus
        self.image_name = image_name
        self.docker_host = docker_host
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._idle: list[Container] = []
        self._lock = threading.Lock()
        self._client: Any = None
        self._image: tuple[str, list[str]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        folders = tuple(sorted(self.readonly.items()))
        return _of_this_process, (folders, self.disk_bytes, self.cpus, self.image_name, self.docker_host)

    def __enter__(self) -> Self:
        self._connect()
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for container in idle:
            container.remove()
        if self._client is not None:
            sweep(self._client)
            self._client.close()
            self._client = None

    @property
    def kind(self) -> str:
        """`docker`."""
        return "docker"

    def describe(self) -> dict[str, str]:
        """Return how each limit is enforced here."""
        client, (name, mounted) = self._connect()
        version = client.version()
        return {
            "kind": self.kind,
            "version": f"docker {version['Version']}",
            "image": name if mounted else client.images.get(name).id,
            "tools": "this machine's" if mounted else "the image's",
            "user": "a fresh unprivileged user id",
            "memory": f"control group v{client.info().get('CgroupVersion', '1')}",
            "processes": "rlimit",
            "cpu": f"time of all processes, {self.cpus:g} CPUs",
            "disk": f"tmpfs of {self.disk_bytes // MIB} MiB",
            "network": "none",
            "system calls": "seccomp, the engine's and ours",
        }

    @contextlib.contextmanager
    def session(self) -> Iterator[SupervisedSession]:
        """Take a container, used before or new; see `model.Sandbox`."""
        client, _ = self._connect()
        with self._lock:
            container = self._idle.pop() if self._idle else None
        container = container or self._start()
        session = ContainerSession(container, client)
        try:
            yield session
        finally:
            if not session.broken and container.wiped():
                with self._lock:
                    self._idle.append(container)
            else:
                container.remove()

    def _connect(self) -> tuple[Any, tuple[str, list[str]]]:
        if self._pid != os.getpid():  # forked: the channels are the parent's
            self._reset()
        with self._lock:
            if self._client is None:
                client = connect(self.docker_host)
                sweep(client)
                self._image = image.ensure(client, self.image_name)
                self._client = client
            assert self._image is not None
            return self._client, self._image

    def _start(self) -> Container:
        client, (name, mounted) = self._connect()
        user = str(fresh_user())
        memory_bytes = Limits().memory_bytes
        volumes = {path: {"bind": path, "mode": "ro"} for path in mounted}
        volumes |= {str(outside): {"bind": inside, "mode": "ro"} for inside, outside in self.readonly.items()}
        with _engine_errors("start"):
            handle = client.containers.create(
                name, entrypoint=[SUPERVISOR], command=["serve", "--box", BOX, "--filter"], stdin_open=True,
                auto_remove=True, cap_drop=["ALL"], hostname="sandbox", ipc_mode="none", labels={LABEL: me()},
                log_config={"Type": "none"}, mem_limit=memory_bytes, memswap_limit=memory_bytes,
                nano_cpus=round(self.cpus * 1e9), network_mode="none", pids_limit=MOST_PROCESSES + 1, read_only=True,
                security_opt=["no-new-privileges"], user=f"{user}:{user}", volumes=volumes, working_dir="/",
                tmpfs={
                    "/tmp": f"rw,exec,nosuid,nodev,size={self.disk_bytes},mode=1777", "/dev/mqueue": "ro,size=4k",
                },
            )  # fmt: skip
        try:
            with _engine_errors("start"):
                stream = handle.attach_socket(params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
                channel = Channel(getattr(stream, "_sock", stream), multiplexed=True)
                handle.start()
            container = Container(handle, channel, memory_bytes)
            if channel.receive(time.monotonic() + START_S) != (b"h", b""):
                said = channel.errors.decode(errors="replace").strip()
                raise SandboxError(f"The supervisor does not start in a container of {name}: {said}.")
        except BaseException:
            with contextlib.suppress(Exception):
                handle.remove(force=True)
            raise
        return container


@cache
def _of_this_process(
    readonly: tuple[tuple[str, Path], ...],
    disk_bytes: int,
    cpus: float,
    image_name: str | None,
    docker_host: str | None,
) -> Containers:
    return Containers(dict(readonly), disk_bytes, cpus, image_name=image_name, docker_host=docker_host)


def connect(docker_host: str | None) -> Any:
    """Return a client of the engine at an address, or the one that the environment names. Raises SandboxError."""
    import docker
    import docker.errors

    try:
        client = (
            docker.DockerClient(base_url=docker_host, timeout=ENGINE_S)
            if docker_host
            else docker.from_env(timeout=ENGINE_S)
        )
        client.ping()
    except Exception as error:
        where = docker_host or "the default address"
        raise SandboxError(f"No docker engine answers at {where}; start one or set DOCKER_HOST ({error}).") from error
    return client


def sweep(client: Any) -> list[str]:
    """Remove the containers of processes that have died, and return their names."""
    import docker.errors

    swept = []
    with _engine_errors("sweep"):
        for container in client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            if is_dead(container.labels[LABEL]):
                with contextlib.suppress(docker.errors.APIError):
                    container.remove(force=True)
                    swept.append(container.name)
    return swept


@contextlib.contextmanager
def _engine_errors(doing: str) -> Iterator[None]:
    import docker.errors
    import requests

    try:
        yield
    except (docker.errors.DockerException, requests.RequestException) as error:
        raise SandboxError(f"The docker engine failed to {doing} a container: {error}.") from error
