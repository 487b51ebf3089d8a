"""The outside end of the channel: whatever comes back, an answer or a clear error within the time allowed."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest

from tasks.sandbox import Limits, NotStarted, wire
from tasks.sandbox.wire import HEADER, LIMITS, REPORT, Channel, checked, converse, request
from warehouse.errors import SandboxError, UsageError


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    return HEADER.pack(kind, len(payload)) + payload


DONE = frame(b"d", REPORT.pack(0, 0, 1000, 2000, 3000, 0, 0, 0))


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


def talk(
    ends: tuple[socket.socket, socket.socket], answer: bytes, *, multiplexed: bool = False, wall_s: float = 5.0
) -> wire.Outcome:
    ends[1].sendall(answer)
    return converse(Channel(ends[0], multiplexed=multiplexed), request(["true"], Limits()), Limits(wall_s=wall_s))


def test_a_run_from_request_to_report(ends: tuple[socket.socket, socket.socket]) -> None:
    outcome = talk(ends, frame(b"o", b"a") + frame(b"e", b"b") + frame(b"o", b"c") + DONE)
    assert (outcome.stdout, outcome.stderr, outcome.exit, outcome.signal) == (b"ac", b"b", 0, None)
    assert (outcome.wall_s, outcome.cpu_s, outcome.peak_bytes) == (0.001, 0.002, 3000)
    sent = ends[1].recv(1000)
    assert sent.startswith(frame(b"A", b"true") + frame(b"E", b"PATH=/usr/bin:/bin"))
    assert LIMITS.unpack(sent[-LIMITS.size :]) == (10_000_000, 0, 0, 64 << 20, 256, 1 << 20, 16 << 20)


def test_the_engines_wrapping_is_taken_off_wherever_it_cuts(ends: tuple[socket.socket, socket.socket]) -> None:
    whole = frame(b"o", b"hello") + DONE
    wrapped = b""
    for at in range(0, len(whole), 3):
        piece = whole[at : at + 3]
        wrapped += struct.pack(">BxxxI", 2, 4) + b"noise"[:4] + struct.pack(">BxxxI", 1, len(piece)) + piece
    assert talk(ends, wrapped, multiplexed=True).stdout == b"hello"


def test_words_about_an_early_end_are_passed_on(ends: tuple[socket.socket, socket.socket]) -> None:
    ends[1].sendall(struct.pack(">BxxxI", 2, 9) + b"no memory")
    ends[1].shutdown(socket.SHUT_WR)
    channel = Channel(ends[0], multiplexed=True)
    with pytest.raises(SandboxError, match="ended before its work was done: no memory"):
        channel.receive(0)


@pytest.mark.parametrize("answer", [b"", b"o", frame(b"o", b"x"), DONE[:-1]])
def test_an_end_in_the_middle_is_an_error(ends: tuple[socket.socket, socket.socket], answer: bytes) -> None:
    ends[1].sendall(answer)
    ends[1].shutdown(socket.SHUT_WR)
    with pytest.raises(SandboxError, match="ended before its work was done"):
        converse(Channel(ends[0]), [], Limits(wall_s=5))


def test_a_supervisor_that_ignores_the_end_of_the_run_is_an_error(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "GRACE_S", 0.05)
    with pytest.raises(SandboxError, match="did not end a run"):
        talk(ends, b"", wall_s=0.05)
    assert ends[1].recv(10_000).endswith(frame(b"K"))


def test_a_frame_that_stops_half_way_is_an_error(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "GRACE_S", 0.05)
    with pytest.raises(SandboxError, match="does not answer"):
        talk(ends, frame(b"o", b"x" * 10)[:-1])


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (frame(b"x", b"No such file"), NotStarted, "cannot be started"),
        (frame(b"!", b"No space left"), NotStarted, "could not take in the files"),
        (frame(b"?"), SandboxError, "does not belong to a run"),
    ],
)
def test_answers_that_are_no_outcome(
    ends: tuple[socket.socket, socket.socket], answer: bytes, error: type[SandboxError], words: str
) -> None:
    with pytest.raises(error, match=words):
        talk(ends, answer)


def test_a_run_that_ends_by_itself_at_the_limit_keeps_its_status(ends: tuple[socket.socket, socket.socket]) -> None:
    timer = threading.Timer(0.2, lambda: ends[1].sendall(DONE))
    timer.start()
    outcome = talk(ends, b"", wall_s=0.01)
    timer.join()
    assert (outcome.exit, outcome.timed_out) == (0, False)


@pytest.mark.parametrize("path", ["a", "a/b", "ä/ö", "a b", "-x", "...", ".hidden", "x" * 4000])
def test_plain_paths_are_plain(path: str) -> None:
    assert checked(path) == path


@pytest.mark.parametrize(
    "make", [lambda: request(["a\0b"], Limits()), lambda: request(["a"], Limits(), env={"X": "\0"})]
)
def test_nul_bytes_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(UsageError, match="NUL"):
        make()
