"""Verdicts: what graded code prints, and how it ends, cannot make a pass."""

from dataclasses import replace
from typing import Any

import pytest

from tasks.sandbox import Outcome
from tasks.sandbox.bubblewrap import Bubblewrap
from tasks.sandbox.verdict import HEADER, TAG, Reported, Verdict, header, judge, line, new_secret, report

HARNESS = """
#include "verdict.h"
int subject(int);
int main(void)
{
    for (int i = 0; i < 3; i++)
        verdict_check("doubles", subject(i) == 2 * i, "twice", "something");
    return verdict_end();
}
"""
RIGHT = "int subject(int x) { return 2 * x; }\n"
PRELUDE = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <string.h>\n"
SECRET = "0123456789abcdef0123456789abcdef"

WRONG = {
    "wrong result": ("int subject(int x) { return x + 1; }", "check 'doubles' failed"),
    "early exit": ("int subject(int x) { exit(0); }", "did not reach its end"),
    "early _exit": ("int subject(int x) { _exit(0); }", "did not reach its end"),
    "exit from a constructor": (
        RIGHT + "__attribute__((constructor)) void f(void) { _exit(0); }",
        "did not reach its end",
    ),
    "forged lines without the secret": (
        f'int subject(int x) {{ puts("\\n{TAG} x\\tpass\\tdoubles"); puts("{TAG} x\\tend\\t\\t1\\t0"); exit(0); }}',
        "did not reach its end",
    ),
    "another run's secret": (
        f'int subject(int x) {{ puts("\\n{TAG} {SECRET}\\tend\\t\\t3\\t0"); exit(0); }}',
        "did not reach its end",
    ),
    "crash after the end": (
        RIGHT + "__attribute__((destructor)) void f(void) { *(volatile int *)8 = 1; }",
        "ended with signal 11",
    ),
    "crash in atexit": (
        "static void f(void) { abort(); } int subject(int x) { if (!x) atexit(f); return 2 * x; }",
        "ended with signal 6",
    ),
    "status 0 after a failure": (
        "static void f(void) { _exit(0); } int subject(int x) { if (!x) atexit(f); return 7; }",
        "check 'doubles' failed",
    ),
    "closed output": ("int subject(int x) { close(1); return 2 * x; }", "did not reach its end"),
    "descriptor 3 read again": (
        "int subject(int x) { char b[64] = {0}; if (read(3, b, 63) > 0)"
        f' printf("\\n{TAG} %s\\tpass\\ta\\n{TAG} %s\\tend\\t\\t1\\t0\\n", b, b); exit(0); }}',
        "did not reach its end",
    ),
    "child that prints on": (
        "int subject(int x) { if (!fork()) for (;;) puts(\"x\"); _exit(0); }",
        "did not reach its end",
    ),
    "output without end of line before": (
        'int subject(int x) { printf("no newline"); fflush(stdout); return x; }',
        "check 'doubles' failed",
    ),
}  # fmt: skip


def grade(subject: str, harness: str = HARNESS, expected_checks: int | None = None) -> tuple[Verdict, Outcome]:
    """Compile harness and subject apart, as a track does, run them and judge."""
    secret = new_secret()
    with Bubblewrap().session() as session:
        built = session.run(
            ["gcc", "-w", "harness.c", "subject.c", "-o", "graded"],
            {"harness.c": harness, "subject.c": PRELUDE + subject, HEADER: header()},
        )
        assert built.ok, built.stderr
        outcome = session.run(["./graded"], secret=secret.encode())
    assert secret.encode() not in outcome.stderr
    return judge(outcome, secret, expected_checks=expected_checks), outcome


@pytest.fixture(autouse=True)
def _bubblewrap(opened: Any) -> None:
    opened("bubblewrap")


def test_a_right_subject_passes() -> None:
    verdict, _ = grade(RIGHT, expected_checks=3)
    assert verdict == Verdict(True, "every check passed", (Reported("doubles", True, "twice", "something"),) * 3)


def test_output_of_the_subject_does_not_matter() -> None:
    verdict, outcome = grade('int subject(int x) { printf("PASS %d", x); return 2 * x; }')
    assert verdict.passed
    assert b"PASS 1" in outcome.stdout


@pytest.mark.parametrize(("subject", "reason"), WRONG.values(), ids=WRONG)
def test_no_trick_passes(subject: str, reason: str) -> None:
    verdict, _ = grade(subject)
    assert not verdict.passed
    assert reason in verdict.reason


def test_256_failures_are_failures() -> None:
    many = HARNESS.replace("i < 3", "i < 256")
    verdict, outcome = grade("int subject(int x) { return -1; }", many)
    assert outcome.exit == 1
    assert sum(not check.passed for check in verdict.checks) == 256
    assert not verdict.passed


def test_a_harness_without_checks_proves_nothing() -> None:
    verdict, outcome = grade(RIGHT, HARNESS.replace("i < 3", "i < 0"))
    assert (verdict.passed, outcome.exit) == (False, 1)


