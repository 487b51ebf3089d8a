"""Platform back ends: real tools where they are here, scripted stand-ins for the others, and none at all."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from corpora.firmware.grading import grade
from corpora.firmware.loader import load
from tasks.contract import Check, Status
from tasks.grading.platform_backends import PLATFORMS, Backend, Sdk, Tool, backends, named
from tasks.grading.platform_run import Candidate, Toolbox, compile_layer, runtime_layer
from tasks.sandbox import Limits, Sandbox, open_sandbox
from tests.firmware.small import METADATA, NEGATIVES, REFERENCE, MakeCase
from warehouse.errors import UsageError

WITH_SDK = sorted(name for name, backend in backends().items() if any(isinstance(n, Sdk) for n in backend.needs))

# One script for every tool: it writes what it was called with, obeys words in the source, and makes what a run needs.
SCRIPT = """#!/bin/sh
PATH=/usr/bin:/bin
echo "$(basename "$0") $*" >> calls
cat {source} > seen 2>/dev/null || cat seen 2>/dev/null
case "$(cat {source})" in *CRASH*) kill -11 $$;; *WRONG*) echo "error: expected ';'" >&2; exit 1;; esac
mkdir -p build/zephyr
cp {source} build/zephyr/zephyr.exe
case "$*" in *qemu*|*run*) exec sh {source};; esac
exit 0
"""


@pytest.fixture(scope="module")
def toolbox() -> Toolbox:
    names = {
        sdk.variable: f"/sdk/{sdk.variable}" for b in backends().values() for sdk in b.needs if isinstance(sdk, Sdk)
    }
    return Toolbox(path="/stand-ins:/usr/bin:/bin", sdks=names)


@pytest.fixture(scope="module")
def equipped(tmp_path_factory: pytest.TempPathFactory, toolbox: Toolbox) -> Iterator[dict[str, Sandbox]]:
    """A sandbox a back end, where each of its tools is the script, on a PATH of its own."""
    base = tmp_path_factory.mktemp("tools")
    with ExitStack() as stack:
        found: dict[str, Sandbox] = {}
        for name in WITH_SDK:
            backend, tools, sdk = named(name), base / name / "bin", base / name / "sdk"
            tools.mkdir(parents=True)
            programs = [tool.program for tool in (*backend.needs, *backend.run_needs) if isinstance(tool, Tool)]
            for program in [*programs, *(["bitbake-layers"] if name == "yocto" else [])]:
                (tools / program).write_text(SCRIPT.format(source=backend.source))
                (tools / program).chmod(0o755)
            for path in toolbox.sdks.values():
                (sdk / Path(path).name).mkdir(parents=True)
            (sdk / "YOCTO_BASE/oe-init-build-env").write_text(":\n")
            found[name] = stack.enter_context(open_sandbox(readonly={"/stand-ins": tools, "/sdk": sdk}))
        yield found


def build(backend: Backend, sandbox: Sandbox, toolbox: Toolbox, code: str, **more: object) -> tuple[list[Check], str]:
    """Compile and, if that passed, run; returns the checks and the stand-in's record of its calls."""
    candidate = Candidate(code=code, **more)  # type: ignore[arg-type]
    with sandbox.session() as session:
        checks = list(compile_layer(backend, candidate, session, toolbox))
        if checks[0].status == Status.PASS:
            checks += runtime_layer(backend, candidate, session, toolbox)
        return checks, session.read(["calls"]).get("calls", b"").decode()


@pytest.mark.parametrize("name", sorted(backends()))
def test_an_absent_tool_is_not_run_and_says_what_to_install(name: str, sandbox: Sandbox) -> None:
    backend = named(name)
    with sandbox.session() as session:
        (check,) = compile_layer(backend, Candidate(code=""), session, Toolbox(path="/usr/lib"))
    assert check.status == Status.NOT_RUN
    assert all(need.install in (check.saw or "") for need in backend.needs)


@pytest.mark.parametrize("name", WITH_SDK)
def test_an_sdk_is_built_with_the_commands_of_the_table(
    name: str, equipped: dict[str, Sandbox], toolbox: Toolbox
) -> None:
    (checks, calls) = build(named(name), equipped[name], toolbox, "echo lamp on\n")
    assert checks[0].status == Status.PASS, checks
    expected = {
        "zephyr": ["west build -p always -b native_sim -d build ."],
        "esp_idf": ["idf.py set-target esp32", "idf.py build"],
        "stm32_hal": ["arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb"],
        "linux_module": ["make -C /sdk/KERNEL_BUILD M="],
        "yocto": ["bitbake-layers add-layer ../meta-candidate", "bitbake -n candidate"],
    }[name]
    assert [call[: len(text)] for call, text in zip(calls.splitlines(), expected, strict=False)] == expected


@pytest.mark.parametrize("name", WITH_SDK)
def test_what_a_tool_refuses_is_a_failure_and_its_crash_is_not(
    name: str, equipped: dict[str, Sandbox], toolbox: Toolbox
) -> None:
    (wrong,), _ = build(named(name), equipped[name], toolbox, "WRONG\n")
    assert wrong.status == Status.FAIL
    assert "error: expected ';'" in (wrong.saw or "")
    if named(name).compile[0][0] != "sh":
        (crash,), _ = build(named(name), equipped[name], toolbox, "CRASH\n")
        assert crash.status == Status.INFRA_ERROR


