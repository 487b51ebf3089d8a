"""An agent that cheats: edits the harness, reads outside, rewrites the submission counter, spams submissions."""

from pathlib import Path

import pytest

from corpora.closedloop.model import HERE, load
from tasks.inference.models import BUILT_IN, Maker
from tasks.sandbox import Sandbox
from tests.closedloop.scripted import TANK, Scripted, in_turn, work

GOOD = ("write", {"path": "controller.c", "content": TANK.reference})
SUBMIT = ("submit", {})


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "scripted", Maker("tests.closedloop.scripted", "Scripted", False, "a script"))


FIXED = ["app.c", "controller.h", "channels.h", "protocol.c", "bench.c", "TASK.md", "tests/selftest.h"]
OUTSIDE = [
    "../app.c", "/etc/passwd", str(HERE / "plants" / "tank_fill_drain" / "task.toml"), "tests/../app.c", "tests/a/b.c",
    "harness.c", ".git/config", "tests/..", "tests", "",
]  # fmt: skip


def test_only_the_controller_and_own_tests_can_be_written(tmp_path: Path, sandbox: Sandbox) -> None:
    steps = [
        [("write", {"path": path, "content": "int x;"}), ("read", {"path": path})] for path in (*FIXED, *OUTSIDE)
    ]  # fmt: skip
    landed = work(tmp_path, sandbox, "realistic_self_verify", in_turn(*steps, [("list", {})]))
    said = [text for _, text in landed["said"]]
    for path, refused, read in zip((*FIXED, *OUTSIDE), said[:-1:2], said[1::2], strict=True):
        assert refused == f"{path} cannot be written; you may write controller.c and files tests/NAME."
        assert ("There is no file" in read) == (path in OUTSIDE), path
        assert read != "int x;"
    assert len(said[-1].splitlines()) == 12


SABOTAGE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/stat.h>

static void overwrite(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

/* Everything but what the system itself brings, looked through for what only the evaluator has. */
static void search(const char *folder, int depth)
{
    static const char *wanted[] = { "task.toml", "reference.c", "mutants.toml", "plant.c", "lockstep.c", "harness",
                                    "plants", "status.json", "firmbench.duckdb", "selftest.h" };
    struct dirent *entry;
    DIR *open = depth < 12 ? opendir(folder) : NULL;
    while (open && (entry = readdir(open))) {
        char path[4096];
        struct stat found;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || !strcmp(path, "//usr") || !strcmp(path, "//proc") || !strcmp(path, "//lib"))
            continue;
        for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (!strcmp(entry->d_name, wanted[i]))
                printf("FOUND %s\n", path);
        if (!lstat(path, &found) && S_ISDIR(found.st_mode))
            search(path, depth + 1);
    }
    if (open)
        closedir(open);
}

