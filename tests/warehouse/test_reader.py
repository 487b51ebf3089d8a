"""Reading: the declared schema always, narrowed by column, area, batch and filter; drift is refused."""

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from warehouse.errors import WarehouseError
from warehouse.reader import files, read
from warehouse.schema import SCHEMAS
from warehouse.writer import INCOMING, write_batch


def stages(*entered):
    return {"stages": [{"stage": "s", "entered": number, "kept": 0, "dropped": number} for number in entered]}


def plant(layout, name, table):
    path = layout.batch("old", name)
    path.mkdir(parents=True)
    pq.write_table(table, path / "stages.parquet")


def test_a_table_without_files_is_empty_with_its_schema(layout):
    for name, schema in SCHEMAS.items():
        assert read(layout, name).schema == schema
    assert read(layout, "stages", ["kept", "stage"]).schema.names == ["kept", "stage"]


def test_columns_area_batch_and_filter(layout):
    write_batch(layout, "a", "2", stages(20, 21))
    write_batch(layout, "a", "1", stages(10))
    write_batch(layout, "b", "1", stages(30))
    assert read(layout, "stages")["entered"].to_pylist() == [10, 20, 21, 30]
    assert read(layout, "stages").schema == SCHEMAS["stages"]
    assert read(layout, "stages", area="a")["entered"].to_pylist() == [10, 20, 21]
    assert read(layout, "stages", area="a", batch="1")["entered"].to_pylist() == [10]
    assert read(layout, "stages", batch="1")["entered"].to_pylist() == [10, 30]
    some = read(layout, "stages", ["dropped"], filter=pc.field("entered") > 20)
    assert some.to_pydict() == {"dropped": [21, 30]}


def test_an_unknown_column_or_table_is_named(layout):
    with pytest.raises(WarehouseError, match="no column 'x'; its columns are release, position"):
        read(layout, "stages", ["x"])
    with pytest.raises(WarehouseError, match="no table 'x'"):
        read(layout, "x")


def test_order_is_that_of_files_and_rows_whatever_the_threads(layout):
    for number in range(60):
        write_batch(layout, "a", f"{number:03}", stages(*range(number * 10, number * 10 + 10)))
    assert read(layout, "stages", ["entered"])["entered"].to_pylist() == list(range(600))


def test_files_from_before_a_column_was_added_read_as_null(layout):
    whole = pa.Table.from_pylist(stages(5)["stages"])
    plant(layout, "before", whole)
    write_batch(layout, "z", "after", {"stages": [{**stages(6)["stages"][0], "release": "r"}]})
    assert read(layout, "stages", ["release", "entered"]).to_pylist() == [
        {"release": None, "entered": 5},
        {"release": "r", "entered": 6},
    ]


def test_files_with_another_type_are_refused(layout):
    plant(layout, "drifted", pa.Table.from_pylist([{"stage": "s", "entered": "five", "kept": 0, "dropped": 0}]))
    with pytest.raises(WarehouseError, match="Table 'stages' cannot be read"):
        read(layout, "stages")


def test_a_required_column_without_values_is_refused(layout):
    plant(layout, "holes", pa.Table.from_pylist([{"stage": "s", "entered": 1, "kept": 0}]))
    with pytest.raises(WarehouseError, match="Table 'stages' cannot be read"):
        read(layout, "stages")


def test_what_is_still_being_written_is_not_seen(layout):
    hidden = layout.warehouse / INCOMING / "x" / "batch"
    hidden.mkdir(parents=True)
    (hidden / "stages.parquet").write_bytes(b"half")
    (layout.warehouse / INCOMING / "stages.parquet").write_bytes(b"half")
    assert files(layout, "stages") == []
