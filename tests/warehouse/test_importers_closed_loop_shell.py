"""What shell commands do to files, without running them; sed is held against the real one."""

import shutil
import subprocess

import pytest

from warehouse.importers.closed_loop_effects import Call, Effect, effects
from warehouse.importers.closed_loop_replay import Step, Workspace, edited
from warehouse.importers.closed_loop_sed import Unread, substitute

TEXT = "int a = 1;\n\n    if (a > 1) {\n        return a + b;\n    }\nint b = 2; int b = 3;\n"
SCRIPTS = [
    "2d", "2,4d", "$d", "/return/d", "/if/,/}/d", "s/b/c/", "s/b/c/g", "s/INT/long/I", "3s/a > 1/a >= 1/",
    "s/\\(a\\) + \\(b\\)/\\2 + \\1/", "s|a > 1|a < 1 \\&\\& b|", "s/[0-9]*;/<&>/", "/if/a\\    x = 1;", "1i\\// top",
    "s/a/x/;s/x/y/", "/return/!s/ /_/", "2,$s/^/\\t/", "s/(a/(z/", "4c\\        return 0;",
]  # fmt: skip


def did(command: str, result: str = "", failed: bool = False) -> list[Effect]:
    return list(effects(Call(1, "bash", {"command": command}, result, failed)))


@pytest.mark.skipif(shutil.which("sed") is None, reason="sed is not installed")
@pytest.mark.parametrize("script", SCRIPTS)
def test_sed_does_what_sed_does(script):
    told = subprocess.run(["sed", script], input=TEXT, capture_output=True, text=True, check=True)
    assert substitute(TEXT, script) == told.stdout


@pytest.mark.parametrize("script", ["y/ab/ba/", "N;P;D", "s/unclosed/"])
def test_a_sed_script_beyond_that_is_not_guessed(script):
    with pytest.raises(Unread):
        substitute(TEXT, script)


@pytest.mark.parametrize(("command", "found"), [
    ("cat > a.c <<'EOF'\nint a = $b;\nEOF", [Effect("put", "a.c", "int a = $b;\n")]),
    ("cat > a.c <<EOF\nint a = $b;\nEOF", [Effect("lost", "a.c")]),
    ("cat >> a.c << 'END'\nx\nEND\necho done", [Effect("append", "a.c", "x\n")]),
    ("cat <<'EOF' | tee a.c b.c\nx\nEOF", [Effect("put", "a.c", "x\n"), Effect("put", "b.c", "x\n")]),
    ("cd main && echo 'int \"a\";' > a.c", [Effect("put", "main/a.c", 'int "a";\n')]),
    ("cd $TMPDIR/embedded_agent_eval_matrix/1/c/workspace && cp a.c b.c && mv b.c c.c && rm -f ./c.c",
     [Effect("copy", "a.c", new="b.c"), Effect("move", "b.c", new="c.c"), Effect("remove", "c.c")]),
    ("sed -i -e 's/a/b/' -e '2d' a.c", [Effect("sed", "a.c", "s/a/b/\n2d")]),
    ("gcc a.c 2>&1 > /dev/null; grep x a.c 2>/dev/null", []),
    ("gcc a.c > log.txt", [Effect("lost", "log.txt")]),
    ("for i in 1 2; do python3 tools/run_eval.py; done", [Effect("submission")] * 2),
    ("python3 tools/run_eval.py --help; cat tools/run_eval.py", []),
    ("timeout 60 python3 tools/run_eval.py 2>&1 | tail -5", [Effect("submission")]),
])  # fmt: skip
def test_effects_of_commands(command, found):
    assert did(command) == found


def test_only_a_whole_file_shown_alone_is_a_read_back():
    assert did("cat a.c", "int a;\n") == [Effect("seen", "a.c", "int a;\n")]
    assert did("cat a.c | head -3", "int a;\n") == did("cat a.c && ls", "int a;\n") == did("cat a.c b.c", "x") == []
    assert did("cat -A a.c", "int a;$\n") == []


def test_what_is_no_evaluation_is_no_submission():
    assert did("python3 tools/run_eval.py", "Command timed out after 60 seconds", failed=True) == []
    assert did("python3 tools/run_eval.py", "python3: can't open file", failed=True) == []
    assert did("python3 tools/run_eval.py", "Status: SUBMISSION_BUDGET_EXHAUSTED") == [Effect("refused")]
    assert did("python3 tools/run_eval.py", "Status: HOST_TEST_FAILED\n") == [
        Effect("submission", "", "HOST_TEST_FAILED")
    ]


def test_what_stands_behind_a_command_that_failed_is_in_doubt():
    assert did("make && echo x > a.c", failed=True) == [Effect("lost", "a.c")]


def test_an_edit_fits_once_or_not_at_all():
    assert edited("a b a", "b", "c") == "a c a"
    assert edited("a b a", "a", "c") is None
    assert edited("say “a”  \nb\n", 'say "a"\n', "c\n") == "c\nb\n"


def test_a_file_that_is_shown_otherwise_puts_earlier_submissions_in_doubt():
    path = "components/controller/controller.c"
    workspace = Workspace({path: "a\n"})
    steps = [Effect("edit", path, "a", "b"), Effect("submission"), Effect("seen", path, "z\n"), Effect("submission")]
    workspace.play(Step(turn, None, 0, effect) for turn, effect in enumerate(steps))
    first, second = workspace.handed
    assert first.doubts == [f"{path}: what is shown in turn 2 differs from the replay"]
    assert (second.doubts, second.files[path]) == ([], "z\n")