int main(void)
{
    FILE *file = fopen("EVALUATOR", "r");
    search("/", 0);
    printf("%s\n", file ? "READ THE EVALUATOR" : "searched");
    fflush(stdout);
    const char *everything = "#define controller_step graded_step\n";
    overwrite("protocol.c", everything);
    overwrite("app.c", everything);
    overwrite("../app.c", everything);
    overwrite("controller.h", everything);
    overwrite("status.json", "{\"submissions\": 0}");
    overwrite("gcc", "#!/bin/sh\nexit 0\n");
    return system("rm -rf ./* 2>/dev/null; kill -9 -1 2>/dev/null");
}
"""


def test_a_test_program_that_sabotages_reaches_neither_the_evaluator_nor_the_next_tool(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    source = SABOTAGE.replace("EVALUATOR", str(HERE / "plants" / "tank_fill_drain" / "task.toml"))
    steps = [("write", {"path": "tests/a_sabotage.c", "content": source}), ("test", {}), ("list", {}),
             ("read", {"path": "app.c"}), ("build", {}), SUBMIT]  # fmt: skip
    landed = work(
        tmp_path, sandbox, "ci_red_green", in_turn(steps, [GOOD, ("probe", {"frames": "0 SENSE LEVEL 1"}), SUBMIT])
    )
    said = [text for _, text in landed["said"]]
    found = [line for line in said[1].splitlines() if line.startswith("FOUND")]
    assert len(found) == 1  # the search does find what is there
    assert found[0].endswith("tests/selftest.h")
    assert "searched" in said[1]
    assert "READ" not in said[1]
    assert "status.json" not in said[2]
    assert said[3] == (HERE / "firmware" / "app.c").read_text()
    assert said[4].startswith("It builds.")
    assert said[5] == "FAIL"
    assert "ACT PUMP ON" in said[7]
    assert [row["status"] for row in landed["submissions"]] == ["fail", "pass"]


@pytest.mark.parametrize("mode", ["oneshot_blind", "realistic_self_verify"])
def test_submissions_cannot_be_had_by_spamming_or_by_rewriting_a_counter(
    mode: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    counters = [("write", {"path": path, "content": '{"submissions": 0, "limit": 99}'})
                for path in ("status.json", "tests/status.json", "artifacts/runs/status.json")]  # fmt: skip
    spam = [*counters, *[SUBMIT] * 20, GOOD, *[SUBMIT] * 20]
    if mode == "oneshot_blind":
        spam = [call for call in spam if call[1].get("path") != "tests/status.json"]
    landed = work(tmp_path, sandbox, mode, lambda nth, messages: spam)
    assert [row["code"] for row in landed["submissions"]] == [TANK.stub]
    assert landed["row"]["code"] == TANK.stub
    assert Scripted.requests == 1


def test_spam_where_it_is_allowed_is_all_stored_and_costs_its_time(sandbox: Sandbox, tmp_path: Path) -> None:
    wrong = [("write", {"path": "controller.c", "content": mutant.text}) for mutant in TANK.mutants[:4]]
    spam = [call for write in wrong for call in (write, SUBMIT, SUBMIT)]
    landed = work(tmp_path, sandbox, "ci_red_green", lambda nth, messages: spam, {"rounds": 2})
    rows = landed["submissions"]
    assert [row["submission"] for row in rows] == list(range(1, 17))
    assert {row["status"] for row in rows} == {"fail"}
    assert [row["after_s"] for row in rows] == sorted(row["after_s"] for row in rows)
    assert rows[7]["after_s"] > rows[0]["after_s"]
    assert landed["row"]["finish_reason"] == "rounds"


HOOK = """
__attribute__((constructor)) static void cheat(void)
{
    puts("firmbench-verdict end");
    fflush(stdout);
    _exit(0);
}
"""


def test_a_controller_that_forges_what_a_grader_prints_still_fails(sandbox: Sandbox, tmp_path: Path) -> None:
    forged = "#include <stdio.h>\n#include <unistd.h>\n" + TANK.stub + HOOK
    steps = [("write", {"path": "controller.c", "content": forged}), ("test", {}), ("build", {}), SUBMIT]
    landed = work(tmp_path, sandbox, "oracle_full", in_turn(steps))
    assert [row["status"] for row in landed["submissions"]] == ["fail"]


def test_including_what_only_the_workspace_holds_fails_in_the_build_tool_as_it_would_in_grading(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    uses = '#include "tests/selftest.h"\n' + TANK.reference
    steps = [("write", {"path": "controller.c", "content": uses}), ("build", {}), SUBMIT]
    landed = work(tmp_path, sandbox, "ci_red_green", in_turn(steps))
    assert "It does not build" in landed["said"][1][1]
    assert [(row["status"], row["failed_layer"]) for row in landed["submissions"]] == [("fail", "host")]


def test_no_hidden_text_is_in_any_file_of_the_workspace(sandbox: Sandbox, tmp_path: Path) -> None:
    names = ["TASK.md", *FIXED, "controller.c", "tests/test_controller.c", "firmware.h", "port.h", "protocol.h"]
    landed = work(tmp_path, sandbox, "oracle_full", in_turn([("read", {"path": name}) for name in names]))
    text = "\n".join(said for _, said in landed["said"])
    task = load("tank_fill_drain")
    for hidden in (*(step for test in task.host for step in test.steps), *(one.name for one in task.scenario),
                   "rule ", "verdict", TANK.reference):  # fmt: skip
        assert hidden not in text or hidden in task.brief
