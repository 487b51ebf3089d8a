"""Answers compiled against a platform model and run with a scenario: what each way of going wrong is called."""

from dataclasses import replace

import pytest

from corpora.firmware import execution
from corpora.firmware.case import Case
from corpora.firmware.checking import seeded
from corpora.firmware.grading import grade
from corpora.firmware.loader import read_case
from corpora.firmware.prove import prove
from corpora.firmware.validation import validate
from corpora.platforms.model import platform
from tasks.contract import Check, Status
from tasks.sandbox import Sandbox
from tests.firmware.own.conftest import LAMP, MakeOwn

ANSWER = LAMP["reference/main.c"]


@pytest.fixture
def case(make_own: MakeOwn) -> Case:
    folder = make_own("lamp-01")
    return read_case(folder, folder.parent)


def checks(case: Case, code: str, sandbox: Sandbox) -> dict[str, Check]:
    return {check.check: check for check in grade(case, code, sandbox).of_model}


def test_the_reference_passes_every_layer(case: Case, sandbox: Sandbox) -> None:
    result = grade(case, case.answer, sandbox)
    assert result.verdict().status == Status.PASS
    statuses = result.statuses()
    assert statuses.pop("mutation") == Status.NOT_RUN
    assert set(statuses.values()) == {Status.PASS}
    named = {check.check for check in result.of_model}
    assert named >= {"sets_the_lamp", "builds", "lamp_is_on", "period", "ends_well", "init_is_checked"}


def test_behaviour_decides_however_it_is_written(case: Case, sandbox: Sandbox) -> None:
    other = ANSWER.replace("lamp_set(1)", "lamp_set(0) + lamp_set(!0)").replace(
        "#define PERIOD 5", "enum { PERIOD = 5 };"
    )
    assert grade(case, other, sandbox).verdict().status == Status.PASS


def test_what_does_not_compile_says_so_and_is_not_run(case: Case, sandbox: Sandbox) -> None:
    found = checks(case, ANSWER.replace("return lamp_set", "return lamp_switch"), sandbox)
    assert found["builds"].status == Status.FAIL
    assert "The model of freertos does not know lamp_switch." in (found["builds"].saw or "")
    assert "lamp_is_on" not in found
    found = checks(case, '#include "nowhere.h"\n' + ANSWER, sandbox)
    assert "has no header nowhere.h" in (found["builds"].saw or "")


def test_an_answer_without_main_does_not_build(case: Case, sandbox: Sandbox) -> None:
    for code in ("", "int x;\n", f"#if 0\n{ANSWER}#endif\n"):
        result = grade(case, code, sandbox)
        assert result.statuses()["compile"] == Status.FAIL
        assert result.verdict().status == Status.FAIL


def test_a_crash_is_a_failure_with_its_signal(case: Case, sandbox: Sandbox) -> None:
    found = checks(case, ANSWER.replace("return lamp_set(1)", "lamp_set(1); return *(volatile int *)ret"), sandbox)
    assert found["no_crash"].status == Status.FAIL
    assert "SIGSEGV" in (found["no_crash"].saw or "")


def test_leaving_the_process_early_is_no_pass(case: Case, sandbox: Sandbox) -> None:
    leaving = "#include <stdlib.h>\n" + ANSWER.replace("return lamp_set(1)", "lamp_set(1); _Exit(0)")
    assert grade(case, leaving, sandbox).verdict().status == Status.FAIL


def test_printed_verdicts_count_for_nothing(case: Case, sandbox: Sandbox) -> None:
    forged = "\\nfirmbench-verdict 0\\tpass\\tlamp_is_on\\t\\t\\n"
    code = "#include <stdio.h>\n" + ANSWER.replace("lamp_set(1)", "lamp_set(0)").replace(
        "\tint ret", f'\tprintf("{forged}");\n\tint ret'
    )
    found = checks(case, code, sandbox)
    assert found["lamp_is_on"].status == Status.FAIL


