"""The DuckDB file: views only, rebuilt when what it stands on changes, read while others write, errors that help."""

import subprocess
import sys
import threading
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.warehouse import synthetic
from warehouse import database
from warehouse.database import VIEWS, connect, query, rebuild
from warehouse.errors import WarehouseError
from warehouse.reader import read
from warehouse.schema import SCHEMAS
from warehouse.writer import INCOMING, write_batch

ROOT = Path(__file__).parents[2]
NAMES = [view.name for view in VIEWS]
GENERATION = {"generation_id": "g", "track": "code", "sample_id": "code:1", "model": "m", "config": "full",
              "scenario": "generation", "attempt": 1}  # fmt: skip
EVALUATION = {"evaluation_id": "e", "generation_id": "g", "grader_version": "1", "status": "pass", "score": 1.0}
CHECK = {"evaluation_id": "e", "layer": "static", "check": "parses", "status": "pass"}
T0 = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return database.Layout(tmp_path_factory.mktemp("empty"))


def rows(layout, sql):
    return query(layout, sql).to_pylist()


@pytest.mark.parametrize("name", [*SCHEMAS, *NAMES])
def test_every_table_and_view_of_an_empty_warehouse_has_no_rows(name, empty):
    answer = query(empty, f"FROM {name}")
    assert answer.num_rows == 0
    if name in SCHEMAS:
        assert answer.schema.names == [*SCHEMAS[name].names, "batch"]
        assert [answer.schema.field(field.name).type for field in SCHEMAS[name]] == SCHEMAS[name].types


def test_every_view_and_column_says_what_it_is(empty):
    unsaid = "SELECT table_name, column_name FROM duckdb_columns() WHERE coalesce(comment, '') = '' AND NOT internal"
    assert rows(empty, f"{unsaid} AND table_name <> 'about'") == []
    assert rows(empty, "SELECT view_name FROM duckdb_views() WHERE coalesce(comment, '') = '' AND NOT internal") == []
    assert rows(empty, "SELECT table_name FROM duckdb_tables()") == []


def test_the_words_are_about_the_tables_and_columns_there_are():
    words = tomllib.loads((ROOT / "warehouse" / "columns.toml").read_text())
    assert {name: set(text) - {"about"} for name, text in words.items()} == {
        name: set(schema.names) for name, schema in SCHEMAS.items()
    }


def test_rows_landed_after_the_rebuild_are_seen(layout):
    rebuild(layout)
    write_batch(layout, "grading", "1", {"evaluations": [EVALUATION], "checks": [CHECK]})
    assert rows(layout, "SELECT status, batch FROM checks") == [{"status": "pass", "batch": "grading/1"}]


def test_numbers_come_back_as_integers_and_floats(landed):
    layout, _ = landed
    for name in NAMES:
        for field in query(layout, f"FROM {name} LIMIT 0").schema:
            assert not pa.types.is_decimal(field.type), (name, field)
            if field.name.startswith("n_") or field.name.endswith("_attempts"):
                assert field.type == pa.int64(), (name, field)


def test_of_a_retried_generation_the_newest_good_row_stays(layout):
    write_batch(layout, "inference", "1", {"generations": [
        {**GENERATION, "error_kind": "timeout", "created_at": T0 + timedelta(hours=3)},
        {**GENERATION, "generation_id": "only-errors", "error_kind": "timeout", "error": "old", "created_at": T0},
        {**GENERATION, "generation_id": "empty", "error_kind": "empty_reply", "created_at": T0},
    ]})  # fmt: skip
    write_batch(layout, "inference", "2", {"generations": [
        {**GENERATION, "reply": "older", "created_at": T0},
        {**GENERATION, "generation_id": "only-errors", "error_kind": "timeout", "error": "new",
         "created_at": T0 + timedelta(hours=1)},
        {**GENERATION, "generation_id": "empty", "error_kind": "timeout", "created_at": T0 + timedelta(hours=1)},
    ]})  # fmt: skip
    write_batch(
        layout, "inference", "0", {"generations": [{**GENERATION, "reply": "newer", "created_at": T0 + timedelta(1)}]}
    )
    found = rows(layout, "SELECT generation_id, reply, error_kind, error FROM generations ORDER BY ALL")
    assert found == [
        {"generation_id": "empty", "reply": None, "error_kind": "empty_reply", "error": None},
        {"generation_id": "g", "reply": "newer", "error_kind": None, "error": None},
        {"generation_id": "only-errors", "reply": None, "error_kind": "timeout", "error": "new"},
    ]


