"""The worker that runs the package: its own figures as they are, and that nothing outlives or stalls it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tasks.grading.codebleu_package import PackageCodeBleu, PackageFailure, PackageScore, shared

SUM = "int f(int a, int b) { int c = a + b; c = c * 2; return c; }"
NESTED = "int f(int n) { int s = 0; " + "while (n) { " * 18 + "s = s + n; " + "}" * 18 + " return s; }"


@pytest.fixture(scope="module")
def package():
    with PackageCodeBleu(timeout_s=60.0) as one:
        yield one


def test_it_returns_what_the_package_returns(package):
    from codebleu import calc_codebleu

    for candidate in (SUM, SUM.replace("+", "-").replace("c", "d"), "x"):
        direct = calc_codebleu([SUM], [candidate], "c")
        result = package.score(SUM, candidate, "c")
        assert isinstance(result, PackageScore)
        assert result.ngram == direct["ngram_match_score"]
        assert result.weighted_ngram == direct["weighted_ngram_match_score"]
        assert result.syntax == direct["syntax_match_score"]


def test_an_empty_reply_scores_a_quarter_there(package):
    assert package.score(SUM, "", "c") == PackageScore(0.25, 0.0, 0.0, 0.0, 0.0)


def test_the_value_does_not_depend_on_this_process(package):
    other = SUM.replace("c * 2", "b * a + c")
    program = (
        "from tasks.grading.codebleu_package import PackageCodeBleu\n"
        f"with PackageCodeBleu(60.0) as one: print(one.score({SUM!r}, {other!r}, 'c'))"
    )
    path = os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == repr(package.score(SUM, other, "c"))
        assert done.stderr == ""


def test_deep_loops_are_stopped_and_the_next_pair_is_scored():
    with PackageCodeBleu(timeout_s=0.5) as one:
        first = one.score(NESTED, NESTED, "c")
        assert first == PackageFailure("took longer than 0.5 s")
        assert (first.score, one.pid) == (None, None)
        one.timeout_s = 60.0
        assert one.score(SUM, SUM, "c").score == 1.0


def test_a_dead_worker_is_replaced():
    with PackageCodeBleu(timeout_s=60.0) as one:
        one.score(SUM, SUM, "c")
        before = one.pid
        os.kill(before, signal.SIGKILL)
        results = [one.score(SUM, SUM, "c") for _ in range(2)]  # the first may find it dying
        assert results[1] == PackageScore(1.0, 1.0, 1.0, 1.0, 1.0)
        assert one.pid != before


def test_a_language_it_lacks_is_a_failure_not_an_exception(package):
    result = package.score(SUM, SUM, "cobol")
    assert isinstance(result, PackageFailure)
    assert "cobol" in result.reason


def test_the_warning_of_no_data_flow_stays_inside(package, capfd):
    assert package.score("void f(void) { g(); }", "void f(void) { g(); }", "c").dataflow == 0.0
    assert capfd.readouterr().err == ""


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_the_worker_ends_with_its_owner_even_in_the_middle_of_a_pair():
    program = (
        "import threading, time\n"
        "from tasks.grading.codebleu_package import PackageCodeBleu\n"
        f"one = PackageCodeBleu(600.0); one.score({SUM!r}, {SUM!r}, 'c'); print(one.pid, flush=True)\n"
        f"one.score({NESTED!r}, {NESTED!r}, 'c')\n"
    )
    path = os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))
    owner = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    )
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert gone(pid)


def test_a_process_has_one_shared_worker():
    assert shared() is shared()
    assert shared().score(SUM, SUM, "cpp").score == 1.0
