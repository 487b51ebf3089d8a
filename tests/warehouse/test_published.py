"""Published figures land cell by cell, the shipped ones are those of the folder, and views stand beside them."""

import os
from pathlib import Path

import pytest

from warehouse.database import query
from warehouse.errors import WarehouseError
from warehouse.importers.published import AREA, land, published, shipped
from warehouse.reader import read

FOLDER = Path(os.environ.get("FIRMBENCH_PUBLISHED", "../shared/published"))


def test_wide_long_and_labelled_tables(tmp_path):
    (tmp_path / "realembedbench_table10.csv").write_text("model,Full,NoCtx\nm-1,0.5,0.25\nm-2,,0.125\n")
    (tmp_path / "realembedbench_table5.csv").write_text(
        "task,size,statistic,value\ngen,10,mean LOC,56\ngen,10,calls,3\nall,,calls,4\n"
    )
    (tmp_path / "realembedbench_table11_12.csv").write_text(
        "table,error_pattern,frequency,sample_size\nXI,a,0.5,50\nXII,a,0.2,300\n"
    )
    (tmp_path / "closed_loop_figure2.csv").write_text("task,model,passes,modal_outcome\nt,m,3,PASS\n")
    cells = {(r["source"], r["table"], r["row"], r["column"]): (r["value"], r["text"]) for r in published(tmp_path)}
    assert cells == {
        ("realembedbench", "table5", "gen", "size"): (10.0, "10"),
        ("realembedbench", "table5", "gen", "mean LOC"): (56.0, "56"),
        ("realembedbench", "table5", "gen", "calls"): (3.0, "3"),
        ("realembedbench", "table5", "all", "calls"): (4.0, "4"),
        ("realembedbench", "table10", "m-1", "Full"): (0.5, "0.5"),
        ("realembedbench", "table10", "m-1", "NoCtx"): (0.25, "0.25"),
        ("realembedbench", "table10", "m-2", "NoCtx"): (0.125, "0.125"),
        ("realembedbench", "table11", "a", "frequency"): (0.5, "0.5"),
        ("realembedbench", "table11", "a", "sample_size"): (50.0, "50"),
        ("realembedbench", "table12", "a", "frequency"): (0.2, "0.2"),
        ("realembedbench", "table12", "a", "sample_size"): (300.0, "300"),
        ("closed_loop", "figure2", "t / m", "passes"): (3.0, "3"),
        ("closed_loop", "figure2", "t / m", "modal_outcome"): (None, "PASS"),
    }


def test_an_empty_folder_and_a_cell_given_twice_are_refused(tmp_path):
    with pytest.raises(WarehouseError, match="holds no published figures; known files are realembedbench_table5"):
        published(tmp_path)
    (tmp_path / "closed_loop_table4.csv").write_text("model,oracle_full\nm,1\nm,2\n")
    with pytest.raises(WarehouseError, match="closed_loop / table4 / m / oracle_full is given twice"):
        published(tmp_path)


def test_landing_again_replaces_the_figures(layout, tmp_path):
    (tmp_path / "closed_loop_table4.csv").write_text("model,oracle_full\nm,1\n")
    land(layout)
    land(layout, tmp_path)
    (tmp_path / "closed_loop_table4.csv").write_text("model,oracle_full\nm,2\n")
    land(layout, tmp_path)
    assert read(layout, "published", area=AREA).num_rows == len(shipped()) + 1
    assert query(layout, "SELECT value FROM published WHERE source = 'closed_loop'").to_pylist() == [{"value": 2.0}]


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the folder of published figures is not here (FIRMBENCH_PUBLISHED)")
def test_shipped_figures_are_those_of_the_folder():
    given = [
        row for row in published(FOLDER)
        if row["source"] == "realembedbench" and row["table"] in ("table5", "table8", "table10")
    ]  # fmt: skip
    assert shipped() == given


def test_shipped_figures_stand_beside_ours(landed):
    layout, _ = landed
    land(layout)
    statistics = query(layout, "FROM release_statistics WHERE category = 'generation'").to_pylist()[0]
    assert (statistics["paper_loc"], statistics["paper_calls"], statistics["paper_types"]) == (56.0, 4.93, 3.98)
    table = query(layout, "FROM published_vs_ours").to_pylist()
    printed = [row for row in table if row["published"] is not None]
    assert len(printed) == 6 * 2 + 6 * 7
    assert {row["model"] for row in table if row["n_scored"]} == {"hosted/large", "hosted/small", "local/tiny"}
