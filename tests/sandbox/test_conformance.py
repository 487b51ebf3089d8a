"""The same evil programs against every back end. After each, the `trial` fixture looks for what is left."""

import os
import socket
import uuid
from pathlib import Path
from signal import SIGKILL, SIGSEGV, SIGXFSZ

from tasks.sandbox import Limits
from tasks.sandbox.model import MIB

from .conftest import Trial

SHORT = Limits(wall_s=0.5)


def test_a_fork_bomb_is_held_and_ended(trial: Trial) -> None:
    outcome = trial.run("fork_bomb", limits=Limits(wall_s=1.0, cpu_s=30.0, processes=40))
    assert outcome.timed_out
    assert outcome.signal == SIGKILL


def test_processes_are_counted(trial: Trial) -> None:
    outcome = trial.run("count_processes", limits=Limits(processes=20))
    assert outcome.exit == 0
    assert 17 <= int(outcome.stdout) <= 20


def test_a_memory_bomb_ends(trial: Trial) -> None:
    outcome = trial.run("memory_bomb", limits=Limits(memory_bytes=64 * MIB))
    assert outcome.out_of_memory
    assert outcome.signal == SIGKILL
    if "control group" in trial.backend.describe()["memory"]:
        assert outcome.peak_bytes <= 64 * MIB


def test_a_memory_bomb_in_a_child_is_no_success(trial: Trial) -> None:
    outcome = trial.run("memory_bomb_by_proxy", limits=Limits(memory_bytes=64 * MIB))
    assert outcome.out_of_memory
    assert not outcome.ok
    if "control group" in trial.backend.describe()["memory"]:
        assert outcome.exit == 0


def test_endless_output_is_cut_and_ended(trial: Trial) -> None:
    outcome = trial.run("endless_output", limits=Limits(output_bytes=100_000))
    assert outcome.truncated
    assert outcome.stdout == b"y" * 100_000
    assert not outcome.ok
    assert not outcome.timed_out


def test_endless_errors_are_cut_and_ended(trial: Trial) -> None:
    outcome = trial.run("endless_errors", limits=Limits(output_bytes=1000))
    assert (outcome.truncated, outcome.stderr, outcome.stdout) == (True, b"n" * 1000, b"")


def test_closed_streams_end_nothing(trial: Trial) -> None:
    outcome = trial.run("closed_stdout")
    assert (outcome.exit, outcome.stdout, outcome.timed_out) == (7, b"", False)


def test_sleeping_forever_meets_the_wall_clock(trial: Trial) -> None:
    outcome = trial.run("sleep_forever", limits=SHORT)
    assert outcome.timed_out
    assert outcome.signal == SIGKILL
    assert outcome.wall_s >= 0.4
    assert outcome.cpu_s < 0.4


def test_spinning_meets_the_cpu_limit(trial: Trial) -> None:
    outcome = trial.run("spin", limits=Limits(wall_s=60.0, cpu_s=0.3))
    assert outcome.timed_out
    assert outcome.cpu_s >= 0.3


def test_spinning_in_many_short_children_meets_the_cpu_limit(trial: Trial) -> None:
    outcome = trial.run("spin_in_children", limits=Limits(wall_s=60.0, cpu_s=0.3))
    assert outcome.timed_out
    assert outcome.cpu_s >= 0.3


def test_waiting_for_input_finds_none(trial: Trial) -> None:
    outcome = trial.run("wait_for_input")
    assert (outcome.exit, outcome.stdout) == (0, b"0\n")


def test_given_input_arrives_whole(trial: Trial) -> None:
    outcome = trial.run("wait_for_input", stdin=bytes(3 * MIB))
    assert (outcome.exit, outcome.stdout) == (0, f"{3 * MIB}\n".encode())


def test_ignoring_every_signal_does_not_help(trial: Trial) -> None:
    outcome = trial.run("ignore_sigterm", limits=SHORT)
    assert outcome.timed_out
    assert outcome.signal == SIGKILL


