"""Runs of the closed-loop benchmark: statuses stage by stage, one identity from any source, nothing counted twice."""

import json
from collections import Counter

import pytest

from tests.stats.published import FOLDER
from tests.warehouse import foreign, synthetic
from warehouse.database import query
from warehouse.errors import UsageError, WarehouseError
from warehouse.importers.closed_loop_index import closed_loop
from warehouse.importers.closed_loop_outcomes import OUTCOMES
from warehouse.importers.kinds import KINDS, import_from

STATUSES = {
    ("realistic_self_verify", 1): ("pass", None), ("realistic_self_verify", 2): ("fail", "host_tests"),
    ("realistic_self_verify", 3): ("fail", "qemu_smoke"), ("oracle_full", 1): ("fail", "integration"),
    ("oracle_full", 2): ("infra_error", None), ("ci_red_green", 1): ("no_submission", None),
    ("ci_red_green", 2): ("infra_error", None), ("oneshot_blind", 1): ("infra_error", None),
    ("oneshot_blind", 2): ("fail", "edit_surface"),
}  # fmt: skip


def unit(layout, sql, *key):
    where = f"scenario = '{key[0]}' AND attempt = {key[1]}"
    return query(layout, f"{sql} JOIN results AS r USING (evaluation_id) WHERE {where} ORDER BY ALL").to_pylist()


def test_every_run_is_read_as_what_it_says(layout, tmp_path):
    landed = closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    rows = query(layout, "SELECT scenario, attempt, status, failed_layer, score, measured FROM results").to_pylist()
    assert {(r["scenario"], r["attempt"]): (r["status"], r["failed_layer"]) for r in rows} == STATUSES
    scores = {"pass": 1.0, "infra_error": None}
    assert all(row["score"] == scores.get(row["status"], 0.0) for row in rows)
    assert all(row["measured"] == (row["status"] != "infra_error") for row in rows)
    assert landed.rows["generations"] == len(foreign.RUNS)
    assert [note.split(" ", 1)[0] for note in landed.notes] == ["1", "1", "1", "integrity,"]


def test_stages_before_the_one_that_stopped_passed_and_those_after_it_did_not_run(layout, tmp_path):
    closed_loop(layout, foreign.index(tmp_path / "index.csv"))

    def stages(*key):
        rows = unit(layout, "SELECT c.layer, c.status FROM checks AS c", *key)
        return {row["layer"]: row["status"] for row in rows if row["layer"] not in ("upstream", "harness")}

    rest = {"host_tests": "not_run", "build": "not_run", "flash_image": "not_run", "qemu_smoke": "not_run",
            "integration": "not_run"}  # fmt: skip
    assert set(stages("realistic_self_verify", 1).values()) == {"pass"}
    assert stages("realistic_self_verify", 2) == {**rest, "host_tests": "fail"}
    assert stages("realistic_self_verify", 3) == {"host_tests": "pass", "build": "pass", "flash_image": "pass",
                                                  "qemu_smoke": "fail", "integration": "not_run"}  # fmt: skip
    assert stages("oracle_full", 2)["integration"] == "infra_error"
    assert stages("ci_red_green", 1) == rest
    assert stages("oneshot_blind", 2) == {**rest, "edit_surface": "fail"}


def test_imports_are_marked_and_stand_beside_ours_without_touching_them(layout, tmp_path):
    synthetic.land(layout, 20)
    before = query(layout, "FROM leaderboard WHERE track = 'code'").to_pylist()
    landed = closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    assert landed.release.startswith("imported:closed_loop:")
    assert query(layout, "FROM leaderboard WHERE track = 'code'").to_pylist() == before
    foreign_rows = "SELECT DISTINCT track, release FROM results WHERE starts_with(track, 'imported:')"
    assert query(layout, foreign_rows).to_pylist() == [{"track": "imported:closed_loop", "release": landed.release}]


def test_the_same_source_again_changes_nothing_and_in_another_order_neither(layout, tmp_path):
    first = closed_loop(layout, foreign.index(tmp_path / "index.csv"))
    stamp = (first.batch / "generations.parquet").stat().st_mtime_ns
    again = closed_loop(layout, foreign.index(tmp_path / "again.csv"))
    turned = closed_loop(layout, foreign.index(tmp_path / "turned.csv", foreign.RUNS[::-1]))
    assert (first.new, again.new, turned.new) == (True, False, False)
    assert first.release == again.release == turned.release
    assert query(layout, "SELECT count(*) AS n FROM results").to_pylist() == [{"n": len(foreign.RUNS)}]
    assert (again.batch / "generations.parquet").stat().st_mtime_ns == stamp
    other = closed_loop(layout, foreign.index(tmp_path / "other.csv", foreign.RUNS[:-1]))
    assert other.release != first.release


