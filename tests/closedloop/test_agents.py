"""The four scenarios, driven by a scripted agent: what each may see, run, hand in and hear, and how a unit ends."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corpora.closedloop import scenarios
from corpora.closedloop.agent_programs import Programs, aids, fixed_files
from corpora.closedloop.build import sample_of
from corpora.closedloop.model import ALL_TASKS, load
from corpora.closedloop.workspace import Workspace
from tasks.inference.models import BUILT_IN, Maker, resolve
from tasks.sandbox import Sandbox, open_sandbox
from tests.closedloop.scripted import FULL, TANK, TRACK, Scripted, answer, in_turn, planned, work
from tests.inference.stub_server import Says, StubServer
from warehouse.database import query
from warehouse.errors import CorpusError, ProviderError
from warehouse.layout import Layout

MODES = ("oneshot_blind", "realistic_self_verify", "ci_red_green", "oracle_full")
WRONG = next(mutant.text for mutant in TANK.mutants if mutant.name == "no_timeout")
GOOD = ("write", {"path": "controller.c", "content": TANK.reference})
BAD = ("write", {"path": "controller.c", "content": WRONG})
SUBMIT = ("submit", {})


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the scripted agent known to `resolve` for the length of a test."""
    monkeypatch.setitem(BUILT_IN, "scripted", Maker("tests.closedloop.scripted", "Scripted", False, "a script"))
    return


@pytest.mark.parametrize(("mode", "tools", "heard"), [
    ("oneshot_blind", 5, ["The submission is recorded."]),
    ("realistic_self_verify", 8, ["The submission is recorded."]),
    ("ci_red_green", 8, ["FAIL", "PASS"]),
    ("oracle_full", 8, None),
])  # fmt: skip
def test_what_each_scenario_offers_and_answers(
    mode: str, tools: int, heard: list[str] | None, sandbox: Sandbox, tmp_path: Path
) -> None:
    landed = work(tmp_path, sandbox, mode, in_turn([BAD, SUBMIT], [GOOD, SUBMIT], [SUBMIT]))
    assert {len(offered) for offered in Scripted.offered} == {tools}
    said = [text for tool, text in landed["said"] if tool == "submit"]
    once = mode in MODES[:2]
    assert [row["status"] for row in landed["submissions"]] == (["fail"] if once else ["fail", "pass"])
    assert landed["row"]["finish_reason"] == ("submitted" if once else "passed")
    assert landed["row"]["code"] == (WRONG if once else TANK.reference)
    assert [row["code"] for row in landed["submissions"]] == [WRONG] + [TANK.reference] * (not once)
    assert Scripted.requests == (1 if once else 2)
    if heard is not None:
        assert said == heard
    else:
        first, last = said
        assert last == "PASS"
        assert "simulation/sensor_timeout/timeout: expected: When the last valid reading" in first
        assert "ms: PUMP=1" in first
        assert "smoke" not in first


def test_without_aids_there_is_nothing_to_run_and_nothing_to_run_it_with(tmp_path: Path) -> None:
    landed = work(tmp_path, None, "oneshot_blind", in_turn([("list", {}), ("build", {}), ("probe", {"frames": ""})]))
    listing, build, probe = (text for _, text in landed["said"])
    assert "bench.c" not in listing
    assert "tests/" not in listing
    assert "There is no tool 'build'; the tools are list, read, write, edit, submit." in build
    assert "There is no tool 'probe'" in probe


def test_every_turn_is_stored_in_order(sandbox: Sandbox, tmp_path: Path) -> None:
    landed = work(tmp_path, sandbox, "ci_red_green", in_turn([GOOD, ("build", {})], [SUBMIT]))
    turns = [(row["turn"], row["role"], row["tool"]) for row in landed["turns"]]
    assert turns == [
        (1, "assistant", None), (2, "assistant", "write"), (3, "assistant", "build"), (4, "tool", "write"),
        (5, "tool", "build"), (6, "assistant", None), (7, "assistant", "submit"), (8, "tool", "submit"),
    ]  # fmt: skip
    assert json.loads(landed["turns"][1]["content"]) == GOOD[1]
    assert landed["turns"][0]["seconds_s"] == 1.0
    assert landed["turns"][4]["seconds_s"] > 0
    assert (landed["row"]["prompt_tokens"], landed["row"]["completion_tokens"]) == (200, 20)
    assert landed["submissions"][0]["turn"] == 7
    assert landed["submissions"][0]["after_tokens"] == 220


