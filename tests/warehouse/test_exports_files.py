"""Views as files, results as JUnit, a release as a data set folder: what is written is what the warehouse holds."""

import csv
import hashlib
import json
from collections import Counter
from xml.etree import ElementTree as ET

import pyarrow.parquet as pq
import pytest

from tests.warehouse import foreign, synthetic
from tests.warehouse.foreign import entry
from warehouse.database import query
from warehouse.errors import UsageError
from warehouse.exports.files import export_all, export_view, names
from warehouse.exports.huggingface import export_huggingface
from warehouse.exports.junit import NOT_XML, export_junit, junit
from warehouse.exports.report import write_report
from warehouse.importers.closed_loop_index import closed_loop
from warehouse.importers.embedeval_tracker import tracker
from warehouse.layout import Layout
from warehouse.writer import write_batch


def test_a_view_as_csv_parquet_and_json_lines(landed, tmp_path):
    layout, _ = landed
    rows = query(layout, "FROM leaderboard").to_pylist()
    told = list(csv.DictReader(export_view(layout, "leaderboard", tmp_path / "a" / "board.csv").open(newline="")))
    assert [row["model"] for row in told] == [row["model"] for row in rows]
    assert [float(row["pass_rate"]) for row in told] == [row["pass_rate"] for row in rows]
    assert pq.read_table(export_view(layout, "leaderboard", tmp_path / "board.parquet")).to_pylist() == rows
    lines = export_view(layout, "leaderboard", tmp_path / "board.jsonl").read_text().splitlines()
    assert [json.loads(line)["mean_score"] for line in lines] == [row["mean_score"] for row in rows]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "board.jsonl", "board.parquet"]


def test_a_nasty_reply_survives_csv(landed, tmp_path):
    layout, rows = landed
    told = list(csv.DictReader(export_view(layout, "generations", tmp_path / "g.csv").open(newline="")))
    assert Counter(row["reply"] for row in told) == Counter(row["reply"] or "" for row in rows["generations"])


def test_everything_that_has_rows_is_exported(landed, tmp_path):
    layout, _ = landed
    files = {path.stem: path for path in export_all(layout, tmp_path / "out")}
    assert {"samples", "results", "leaderboard", "context_ablation"} <= files.keys() <= set(names())
    assert "reviews" not in files
    assert pq.read_metadata(files["samples"]).num_rows == 60


def test_unknown_names_and_formats_are_refused(landed, tmp_path):
    layout, _ = landed
    with pytest.raises(UsageError, match="no table or view 'scores'; there are projects"):
        export_view(layout, "scores", tmp_path / "a.csv")
    with pytest.raises(UsageError, match=r"'a\.xlsx' is in no known format"):
        export_view(layout, "results", tmp_path / "a.xlsx")
    with pytest.raises(UsageError, match="no format 'xlsx'"):
        export_all(layout, tmp_path, "xlsx")
    assert list(tmp_path.iterdir()) == []


def test_the_report_is_of_our_newest_release_and_not_of_a_newer_import(layout, tmp_path):
    synthetic.land(layout, 20)
    later = entry("dma-001", True, tested_at="2030-01-01T00:00:00+00:00")
    landed = tracker(layout, foreign.tracker(tmp_path / "test_tracker.json", {"m": [later]}))
    assert synthetic.RELEASE in write_report(layout, tmp_path / "ours.html").read_text()
    assert landed.release in write_report(layout, tmp_path / "theirs.html", release=landed.release).read_text()


ELEMENT = {"pass": None, "fail": "failure", "timeout": "failure", "no_submission": "failure", "infra_error": "error",
           "not_run": "skipped"}  # fmt: skip


def test_junit_has_a_case_a_unit_and_counts_by_status(layout, tmp_path):
    synthetic.land(layout, 20, attempts=2)
    closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    root = ET.fromstring(export_junit(layout, tmp_path / "junit.xml").read_bytes())
    units = query(layout, "FROM results").to_pylist()
    assert (root.tag, int(root.get("tests"))) == ("testsuites", len(units))
    statuses = Counter(ELEMENT[unit["status"]] for unit in units)
    told = {"failure": "failures", "error": "errors", "skipped": "skipped"}
    assert {name: int(root.get(told[name])) for name in told} == {name: statuses[name] for name in told}
    assert min(statuses["failure"], statuses["error"]) > 0
    cases = {}
    for suite in root:
        of = {item.get("name"): item.get("value") for item in suite.find("properties")}
        inside = suite.findall("testcase")
        assert int(suite.get("tests")) == len(inside)
        assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
        for case in inside:
            cases[of["model"], of["config"], of["scenario"], case.get("name")] = [child.tag for child in case]
    assert len(cases) == len(units)
    for unit in units:
        key = (unit["model"], unit["config"], unit["scenario"], f"{unit['sample_id']}#{unit['attempt']}")
        assert cases[key] == list(filter(None, [ELEMENT[unit["status"]]]))


