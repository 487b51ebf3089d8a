"""The rules that keep the tree readable, as DESIGN states them."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = {"warehouse": 0, "tasks": 1, "corpora": 2, "flows": 3}
MODULES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
TOP = {
    "pyproject.toml", "Makefile", "README.md", "prefect.yaml", "requirements.lock", ".ci", ".gitignore", "LICENSE",
    "flows", "tasks", "corpora", "warehouse", "notebooks", "tests", "docs",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    """Return every module that a file imports, at its top or inside a function."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_imports_go_one_way(path: Path) -> None:
    """flows → corpora → tasks → warehouse, never back."""
    own = LAYERS[path.relative_to(ROOT).parts[0]]
    above = {name for name in imported(path) if LAYERS.get(name.split(".")[0], -1) > own}
    assert not above, f"{relative(path)} imports {above} from a layer above its own"


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_only_flows_and_task_modules_import_prefect(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    allowed = parts[0] == "flows" or (parts[0] == "tasks" and path.name == "task.py")
    assert allowed or not any(name.split(".")[0].startswith("prefect") for name in imported(path))


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_only_the_warehouse_opens_duckdb(path: Path) -> None:
    assert path.relative_to(ROOT).parts[0] == "warehouse" or "duckdb" not in imported(path)


# Programs of ours and tools that read text; none of them runs what a model wrote.
TRUSTED_STARTS = {
    "corpora/firmware/layout.py",  # clang-format, on references
    "corpora/firmware/worker.py",  # runs within the sandbox only, and forks there
    "corpora/registers/c_items.py",  # gcc and QEMU, on C that our own templates wrote
    "tasks/compute/environment.py",  # git rev-parse
    "tasks/compute/pool.py",
    "tasks/compute/reaper.py",  # itself
    "tasks/grading/codebleu_package.py",  # the codebleu package, on text
    "tasks/inference/local.py",  # llama.cpp on loopback
    "tasks/mining/clang.py",  # libclang, on text
    "tasks/sources/download.py",  # pip and npm, fetching
    "tasks/sources/git.py",
}


def starts_processes(path: Path) -> bool:
    return bool({"subprocess", "multiprocessing", "pty"} & {name.split(".")[0] for name in imported(path)}) or bool(
        re.search(r"os\.(system|exec\w*|spawn\w*|posix_spawn|popen|fork)\(", path.read_text())
    )


@pytest.mark.parametrize("path", [path for path in MODULES if starts_processes(path)], ids=relative)
def test_only_the_sandbox_runs_untrusted_code(path: Path) -> None:
    """A module that starts a process is in the sandbox, or starts a program named here as one of ours."""
    name = relative(path)
    assert name.startswith("tasks/sandbox/") or name in TRUSTED_STARTS, f"{name} starts a process"


def test_every_trusted_start_still_starts_something() -> None:
    starting = {relative(path) for path in MODULES if starts_processes(path)}
    assert starting >= TRUSTED_STARTS


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_stays_under_400_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "__init__.py"], ids=relative)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


def tracked() -> list[str]:
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("this tree is no git checkout, so tracked files cannot be listed")
    return done.stdout.split("\n")[:-1]


def test_the_top_level_is_what_the_design_lists() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP


def test_no_file_names_a_package_host_or_a_path_of_one_machine() -> None:
    """Registries are configured where the project is installed, not in it."""
    hosts = re.compile(
        "|".join(
            (
                *(
                    r"py" + r"pi\.org",
                    r"python" + r"hosted\.org",
                    r"npm" + r"js\.(org|com)",
                    r"deb" + r"ian\.(org|com)",
                ),
                *("/wo" + "rk/", "/fa" + "rm/"),
            )
        )
    )
    for name in tracked():
        path = ROOT / name
        if path.is_file():
            found = hosts.search(path.read_bytes().decode(errors="replace"))
            assert not found, f"{name} names {found.group()}"


@pytest.mark.parametrize("folder", [ROOT / "corpora" / "code"], ids=lambda folder: folder.name)
def test_a_track_is_its_four_files(folder: Path) -> None:
    assert {"schema.py", "build.py", "prompt.py", "grade.py"} <= {path.name for path in folder.iterdir()}