def test_the_checks_of_a_superseded_verdict_go_with_it(layout):
    harness = {**CHECK, "layer": "harness", "check": "OSError", "status": "infra_error"}
    write_batch(layout, "grading", "z-first", {
        "evaluations": [{**EVALUATION, "status": "infra_error", "score": None, "created_at": T0 + timedelta(1)}],
        "checks": [harness, {**CHECK, "status": "infra_error"}],
    })  # fmt: skip
    write_batch(layout, "grading", "a-second", {"evaluations": [{**EVALUATION, "created_at": T0}], "checks": [CHECK]})
    assert rows(layout, "SELECT status FROM evaluations") == [{"status": "pass"}]
    assert rows(layout, "SELECT layer, status FROM checks") == [{"layer": "static", "status": "pass"}]


def test_a_release_of_yesterday_and_of_today_may_share_a_sample(layout):
    for release in ("code-1", "code-2"):
        shared = synthetic.corpus(synthetic.samples(3, release))
        write_batch(layout, "corpora", release, {name: shared[name] for name in ("samples", "context_items")})
    assert rows(layout, "SELECT release, count(*) AS n FROM samples GROUP BY ALL ORDER BY ALL") == [
        {"release": "code-1", "n": 3},
        {"release": "code-2", "n": 3},
    ]
    assert rows(layout, "SELECT count(*) AS n FROM context_items") == [{"n": 3}]


def test_a_changed_view_or_schema_rebuilds(layout, monkeypatch):
    assert "leaderboard" in NAMES
    before = rows(layout, "FROM about")[0]["digest"]
    assert rows(layout, "FROM about")[0]["digest"] == before
    monkeypatch.setattr(database, "VIEWS", VIEWS[:1])
    assert rows(layout, "FROM about")[0]["digest"] != before
    with pytest.raises(WarehouseError, match="leaderboard"):
        query(layout, "FROM leaderboard")


def test_a_moved_data_root_rebuilds(layout, tmp_path):
    write_batch(layout, "grading", "1", {"evaluations": [EVALUATION]})
    query(layout, "FROM evaluations")
    moved = database.Layout(tmp_path / "moved")
    layout.root.rename(moved.root)
    assert query(moved, "FROM evaluations").num_rows == 1


def test_a_file_that_is_no_database_is_named(layout):
    layout.root.mkdir(parents=True)
    query(layout, "FROM about")
    layout.database.write_bytes(b"not a database" * 100)
    with pytest.raises(
        WarehouseError, match=r"firmbench\.duckdb cannot be opened .* delete it: it holds views only\."
    ):
        query(layout, "FROM about")


def test_the_connection_is_read_only_and_reaches_no_network(empty):
    with connect(empty) as connection:
        with pytest.raises(duckdb.InvalidInputException):
            connection.execute("CREATE TABLE t (x INT)")
        assert connection.execute("SELECT current_setting('TimeZone')").fetchall() == [("UTC",)]
        assert connection.execute("SELECT current_setting('autoinstall_known_extensions')").fetchall() == [(False,)]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT * FROM leaderbord", r"Table with name leaderbord does not exist; there are projects, .*leaderboard"),
        ("SELECT scor FROM evaluations", r'"scor" not found .*; evaluations has evaluation_id, .*score'),
        ("SELECT e.scor FROM evaluations e", r"scor.*; evaluations has evaluation_id"),
        ("SELECT status FROM evaluations WHERE modle = 1", r"modle.*; evaluations has evaluation_id"),
        ("SELEC 1", r"syntax error at or near"),
        ("SELECT sum(status) FROM evaluations", r"No function matches"),
        ("SELECT CAST('a' AS INT)", r"Could not convert string"),
        ("", r"returns no rows"),
    ],
)  # fmt: skip
def test_a_wrong_query_is_one_sentence_with_the_names_there_are(empty, sql, message):
    with pytest.raises(WarehouseError, match=message) as error:
        query(empty, sql)
    assert "\n" not in str(error.value)
    assert str(error.value).endswith(".")
    assert "Error:" not in str(error.value)