def test_junit_says_which_check_failed_and_picks_a_release_and_model(layout, tmp_path):
    synthetic.land(layout, 20)
    landed = closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    root = ET.fromstring(
        export_junit(layout, tmp_path / "j.xml", release=landed.release, model="gpt-5.4").read_bytes()
    )
    assert int(root.get("tests")) == len(foreign.RUNS)
    failures = {child.get("message") for child in root.iter("failure")}
    assert failures == {
        "fail: host_tests/stage", "fail: qemu_smoke/stage", "fail: integration/stage", "fail: edit_surface/stage",
        "no_submission: upstream/hidden_status",
    }  # fmt: skip
    assert {child.get("type") for child in root.iter("failure")} == {"fail", "no_submission"}
    assert all("never heard" in child.text or "record" in child.text for child in root.iter("error"))
    with pytest.raises(UsageError, match="no result of model 'nobody'"):
        export_junit(layout, tmp_path / "none.xml", model="nobody")


def test_junit_holds_whatever_a_reply_holds():
    unit = {"track": "t", "release": "r", "model": "<m> & \x1b[31m", "config": "c", "scenario": "s", "category": "k",
            "sample_id": "t:1", "attempt": 1, "status": "fail", "evaluation_id": "e", "failed_layer": None,
            "error_kind": None,
            "grading_s": None, "grader_version": "1", "toolchain_digest": None}  # fmt: skip
    nasty = "".join(map(chr, range(0x20))) + "]]> <script> \ufffe"
    check = {"evaluation_id": "e", "layer": "static", "check": "c", "status": "fail", "expected": None, "saw": nasty}
    root = ET.fromstring(junit([unit], [check]))
    failure = root.find("testsuite/testcase/failure")
    assert failure.text.startswith("static/c: fail; saw ")
    assert not NOT_XML.search(failure.text)
    assert "]]> <script>" in failure.text


@pytest.fixture
def secret(layout):
    """Return a layout whose release has 60 samples, every third of them private."""
    rows = synthetic.corpus(synthetic.samples(60))
    for number, row in enumerate(rows["samples"]):
        row["visibility"] = "private" if number % 3 == 0 else "public"
    write_batch(layout, "corpora", synthetic.RELEASE, rows)
    return layout, rows


def test_a_data_set_folder_holds_the_public_samples_alone(secret, tmp_path):
    layout, rows = secret
    out = export_huggingface(layout, synthetic.RELEASE, tmp_path / "set", name="made up: one")
    public = {row["sample_id"] for row in rows["samples"] if row["visibility"] == "public"}
    private = {row["sample_id"] for row in rows["samples"]} - public
    samples = pq.read_table(out / "data" / "samples.parquet")
    items = pq.read_table(out / "data" / "context_items.parquet")
    assert samples["sample_id"].to_pylist() == sorted(public)
    assert set(items["sample_id"].to_pylist()) == public
    written = b"".join(path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file())
    assert not any(sample.encode() in written for sample in private)
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()) == [
        "README.md", "croissant.json", "data/context_items.parquet", "data/samples.parquet"
    ]  # fmt: skip
    assert [path.name for path in tmp_path.iterdir() if path.name != "data"] == ["set"]


def test_its_card_and_its_description_say_what_is_in_it(secret, tmp_path):
    layout, _ = secret
    out = export_huggingface(layout, synthetic.RELEASE, tmp_path / "set", name='made up: "one"')
    _, front, card = (out / "README.md").read_text().split("---\n", 2)
    yaml = pytest.importorskip("yaml")
    head = yaml.safe_load(front)
    assert head["pretty_name"] == 'made up: "one"'
    assert (head["license"], head["size_categories"]) == ("apache-2.0", ["n<1K"])
    assert [config["config_name"] for config in head["configs"]] == ["samples", "context_items"]
    assert [config.get("default") for config in head["configs"]] == [True, None]
    for config in head["configs"]:
        assert (out / config["data_files"][0]["path"]).is_file()
    assert "| samples | 40 |" in card
    assert "| held back as private | 20 |" in card
    assert "\n\n\n" not in card
    described = json.loads((out / "croissant.json").read_text())
    for file in described["distribution"]:
        data = (out / file["contentUrl"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        assert file["contentSize"] == f"{len(data)} B"
    columns = {field["source"]["extract"]["column"] for field in described["recordSet"][0]["field"]}
    assert columns == set(pq.read_schema(out / "data" / "samples.parquet").names) - {"mutants"}


def test_an_export_replaces_an_export_and_nothing_else(secret, tmp_path):
    layout, _ = secret
    out = export_huggingface(layout, synthetic.RELEASE, tmp_path / "set")
    before = {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    export_huggingface(layout, synthetic.RELEASE, out)
    assert {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x")
    with pytest.raises(UsageError, match="holds something else than an exported data set"):
        export_huggingface(layout, synthetic.RELEASE, tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "x"


def test_what_is_not_ours_or_not_there_is_not_exported(secret, tmp_path):
    layout, rows = secret
    landed = closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    with pytest.raises(UsageError, match="was imported: its questions are their authors'"):
        export_huggingface(layout, landed.release, tmp_path / "set")
    for name in ("code-ffffffffffff", "*"):
        with pytest.raises(UsageError, match="There is no release"):
            export_huggingface(layout, name, tmp_path / "set")
    other = Layout(tmp_path / "other")
    hidden = [{**row, "visibility": "private"} for row in rows["samples"]]
    write_batch(other, "corpora", synthetic.RELEASE, {"samples": hidden})
    with pytest.raises(UsageError, match="All 60 samples of code-0123456789ab are private"):
        export_huggingface(other, synthetic.RELEASE, tmp_path / "set")
    assert not (tmp_path / "set").exists()
