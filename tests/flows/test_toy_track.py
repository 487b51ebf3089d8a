"""A new track is a new folder with four files and one line in the registry; it runs through everything."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

spec = importlib.util.spec_from_file_location("toy", HERE / "toy.py")
assert spec
assert spec.loader
toy = importlib.util.module_from_spec(spec)
spec.loader.exec_module(toy)

Firmbench = Callable[..., subprocess.CompletedProcess]


@pytest.fixture(scope="module")
def firmbench(tmp_path_factory: pytest.TempPathFactory) -> Firmbench:
    """The command line with the toy track registered, on a data folder and a Prefect home of its own."""
    folder = tmp_path_factory.mktemp("toy")
    toy.write(folder)
    driver = folder / "driver.py"
    driver.write_text(toy.DRIVER)
    environment = os.environ | {
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "FIRMBENCH_DATA": str(folder / "data"),
        "PREFECT_HOME": str(folder / "prefect"),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, str(driver), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)

    run.data = folder / "data"  # type: ignore[attr-defined]
    built = run("corpus", "build", "toy", "--size", "12", "--workers", "1")
    assert built.returncode == 0, built.stderr
    return run


def rows(done: subprocess.CompletedProcess) -> list[dict]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.xdist_group("flows")
def test_a_toy_track_runs_through_build_run_grade_and_report(firmbench: Firmbench) -> None:
    ran = firmbench("run", "toy", "--model", "reference", "--model", "empty", "--model", "mutant", "--config", "all",
                    "--workers", "1")  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    board = rows(firmbench("sql", "select * from leaderboard order by model, config", "--format", "json"))
    seen = {(row["model"], row["config"]): row for row in board}
    assert set(seen) == {(model, config) for model in ("reference", "empty", "mutant") for config in ("full", "terse")}
    assert all(row["n_asked"] == row["n_measured"] == 11 for row in board)
    assert [seen[model, "full"]["pass_rate"] for model in ("reference", "empty", "mutant")] == [1, 0, 0]

    drops = rows(firmbench("sql", "select stage, item, reason from dropped", "--format", "json"))
    assert drops == [{"stage": "sums", "item": "7", "reason": "unlucky"}]

    again = firmbench("run", "toy", "--model", "reference", "--model", "empty", "--model", "mutant", "--config", "all")
    assert "66 answered already, 0 to ask" in again.stderr
    rebuilt = firmbench("corpus", "build", "toy", "--size", "12")
    assert "it was there already" in rebuilt.stderr

    page = firmbench("report", "--out", str(firmbench.data / "page.html"))  # type: ignore[attr-defined]
    assert page.returncode == 0, page.stderr
    assert "What is" in Path(page.stdout.strip()).read_text()
    sample = rows(firmbench("sql", "select sample_id from samples limit 1", "--format", "json"))[0]["sample_id"]
    assert sample in firmbench("show", sample).stdout


@pytest.mark.slow
@pytest.mark.xdist_group("flows")
@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("run", "nosuch", "--model", "reference"), 2, "There is no track 'nosuch'; the tracks are "),
        (("run", "toy", "--model", "nosuch"), 2, "There is no model 'nosuch'"),
        (("run", "toy", "--model", "empty", "--config", "nosuch"), 2, "no config nosuch; it has full, terse."),
        (("sql", "select nosuch from leaderboard"), 1, "nosuch"),
        (("show", "zzzz"), 2, "zzzz"),
    ],
)
def test_a_wrong_command_gets_one_sentence(
    firmbench: Firmbench, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    done = firmbench(*arguments)
    assert done.returncode == status
    said = [line for line in done.stderr.splitlines() if line.startswith("firmbench: ")]
    assert len(said) == 1
    assert sentence in said[0]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.xdist_group("flows")
@pytest.mark.parametrize("runner", ["processes", "dask"])
def test_another_runner_gives_the_same_release_and_verdicts(firmbench: Firmbench, runner: str) -> None:
    if runner == "dask" and importlib.util.find_spec("prefect_dask") is None:
        pytest.skip("prefect-dask is not installed: the `dask` extra brings it")
    data = firmbench.data.parent / runner  # type: ignore[attr-defined]
    built = firmbench(
        "corpus", "build", "toy", "--size", "12", "--data", str(data), "--runner", runner, "--workers", "1"
    )
    assert built.returncode == 0, built.stderr
    ran = firmbench("run", "toy", "--model", "reference", "--model", "mutant", "--data", str(data), "--runner", runner,
                    "--workers", "1")  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    sql = (
        "select release, model, n_pass, n_fail from leaderboard where config = 'full' and model <> 'empty' order by 2"
    )
    here = rows(firmbench("sql", sql, "--format", "json", "--data", str(data)))
    assert [(row["model"], row["n_pass"], row["n_fail"]) for row in here] == [("mutant", 0, 11), ("reference", 11, 0)]
    release = rows(firmbench("sql", "select any_value(release) as r from samples", "--format", "json"))[0]["r"]
    assert {row["release"] for row in here} == {release}


@pytest.mark.slow
@pytest.mark.xdist_group("flows")
def test_an_unknown_option_of_a_track_is_refused(firmbench: Firmbench) -> None:
    done = firmbench("corpus", "build", "toy", "--option", "colour=red")
    assert done.returncode == 2
    assert "toy has no option colour; it has none." in done.stderr
