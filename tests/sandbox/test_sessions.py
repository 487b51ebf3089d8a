"""Sessions: one directory over several runs, files in and out by value, nothing from one session in the next."""

from typing import Any

import pytest

from tasks.sandbox import Limits
from tasks.sandbox.model import MIB
from warehouse.errors import SandboxError, UsageError

PROGRAM = '#include <stdio.h>\nint main(void) { puts("built"); return 4; }\n'


def test_compile_then_run_then_read(sandbox: Any) -> None:
    with sandbox.session() as session:
        build = session.run(["gcc", "-O1", "main.c", "-o", "program"], {"main.c": PROGRAM}, collect=["program"])
        run = session.run(["./program"])
        assert build.ok, build.stderr
        assert build.collected["program"].startswith(b"\x7fELF")
        assert (run.exit, run.stdout) == (4, b"built\n")
        assert session.read(["main.c", "absent"]) == {"main.c": PROGRAM.encode()}


def test_a_built_program_runs_in_another_session(sandbox: Any) -> None:
    built = sandbox.run(["gcc", "main.c", "-o", "program"], {"main.c": PROGRAM}, collect=["program"])
    assert sandbox.run(["./program"], built.collected).exit == 4


def test_sessions_share_nothing(sandbox: Any) -> None:
    with sandbox.session() as first:
        first.run(["sh", "-c", "echo secret > note; echo secret > /tmp/note; sleep 100 &"])
        with sandbox.session() as second:
            assert second.run(["find", "/tmp", "-type", "f"]).stdout == b""
    assert sandbox.run(["find", "/tmp", "-type", "f"], {}).stdout == b""
    assert b"sleep" not in sandbox.run(["sh", "-c", "cat /proc/[0-9]*/comm"], {}).stdout


def test_a_background_process_ends_with_its_run(sandbox: Any) -> None:
    with sandbox.session() as session:
        assert session.run(["sh", "-c", "sleep 1000 & sleep 1000 & exit 3"]).exit == 3
        assert b"sleep" not in session.run(["sh", "-c", "cat /proc/[0-9]*/comm"]).stdout


def test_a_session_goes_on_after_a_time_limit(sandbox: Any) -> None:
    with sandbox.session() as session:
        first = session.run(["sh", "-c", "echo begun; sleep 1000"], {"kept": b"here"}, Limits(wall_s=0.3))
        assert (first.timed_out, first.stdout) == (True, b"begun\n")
        assert session.run(["cat", "kept"]).stdout == b"here"


def test_a_session_goes_on_after_a_memory_limit(sandbox: Any, compiled: Any) -> None:
    with sandbox.session() as session:
        bomb = session.run(["./bomb"], {"bomb": compiled("memory_bomb")}, Limits(memory_bytes=48 * MIB))
        assert not bomb.ok
        after = session.run(["echo", "well"])
        assert (after.stdout, after.out_of_memory) == (b"well\n", False)


def test_a_run_cannot_sabotage_the_next(sandbox: Any, compiled: Any) -> None:
    """It tries to take descriptors, file size and time away from the supervisor, which hands its limits on."""
    with sandbox.session() as session:
        session.run(["./killer"], {"killer": compiled("kill_the_parent")})
        build = session.run(["gcc", "main.c"], {"main.c": PROGRAM})
        assert build.ok, build.stderr
        assert session.run(["nice"]).stdout == b"0\n"


def test_files_that_leave_no_memory_for_the_next_run_are_its_memory_limit(sandbox: Any, compiled: Any) -> None:
    """It is the graded code's doing, so it is an outcome and no error of the sandbox."""
    with sandbox.session() as session:
        assert session.run(["sh", "-c", "head -c 200M /dev/zero > f"], limits=Limits(file_bytes=300 * MIB)).ok
        outcome = session.run(["true"], limits=Limits(memory_bytes=64 * MIB))
        if "control group" in sandbox.describe()["memory"]:
            assert outcome.out_of_memory
            assert not outcome.ok
        assert session.run(["sh", "-c", "rm f"]).ok
        assert session.run(["true"], limits=Limits(memory_bytes=64 * MIB)).ok