@pytest.mark.parametrize(("step", "ending"), [
    ("I think it is fine.", "stop"),
    (answer("half a th", "length"), "length"),
    (answer([SUBMIT], "length"), "length"),
    (answer("", "content_filter"), "content_filter"),
])  # fmt: skip
def test_a_model_that_ends_without_handing_in(step: Any, ending: str, sandbox: Sandbox, tmp_path: Path) -> None:
    """NONE, told apart by how it came: a fact about the model, so the unit is finished and not asked again."""
    landed = work(tmp_path, sandbox, "realistic_self_verify", in_turn([GOOD], step))
    assert (landed["row"]["finish_reason"], landed["row"]["error_kind"]) == (ending, None)
    assert (landed["row"]["reply"], landed["row"]["code"], landed["submissions"]) == ("", "", [])
    assert planned(Layout(tmp_path), "realistic_self_verify").todo == ()


def test_a_conversation_too_long_for_the_model_ends_with_what_was_handed_in(sandbox: Sandbox, tmp_path: Path) -> None:
    full = ProviderError("too long", error_kind="context_window")
    landed = work(tmp_path, sandbox, "ci_red_green", in_turn([BAD, SUBMIT], full))
    assert (landed["row"]["finish_reason"], landed["row"]["error_kind"]) == ("context_window", None)
    assert landed["row"]["code"] == WRONG


def test_a_provider_that_fails_is_no_fact_about_the_model(sandbox: Sandbox, tmp_path: Path) -> None:
    down = ProviderError("down", error_kind="server")
    landed = work(tmp_path, sandbox, "ci_red_green", in_turn([BAD, SUBMIT], down))
    assert (landed["row"]["error_kind"], landed["row"]["code"]) == ("server", None)
    assert [row["status"] for row in landed["submissions"]] == ["fail"]  # what there was is kept, and counts nowhere
    assert len(planned(Layout(tmp_path), "ci_red_green").todo) == 1
    work(tmp_path, sandbox, "ci_red_green", in_turn([BAD, SUBMIT], [GOOD, SUBMIT]))
    assert Scripted.requests == 1  # the first answer was kept
    told = query(Layout(tmp_path), "SELECT status FROM submissions ORDER BY submission").to_pylist()
    assert [row["status"] for row in told] == ["fail", "pass"]


@pytest.mark.parametrize(("limits", "ending", "requests"), [
    ({"seconds_s": 1.5}, "time", 2), ({"tokens": 110}, "tokens", 1), ({"rounds": 3}, "rounds", 3),
])  # fmt: skip
def test_budgets_end_a_unit(limits: dict[str, Any], ending: str, requests: int, tmp_path: Path) -> None:
    landed = work(tmp_path, None, "oneshot_blind", lambda nth, messages: [("list", {})], limits)
    assert (landed["row"]["finish_reason"], Scripted.requests) == (ending, requests)


def test_tokens_that_a_provider_does_not_count_are_estimated(tmp_path: Path) -> None:
    silent = replace(answer([("read", {"path": "TASK.md"})]), prompt_tokens=None, completion_tokens=None)
    landed = work(tmp_path, None, "oneshot_blind", lambda nth, messages: silent, {"tokens": 3000})
    assert (landed["row"]["finish_reason"], landed["row"]["prompt_tokens"]) == ("tokens", None)
    assert 2 <= Scripted.requests <= 4


def test_a_submission_that_comes_after_the_time_is_not_taken(tmp_path: Path) -> None:
    late = answer([GOOD, SUBMIT], seconds_s=5.0)
    landed = work(tmp_path, None, "oneshot_blind", in_turn(late), {"seconds_s": 4.0})
    assert (landed["row"]["finish_reason"], landed["submissions"]) == ("time", [])


