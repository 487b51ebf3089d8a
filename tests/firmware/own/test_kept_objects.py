"""Objects are built once for a content, kept for other processes, and never needed: without a cache they are built."""

from pathlib import Path

import pytest

from corpora.firmware import kept_objects
from corpora.firmware.kept_objects import MOST, kept
from corpora.platforms.loops import JUMPS_TO_THEMSELVES, may_stop_time, with_time
from tasks.sandbox import Sandbox


class Builds:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> bytes:
        self.count += 1
        return b"object"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(kept_objects, "_here", {})
    return tmp_path / "firmbench" / "platforms"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be another process."""
    monkeypatch.setattr(kept_objects, "_here", {})


def test_an_object_is_built_once(home: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    build = Builds()
    assert kept(sandbox, "gcc", "a", build) == kept(sandbox, "gcc", "a", build) == b"object"
    forget(monkeypatch)
    assert kept(sandbox, "gcc", "a", build) == b"object"
    assert build.count == 1
    kept(sandbox, "gcc", "b", build)
    kept(sandbox, "ld", "a", build)
    assert build.count == 3, "another content, another compiler"
    assert len(list(home.glob("*.o"))) == 3


def test_the_oldest_go(home: Path, sandbox: Sandbox) -> None:
    for number in range(MOST + 5):
        kept(sandbox, "gcc", str(number), Builds())
    assert len(list(home.iterdir())) == MOST


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    build = Builds()
    for _ in range(2):
        forget(monkeypatch)
        assert kept(sandbox, "gcc", "a", build) == b"object"
    assert build.count == 2


EMPTY = "f:\n.L2:\n\t.loc 1 2 3\n\tjmp\t.L2\n\t.size f, .-f\n"


def test_time_passes_in_empty_loops_only() -> None:
    assert with_time(EMPTY).splitlines()[3:5] == ["\tcall\t__sanitizer_cov_trace_pc@PLT", "\tjmp\t.L2"]
    for other in (EMPTY.replace("jmp\t.L2", "jmp\t.L3"), EMPTY.replace(".loc 1 2 3", "addl $1, %eax")):
        assert with_time(other) == other
    assert all(may_stop_time(b"\x90" + jump) for jump in JUMPS_TO_THEMSELVES)
    assert not may_stop_time(b"\xeb\x00\xfe")
