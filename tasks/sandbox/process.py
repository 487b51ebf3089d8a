"""Starts a supervisor under its guard on this machine and ends both."""

import contextlib
import os
import select
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence

from tasks.sandbox.cgroups import Group
from tasks.sandbox.supervisor_build import supervisor
from tasks.sandbox.wire import GRACE_S, START_S, Channel
from warehouse.errors import SandboxError


@contextlib.contextmanager
def guarded(command: Sequence[str], group: Group | None = None) -> Iterator[Channel]:
    """Start `command`, whose last part serves as supervisor, in `group`, and yield the channel to it.

    The guard leads a session of its own, so a Ctrl-C in the terminal reaches this process only, and it ends the
    sandbox even if this process is killed. Raises SandboxError if the sandbox does not start, with what it said.
    """
    with contextlib.ExitStack() as stack:
        if group:
            stack.callback(group.remove)
        guard, channel = _start(command, [str(folder) for folder in group.folders] if group else [])
        greeted = False
        try:
            if greeted := _greeted(channel):
                yield channel
        finally:
            channel.close()
            said = _end(guard).decode(errors="replace").strip()
    if not greeted:
        raise SandboxError(f"The sandbox does not start: {said or 'it said nothing'}.")


def _start(command: Sequence[str], folders: Sequence[str]) -> tuple[subprocess.Popen[bytes], Channel]:
    ours, theirs = socket.socketpair()
    with theirs, contextlib.ExitStack() as undo:
        undo.enter_context(ours)
        try:
            guard = subprocess.Popen(
                [str(supervisor()), "guard", *folders, "--", *command],
                stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=subprocess.PIPE, env={}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise SandboxError(f"The sandbox cannot be started: {error}.") from error
        undo.pop_all()
    return guard, Channel(ours)


def _greeted(channel: Channel) -> bool:
    try:
        return channel.receive(time.monotonic() + START_S) == (b"h", b"")
    except SandboxError:
        return False


def _end(guard: subprocess.Popen[bytes]) -> bytes:
    """Wait for the guard, whose channel is closed, and press it if need be; return what it and its command said.

    The end of its standard error is the sign that all of them are gone: waiting for it, unlike for a process with a
    time limit, costs no polling.
    """
    assert guard.stderr is not None
    said = b""
    with guard.stderr as stream:
        for press in (guard.terminate, guard.kill, None):
            deadline = time.monotonic() + GRACE_S
            while select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
                part = os.read(stream.fileno(), 65536)
                said = (said + part)[:65536]
                if not part:
                    guard.wait()
                    return said
            if press:
                press()
    guard.wait()
    return said