@pytest.mark.parametrize(("mode", "solver", "status"), [
    *((mode, "reference", "pass") for mode in MODES), ("ci_red_green", "mutant", "fail"),
    ("oracle_full", "stub", "fail"), ("oneshot_blind", "empty", None), ("realistic_self_verify", "empty", None),
])  # fmt: skip
def test_built_in_solvers_hand_in_what_they_answer(
    mode: str, solver: str, status: str | None, sandbox: Sandbox, tmp_path: Path
) -> None:
    landed = work(tmp_path, sandbox, mode, None, model=resolve(solver, layout=Layout(tmp_path)))
    assert [row["status"] for row in landed["submissions"]] == ([status] if status else [])
    assert landed["row"]["error_kind"] is None
    assert bool(landed["row"]["code"]) == bool(status)


def test_tools_tell_what_is_wrong_with_a_call(sandbox: Sandbox, tmp_path: Path) -> None:
    calls = [
        ("erase", {}), ("read", {}), ("read", {"path": "x", "mode": "r"}), ("read", {"path": 3}),
        ("read", {"path": "plants/task.toml"}), ("edit", {"path": "controller.c", "old": "}", "new": ""}),
        ("write", {"path": "controller.c", "content": "x" * 70_000}),
        ("write", {"path": "tests/a.c", "content": "\ud800"}),
        ("probe", {"frames": "0 \ud800", "until_ms": 1}),
        ("probe", {"frames": "soon SENSE LEVEL 2"}), ("probe", {"frames": "", "until_ms": 10**9}),
        ("write", {"path": "controller.c", "content": " "}), ("submit", {}), ("build", {}),
    ]  # fmt: skip
    landed = work(tmp_path, sandbox, "ci_red_green", in_turn(calls))
    said = [text for _, text in landed["said"]]
    for text, words in zip(said, [
        "There is no tool 'erase'; the tools are list,", "read needs the argument path.",
        "read has no argument mode; it has path.", "The argument path of read must be text.",
        "There is no file plants/task.toml; the files are TASK.md, app.c,",
        "The old text stands 3 times in controller.c", "70000 characters; 65536 are allowed",
        "characters that UTF-8 cannot write", "DBG BOOTED", "'soon SENSE LEVEL 2' is no frame",
        "until_ms must be from 1 to 60000", "Wrote controller.c, lines: 1.", "controller.c is empty; write it first.",
        "It does not build (exit 1).",
    ], strict=True):  # fmt: skip
        assert words in text
    assert landed["submissions"] == []


def test_self_tests_and_probes_show_what_the_firmware_does(sandbox: Sandbox, tmp_path: Path) -> None:
    test = '#include "selftest.h"\nstatic void low(void) { CHECK(at(0, "SENSE LEVEL 29").on[ACTUATOR_PUMP]); }\n' \
           "int main(void) { RUN(low); return RESULT; }\n"  # fmt: skip
    aids = [("write", {"path": "tests/test_low.c", "content": test}), ("test", {}),
            ("probe", {"frames": "0 SENSE LEVEL 20\n300 nonsense", "until_ms": 500})]  # fmt: skip
    landed = work(tmp_path, sandbox, "realistic_self_verify", in_turn(aids, [GOOD, *aids[1:]]))
    said = [text for tool, text in landed["said"] if tool in ("test", "probe")]
    assert "tests/test_low.c: FAILED (exit 1)" in said[0]
    assert 'not so: at(0, "SENSE LEVEL 29")' in said[0]
    assert "tests/test_controller.c: passed" in said[0]
    assert "ACT PUMP ON" not in said[1]
    assert "tests/test_low.c: passed\npassed low" in said[2]
    assert "    50 ms  said  ACT PUMP ON" in said[3]
    assert "   300 ms  sent  nonsense\n   300 ms  said  ACT PUMP OFF" in said[3]


@pytest.mark.slow
def test_a_controller_that_spins_does_not_hold_the_tools(sandbox: Sandbox, tmp_path: Path, monkeypatch: Any) -> None:
    from corpora.closedloop import agent_programs
    from tasks.sandbox import Limits

    monkeypatch.setattr(agent_programs, "LIMITS", Limits(wall_s=10.0, cpu_s=1.0))
    spins = TANK.stub.replace("(void)input;", "for (;;) (void)input;")
    steps = [("write", {"path": "controller.c", "content": spins}), ("probe", {"frames": ""})]
    landed = work(tmp_path, sandbox, "realistic_self_verify", in_turn(steps))
    assert "The firmware was ended: time limit." in landed["said"][-1][1]


