"""The outside end of the supervisor's byte channel: frames, and one run from request to report."""

import contextlib
import select
import socket
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from tasks.sandbox.model import Files, Limits, Outcome
from warehouse.errors import SandboxError, UsageError

HEADER = struct.Struct("<cI")
LIMITS = struct.Struct("<7Q")
REPORT = struct.Struct("<iiQQQBBB")
STREAM = struct.Struct(">BxxxI")
"""How the docker engine wraps pieces of standard output and error: 1 or 2, then the length."""

START_S = 30.0
GRACE_S = 10.0
"""How long a supervisor may take for its own part on a loaded machine before it is taken for dead."""

LARGEST_FRAME = 1 << 31

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
"""All that a program finds unless the caller adds to it; without it gcc does not find its own parts."""


class NotStarted(SandboxError):
    """A run that could not begin: no such program, or what earlier runs left is in the way of its files.

    The session is ready for the next. Where a graded program ran before in the same session, this may be its doing.
    """


class Channel:
    """Frames over a connected socket; `multiplexed` if the docker engine stands between.

    Raises SandboxError when the other end is gone or does not answer in time.
    """

    def __init__(self, sock: socket.socket, *, multiplexed: bool = False) -> None:
        self._socket = sock
        self._multiplexed = multiplexed
        self._in_piece = 0
        self._is_stdout = True
        self.errors = b""

    def send(self, *frames: tuple[bytes, bytes]) -> None:
        """Send frames (type, payload) within START_S."""
        self._socket.settimeout(START_S)
        try:
            for kind, payload in frames:
                if len(payload) >= LARGEST_FRAME:
                    raise UsageError("A file of 2 GiB or more cannot be put into a sandbox.")
                self._socket.sendall(HEADER.pack(kind, len(payload)))
                self._socket.sendall(payload)
        except OSError as error:
            raise SandboxError(f"The sandbox ended before its work was done: {error}.") from error

    def receive(self, deadline: float) -> tuple[bytes, bytes] | None:
        """Return the next frame, or None once the clock `time.monotonic` has passed `deadline` between two frames."""
        if not self._wait(deadline):
            return None
        kind, length = HEADER.unpack(self._exactly(HEADER.size))
        return kind, self._exactly(length)

    def close(self) -> None:
        """Close our end, on which the supervisor ends; shut down first, since others may hold the socket, too."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _wait(self, deadline: float) -> bool:
        return bool(select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))[0])

    def _exactly(self, length: int) -> bytes:
        parts = []
        while length:
            part = self._some(length)
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _some(self, most: int) -> bytes:
        """Return 1 to `most` bytes of the supervisor's standard output."""
        if not self._multiplexed:
            return self._raw(most)
        while not (self._in_piece and self._is_stdout):
            if self._in_piece:
                self.errors += (lost := self._raw(self._in_piece))
                self._in_piece -= len(lost)
                continue
            header = b""
            while len(header) < STREAM.size:
                header += self._raw(STREAM.size - len(header))
            stream, self._in_piece = STREAM.unpack(header)
            self._is_stdout = stream == 1
        part = self._raw(min(most, self._in_piece))
        self._in_piece -= len(part)
        return part

    def _raw(self, most: int) -> bytes:
        self._socket.settimeout(GRACE_S)
        try:
            part = self._socket.recv(min(most, 1 << 20))
        except OSError as error:
            raise SandboxError(f"The sandbox does not answer: {error}.") from error
        if not part:
            said = self.errors.decode(errors="replace").strip()
            raise SandboxError(f"The sandbox ended before its work was done{said and ': '}{said}.")
        return part


def named(path: str, content: bytes) -> bytes:
    """Return the payload of a frame about a file."""
    return struct.pack("<H", len(raw := path.encode())) + raw + content


def unnamed(payload: bytes) -> tuple[str, bytes]:
    """Take the payload of a frame about a file apart."""
    (length,) = struct.unpack_from("<H", payload)
    return payload[2 : 2 + length].decode(), payload[2 + length :]