@pytest.mark.parametrize("loop", ["for (;;) ;", "while (1) { }", "again: goto again;", "while (!ret) { }"])
def test_time_passes_in_a_loop_without_end(case: Case, sandbox: Sandbox, loop: str) -> None:
    """Firmware ends in one: what was done before counts, and the clock on the wall has no say."""
    idle = ANSWER.replace("return lamp_set(1);", f"lamp_set(1);\n\t{loop}\n\treturn 0;")
    assert grade(case, idle, sandbox).verdict().status == Status.PASS
    stuck = grade(case, ANSWER.replace("return lamp_set(1);", f"{loop}\n\treturn lamp_set(1);"), sandbox)
    assert stuck.verdict().status == Status.FAIL
    assert all(check.status != Status.TIMEOUT for check in stuck.of_model)


def test_a_scenario_that_does_not_build_is_no_fault_of_the_answer(make_own: MakeOwn, sandbox: Sandbox) -> None:
    folder = make_own("lamp-07", {"checks/scenario.c": "void scenario(void) { nonsense }\n"})
    result = grade(read_case(folder, folder.parent), ANSWER, sandbox)
    assert result.statuses()["compile"] == Status.INFRA_ERROR
    assert "scenario of case lamp-07" in str([check.saw for check in result.of_model])


def test_an_answer_that_is_too_large_is_told(case: Case, sandbox: Sandbox) -> None:
    result = grade(case, "/*" + "x" * (2 << 20) + "*/" + ANSWER, sandbox)
    assert result.verdict().status == Status.FAIL
    assert "larger than" in str(result.of_model[0].saw)


def test_halt_stops_behind_the_first_layer_that_fails(case: Case, sandbox: Sandbox) -> None:
    result = grade(case, ANSWER.replace("lamp_set(1)", "ret"), sandbox, halt=True)
    assert result.statuses()["static"] == Status.FAIL
    assert result.statuses()["runtime"] == Status.NOT_RUN


def test_a_compiler_that_is_not_here_is_no_verdict(
    case: Case, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = platform("freertos")
    elsewhere = replace(model, compiler=("no-such-gcc", *model.compiler[1:]))
    monkeypatch.setattr(execution, "platform", lambda name: elsewhere)
    result = grade(case, ANSWER, sandbox)
    assert result.statuses()["compile"] == Status.NOT_RUN
    assert result.verdict().status == Status.NOT_RUN
    assert "install no-such-gcc" in str([check.saw for check in result.of_model])


def test_mutation_tells_of_every_seeded_bug(case: Case, sandbox: Sandbox) -> None:
    found = grade(case, ANSWER, sandbox, mutation=True).by_layer["mutation"]
    assert {check.check: check.status for check in found} == dict.fromkeys(
        ("must_fail: lamp_off", "must_fail: slow", "must_fail: unchecked"), Status.PASS
    )


def test_validation_takes_both_kinds_of_cases(case: Case, sandbox: Sandbox) -> None:
    assert [bug.name for bug in seeded([case], sandbox)[0]] == ["lamp_off", "slow", "unchecked"]
    figures = validate([case], sandbox).figures()
    assert figures["references_valid"] == 1
    assert figures["must_fail_caught"] == figures["must_fail"] == 3


def test_prove_finds_what_does_not_hold(make_own: MakeOwn, sandbox: Sandbox) -> None:
    lenient = (
        LAMP["checks/scenario.c"].replace("seen == 1", "seen != 7").replace('"period", period == 5', '"other", 1')
    )
    folder = make_own("lamp-08", {"checks/scenario.c": lenient})
    broken = {
        proof.answer: proof.fault for proof in prove(read_case(folder, folder.parent), sandbox) if not proof.holds
    }
    assert set(broken) == {"bug lamp_off", "bug slow"}
    assert "no check is called period" in str(broken["bug slow"])


def test_prove_holds_for_the_small_case(case: Case, sandbox: Sandbox) -> None:
    assert [proof for proof in prove(case, sandbox) if not proof.holds] == []
