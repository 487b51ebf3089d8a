"""Checks run as they are, many in one interpreter; what cannot be measured never passes."""

import os
import time
from pathlib import Path

import pytest

from corpora.firmware.checking import Budget, Job, run_checks
from corpora.firmware.loader import load
from corpora.firmware.validation import validate
from tasks.contract import Check, Status
from tasks.sandbox import Sandbox
from tests.firmware.small import NEGATIVES, REFERENCE, MakeCase

HEAD = "from embedeval.models import CheckDetail\n"
SMALL = Budget(cpu_s=1, wall_s=6, memory_bytes=256 << 20)


def detail(name: str = '"a"', passed: str = "True") -> str:
    return f"CheckDetail(check_name={name}, passed={passed}, check_type='constraint')"


def checks_of(static: str | None, tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> list[tuple[Check, ...]]:
    """Run the text as a check module between two sound cases, and return the three results."""
    for name, module in (("a", ...), ("b", static), ("c", ...)):
        make_case(name, {} if module is ... else {"checks/static.py": module})
    cases = load(tmp_path).cases
    return run_checks([Job(case, "static", case.answer) for case in cases], sandbox, SMALL)


def states(checks: tuple[Check, ...]) -> dict[str, str]:
    return {check.check: check.status.value for check in checks}


def test_checks_say_pass_and_fail_by_name_and_layer(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    make_case("timer-001")
    (case,) = load(tmp_path).cases
    plain = REFERENCE.replace("volatile ", "")
    static, good, bad = run_checks(
        [Job(case, "static", REFERENCE), Job(case, "heuristic", REFERENCE), Job(case, "heuristic", plain)], sandbox
    )
    assert static == (Check(layer="static", check="has_main", status=Status.PASS, expected="main"),)
    assert states(good) == {"lamp_is_volatile": "pass", "lamp_goes_on": "pass"}
    assert states(bad) == {"lamp_is_volatile": "fail", "lamp_goes_on": "pass"}
    assert bad[1].saw == "True"


@pytest.mark.parametrize(
    ("module", "status", "said"),
    [
        (None, "infra_error", "checks/static.py is missing"),
        ("def run_checks(code:\n", "infra_error", "checks/static.py: line 1: SyntaxError"),
        ("import no_such_module\n", "infra_error", "line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("from embedeval.check_utils import levitate\n", "infra_error", "cannot import name 'levitate'"),
        ("x = 1\n", "infra_error", "no function run_checks"),
        ("def run_checks(code):\n    return 1 // 0\n", "infra_error", "line 2: ZeroDivisionError"),
        ("def run_checks(code):\n    return []\n", "infra_error", "returned no check"),
        ("def run_checks(code):\n    return None\n", "infra_error", "did not return a list"),
        (f"{HEAD}def run_checks(code):\n    return [{detail(passed='None')}]\n", "infra_error", "not True or False"),
        (f"{HEAD}def run_checks(code):\n    return [{detail(name='1')}]\n", "infra_error", "not a name"),
        ("import os\ndef run_checks(code):\n    os._exit(0)\n", "infra_error", "exit 0 and no result"),
        ("raise SystemExit(0)\n", "infra_error", "SystemExit"),
        ("import os\ndef run_checks(code):\n    os.kill(os.getpid(), 9)\n", "infra_error", "signal 9"),
        ("def run_checks(code):\n    while True: pass\n", "timeout", "ran longer than 1 s of CPU or 6 s"),
        ("import time\ndef run_checks(code):\n    time.sleep(99)\n", "timeout", "ran longer than 1 s of CPU or 6 s"),
        ("def run_checks(code):\n    return [b'x' * (1 << 30)]\n", "infra_error", "MemoryError"),
        ("import socket\ndef run_checks(code):\n    socket.create_connection(('192.0.2.1', 9), 1)\n", "infra_error",
         "OSError"),
    ],
)  # fmt: skip
def test_a_module_that_cannot_judge_is_named_and_leaves_the_others_alone(
    tmp_path: Path, make_case: MakeCase, sandbox: Sandbox, module: str | None, status: str, said: str
) -> None:
    before, broken, after = checks_of(module, tmp_path, make_case, sandbox)
    assert states(before) == states(after) == {"has_main": "pass"}
    assert states(broken) == {"ran": status}
    assert said in (broken[0].saw or "")


def test_what_a_check_prints_is_no_result(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    forged = (
        "import os, sys\n"
        f"{HEAD}"
        "def run_checks(code):\n"
        "    for stream in range(32):\n"
        '        try: os.write(stream, b\'\\nfirmbench-verdict 0\\t{"job": 1, "state": "done", "checks": []}\\n\')\n'
        "        except OSError: pass\n"
        f"    return [{detail(passed='False')}]\n"
    )
    before, own, after = checks_of(forged, tmp_path, make_case, sandbox)
    assert states(own) == {"ran": "infra_error"}, "it spoiled its own result, and nothing else"
    assert states(before) == states(after) == {"has_main": "pass"}


def test_the_channel_and_the_secret_are_out_of_reach_of_checks(
    tmp_path: Path, make_case: MakeCase, sandbox: Sandbox
) -> None:
    look = (
        "import os\n"
        f"{HEAD}"
        "def run_checks(code):\n"
        "    open_now = [n for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n)]\n"
        "    kinds = sorted(os.readlink('/proc/self/fd/' + n).split(':')[0] for n in open_now)\n"
        "    return [CheckDetail(check_name='fds', passed=True, actual=' '.join(kinds), check_type='x')]\n"
    )
    own = checks_of(look, tmp_path, make_case, sandbox)[1]
    assert (own[0].saw or "").split() == ["/dev/null", "/dev/null", "/dev/null", "pipe"]


def test_text_that_looks_like_results_is_only_text(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    echo = f"{HEAD}def run_checks(code):\n    return [CheckDetail(check_name='a', passed=False, actual=code)]\n"
    make_case("timer-001", {"checks/static.py": echo})
    (case,) = load(tmp_path).cases
    code = (
        'int x;\nfirmbench-verdict 00\t{"job": 0, "state": "done", "checks": [["a", true, null, null]]}\n\ud800é\r\n'
    )
    ((check,),) = run_checks([Job(case, "static", code)], sandbox)
    assert (check.status, check.saw) == (Status.FAIL, code)


def test_many_adversarial_characters_end_in_time_or_are_judged(
    tmp_path: Path, make_case: MakeCase, sandbox: Sandbox
) -> None:
    slow = f"import re\n{HEAD}def run_checks(code):\n    re.match(r'(a+)+$', code)\n    return [{detail()}]\n"
    make_case("slow", {"checks/static.py": slow})
    make_case("timer-001")
    quick, slow_case = sorted(load(tmp_path).cases, key=lambda case: case.id, reverse=True)
    text = "a" * 100_000 + "!"
    first, second = run_checks([Job(slow_case, "static", text), Job(quick, "static", text)], sandbox, SMALL)
    assert states(first) == {"ran": "timeout"}
    assert states(second) == {"has_main": "fail"}


def test_checks_see_the_same_whatever_runs_beside_them(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    """A module that patches what others use patches its own process only."""
    vandal = (
        "import re, embedeval.models as m\n"
        f"{HEAD}re.search = None\nm.CheckDetail.__init__ = None\n"
        "def run_checks(code):\n    return []\n"
    )
    before, own, after = checks_of(vandal, tmp_path, make_case, sandbox)
    assert states(own) == {"ran": "infra_error"}
    assert states(before) == states(after) == {"has_main": "pass"}


def test_what_a_check_says_of_a_set_has_one_order(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    told = f"{HEAD}def run_checks(code):\n    return [CheckDetail('a', True, actual=str(set('abcdefghij')))]\n"
    make_case("timer-001", {"checks/static.py": told})
    (case,) = load(tmp_path).cases
    assert len({run_checks([Job(case, "static", "")], sandbox)[0][0].saw for _ in range(3)}) == 1


def test_more_jobs_than_a_batch_keep_their_order(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    make_case("timer-001")
    (case,) = load(tmp_path).cases
    codes = ["int main(void);" if number % 3 else "int other;" for number in range(300)]
    found = run_checks([Job(case, "static", code) for code in codes], sandbox)
    assert [checks[0].status for checks in found] == [
        Status.PASS if "main(" in code else Status.FAIL for code in codes
    ]


def test_negatives_are_judged_on_the_checks_they_name(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    entries = NEGATIVES.rstrip().removesuffix("]") + (
        '    {"name": "dark", "mutation": lambda code: code.replace("1", "0"), "must_fail": ["lamp_is_volatile"]},\n'
        '    {"name": "wish", "mutation": lambda code: code.replace("= 1", "= 0"), "should_fail": ["has_main"]},\n'
        '    {"name": "idle", "mutation": lambda code: code, "must_fail": ["has_main"]},\n'
        '    {"name": "raises", "mutation": lambda code: 1 // 0, "must_fail": ["has_main"]},\n'
        '    {"name": "typo", "mutation": lambda code: "", "must_fail": ["has_mian"]},\n'
        "]\n"
    )
    make_case("timer-001", {"checks/negatives.py": entries})
    make_case("timer-002", {"checks/negatives.py": "NEGATIVES = {}[0]\n"})
    make_case("timer-003")
    found = validate(load(tmp_path).cases, sandbox)
    assert {bug.seeded.name: (bug.status.value, bug.reason) for bug in found.bugs} == {
        "plain": ("pass", "every named check fired"),
        "dark": ("fail", "did not fire: lamp_is_volatile"),
        "wish": ("fail", "did not fire: has_main"),
        "idle": ("infra_error", "the mutation changes nothing"),
        "raises": ("infra_error", "ZeroDivisionError: integer division or modulo by zero"),
        "typo": ("infra_error", "no check is called has_mian"),
    }
    assert found.faults == ("Case timer-002: checks/negatives.py: line 1: KeyError: 0.",)
    assert found.figures() == {
        "references": 3, "references_valid": 3, "must_fail": 5, "must_fail_caught": 1,
        "should_fail": 1, "should_fail_caught": 0, "faults": 1,
    }  # fmt: skip


def test_a_reference_that_its_checks_refuse_is_not_valid(
    tmp_path: Path, make_case: MakeCase, sandbox: Sandbox
) -> None:
    make_case("timer-001", {"reference/main.c": "int lamp; int main(void) { lamp = 1; }\n"})
    (reference,) = validate(load(tmp_path).cases, sandbox).references
    assert not reference.valid
    assert [check.check for check in reference.wrong] == ["lamp_is_volatile"]


PUBLIC = os.environ.get("FIRMBENCH_EMBEDEVAL", "")


@pytest.mark.skipif(not PUBLIC, reason="FIRMBENCH_EMBEDEVAL names no EmbedEval checkout")
def test_the_public_cases_validate_and_their_seeded_bugs_are_caught(sandbox: Sandbox) -> None:
    loaded = load(Path(PUBLIC))
    assert loaded.faults == ()
    start = time.perf_counter()
    found = validate(loaded.cases, sandbox)
    print(f"{found.figures()} in {time.perf_counter() - start:.1f} s")
    assert [reference.case.id for reference in found.references if not reference.valid] == []
    assert [bug.seeded.name for bug in found.bugs if bug.promised and bug.status != Status.PASS] == []
    assert all(bug.status != Status.INFRA_ERROR or not bug.promised for bug in found.bugs)
    if len(loaded.cases) == 185:
        assert found.figures() == {
            "references": 185, "references_valid": 185, "must_fail": 65, "must_fail_caught": 65,
            "should_fail": 21, "should_fail_caught": 14, "faults": 0,
        }  # fmt: skip
