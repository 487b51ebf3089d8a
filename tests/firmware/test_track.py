"""The track: cases become samples that prove themselves, are asked as the method says, and need no checkout."""

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import corpora
from corpora.firmware import grade as grade_module
from corpora.firmware.build import build, fingerprint
from corpora.firmware.checking import Budget
from corpora.firmware.grade import grade, grade_many
from corpora.firmware.prompt import CONFIGS, prompt
from corpora.firmware.schema import Sample
from tasks.contract import Bench, BuildInputs, Reply, Status, serial_map
from tasks.curation.building import Wanted, build_release
from tasks.curation.gate import gate
from tasks.curation.ledger import Ledger
from tasks.curation.release import load, write
from tasks.grading.evaluate import evaluate, evaluate_many
from tasks.grading.platform_backends import Sdk, backends
from tasks.grading.platform_run import Toolbox
from tasks.sandbox import Sandbox
from tests.firmware.small import METADATA, NEGATIVES, REFERENCE, MakeCase
from warehouse.errors import CorpusError, SandboxError, UsageError
from warehouse.layout import Layout

TRACK = corpora.load("firmware")
MORE = "visibility: public\ntier: challenge\nreasoning_types: [api_recall]\ncreated_date: 2026-03-24\n"
PUBLIC = os.environ.get("FIRMBENCH_EMBEDEVAL", "")
PLAIN = REFERENCE.replace("volatile ", "")