@pytest.mark.parametrize("order", ["index first", "bundle first"])
def test_the_bundle_adds_to_the_index_and_counts_no_run_twice(layout, tmp_path, order):
    sources = [foreign.index(tmp_path / "index.csv"), foreign.bundle(tmp_path / "bundle")]
    landed = [closed_loop(layout, path) for path in (sources if order == "index first" else sources[::-1])]
    assert landed[0].release == landed[1].release
    count = "SELECT count(*) AS n FROM {}"
    assert [query(layout, count.format(view)).to_pylist()[0]["n"] for view in ("results", "imported_closed_loop")] == [
        9,
        9,
    ]
    reply = query(layout, "SELECT * FROM generations WHERE reply IS NOT NULL").to_pylist()
    assert len(reply) == 1
    assert (reply[0]["prompt_tokens"], reply[0]["cached_tokens"], reply[0]["completion_tokens"]) == (1107, 1000, 50)
    assert (reply[0]["reply"], reply[0]["finish_reason"]) == ("Done.", "stop")
    assert json.loads(reply[0]["messages"]) == [{"role": "user", "content": "Write the controller."}]
    turns = query(layout, "SELECT turn, role, tool, content, seconds_s FROM turns ORDER BY turn").to_pylist()
    assert [(t["role"], t["tool"], t["content"], t["seconds_s"]) for t in turns] == [
        ("user", None, "Write the controller.", 1.5), ("assistant", None, "Looking.", 1.0),
        ("assistant", "bash", '{"command": "ls"}', None), ("tool", "bash", "controller.c", 1.0),
        ("assistant", None, "Done.", 1.0),
    ]  # fmt: skip
    assert query(layout, "SELECT count(*) AS n FROM checks WHERE layer = 'upstream'").to_pylist() == [{"n": 9}]
    assert query(layout, "SELECT models, planned FROM runs").to_pylist() == [{"models": ["gpt-5.4"], "planned": 9}]


@pytest.mark.parametrize(("changes", "message"), [
    ({"hidden_status": "MAYBE"}, "run 1: the hidden status 'MAYBE' is not known"),
    ({"total_tokens": "many"}, "run 1: total_tokens is 'many' and no int"),
    ({"total_tokens": ""}, "run 1: total_tokens is '' and no int"),
    ({"repetition": "first"}, "the repetition 'first' is not rep0"),
])  # fmt: skip
def test_what_cannot_be_read_is_refused_by_name(layout, tmp_path, changes, message):
    with pytest.raises(WarehouseError, match=message):
        closed_loop(layout, foreign.index(tmp_path / "index.csv", [foreign.run(**changes)]))


def test_other_files_are_refused(layout, tmp_path):
    (tmp_path / "other.csv").write_text("model,score\na,1\n")
    with pytest.raises(WarehouseError, match="no run index: it has no column 'repetition'"):
        closed_loop(layout, tmp_path / "other.csv")
    with pytest.raises(WarehouseError, match=r"lists the run .* twice"):
        closed_loop(layout, foreign.index(tmp_path / "twice.csv", [foreign.run(), foreign.run()]))
    with pytest.raises(WarehouseError, match="holds no official_run_index"):
        closed_loop(layout, tmp_path)
    with pytest.raises(UsageError, match="There is no import of 'x'; there are closed-loop"):
        import_from(layout, "x", tmp_path)
    with pytest.raises(UsageError, match="is not there; closed-loop takes a run index"):
        import_from(layout, "closed-loop", tmp_path / "nowhere.csv")


def test_every_kind_names_a_function_that_exists(layout, tmp_path):
    landed = import_from(layout, "closed-loop", foreign.index(tmp_path / "index.csv"))
    assert [one.rows["samples"] for one in landed] == [1]
    for kind in KINDS.values():
        module = __import__(f"warehouse.importers.{kind.module}", fromlist=[kind.function])
        assert callable(getattr(module, kind.function))


@pytest.mark.skipif(not FOLDER.is_dir(), reason="shared/published is not beside the repository")
def test_the_published_outcomes(layout):
    """Counts of notes on the public run index: 180 passes, 42 integration failures of which one is infrastructure."""
    closed_loop(layout, FOLDER / "closed_loop_420_outcomes.csv")
    rows = query(layout, "SELECT hidden_status, status FROM imported_closed_loop").to_pylist()
    assert Counter(row["status"] for row in rows) == {"pass": 180, "fail": 165, "no_submission": 68, "infra_error": 7}
    told = Counter(row["hidden_status"] for row in rows)
    assert told == {"PASS": 180, "HOST_TEST_FAILED": 121, "NO_SUBMISSION": 69, "INTEGRATION_FAILED": 42,
                    "QEMU_SMOKE_FAILED": 3, "": 5}  # fmt: skip
    assert told.keys() <= OUTCOMES.keys()