def test_a_release_of_another_contract_is_refused_before_anyone_is_asked(tmp_path: Path) -> None:
    import asyncio

    from tasks.contract import Prompt

    stale = TANK.model_copy(update={"contract": "0" * 16})
    with pytest.raises(CorpusError, match="tank_fill_drain has changed since this release"):
        asyncio.run(scenarios.run(scenarios.MODES[0], None, stale, Prompt(messages=(), tokens=0), None))  # type: ignore[arg-type]


def test_an_agent_needs_a_sandbox_that_hides_the_evaluator(tmp_path: Path) -> None:
    with open_sandbox("none", trusted=True) as bare:
        landed = work(tmp_path, bare, "realistic_self_verify", in_turn([GOOD, SUBMIT]))
    assert landed["row"]["error_kind"] == "sandbox"
    assert "can see closedloop/plants" in landed["row"]["error"]
    assert Scripted.requests == 0


@pytest.mark.parametrize("name", ALL_TASKS)
def test_what_an_agent_is_told_holds_the_brief_and_no_hidden_test(name: str) -> None:
    sample = sample_of(load(name), held_out=True)
    for mode in scenarios.MODES:
        prompt = TRACK.scenarios[mode.name].shown(TRACK, sample, FULL)
        text = "\n".join(message.content for message in prompt.messages)
        assert sample.brief in text
        assert mode.rules in text
        assert ("bench.c" in text) == mode.aided
        for hidden in (*(test.name for test in load(name).host), *(one.name for one in load(name).scenario)):
            assert hidden not in text or hidden in sample.brief


@pytest.mark.slow
def test_an_agent_over_the_wire_of_a_provider(sandbox: Sandbox, tmp_path: Path) -> None:
    """The same loop through litellm against a server that speaks the OpenAI protocol and calls tools."""

    def behaviour(body: dict[str, Any], nth: int) -> Says:
        done = sum(message["role"] == "assistant" for message in body["messages"])
        steps = ([("list", {})], [BAD, ("build", {}), SUBMIT], [("read", {"path": "TASK.md"})], [GOOD, SUBMIT])
        calls = tuple((name, json.dumps(arguments)) for name, arguments in steps[done])
        return Says(text=f"Step {done}.", calls=calls, finish_reason="tool_calls")

    layout = Layout(tmp_path)
    with StubServer(behaviour) as server:
        reach = {"api_base": server.address, "api_key": "k", "retry_base_s": 0.01}
        with resolve("openai/stub", layout=layout, parameters=reach) as model:
            landed = work(tmp_path, sandbox, "oracle_full", None, model=model)
    assert server.total == 4
    assert [row["status"] for row in landed["submissions"]] == ["fail", "pass"]
    assert landed["row"]["finish_reason"] == "passed"
    assert {tool["function"]["name"] for tool in server.bodies[0]["tools"]} == {
        "list", "read", "write", "edit", "submit", "build", "test", "probe",
    }  # fmt: skip
    answers = [message for message in server.bodies[2]["messages"] if message["role"] == "tool"]
    assert [message["tool_call_id"] for message in answers] == ["call0", "call0", "call1", "call2"]
    assert "simulation/sensor_timeout/timeout" in answers[3]["content"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_TASKS)
def test_the_tools_work_on_every_task(name: str, sandbox: Sandbox) -> None:
    sample = sample_of(load(name), held_out=False)
    fixed, own = aids()
    for controller, quiet in ((sample.stub, True), (sample.reference, False)):
        workspace = Workspace({**fixed_files(load(name)), **fixed}, {"controller.c": controller, **own})
        programs = Programs(sandbox, load(name), workspace)
        assert programs.build().startswith("It builds.\n")
        assert programs.test().startswith("tests/test_controller.c: passed")
        said = programs.probe("0 nonsense\n100 FAULT SENSOR_TIMEOUT", 400)
        assert said.startswith("     0 ms  said  DBG BOOTED\n")
        assert "    50 ms  sent  nonsense\n" in said
        assert ("DBG STATE IDLE" in said) >= quiet