@pytest.fixture(autouse=True)
def without_sdks(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about a machine without an SDK."""
    for backend in backends().values():
        for need in (*backend.needs, *backend.run_needs):
            if isinstance(need, Sdk):
                monkeypatch.delenv(need.variable, raising=False)


@pytest.fixture
def bench(sandbox: Sandbox) -> Bench:
    return Bench(sandbox=sandbox)


def built(root: Path, **options: Any) -> Ledger:
    return Ledger(build(BuildInputs(options={"cases": root, **options})))


def only(ledger: Ledger) -> Sample:
    (sample,) = ledger.samples
    assert isinstance(sample, Sample)
    return sample


def reply(code: str) -> Reply:
    return Reply(text=code, code=code)


def test_a_sample_carries_what_the_case_says_and_all_that_grading_needs(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("zephyr/esp-001", {"metadata.yaml": METADATA.format(id="esp-001") + MORE})
    sample = only(built(tmp_path))
    assert (sample.category, sample.cluster, sample.family) == ("timer", "esp-001", "esp-001")
    assert (sample.difficulty, sample.tier) == ("easy", "challenge")
    assert (sample.platform, sample.reasoning_types, sample.created) == ("native_sim", ("api_recall",), "2026-03-24")
    assert (sample.visibility, sample.language, sample.stratum) == ("public", "c", "text")
    assert sample.provenance == {"case": "esp-001", "folder": "cases/zephyr/esp-001"}
    assert (sample.content_hash, sample.check_hash) == (sample.case.content_hash, sample.case.check_hash)


def test_a_changed_check_or_prompt_is_another_sample_and_a_gitkeep_is_not(tmp_path: Path, make_case: MakeCase) -> None:
    folder = make_case("timer-001")
    first = only(built(tmp_path))
    marks = fingerprint({"cases": tmp_path})
    (folder / "context").mkdir()
    (folder / "context/.gitkeep").write_text("")
    assert only(built(tmp_path)).sample_id == first.sample_id
    assert fingerprint({"cases": tmp_path}) == marks
    for name in ("checks/static.py", "prompt.md"):
        (folder / name).write_text((folder / name).read_text() + "\n")
        assert only(built(tmp_path)).sample_id != first.sample_id
    assert fingerprint({"cases": tmp_path}) != marks


def test_bad_cases_are_dropped_by_name_and_the_rest_is_unharmed(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("good-001", {"checks/negatives.py": NEGATIVES})
    make_case("bad-key", {"metadata.yaml": METADATA.format(id="bad-key") + "colour: red\n"})
    make_case("bad-yaml", {"metadata.yaml": "id: [\n"})
    make_case("bad-negatives", {"checks/negatives.py": "NEGATIVES = 1 // 0\n"})
    make_case("bad-bug", {"checks/negatives.py": NEGATIVES.replace('"volatile "', '"nowhere"')})
    ledger = built(tmp_path)
    ledger.check()
    assert [sample.cluster for sample in ledger.samples] == ["good-001", "good-001"]
    assert {drop.item: (drop.stage, drop.reason) for drop in ledger.drops} == {
        "bad-key": ("load", "bad_case"), "bad-yaml": ("load", "bad_case"),
        "bad-negatives": ("negatives", "bad_negatives"), "bad-bug": ("negatives", "bad_negatives"),
    }  # fmt: skip
    details = {drop.item: drop.detail for drop in ledger.drops}
    assert "Case bad-key: metadata.yaml has 1 wrong keys: 'colour' is unknown." in details["bad-key"]
    assert "checks/negatives.py: line 1: ZeroDivisionError" in details["bad-negatives"]
    assert "the seeded bug plain cannot be made: the mutation changes nothing" in details["bad-bug"]


def test_the_gate_keeps_what_proves_itself_and_names_what_does_not(
    tmp_path: Path, make_case: MakeCase, bench: Bench
) -> None:
    blind = "from embedeval.models import CheckDetail\ndef run_checks(code):\n    return [CheckDetail('a', True)]\n"
    make_case("good-001", {"checks/negatives.py": NEGATIVES})
    make_case("raises", {"checks/behavior.py": "def run_checks(code):\n    1 // 0\n"})
    make_case("missing", {"checks/static.py": None})
    make_case("wrong", {"reference/main.c": PLAIN})
    make_case("blind", {"checks/static.py": blind, "checks/behavior.py": blind})
    make_case("survives", {"checks/negatives.py": NEGATIVES.replace('"lamp_is_volatile"', '"lamp_goes_on"')})
    samples = built(tmp_path).samples
    gated = gate(TRACK, samples, bench)
    assert [(sample.cluster, sample.task) for sample in gated.kept] == [
        ("good-001", "generation"), ("good-001", "bugfix"),
    ]  # fmt: skip
    names = {sample.sample_id: f"{sample.cluster} {sample.task}" for sample in samples}
    assert {names[drop.item]: drop.reason for drop in gated.dropped} == {
        "raises generation": "gate_infra_error", "missing generation": "gate_infra_error",
        "wrong generation": "reference_fails", "blind generation": "empty_passes",
        "survives generation": "mutant_survives", "survives bugfix": "mutant_survives",
    }  # fmt: skip
    details = " ".join(drop.detail for drop in gated.dropped)
    assert "checks/behavior.py: line 2: ZeroDivisionError" in details
    assert "checks/static.py is missing" in details


def test_a_layer_left_out_is_recorded_passes_nothing_and_stands_aside(
    tmp_path: Path, make_case: MakeCase, bench: Bench
) -> None:
    make_case("timer-001")
    sample = only(built(tmp_path))
    assert sample.layers == ("static", "heuristic")
    assert "ZEPHYR_BASE" in sample.left_out["compile"]
    assert "it needs the layer compile" in sample.left_out["runtime"]
    checks = grade(sample, reply(REFERENCE), bench)
    assert {check.layer: (check.status.value, check.aside) for check in checks} == {
        "static": ("pass", False), "compile": ("not_run", True), "runtime": ("not_run", True),
        "heuristic": ("pass", False),
    }  # fmt: skip
    assert evaluate(TRACK, sample, reply(REFERENCE), bench).status is Status.PASS
    assert evaluate(TRACK, sample, reply(PLAIN), bench).failed_layer == "heuristic"


def test_a_layer_that_applies_and_cannot_run_leaves_no_verdict(
    tmp_path: Path, make_case: MakeCase, bench: Bench
) -> None:
    make_case("timer-001")
    text = only(built(tmp_path))
    claims = text.model_copy(update={"layers": ("static", "compile", "runtime", "heuristic"), "left_out": {}})
    assert evaluate(TRACK, claims, reply(REFERENCE), bench).status is Status.NOT_RUN
    assert evaluate(TRACK, claims, reply(PLAIN), bench).status is Status.FAIL, "a proven fault outranks it"
    (drop,) = gate(TRACK, [claims], bench).dropped
    assert (drop.reason, "ZEPHYR_BASE" in drop.detail) == ("gate_infra_error", True)


@pytest.mark.parametrize(
    ("more", "left_out"),
    [
        ("l1_skip: true\n", {"compile": "l1_skip", "runtime": "it needs the layer compile"}),
        ("l2_skip: true\n", {"compile": "ZEPHYR_BASE", "runtime": "l2_skip"}),
    ],
)
def test_what_a_case_leaves_out_it_says(
    tmp_path: Path, make_case: MakeCase, more: str, left_out: dict[str, str]
) -> None:
    make_case("timer-001", {"metadata.yaml": METADATA.format(id="timer-001") + more})
    sample = only(built(tmp_path))
    assert sample.left_out.keys() == left_out.keys()
    assert all(why in sample.left_out[name] for name, why in left_out.items())  # type: ignore[index]


def test_a_platform_without_a_back_end_is_graded_by_text_and_layers_may_be_chosen(
    tmp_path: Path, make_case: MakeCase
) -> None:
    make_case("timer-001", {"metadata.yaml": METADATA.format(id="timer-001").replace("native_sim", "babblesim")})
    assert "no back end for the platform babblesim" in only(built(tmp_path)).left_out["compile"]
    chosen = only(built(tmp_path, layers="static"))
    assert (chosen.layers, chosen.left_out["heuristic"]) == (("static",), "not asked for")
    with pytest.raises(UsageError, match="no layer 'mutation' to grade by"):
        built(tmp_path, layers="mutation")


def test_many_replies_get_what_each_gets_alone_and_equal_ones_are_graded_once(
    tmp_path: Path, make_case: MakeCase, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_case("timer-001", {"checks/negatives.py": NEGATIVES})
    make_case("timer-002")
    samples = built(tmp_path).samples
    pairs = [(sample, reply(code)) for sample in samples for code in (REFERENCE, PLAIN, "", REFERENCE)]
    alone = [evaluate(TRACK, sample, one, bench) for sample, one in pairs]
    jobs: list[int] = []
    real = grade_module.run_checks
    monkeypatch.setattr(grade_module, "run_checks", lambda asked, box: jobs.append(len(asked)) or real(asked, box))
    together = evaluate_many(TRACK, pairs, bench)
    assert [(one.status, one.checks) for one in together] == [(one.status, one.checks) for one in alone]
    assert jobs == [2 * 2 * 3], "two cases, two layers, three different codes"


def test_halting_is_the_methods_order_and_another_grader(
    tmp_path: Path, make_case: MakeCase, sandbox: Sandbox
) -> None:
    make_case("timer-001")
    sample = only(built(tmp_path))
    checks = grade(sample, reply("int lamp;\n"), Bench(sandbox=sandbox, halt=True))
    assert {check.layer: check.status.value for check in checks} == {
        "static": "fail", "compile": "not_run", "runtime": "not_run", "heuristic": "not_run",
    }  # fmt: skip
    assert corpora.load("firmware", halt=True).grader_version == TRACK.grader_version + "+halt"
    with pytest.raises(UsageError, match="closedloop has no order of layers to halt in"):
        corpora.load("closedloop", halt=True)


def test_without_a_sandbox_every_layer_is_not_run(
    tmp_path: Path, make_case: MakeCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_case("timer-001")
    sample = only(built(tmp_path))

    def absent(**_: object) -> None:
        raise SandboxError("bubblewrap is not installed")

    monkeypatch.setattr("corpora.firmware.toolchains.open_sandbox", absent)
    (checks,) = grade_many([(sample, reply(REFERENCE))], Bench())
    assert {(check.status.value, check.saw) for check in checks} == {("not_run", "bubblewrap is not installed")}


def test_a_release_grades_when_its_checkout_is_gone(tmp_path: Path, make_case: MakeCase, bench: Bench) -> None:
    make_case("timer-001", {"checks/negatives.py": NEGATIVES, "context/board.h": "#define LED 13\n"})
    ledger = built(tmp_path)
    gated = gate(TRACK, ledger.samples, bench)
    ledger.take(gated.entries())
    layout = Layout(tmp_path / "data")
    write(layout, TRACK, gated.kept, ledger, (), gated.proof, build={})
    shutil.rmtree(tmp_path / "cases")
    held = load(layout, TRACK).samples
    assert len(held) == 2
    assert all(evaluate(TRACK, sample, reply(REFERENCE), bench).status is Status.PASS for sample in held.values())
    assert all(evaluate(TRACK, sample, reply(PLAIN), bench).status is Status.FAIL for sample in held.values())


def test_a_case_that_changed_under_the_same_path_is_built_again(tmp_path: Path, make_case: MakeCase) -> None:
    folder = make_case("timer-001")
    layout, wanted = Layout(tmp_path / "data"), Wanted(options={"cases": str(tmp_path)})
    first = build_release(TRACK, wanted, layout, serial_map)
    assert build_release(TRACK, wanted, layout, serial_map).release.reused
    (folder / "prompt.md").write_text("Let the lamp glow.\n")
    second = build_release(TRACK, wanted, layout, serial_map)
    assert second.release.release != first.release.release
    assert not second.release.reused


def test_private_cases_and_folders_that_hold_none(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("open/timer-001")
    make_case("hidden/timer-002")
    ledger = built(tmp_path / "cases/open", private=tmp_path / "cases/hidden")
    assert [sample.visibility for sample in ledger.samples] == ["public", "private"]
    with pytest.raises(UsageError, match="does not exist"):
        built(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="name that with --cases"):
        Ledger(build(BuildInputs(options={"private": tmp_path})))


def test_no_cases_of_our_own_are_an_error_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpora.firmware.build.own_cases", lambda: ())
    with pytest.raises(CorpusError, match="holds no cases of its own here; name a checkout with --cases"):
        Ledger(build(BuildInputs()))


def test_the_prompt_is_context_task_and_board_in_the_methods_words(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("timer-001", {"context/b.h": "int b;\n", "context/a.h": "int a;\n", "context/.gitkeep": ""})
    make_case("timer-002", {"metadata.yaml": METADATA.format(id="timer-002") + "build_board: nrf52840dk/nrf52840\n"})
    first, second = built(tmp_path).samples
    (message,) = prompt(first, CONFIGS["full"]).messages
    assert (message.role, message.content) == (
        "user",
        "--- a.h ---\nint a;\n\n--- b.h ---\nint b;\n\n\nLet the lamp blink.\n\nTarget board: native_sim\n",
    )
    bare = "Let the lamp blink.\n\nTarget board: {}\n"
    assert prompt(first, CONFIGS["no_context"]).messages[0].content == bare.format("native_sim")
    assert prompt(second, CONFIGS["full"]).messages[0].content == bare.format("nrf52840dk/nrf52840")


def test_context_that_does_not_fit_is_cut_from_the_end_and_recorded(tmp_path: Path, make_case: MakeCase) -> None:
    make_case("timer-001", {"context/a.h": "int a;\n", "context/b.h": "int b;\n" * 400})
    sample = only(built(tmp_path))
    small = CONFIGS["full"].model_copy(update={"budget_tokens": 300, "reply_tokens": 100})
    shown = prompt(sample, small)
    assert [(cut.kind, cut.rank, cut.name) for cut in shown.cut] == [("context", 1, "b.h")]
    assert "int a;" in shown.messages[0].content
    assert shown.tokens <= 200


def test_a_repair_shows_the_bug_and_says_nothing_of_it(tmp_path: Path, make_case: MakeCase, bench: Bench) -> None:
    entries = NEGATIVES.rstrip().removesuffix("]") + (
        '    {"name": "dark", "mutation": lambda code: code.replace("= 1", "= 0"),\n'
        '     "must_fail": ["lamp_goes_on"], "description": "never switched on"},\n'
        '    {"name": "wish", "mutation": lambda code: code.replace("1", "2"), "should_fail": ["has_main"]},\n]\n'
    )
    make_case("timer-001", {"checks/negatives.py": entries})
    plain, first, second = built(tmp_path).samples
    assert [mutant.name for mutant in plain.mutants] == ["plain", "dark"], "a wish proves nothing"
    assert [(one.task, one.bug) for one in (plain, first, second)] == [
        ("generation", None), ("bugfix", "plain"), ("bugfix", "dark"),
    ]  # fmt: skip
    assert {sample.cluster for sample in (plain, first, second)} == {"timer-001"}
    shown = prompt(first, CONFIGS["full"]).messages[0].content
    assert "Let the lamp blink." in shown
    assert f"```c\n{PLAIN.rstrip()}\n```" in shown
    for hint in ("plain", "volatile", "lamp_is_volatile", "optimizer", "must_fail"):
        assert hint not in shown.replace(PLAIN.rstrip(), "")
    assert evaluate(TRACK, first, reply(PLAIN), bench).status is Status.FAIL, "handing it back unchanged"
    assert evaluate(TRACK, first, reply(REFERENCE), bench).status is Status.PASS
    assert (plain.suits("generation"), plain.suits("feedback"), plain.suits("bugfix")) == (True, True, False)
    assert (first.suits("generation"), first.suits("bugfix")) == (False, True)


@pytest.mark.parametrize(
    ("changed", "language", "stub"),
    [
        ({}, "c", "int main(void)"),
        ({"reference/main.c": "CONFIG_SPI=y\n"}, "kconfig", "# nothing"),
        ({"reference/main.c": "&i2c0 { };\n"}, "devicetree", "/ {"),
        ({"reference/main.c": 'SUMMARY = "a"\n'}, "bitbake", "# nothing"),
    ],
)
def test_the_answer_to_a_case_is_read_in_its_own_language(
    tmp_path: Path, make_case: MakeCase, changed: dict[str, str | None], language: str, stub: str
) -> None:
    category = {"devicetree": "device-tree", "bitbake": "yocto"}.get(language, "timer")
    text = METADATA.format(id="x-001").replace("category: timer", f"category: {category}")
    make_case("x-001", {**changed, "metadata.yaml": text})
    sample = only(built(tmp_path))
    assert sample.language == language
    assert sample.stub.startswith(stub)
    assert sample.answer_kind == ("code" if language == "c" else "file")


def test_a_text_of_100_kb_made_to_be_slow_harms_no_other_reply(
    tmp_path: Path, make_case: MakeCase, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = grade_module.run_checks
    monkeypatch.setattr(grade_module, "run_checks", lambda jobs, box: real(jobs, box, Budget(cpu_s=1)))
    slow = (
        "import re\nfrom embedeval.models import CheckDetail\n"
        "def run_checks(code):\n    re.match(r'(a+)+$', code)\n    return [CheckDetail('a', True)]\n"
    )
    make_case("slow", {"checks/static.py": slow})
    make_case("timer-001")
    first, second = built(tmp_path).samples
    text = "a" * 100_000 + "!"
    pairs = [(first, reply(text)), (second, reply(REFERENCE)), (second, reply(text))]
    seen = evaluate_many(TRACK, pairs, bench)
    assert [one.status for one in seen[1:]] == [Status.PASS, Status.FAIL]
    timed = next(check for check in seen[0].checks if check.layer == "static")
    assert (timed.status, "checks/static.py ran longer than" in (timed.saw or "")) == (Status.TIMEOUT, True)


def test_sdks_are_taken_from_the_environment(tmp_path: Path) -> None:
    from corpora.firmware.toolchains import sdk_folders, toolbox_of

    (tmp_path / "zephyr").mkdir()
    found = sdk_folders({"ZEPHYR_BASE": str(tmp_path / "zephyr"), "IDF_PATH": str(tmp_path / "none"), "HOME": "/"})
    assert found == {"ZEPHYR_BASE": (tmp_path / "zephyr").resolve()}
    assert toolbox_of(found) == Toolbox(path="/usr/local/bin:/usr/bin:/bin", sdks={"ZEPHYR_BASE": "/sdk/ZEPHYR_BASE"})


def test_a_changed_judge_is_another_grader_and_a_tool_another_toolchain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/timer.c").write_text("int now;\n")
    monkeypatch.setattr(grade_module, "JUDGES", (tmp_path / "model",))
    first = grade_module._judges()
    (tmp_path / "model/__pycache__").mkdir()
    (tmp_path / "model/__pycache__/x.pyc").write_bytes(b"x")
    assert grade_module._judges() == first
    (tmp_path / "model/timer.c").write_text("long now;\n")
    assert grade_module._judges() != first
    found = TRACK.toolchain({})
    assert found["gcc"].startswith("gcc")
    assert found["ZEPHYR_BASE"] == "absent"
    monkeypatch.setenv("ZEPHYR_BASE", str(tmp_path))
    assert TRACK.toolchain({})["ZEPHYR_BASE"] == "here"


@pytest.mark.slow
@pytest.mark.skipif(not PUBLIC, reason="FIRMBENCH_EMBEDEVAL names no EmbedEval checkout")
def test_every_public_case_and_every_promised_bug_passes_the_gate(bench: Bench) -> None:
    samples = built(Path(PUBLIC)).samples
    gated = gate(TRACK, samples, bench)
    assert [(drop.reason, drop.detail) for drop in gated.dropped] == []
    tasks = Counter(sample.task for sample in samples if isinstance(sample, Sample))
    if tasks["generation"] == 185:
        assert tasks == {"generation": 185, "bugfix": 65}
        assert {sample.stratum for sample in samples} == {"text"}
        shown = [
            prompt(sample, CONFIGS["full"]).messages[0].content for sample in samples if isinstance(sample, Sample)
        ]
        assert not any(".gitkeep" in text for text in shown)
