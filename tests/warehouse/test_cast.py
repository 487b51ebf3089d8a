"""Rows are refused, by table, column and row, or land exactly as they are."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from tasks.contract import Status
from warehouse.cast import cast
from warehouse.errors import WarehouseError
from warehouse.schema import SCHEMAS

CHECK = {"evaluation_id": "e", "layer": "static", "check": "parses", "status": "pass"}
STAGE = {"stage": "flags", "entered": 1, "kept": 1, "dropped": 0}
RUN = {"run_id": "r", "command": "c", "started_at": datetime(2026, 1, 1, tzinfo=UTC)}
SAMPLE = {"sample_id": "s", "track": "t", "release": "r", "category": "c", "cluster": "k", "reference": "x"}


def test_missing_columns_become_null_and_the_schema_is_the_declared_one():
    table = cast("checks", [CHECK])
    assert table.schema == SCHEMAS["checks"]
    assert table.to_pylist() == [{**CHECK, "expected": None, "saw": None, "score": None}]


def test_no_rows_is_an_empty_table_of_the_schema():
    for name, schema in SCHEMAS.items():
        assert cast(name, []).schema == schema


@pytest.mark.parametrize(
    ("table", "row", "column"),
    [
        ("checks", {**CHECK, "score": True}, "score"),
        ("checks", {**CHECK, "score": "0.5"}, "score"),
        ("checks", {**CHECK, "score": float("nan")}, "score"),
        ("checks", {**CHECK, "score": float("inf")}, "score"),
        ("checks", {**CHECK, "saw": {"a": 1}}, "saw"),
        ("checks", {**CHECK, "saw": b"bytes"}, "saw"),
        ("stages", {**STAGE, "kept": 1.5}, "kept"),
        ("stages", {**STAGE, "kept": 1.0}, "kept"),
        ("stages", {**STAGE, "kept": True}, "kept"),
        ("stages", {**STAGE, "kept": 2**70}, "kept"),
        ("runs", {**RUN, "models": "one"}, "models"),
        ("runs", {**RUN, "models": ["one", 2]}, "models"),
        ("runs", {**RUN, "started_at": "2026-01-01"}, "started_at"),
        ("runs", {**RUN, "started_at": datetime(2026, 1, 1)}, "started_at"),
        ("samples", {**SAMPLE, "mutants": [{"name": "m", "wrong": "x"}]}, "mutants"),
        ("samples", {**SAMPLE, "mutants": [{"name": 3}]}, "mutants"),
    ],
)
def test_a_wrong_type_names_table_column_and_row(table, row, column):
    good = {"checks": CHECK, "stages": STAGE, "runs": RUN, "samples": SAMPLE}[table]
    with pytest.raises(WarehouseError, match=rf"Table '{table}', column '{column}', row 1: ") as error:
        cast(table, [good, row])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("row", [{**CHECK, "status": None}, {k: v for k, v in CHECK.items() if k != "status"}])
def test_a_null_in_a_required_column_is_refused(row):
    with pytest.raises(WarehouseError, match="'checks', column 'status' is null in row 2"):
        cast("checks", [CHECK, CHECK, row])


def test_an_unknown_column_is_refused_with_the_columns_there_are():
    with pytest.raises(WarehouseError, match="no column 'scores', row 1; its columns are evaluation_id, layer"):
        cast("checks", [CHECK, {**CHECK, "scores": 1.0}])


def test_an_unknown_table_is_refused_with_the_tables_there_are():
    with pytest.raises(WarehouseError, match="no table 'check'; the tables are projects, functions"):
        cast("check", [])


def test_enums_integers_for_floats_tuples_and_mutants_land():
    assert cast("checks", [{**CHECK, "status": Status.FAIL, "score": 1}]).to_pylist()[0]["status"] == "fail"
    assert cast("runs", [{**RUN, "models": ("a", "b")}]).to_pylist()[0]["models"] == ["a", "b"]
    mutants = [{"name": "m", "text": "t", "target": None}]
    assert cast("samples", [{**SAMPLE, "mutants": mutants}]).to_pylist()[0]["mutants"] == mutants


def test_a_lone_surrogate_becomes_the_replacement_character_and_nothing_else_changes():
    saw = "a\ud83d\ude00b\ud800c\x00é😀"
    assert cast("checks", [{**CHECK, "saw": saw}]).to_pylist()[0]["saw"] == "a😀b\ufffdc\x00é😀"


def test_arrow_tables_are_held_to_the_same_rules():
    rows = [CHECK, {**CHECK, "score": 0.5}]
    good = cast("checks", rows)
    assert cast("checks", good).equals(good)
    narrow = pa.table({**{k: [v] for k, v in CHECK.items()}, "score": pa.array([0.5], pa.float32())})
    assert cast("checks", narrow)["score"].to_pylist() == [0.5]
    assert cast("checks", narrow).schema == SCHEMAS["checks"]
    texts = pa.table({**{k: [v] for k, v in CHECK.items()}, "score": ["0.5"]})
    with pytest.raises(WarehouseError, match="'score' holds double, but the Arrow table given has string"):
        cast("checks", texts)
    with pytest.raises(WarehouseError, match="no column 'extra'"):
        cast("checks", good.append_column("extra", pa.array([1, 2])))
    holes = pa.table({**{k: [v, v] for k, v in CHECK.items()}, "status": ["pass", None]})
    with pytest.raises(WarehouseError, match="'status' is null in row 1"):
        cast("checks", holes)
    with pytest.raises(WarehouseError, match="'status' is null in row 0"):
        cast("checks", good.drop_columns(["status"]))
    odd = pa.table({**{k: [v, v] for k, v in CHECK.items()}, "score": [0.5, float("nan")]})
    with pytest.raises(WarehouseError, match="'score', row 1: nan"):
        cast("checks", odd)