def test_firmware_without_end_is_judged_by_what_it_prints_alone(
    equipped: dict[str, Sandbox], toolbox: Toolbox
) -> None:
    zephyr = replace(named("zephyr"), run_limits=Limits(wall_s=1.0, cpu_s=1.0))
    code = "#!/bin/sh\necho lamp on\nsleep 60\n"

    def statuses(expected: tuple[str, ...] | None, text: str = code, board: str = "native_sim") -> dict[str, str]:
        checks, _ = build(zephyr, equipped["zephyr"], toolbox, text, expected_output=expected, board=board)
        return {check.check: check.status.value for check in checks[1:]}

    assert statuses(("lamp on",)) == {"ends_well": "pass", "prints 'lamp on'": "pass"}
    assert statuses(("lamp off",)) == {"ends_well": "pass", "prints 'lamp off'": "fail"}
    assert statuses(None) == {"ends_well": "not_run"}, "a time limit alone is no success"
    assert statuses(None, "#!/bin/sh\nexit 3\n") == {"ends_well": "fail"}
    assert statuses(("lamp on",), board="nrf52840dk/nrf52840") == {"ends_well": "not_run"}


@pytest.mark.parametrize("name", ["stm32_hal", "linux_module", "yocto"])
def test_what_cannot_be_run_is_not_run(name: str, equipped: dict[str, Sandbox], toolbox: Toolbox) -> None:
    checks, _ = build(named(name), equipped[name], toolbox, "echo\n")
    assert [(check.check, check.status.value) for check in checks] == [("builds", "pass"), ("ends_well", "not_run")]
    assert named(name).no_run in (checks[1].saw or "")


PROGRAM = """#include <stdio.h>
static int zero;
static int seven = 7;
int main(void)
{
    printf("lamp %d %d\\n", seven, zero);
    return BODY;
}
"""


@pytest.mark.parametrize("name", ["host", "cortex_m"])
@pytest.mark.parametrize(
    ("body", "ending", "said"),
    [("0", "pass", None), ("3", "fail", "exit 3"), ("*(volatile int *)0xfffffff0u", "fail", "")],
)
def test_programs_are_built_and_run(name: str, body: str, ending: str, said: str | None, sandbox: Sandbox) -> None:
    needed = [need.program for need in (*named(name).needs, *named(name).run_needs) if isinstance(need, Tool)]
    if absent := [program for program in needed if not shutil.which(program)]:
        pytest.skip(f"{', '.join(absent)} is not installed")
    code = PROGRAM.replace("BODY", body)
    checks, _ = build(named(name), sandbox, Toolbox(), code, expected_output=("lamp 7 0",))
    found = {check.check: check for check in checks}
    assert found["builds"].status == Status.PASS, found["builds"].saw
    assert found["ends_well"].status == ending, found["ends_well"].saw
    assert said is None or said in (found["ends_well"].saw or "")


def test_a_program_that_does_not_end_is_timeout_and_one_that_does_not_compile_fails(sandbox: Sandbox) -> None:
    host = replace(named("host"), run_limits=Limits(wall_s=10.0, cpu_s=1.0))
    checks, _ = build(host, sandbox, Toolbox(), "int main(void) { for (;;) { } }\n")
    assert [check.status.value for check in checks] == ["pass", "timeout"]
    checks, _ = build(host, sandbox, Toolbox(), "int main(void) { return x; }\n")
    assert [check.status.value for check in checks] == ["fail"]
    assert "undeclared" in (checks[0].saw or "")


def test_every_platform_leads_to_a_back_end_and_an_unknown_name_is_refused() -> None:
    assert set(PLATFORMS.values()) == set(backends())
    with pytest.raises(UsageError, match="no platform back end 'dos'"):
        named("dos")


def test_an_answer_is_graded_in_all_layers(tmp_path: Path, make_case: MakeCase, sandbox: Sandbox) -> None:
    make_case("timer-001", {"checks/negatives.py": NEGATIVES})
    make_case("timer-002", {"metadata.yaml": METADATA.format(id="timer-002") + "l1_skip: true\nl2_skip: true\n"})
    make_case("timer-003", {"metadata.yaml": METADATA.format(id="timer-003").replace("native_sim", "babblesim")})
    first, second, third = load(tmp_path).cases
    plain = REFERENCE.replace("volatile ", "")
    found = grade(first, plain, sandbox, mutation=True)
    assert found.statuses() == {
        "static": "pass", "compile": "not_run", "runtime": "not_run", "heuristic": "fail", "mutation": "pass",
    }  # fmt: skip
    assert "ZEPHYR_BASE" in (found.by_layer["compile"][0].saw or "")
    assert [check.check for check in found.by_layer["mutation"]] == ["must_fail: plain"]
    assert found.verdict().failed_layer == "heuristic"
    assert grade(second, REFERENCE, sandbox).by_layer["compile"][0].saw == "the case's l1_skip leaves it out"
    assert "no back end for the platform babblesim" in (grade(third, "", sandbox).by_layer["runtime"][0].saw or "")
    assert grade(first, "int lamp;\n", sandbox, halt=True).statuses()["heuristic"] == "not_run"
