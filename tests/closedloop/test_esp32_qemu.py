"""The ESP32 in real time, with scripts in the place of ESP-IDF's tools that keep to the same protocol."""

import shutil
from pathlib import Path

import pytest

from corpora.closedloop import backends, esp32_qemu
from corpora.closedloop.build import build
from corpora.closedloop.grade import grade
from corpora.closedloop.model import TASKS, load
from corpora.closedloop.runs import STUB
from corpora.closedloop.verdicts import checks
from tasks.contract import Bench, BuildInputs, Counted, Reply, Status
from tasks.sandbox import open_sandbox

BACKEND = esp32_qemu.BACKEND
STAND_IN = Path(__file__).with_name("esp_idf")


@pytest.fixture(scope="module")
def equipped(sandbox, tmp_path_factory):
    """A sandbox that sees the stand-in where an SDK would be."""
    folder = tmp_path_factory.mktemp("sdk") / "esp-idf"
    shutil.copytree(STAND_IN, folder)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IDF_PATH", str(folder))
        patch.setenv("IDF_TOOLS_PATH", str(folder / "nowhere"))
        assert dict(BACKEND.folders) == {"/sdk/IDF_PATH": folder.resolve()}
        with open_sandbox(readonly=BACKEND.folders) as sandbox:
            yield sandbox


def bad(task, ran):
    return [f"{one.check}: {one.saw}" for one in checks(task, ran) if one.status is not Status.PASS]


TRIES = 6
"""In real time a busy machine may be late, which is why this back end is not the default."""


def some(task, *names):
    return [one for one in task.scenario if one.name in names]


def test_without_the_sdk_it_is_not_run_and_names_it(sandbox, monkeypatch):
    monkeypatch.delenv("IDF_PATH", raising=False)
    sample = next(one for one in build(BuildInputs(size=1)) if not isinstance(one, Counted))
    bench = Bench(sandbox=sandbox, options={"backend": "esp32_qemu"})
    found = grade(sample, Reply(text="", code=sample.reference), bench)
    assert {one.status for one in found} == {Status.NOT_RUN}
    assert all("ESP-IDF" in (one.saw or "") and "IDF_PATH" in (one.saw or "") for one in found)
    assert backends.toolchain("esp32_qemu")["idf.py"] == "absent"


def test_the_digest_follows_the_version_of_the_sdk(tmp_path, monkeypatch):
    monkeypatch.delenv("IDF_TOOLS_PATH", raising=False)
    monkeypatch.setenv("IDF_PATH", str(tmp_path))
    found = []
    for version in ("v5.1", "v5.2"):
        (tmp_path / "version.txt").write_text(version)
        found.append(backends.toolchain("esp32_qemu")["IDF_PATH"])
    assert len(set(found)) == 2


def test_firmware_boots_talks_and_boots_again_after_a_restart(equipped):
    task = load("tank_fill_drain")
    (smoke,) = some(task, "smoke")
    restarted = smoke.model_copy(update={"events": ("restart 300",)})
    ran = BACKEND.run(task, task.reference, equipped, scenarios=[smoke, restarted], jitter_ms=20)
    assert (ran.build, ran.whole, [one.ending for one in ran.traces]) == (None, True, ["steps", "steps"])
    first, second = ([one.text for one in trace.entries if one.kind == "got"] for trace in ran.traces)
    assert first[0] == "DBG BOOTED"
    assert "ACT PUMP ON" in first
    assert second.count("DBG BOOTED") == 2
    assert [len(trace.rows) for trace in ran.traces] == [9, 9]


@pytest.mark.slow
def test_a_seeded_bug_fails_as_on_the_host(equipped):
    task = load("tank_fill_drain")
    mutant = next(one for one in task.mutants if one.name == "malformed_ignored")
    wanted = ["malformed", "malformed_frame/malformed_is_safe", "everything"]
    for _ in range(TRIES):
        ran = BACKEND.run(task, mutant.text, equipped, scenarios=some(task, "malformed_frame"))
        found = [one.split(":")[0] for one in bad(task, ran)]
        if found == wanted:
            break
    assert found == wanted


def test_firmware_that_dies_and_firmware_that_does_not_build_say_so(equipped):
    task = load("tank_fill_drain")
    dead = STUB.replace("    (void)input;\n", "    if (input->kind == EVENT_READING) *(volatile int *)0 = 1;\n")
    ran = BACKEND.run(task, dead, equipped, scenarios=some(task, "smoke"))
    assert ran.traces[0].ending == "firmware stopped"
    broken = task.reference + '#if __has_include("driver/uart.h")\n#error "not for ESP-IDF"\n#endif\n'
    assert "not for ESP-IDF" in (BACKEND.run(task, broken, equipped).build or "")


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_every_reference_passes_every_published_scenario(name, equipped):
    task = load(name)
    left = list(task.scenarios())
    for _ in range(TRIES):
        wrong = bad(task, BACKEND.run(task, task.reference, equipped, scenarios=left))
        left = [one for one in left if any(text.startswith(f"{one.name}/") for text in wrong)]
        if not left:
            break
    assert not left, wrong