def test_a_grandchild_does_not_outlive_the_run(trial: Trial) -> None:
    outcome = trial.run("double_fork")
    assert (outcome.exit, outcome.stdout, outcome.timed_out) == (0, b"done\n", False)


def test_nothing_outside_can_be_written(trial: Trial) -> None:
    outcome = trial.run("write_outside", trial.marker)
    assert (outcome.stdout, outcome.exit) == (b"", 0)


def test_no_home_no_checkout_no_environment(trial: Trial) -> None:
    os.environ["FIRMBENCH_TEST_KEY"] = trial.marker
    try:
        here = Path(__file__).resolve()
        outcome = trial.run("read_home", str(Path.home()), str(here), str(here.parents[2] / ".git"), str(Path.cwd()))
    finally:
        del os.environ["FIRMBENCH_TEST_KEY"]
    assert (outcome.stdout, outcome.exit) == (b"PATH=/usr/bin:/bin\n", 0)


def test_no_socket_reaches_anything(trial: Trial) -> None:
    name = uuid.uuid4().hex
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        outcome = trial.run("open_socket", str(listener.getsockname()[1]), name)
    assert (outcome.stdout, outcome.exit) == (b"", 0)


def test_no_link_is_followed_out(trial: Trial) -> None:
    names = ("a.out", "folder/gcc", "environment", "pipe", "plain", "plain/honest", "missing")
    outcome = trial.run("symlink_out", collect=names)
    assert outcome.exit == 0
    assert outcome.collected == {"plain/honest": b"honest"}
    assert set(outcome.refused) == set(names) - {"plain/honest"}
    assert outcome.refused["a.out"] == "is a symbolic link"
    assert outcome.refused["pipe"] == "is no regular file"
    assert outcome.refused["missing"] == "does not exist"


def test_the_disk_cannot_be_filled(trial: Trial) -> None:
    outcome = trial.run("fill_disk", limits=Limits(memory_bytes=1024 * MIB, file_bytes=40 * MIB))
    assert outcome.exit == 0
    written = int(outcome.stdout)
    assert 200 < written <= 256


def test_one_file_has_its_limit(trial: Trial) -> None:
    outcome = trial.run("one_big_file", limits=Limits(file_bytes=MIB))
    assert outcome.signal == SIGXFSZ


def test_a_crash_after_success_is_a_crash(trial: Trial) -> None:
    outcome = trial.run("crash_after_success")
    assert (outcome.stdout, outcome.exit, outcome.signal, outcome.ok) == (b"PASSED\n", None, SIGSEGV, False)


def test_a_status_of_256_is_what_the_kernel_says(trial: Trial) -> None:
    """It is 0, so exit status alone is no verdict: see test_verdict."""
    outcome = trial.run("exit_256")
    assert (outcome.exit, outcome.signal) == (0, None)


def test_nobody_kills_the_supervisor(trial: Trial) -> None:
    outcome = trial.run("kill_the_parent")
    assert outcome.stdout.startswith(b"tried\n")
    assert (outcome.exit, outcome.signal) in {(0, None), (None, SIGKILL)}


def test_the_kernel_is_small(trial: Trial) -> None:
    outcome = trial.run("new_namespace")
    assert (outcome.stdout, outcome.exit) == (b"", 0)


def test_what_a_run_leaves_goes(trial: Trial) -> None:
    assert trial.run("leave_things", trial.marker).exit == 0


def test_a_bottomless_tree_goes(trial: Trial) -> None:
    assert trial.run("deep_tree").exit == 0


def test_a_signal_and_the_status_that_looks_like_it_differ(trial: Trial) -> None:
    by_status = trial.backend.run(["sh", "-c", "exit 139"], {})
    by_signal = trial.run("crash_after_success")
    assert (by_status.exit, by_status.signal) == (139, None)
    assert (by_signal.exit, by_signal.signal) == (None, SIGSEGV)