def test_drift_is_refused_on_write_and_named_on_read(layout):
    write_batch(layout, "grading", "1", {"evaluations": [EVALUATION]})
    with pytest.raises(WarehouseError, match="'evaluations', column 'score', row 0"):
        write_batch(layout, "grading", "2", {"evaluations": [{**EVALUATION, "score": "high"}]})
    old = layout.batch("grading", "0")
    old.mkdir()
    drifted = pa.Table.from_pylist([{**EVALUATION, "evaluation_id": "old"}]).drop_columns(["score"])
    pq.write_table(drifted, old / "evaluations.parquet")
    assert rows(layout, "SELECT evaluation_id, score FROM evaluations ORDER BY 1") == [
        {"evaluation_id": "e", "score": 1.0},
        {"evaluation_id": "old", "score": None},
    ]


def test_readers_and_a_writer_never_disturb_each_other(layout):
    """Two readers ask through both doors while one writer adds and replaces batches and another rebuilds."""
    evaluations = [{**EVALUATION, "evaluation_id": f"e{number}"} for number in range(50)]
    write_batch(layout, "grading", "0", {"evaluations": evaluations, "checks": []})
    stop = threading.Event()
    errors, counts = [], {"ask": 0, "read": 0}

    def ask():
        while not stop.is_set():
            assert rows(layout, "SELECT count(*) AS n FROM evaluations")[0]["n"] >= 50
            counts["ask"] += 1

    def read_again():
        while not stop.is_set():
            assert read(layout, "evaluations", ["status"]).num_rows % 50 == 0
            counts["read"] += 1

    def guard(function):
        def run():
            try:
                function()
            except BaseException as error:
                errors.append(error)
                stop.set()

        return run

    threads = [threading.Thread(target=guard(function)) for function in (ask, read_again)]
    for thread in threads:
        thread.start()
    for number in range(20):
        write_batch(layout, "grading", str(number % 10), {"evaluations": evaluations, "checks": []}, replace=True)
        if number % 10 == 5:
            rebuild(layout)
    while min(counts.values()) < 3 and not errors:
        stop.wait(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert list((layout.warehouse / INCOMING).iterdir()) == []


def test_another_process_reads_while_this_one_holds_the_file_open(layout):
    write_batch(layout, "grading", "1", {"evaluations": [EVALUATION]})
    script = (
        "import sys; from pathlib import Path; from warehouse.layout import Layout\n"
        "from warehouse import database as d\n"
        "layout = Layout(Path(sys.argv[1])); d.rebuild(layout)\n"
        "print(d.query(layout, 'FROM evaluations').num_rows)"
    )
    with connect(layout) as connection:
        assert connection.execute("SELECT count(*) FROM evaluations").fetchall() == [(1,)]
        run = subprocess.run(
            [sys.executable, "-c", script, str(layout.root)], capture_output=True, text=True, cwd=ROOT
        )
        assert (run.stdout, run.stderr) == ("1\n", "")
        assert connection.execute("SELECT count(*) FROM evaluations").fetchall() == [(1,)]


def test_a_query_imports_nothing_heavy(empty):
    """Arrow imports pandas as soon as an array is made from Python values: only a rebuild may."""
    rebuild(empty)
    script = (
        "import sys; from pathlib import Path; from warehouse.layout import Layout\n"
        "from warehouse.database import query\n"
        "from warehouse.exports.tables import emit\n"
        "emit(query(Layout(Path(sys.argv[1])), 'SELECT 1 AS one'), 'csv')\n"
        "heavy = {'polars', 'altair', 'litellm', 'prefect', 'scipy', 'pandas', 'pyarrow.dataset', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script, str(empty.root)], capture_output=True, text=True, cwd=ROOT)
    assert (run.stdout, run.stderr) == ("one\n1\n[]\n", "")
