"""Accounts that add up, and the sentence when they do not."""

import pyarrow as pa
import pytest
from rich.console import Console

from tasks.contract import BaseSample, Companion, Counted, Dropped
from tasks.curation.ledger import Ledger
from warehouse.cast import cast
from warehouse.errors import CorpusError


class Question(BaseSample):
    track = "toy"


ONE = Question(category="sum", cluster="c", reference="1", stub="x")
TABLE = Companion("names", pa.table({"name": ["f"]}))


def drop(stage, reason, item="i"):
    return Dropped(stage=stage, item=item, reason=reason, detail="d", project_id="p")


def stream():
    yield Counted(stage="read", entered=5, kept=3)
    yield drop("read", "generated")
    yield ONE
    yield drop("read", "vendored")
    yield TABLE
    yield Counted(stage="sample", entered=3, kept=2)
    yield drop("sample", "over_quota")
    yield Counted(stage="read", entered=10, kept=9)
    yield drop("read", "generated")


def test_a_stream_is_sorted_and_counts_of_one_stage_add_up():
    ledger = Ledger(stream())
    assert ledger.samples == [ONE]
    assert ledger.companions == [TABLE]
    assert ledger.stages() == [
        {"position": 0, "stage": "read", "entered": 15, "kept": 12, "dropped": 3},
        {"position": 1, "stage": "sample", "entered": 3, "kept": 2, "dropped": 1},
    ]
    assert ledger.reasons()["read"] == {"generated": 2, "vendored": 1}
    cast("stages", ledger.stages())
    assert cast("dropped", ledger.dropped())["reason"].to_pylist() == [
        "generated",
        "vendored",
        "over_quota",
        "generated",
    ]


DROPS = [drop("read", "vendored"), drop("read", "test")]


@pytest.mark.parametrize(("entered", "kept"), [(3, 3), (4, 1), (1, -1)])
def test_a_stage_that_lost_count_is_named_with_its_numbers(entered, kept):
    ledger = Ledger([Counted(stage="read", entered=entered, kept=kept), *DROPS])
    numbers = rf"'read' lost count: {entered} entered, {kept} were kept and 2 dropped \(test 1, vendored 1\)"
    with pytest.raises(CorpusError, match=numbers):
        ledger.stages()


def test_a_stage_that_adds_up_passes():
    Ledger([*DROPS, Counted(stage="read", entered=5, kept=3)]).check()


def test_a_stage_without_drops_must_keep_everything():
    with pytest.raises(CorpusError, match=r"4 entered, 3 were kept and 0 dropped \(none\)"):
        Ledger([Counted(stage="gate", entered=4, kept=3)]).check()


def test_a_drop_of_a_stage_that_never_counted_is_named():
    with pytest.raises(CorpusError, match="'gate' dropped 1 items and never said how many entered"):
        Ledger([drop("gate", "stub_passes")]).check()


def test_two_companions_of_one_name_and_foreign_records_are_refused():
    with pytest.raises(CorpusError, match="two companion tables called 'names'"):
        Ledger([TABLE, TABLE])
    with pytest.raises(CorpusError, match="yielded a dict"):
        Ledger([{"stage": "read"}])


def test_the_printed_table_shows_each_stage_and_reason():
    console = Console(width=100)
    with console.capture() as capture:
        console.print(Ledger(stream()).table("Build"))
    lines = [line.split() for line in capture.get().splitlines()]
    assert ["│", "read", "│", "15", "│", "12", "│", "3", "│", "│"] in lines
    assert ["│", "│", "│", "│", "2", "│", "generated", "│"] in lines