def test_limits_are_per_run(sandbox: Any, compiled: Any) -> None:
    with sandbox.session() as session:
        session.write({"count": compiled("count_processes")})
        counts = [int(session.run(["./count"], limits=Limits(processes=n)).stdout) for n in (10, 40, 10)]
    assert counts[0] == counts[2]
    assert 30 <= counts[1] - counts[0] + 1 <= 31


def test_files_replace_what_is_there(sandbox: Any) -> None:
    with sandbox.session() as session:
        assert session.run(["ln", "-s", "/usr/bin/gcc", "a"]).ok
        assert session.run(["cat", "a", "deep/er/b"], {"a": "one", "deep/er/b": b"two"}).stdout == b"onetwo"
        session.write({"a": "three"})
        assert session.read(["a"]) == {"a": b"three"}


def test_a_link_in_the_way_of_a_file_is_no_way_out(sandbox: Any) -> None:
    with sandbox.session() as session:
        assert session.run(["ln", "-s", "/tmp", "folder"]).ok
        with pytest.raises(SandboxError, match="files"):
            session.write({"folder/x": b""})
        assert session.run(["ls", "/tmp"]).stdout == b"box\n"


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "", ".", "a//b", "./a", "a/", "a\0b", "x" * 5000])
def test_a_path_that_leaves_the_directory_is_refused(sandbox: Any, path: str) -> None:
    with sandbox.session() as session:
        with pytest.raises(UsageError, match="plain relative path"):
            session.write({path: b""})
        with pytest.raises(UsageError, match="plain relative path"):
            session.run(["true"], collect=[path])


def test_a_file_too_big_to_collect_is_refused(sandbox: Any) -> None:
    with sandbox.session() as session:
        outcome = session.run(
            ["sh", "-c", "head -c 2000 /dev/zero > f"], limits=Limits(collect_bytes=1999), collect=["f"]
        )
        assert outcome.refused == {"f": "has 2000 bytes, more than the 1999 allowed"}
        assert session.read(["f"], cap_bytes=2000) == {"f": bytes(2000)}


def test_a_program_that_is_not_there_is_an_error_not_an_outcome(sandbox: Any) -> None:
    with sandbox.session() as session:
        with pytest.raises(SandboxError, match=r"cannot be started.*No such file"):
            session.run(["no-such-compiler"])
        with pytest.raises(SandboxError, match=r"cannot be started.*Permission"):
            session.run(["./folder"], {"folder/file": ""})
        assert session.run(["true"]).ok


def test_environment_and_input_are_what_was_given(sandbox: Any) -> None:
    outcome = sandbox.run(["sh", "-c", "cat; env"], {}, stdin=b"in\n", env={"LANG": "C", "A": "b c"})
    assert set(outcome.stdout.split(b"\n")[:-1]) - {b"PWD=/tmp/box"} == {
        b"in",
        b"PATH=/usr/bin:/bin",
        b"LANG=C",
        b"A=b c",
    }


def test_output_arrives_whole_and_apart(sandbox: Any) -> None:
    outcome = sandbox.run(["sh", "-c", "seq 1 50000; seq 1 50000 >&2"], {})
    expected = "".join(f"{number}\n" for number in range(1, 50001)).encode()
    assert (outcome.stdout, outcome.stderr, outcome.truncated) == (expected, expected, False)


def test_output_of_exactly_the_limit_is_whole(sandbox: Any) -> None:
    outcome = sandbox.run(["sh", "-c", "head -c 1000 /dev/zero"], {}, Limits(output_bytes=1000))
    assert (outcome.stdout, outcome.truncated, outcome.ok) == (bytes(1000), False, True)


def test_times_are_the_programs_own(sandbox: Any) -> None:
    outcome = sandbox.run(["sh", "-c", "sleep 0.2"], {})
    assert outcome.wall_s >= 0.2
    assert 0 < outcome.cpu_s < outcome.wall_s


def test_many_sessions_at_once(sandbox: Any) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda n: sandbox.run(["sh", "-c", f"echo {n} > f; cat f"], {}), range(12)))
    assert [int(outcome.stdout) for outcome in outcomes] == list(range(12))
