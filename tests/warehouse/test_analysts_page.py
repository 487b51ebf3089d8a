"""Every query of docs/analysts.md answers, its Python runs, and no reader blocks a writer."""

import os
import re
from pathlib import Path

import pytest

from tests.warehouse import foreign, synthetic
from warehouse.database import connect, query, rebuild
from warehouse.importers.closed_loop_index import closed_loop
from warehouse.writer import write_batch

PAGE = (Path(__file__).parents[2] / "docs" / "analysts.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
SCRIPTS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Return a layout named `data` with our made-up track and an import."""
    from warehouse.layout import Layout

    folder = tmp_path_factory.mktemp("analysts")
    layout = Layout(folder / "data")
    synthetic.land(layout)
    closed_loop(layout, foreign.index(folder / "index.csv"))
    rebuild(layout)
    return layout


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_of_the_page_answers_with_rows(both, sql):
    rows = query(both, sql).num_rows
    empty = "unexplained <> 0" in sql or "published IS NOT NULL" in sql  # no stage is off; print was not imported
    assert (rows == 0) == empty


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_of_the_page_runs(both, script, monkeypatch):
    if "pandas" in script or ".df()" in script:
        pytest.importorskip("pandas")
    monkeypatch.chdir(both.root.parent)
    monkeypatch.delenv("FIRMBENCH_DATA", raising=False)
    names: dict[str, object] = {}
    exec(script, names)
    assert all(len(names[name]) for name in ("frame", "table", "rows", "checks") if name in names)
    assert os.path.samefile(both.root, "data")


def test_a_reader_that_stays_open_blocks_no_writer(layout):
    synthetic.land(layout, 20)
    count = "SELECT count(*) FROM samples"
    with connect(layout) as reader:
        before = reader.execute(count).fetchone()
        more = [
            row
            for row in synthetic.samples(40)
            if row["sample_id"] not in {s["sample_id"] for s in synthetic.samples(20)}
        ]
        write_batch(layout, "corpora", "code-more", {"samples": more})
        rebuild(layout)
        assert reader.execute(count).fetchone() == (before[0] + 20,)  # new Parquet, through the old views
        assert query(layout, count).column(0).to_pylist() == [before[0] + 20]
    with connect(layout) as connection, pytest.raises(Exception, match="read-only"):
        connection.execute("CREATE TABLE t (x INTEGER)")
