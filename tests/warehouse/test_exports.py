"""Intervals against slow definitions, the leaderboard and `show` on a terminal, the pages in docs/."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from tests.warehouse import synthetic
from warehouse.database import query
from warehouse.errors import UsageError
from warehouse.exports.intervals import mean_interval, rate_interval
from warehouse.exports.leaderboard import leaderboard, leaderboard_rows
from warehouse.exports.pages import tables_page, views_page
from warehouse.exports.show import show
from warehouse.exports.text import cell, printable
from warehouse.writer import write_batch

ROOT = Path(__file__).parents[2]


def printed(renderable, width=200):
    console = Console(file=io.StringIO(), width=width)
    console.print(renderable)
    return console.file.getvalue()


def test_the_interval_of_a_mean():
    assert mean_interval(0.5, 0.01, 10) == pytest.approx((0.5 - 0.02228139, 0.5 + 0.02228139))
    assert mean_interval(0.9, 0.1, 1) == pytest.approx((0.0, 1.0))
    assert mean_interval(-0.2, 0.1, 1, -1.0, 1.0) == pytest.approx((-1.0, 1.0), abs=0.08)
    assert mean_interval(0.5, None, None) is None
    assert mean_interval(None, None, None) is None
    assert mean_interval(1.0, 0.0, 19) is None


def test_the_interval_of_a_rate_is_wilsons_when_every_unit_is_its_own_cluster():
    n, passes = 2000, 600
    rate = passes / n
    se = (rate * (1 - rate) / n * n / (n - 1)) ** 0.5
    z = 1.959963984540054
    low, high = rate_interval(rate, n, se, n - 1, n)

    def off(bound):
        return abs(bound - rate) / (bound * (1 - bound) / n) ** 0.5  # the score test that Wilson inverts

    assert off(low) == pytest.approx(z, rel=2e-3)
    assert off(high) == pytest.approx(z, rel=2e-3)


def test_the_interval_of_a_rate_widens_with_clustering_and_at_the_ends_counts_clusters():
    assert rate_interval(0.5, 100, 0.05, 49, 50)[0] > rate_interval(0.5, 100, 0.10, 49, 50)[0] > 0
    low, high = rate_interval(1.0, 400, 0.0, 9, 10)
    assert high == 1.0
    assert 0.6 < low < 0.75
    assert rate_interval(0.0, 400, 0.0, 9, 10) == pytest.approx((0.0, 1 - low))
    assert rate_interval(0.5, 10, None, None, 1) is None
    assert rate_interval(None, 0, None, None, 0) is None


def test_the_leaderboard_prints_every_row_with_its_denominators(landed):
    layout, _ = landed
    text = printed(leaderboard(layout, release=synthetic.RELEASE))
    rows = leaderboard_rows(layout)
    assert len(rows) == 3 * 7 * 3
    for row in rows:
        line = next(
            line for line in text.splitlines()
            if all(f" {row[name]} " in line for name in ("category", "model", "config"))
        )  # fmt: skip
        assert f" of {row['n_measured']} " in line
        assert f"{row['mean_score']:.4f}" in line
    assert printed(leaderboard(layout, release="none")).count("\n") < 8


def test_show_takes_an_id_or_a_unique_beginning(landed):
    layout, rows = landed
    sample = rows["samples"][0]
    for name in (sample["sample_id"], sample["sample_id"].removeprefix("code:"), sample["sample_id"][:15]):
        text = printed(show(layout, name))
        assert sample["sample_id"] in text
        assert "21 replies" in text
        assert sample["reference"].splitlines()[0] in text
    generation = next(row for row in rows["generations"] if row["code"] and "HAL_Transmit" in row["code"])
    text = printed(show(layout, generation["generation_id"][:10]))
    for part in (generation["generation_id"], generation["model"], "Prompt: user", "Here is the function",
                 "+         HAL_Transmit(dev, &data[i], 1);", "-         dev->regs->data = data[i];",
                 "invented API: HAL_Transmit"):  # fmt: skip
        assert part in text


def test_show_says_what_is_near_or_ambiguous(landed, layout):
    known, rows = landed
    sample_id = rows["samples"][0]["sample_id"]
    with pytest.raises(UsageError, match=r"'code:' begins 60 ids, so name one with more letters: code:.*, …\."):
        show(known, "code:")
    with pytest.raises(UsageError, match=rf"is called '{sample_id}x'; the nearest are {sample_id}, "):
        show(known, sample_id + "x")
    with pytest.raises(UsageError, match="No sample or generation is called ''"):
        show(known, "")
    with pytest.raises(UsageError, match="the warehouse holds none yet"):
        show(layout, "abc")


def test_show_of_a_reply_that_was_neither_graded_nor_has_a_sample(layout):
    row = {"generation_id": "lonely", "track": "code", "sample_id": "code:gone", "model": "m", "config": "full",
           "scenario": "generation", "attempt": 1, "reply": "[red]x\x1b[31m\x07", "code": "x"}  # fmt: skip
    write_batch(layout, "inference", "1", {"generations": [row]})
    text = printed(show(layout, "lonely"))
    assert "Not graded yet" in text
    assert "its sample is not in the warehouse" in text
    assert "[red]x\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}" in text
    assert "\x1b" not in text


def test_cells():
    assert [cell(value) for value in (None, 0.5, 12345.678, 3, "a\x1bb", ["é"])] == [
        "", "0.5000", "12345.7", "3", "a\N{REPLACEMENT CHARACTER}b", '["é"]',
    ]  # fmt: skip
    assert printable("a\tb\nc\r\x9b") == "a\tb\nc\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"


def test_an_answer_as_csv_json_and_parquet(landed, tmp_path):
    import json

    import pyarrow.parquet as pq

    from warehouse.exports.tables import emit

    table = query(landed[0], "SELECT model, n_asked, mean_score FROM leaderboard ORDER BY ALL LIMIT 3")
    for kind in ("csv", "json", "parquet", "table"):
        emit(table, kind, tmp_path / kind)
    assert (tmp_path / "csv").read_text().splitlines()[0] == "model,n_asked,mean_score"
    assert [json.loads(line) for line in (tmp_path / "json").read_text().splitlines()] == table.to_pylist()
    assert pq.read_table(tmp_path / "parquet").equals(table)
    assert "hosted/large" in (tmp_path / "table").read_text()
    with pytest.raises(UsageError, match="formats are"):
        emit(table, "xml")


def test_a_row_too_wide_for_the_terminal_is_shown_a_value_a_line(landed, monkeypatch, capsys):
    from warehouse.exports.tables import emit

    table = query(landed[0], "FROM leaderboard ORDER BY ALL LIMIT 2")
    emit(table)
    wide = capsys.readouterr().out
    assert sum("pass_rate_se" in line and "min_attempts" in line for line in wide.splitlines()) == 1
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    emit(table)
    narrow = capsys.readouterr().out
    assert narrow.count("mean_score_se") == 2
    assert "…" not in narrow
    assert "2 rows" in narrow


def test_the_pages_in_docs_are_those_that_the_warehouse_makes():
    hint = "run `python -m warehouse.exports.pages docs`"
    assert (ROOT / "docs" / "tables.md").read_text(encoding="utf-8") == tables_page(), hint
    assert (ROOT / "docs" / "views.md").read_text(encoding="utf-8") == views_page(), hint
