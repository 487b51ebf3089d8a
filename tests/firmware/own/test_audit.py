"""The auditor: its mutants are one edit each and the same anywhere, and each kind of bad check is told apart."""

import csv
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from corpora.firmware.audit import report
from corpora.firmware.audit.checks import HARNESS, Audited, audit
from corpora.firmware.audit.lines import line_mutants
from corpora.firmware.case import Case
from corpora.firmware.loader import OWN, read_case
from flows.cli import app
from tasks.sandbox import Sandbox
from tests.firmware.own.conftest import LAMP, METADATA, MakeOwn
from warehouse.errors import UsageError

PUBLIC = """\
from embedeval.models import CheckDetail


def check(name, passed):
    return CheckDetail(check_name=name, passed=passed, check_type="constraint")


def run_checks(code):
    return [
        check("reads_text", "lamp_set(1)" in code),
        check("reads_layout", "\\n{\\n\\tint ret" in code),
        check("never", True),
        check("always", False),
        check("needs_code", "lamp" in code),
    ]
"""


@pytest.fixture
def public(make_own: MakeOwn) -> Case:
    """A case of the public layout, whose checks are bad in all ways."""
    folder = make_own("lamp-20", {**dict.fromkeys([name for name in LAMP if name.startswith("checks/")])})
    (folder / "metadata.yaml").write_text(METADATA.format(id="lamp-20", execution="x").replace("execution: x\n", ""))
    (folder / "checks").mkdir()
    for name in ("static.py", "behavior.py"):
        (folder / "checks" / name).write_text(PUBLIC)
    return read_case(folder, folder.parent)


@pytest.fixture
def own(make_own: MakeOwn) -> Case:
    folder = make_own("lamp-21")
    return read_case(folder, folder.parent)


def by_name(items: list[Audited], layer: str) -> dict[str, Audited]:
    return {item.check: item for item in items if item.layer == layer}


def test_mutants_change_one_line_and_are_the_same_anywhere(own: Case) -> None:
    mutants = line_mutants(own, 100)
    assert mutants == line_mutants(own, 100)
    before = own.answer.splitlines()
    for mutant in mutants:
        after = mutant.text.splitlines()
        assert mutant.text != own.answer
        if mutant.kind == "a line deleted":
            assert after == before[: mutant.line - 1] + before[mutant.line :]
        else:
            assert [n for n, pair in enumerate(zip(before, after, strict=True), 1) if pair[0] != pair[1]] == [
                mutant.line
            ]
    assert {mutant.kind for mutant in mutants} == {"a line deleted", "an operator swapped", "a constant changed"}
    few = line_mutants(own, 3)
    assert len({mutant.kind for mutant in few}) == 3, "each kind in its turn"
    assert set(few) <= set(mutants)


def test_mutants_leave_comments_strings_and_includes_alone(make_own: MakeOwn) -> None:
    code = '#include <a1.h>\n// x = 1;\n/* y == 2; */\nint main(void)\n{\n\tputs("3 == 4;");\n\treturn 0;\n}\n'
    folder = make_own("lamp-22", {"reference/main.c": code, "checks/negatives.yaml": None})
    (folder / "checks" / "negatives.yaml").write_text(
        "".join(
            f"- {{name: b{n}, bug: x, edits: [{{find: return 0, replace: return {n}}}], must_fail: [period]}}\n"
            for n in (1, 2, 3)
        )
    )
    mutants = line_mutants(read_case(folder, folder.parent), 100)
    assert {mutant.line for mutant in mutants} == {6, 7}


@pytest.mark.parametrize("place", ["kconfig/kconfig-01", "device-tree/device-tree-01", "yocto/yocto-01"])
def test_mutants_of_configuration_languages(place: str) -> None:
    mutants = line_mutants(read_case(OWN / place, OWN), 12)
    assert len(mutants) == 12
    assert {"a line deleted", "a constant changed"} <= {mutant.kind for mutant in mutants}


def test_bad_checks_are_told_apart(public: Case, sandbox: Sandbox) -> None:
    items, together = audit([public], sandbox, most=10)
    found = by_name(items, "static")
    assert found["reads_text"].passes_reference
    assert found["reads_text"].survives_layout is False, "GNU style puts a space before the bracket"
    assert found["reads_text"].passes_hidden == found["reads_text"].hidden == 3
    assert found["reads_layout"].survives_layout is False
    assert found["never"].never_fires
    assert found["never"].fires_on_no_code
    assert found["always"].always_fires
    assert not found["always"].passes_reference
    assert found["needs_code"].fires_on_no_code
    assert not found["needs_code"].never_fires
    assert found["reads_text"].disagreements is None
    assert together[0].killed == together[0].killed_by_reading == together[0].lines, "what always fires kills all"


def test_good_checks_have_no_finding(own: Case, sandbox: Sandbox) -> None:
    items, together = audit([own], sandbox, most=12)
    assert {item.layer for item in items} == {"static", "compile", "runtime", "heuristic"}
    found = by_name(items, "runtime")
    assert found["lamp_is_on"].fired_on == ("lamp_off",)
    assert found["period"].killed > 0
    assert all(item.passes_reference and item.survives_layout and not item.passes_hidden for item in items)
    assert together[0].killed > together[0].killed_by_reading
    assert {kind: passed for kind, _, passed in together[0].passed} == {
        "layout": True, "hidden": False, "nothing": False,
    }  # fmt: skip
    assert report.summary(items)[0] == ["", "static", "runtime", "heuristic", "harness"]
    assert not {row[2] for row in report.findings(items)} & HARNESS
    assert len(report.survivors(together)) - 1 == together[0].lines - together[0].killed
    assert ["in #if 0", "fail", "0 of 1"] in report.texts(together)
    unchecked = by_name(items, "heuristic")["init_is_checked"]
    assert "unchecked" in (unchecked.disagreements or ()), "the run does not see it, only the tree does"


def test_rows_are_written_as_parquet_and_csv(own: Case, sandbox: Sandbox, tmp_path: Path) -> None:
    items, _ = audit([own], sandbox, most=2)
    report.write(items, tmp_path / "new" / "a.parquet")
    report.write(items, tmp_path / "a.csv")
    table = pq.read_table(tmp_path / "new" / "a.parquet")
    assert table.num_rows == len(items)
    assert table.schema.equals(report.SCHEMA)
    with (tmp_path / "a.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["check"] for row in rows] == [item.check for item in items]
    assert {row["fired_on"] for row in rows if row["check"] == "lamp_is_on"} == {"lamp_off"}
    with pytest.raises(UsageError, match=r"a\.txt"):
        report.write(items, tmp_path / "a.txt")


def test_the_command_prints_a_summary_and_the_findings(public: Case, tmp_path: Path) -> None:
    arguments = ["audit", "checks", "--cases", str(tmp_path), "--mutants", "3", "--out", str(tmp_path / "a.csv")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    for words in ("pass on the reference", "4 of 5", "fails the reference", "never fires", "10 checks written"):
        assert words in " ".join(result.output.split())
    wrong = CliRunner().invoke(app, ["audit", "checks", "--cases", str(tmp_path), "--case", "nothing"])
    assert wrong.exit_code != 0