def test_a_harness_that_leaves_checks_out_proves_nothing() -> None:
    verdict, _ = grade(RIGHT, expected_checks=4)
    assert (verdict.passed, verdict.reason) == (False, "the harness reported 3 of 4 checks")


SPLIT = """
#include "verdict.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
    char answer[64] = {0};
    int to, from;
    char *graded[] = {"./graded", NULL};
    if (verdict_start(graded, &to, &from) < 0)
        return 2;
    dprintf(to, "21\\n");
    close(to);
    for (ssize_t got, at = 0; at < 60 && (got = read(from, answer + at, 60 - at)) > 0; at += got)
        ;
    verdict_check("doubles", !strcmp(answer, "42\\n"), "42", answer);
    return verdict_end();
}
"""
THIEF = """
#include <fcntl.h>
#include <dirent.h>
__attribute__((constructor(101))) void steal(void)
{
    char path[64], b[65] = {0};
    for (int pid = 1; pid < 10; pid++)
        for (int fd = -2; fd < 20; fd++) {
            const char *const place = fd == -2 ? "/proc/%d/mem" : fd == -1 ? "/proc/%d/environ" : "/proc/%d/fd/%d";
            snprintf(path, sizeof path, place, pid, fd);
            if (pid != getpid() && open(path, O_RDONLY) >= 0)
                puts("42 stolen from somewhere");
        }
    if (read(3, b, 64) > 0)
        puts("42 stolen from descriptor 3");
}
"""


def grade_split(subject: str) -> Verdict:
    secret = new_secret()
    with Bubblewrap().session() as session:
        for name, source in (("harness", SPLIT), ("graded", PRELUDE + subject)):
            built = session.run(["gcc", "-w", f"{name}.c", "-o", name], {f"{name}.c": source, HEADER: header()})
            assert built.ok, built.stderr
        return judge(session.run(["./harness"], secret=secret.encode()), secret)


def test_in_two_processes_the_secret_is_out_of_reach() -> None:
    honest = 'int main(void) { int n; scanf("%d", &n); printf("%d\\n", 2 * n); }'
    assert grade_split(honest).passed
    thief = grade_split(THIEF + honest)
    assert thief.passed, thief.checks  # it tried everything, found nothing, and then answered


@pytest.mark.parametrize("subject", ["int main(void) { kill(getppid(), 9); }", "int main(void) { return 0; }"])
def test_in_two_processes_harming_the_harness_is_no_pass(subject: str) -> None:
    assert not grade_split("#include <signal.h>\n" + subject).passed


def ended(stdout: str, **changes: Any) -> Outcome:
    whole = Outcome(exit=0, signal=None, stdout=stdout.encode(), stderr=b"", wall_s=0, cpu_s=0, peak_bytes=0)
    return replace(whole, **changes)


GOOD = [Reported("a", True, "1", "1"), Reported("b", True)]


def test_a_report_written_here_reads_back() -> None:
    assert judge(ended(report(SECRET, GOOD)), SECRET) == Verdict(True, "every check passed", tuple(GOOD))


@pytest.mark.parametrize(
    "changes",
    [{"exit": 1}, {"exit": None, "signal": 6}, {"timed_out": True}, {"truncated": True}, {"out_of_memory": True}],
)
def test_a_whole_report_of_a_broken_run_is_no_pass(changes: dict[str, Any]) -> None:
    verdict = judge(ended(report(SECRET, GOOD), **changes), SECRET)
    assert not verdict.passed
    assert verdict.checks == tuple(GOOD)


@pytest.mark.parametrize(
    "stdout",
    [
        "",
        report("f" * 32, GOOD),
        report(SECRET, []),
        report(SECRET, GOOD) + line(SECRET, "pass", "after the end"),
        report(SECRET, GOOD) * 2,
        line(SECRET, "pass", "a") + line(SECRET, "end", "", "2", "0"),
        line(SECRET, "fail", "a") + line(SECRET, "end", "", "1", "0"),
        report(SECRET, GOOD).replace("\n", " "),
        report(SECRET, [*GOOD, Reported("c", False)]),
    ],
)
def test_lines_that_do_not_add_up_are_no_pass(stdout: str) -> None:
    assert not judge(ended(stdout), SECRET).passed


def test_text_in_a_field_cannot_add_fields_or_lines() -> None:
    tricky = Reported("name\twith\ttabs", False, f"\n{TAG} {SECRET}\tend\t\t1\t0", "x\r\n")
    verdict = judge(ended(report(SECRET, [tricky])), SECRET)
    assert (len(verdict.checks), verdict.passed) == (1, False)
    assert verdict.checks[0].name == "name with tabs"


def test_no_secret_no_verdict() -> None:
    with pytest.raises(ValueError, match="secret"):
        judge(ended(""), "")


def test_secrets_do_not_repeat() -> None:
    assert len({new_secret() for _ in range(1000)}) == 1000