def checked(path: str) -> str:
    """Return a relative path unchanged; raises UsageError if it leaves the directory or is no plain path."""
    parts = PurePosixPath(path).parts
    plain = path and path == "/".join(parts) and ".." not in parts and "\0" not in path and not path.startswith("/")
    if not plain or len(path.encode()) > 4000:
        raise UsageError(f"{path!r} is no plain relative path inside the sandbox's directory.")
    return path


def file_frames(files: Files) -> list[tuple[bytes, bytes]]:
    """Return the frames that write `files`."""
    return [
        (b"F", named(checked(path), content.encode() if isinstance(content, str) else content))
        for path, content in files.items()
    ]


def request(
    argv: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    secret: bytes = b"",
    env: Mapping[str, str] | None = None,
    collect: Sequence[str] = (),
    memory_bytes: int = 0,
    processes: int = 0,
) -> list[tuple[bytes, bytes]]:
    """Return the frames that start a run; without `argv` they only collect.

    `memory_bytes` and `processes` are the limits that the supervisor must set itself, 0 for none.
    """
    words = [
        *((b"A", word) for word in argv),
        *((b"E", f"{name}={value}") for name, value in {**ENVIRONMENT, **(env or {})}.items()),
    ]
    words += [(b"C", checked(name)) for name in collect]
    if any("\0" in word for _, word in words):
        raise UsageError("A command and its environment cannot hold NUL bytes.")
    frames = [(kind, word.encode()) for kind, word in words]
    frames += [(kind, content) for kind, content in ((b"I", stdin), (b"S", secret)) if content]
    numbers = (max(1, round(limits.cpu_s * 1e6)), memory_bytes, processes, limits.file_bytes, limits.open_files,
               limits.output_bytes, limits.collect_bytes)  # fmt: skip
    return [*frames, (b"R", LIMITS.pack(*numbers))]


def converse(channel: Channel, frames: Sequence[tuple[bytes, bytes]], limits: Limits) -> Outcome:
    """Send the frames of one run and gather its outcome; the wall clock that ends the run is here, outside.

    Raises SandboxError if the supervisor cannot do its part.
    """
    output: dict[bytes, list[bytes]] = {b"o": [], b"e": []}
    files: dict[bytes, dict[str, bytes]] = {b"c": {}, b"n": {}}
    channel.send(*frames)
    deadline = time.monotonic() + limits.wall_s
    killed = False
    while True:
        frame = channel.receive(deadline)
        if frame is None:
            if killed:
                raise SandboxError(f"The sandbox did not end a run within {GRACE_S:g} s of being told to.")
            channel.send((b"K", b""))
            killed, deadline = True, time.monotonic() + GRACE_S
            continue
        kind, payload = frame
        if kind in output:
            output[kind].append(payload)
        elif kind in files:
            name, content = unnamed(payload)
            files[kind][name] = content
        elif kind == b"x":
            raise NotStarted(f"The program cannot be started in the sandbox: {payload.decode()}.")
        elif kind == b"!":
            raise NotStarted(f"The sandbox could not take in the files: {payload.decode()}.")
        elif kind == b"d":
            break
        else:
            raise SandboxError(f"The sandbox sent a frame {kind!r} that does not belong to a run.")
    exit, signal, wall_us, cpu_us, peak, truncated, cpu_exceeded, out_of_memory = REPORT.unpack(payload)
    return Outcome(
        exit=None if signal else exit,
        signal=signal or None,
        stdout=b"".join(output[b"o"]),
        stderr=b"".join(output[b"e"]),
        wall_s=wall_us / 1e6,
        cpu_s=cpu_us / 1e6,
        peak_bytes=peak,
        timed_out=(killed and bool(signal)) or bool(cpu_exceeded),
        out_of_memory=bool(out_of_memory),
        truncated=bool(truncated),
        collected=files[b"c"],
        refused={name: reason.decode() for name, reason in files[b"n"].items()},
    )
