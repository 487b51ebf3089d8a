"""Items with check blocks become samples, and only where their own formula agrees."""

import json
import os
from pathlib import Path

import pytest

import corpora
from corpora.registers import items_import
from corpora.registers.items_import import import_release, read, samples
from corpora.registers.schema import Sample
from tasks.contract import Bench, Counted, Dropped
from tasks.curation.gate import gate
from tests.registers import small
from warehouse.errors import CorpusError
from warehouse.layout import Layout

REAL = "FIRMBENCH_REGBENCH_ITEMS"


def made(path: Path) -> list[Sample]:
    return [one for one in samples(path) if isinstance(one, Sample)]


def test_items_become_gated_samples_of_a_release(tmp_path) -> None:
    path, layout = small.write(tmp_path), Layout(tmp_path / "data")
    found = import_release(layout, path)
    assert (found.items, found.verified, found.unchecked, found.dropped) == (9, 6, 3, ())
    assert str(found).startswith("verified 6 of 9 items (3 have no check block)\nevery formula agrees\nrelease ")
    again = import_release(layout, path)
    assert (again.release, again.verified, again.reused) == (found.release, 6, True)
    assert corpora.load("registers").Sample is Sample


def test_the_fields_of_an_item_are_kept(tmp_path) -> None:
    by_id = {one.provenance["item"]: one for one in made(small.write(tmp_path))}
    shift, frame, state = by_id["shift.base"], by_id["frame.renumber"], by_id["state.rename"]
    assert (shift.category, shift.cluster, shift.domain, shift.difficulty) == ("base", "shift", "demo", "easy")
    assert (shift.kind, shift.base, shift.expected, shift.reference) == ("integer", "hex", "0x48", "ANSWER: 0x48")
    assert shift.params == {"value": 0x12}
    assert (frame.kind, frame.unit, frame.tolerance, frame.reference) == ("quantity", "ms", 0.005, "ANSWER: 33.333 ms")
    assert state.choices == ("switched-on", "switched-off")
    assert state.aliases == {"switched-on": ("on", "switched_on")}
    assert "ANSWER: switched-off" in [mutant.text for mutant in state.mutants]


def test_every_imported_sample_passes_the_gate(tmp_path) -> None:
    kept, dropped = gate(corpora.load("registers"), made(small.write(tmp_path)), Bench())
    assert (len(kept), dropped) == (9, [])


@pytest.mark.parametrize(("radix", "base"), [(16, "hex"), (10, "dec"), (2, "bin"), (None, "hex")])
def test_the_radix_says_how_bare_digits_are_read(tmp_path, radix, base) -> None:
    row = {**small.items()[0], "radix": radix}
    assert made(small.write(tmp_path, [row]))[0].base == base


@pytest.mark.parametrize(
    ("question", "base"),
    [("What is in hexadecimal register A? Give the answer as a decimal integer.", "dec"),
     ("Give the answer as a 32-bit hexadecimal value.\n\n    int a = 1;", "hex"),
     ("Give the answer in binary.", "bin"), ("Which mode number is it?", "dec")],
)  # fmt: skip
def test_the_base_of_an_older_file_is_read_from_what_is_asked(tmp_path, question, base) -> None:
    assert made(small.write(tmp_path, [{**small.items()[0], "question": question}]))[0].base == base


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"target": "0x49"}, "computed 72 but the target is 73"),
        ({"check": {"expr": "value << nothing", "vars": {"value": 1}}}, "nothing is none of its inputs"),
        ({"check": {"expr": "__import__('os').getpid()", "vars": {}}}, "no function of the language"),
        ({"answer_type": "choice"}, "a choice cannot have a check block"),
        ({"target": "many"}, "is no integer"),
    ],
)
def test_an_item_whose_formula_disagrees_is_dropped_and_counted(tmp_path, change, told) -> None:
    rows = small.items()
    rows[0] |= change
    entries = list(samples(small.write(tmp_path, rows)))
    drops = [one for one in entries if isinstance(one, Dropped)]
    assert [(drop.item, drop.reason) for drop in drops] == [("shift.base", "check_disagrees")]
    assert told in drops[0].detail
    assert entries[-1] == Counted(stage="import", entered=9, kept=8)


def test_units_are_converted_before_a_formula_is_compared(tmp_path) -> None:
    """A prefix slip is the fault that check blocks are there for."""
    rows = small.items()
    assert items_import.disagreement(next(read(small.write(tmp_path, rows[3:4])))) is None
    rows[3]["check"] |= {"unit": "ms"}
    assert "computed 0.00555556 ms" in str(items_import.disagreement(next(read(small.write(tmp_path, rows[3:4])))))
    rows[3]["check"] |= {"unit": "V"}
    assert "V is no unit of ms" in str(items_import.disagreement(next(read(small.write(tmp_path, rows[3:4])))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not json\n", "Line 1 of items.jsonl is no item"),
        ('{"id": "a"}\n', "family: Field required"),
        (json.dumps({**small.items()[0], "variant": "other"}), "variant"),
        (json.dumps({**small.items()[0], "tolerance": 2}), "tolerance"),
        (2 * (json.dumps(small.items()[0]) + "\n"), "Line 2 of items.jsonl repeats the id shift.base"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_line(tmp_path, text, told) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(text)
    with pytest.raises(CorpusError, match=r"items\.jsonl") as raised:
        list(read(path))
    assert told in str(raised.value)


def test_a_file_that_is_not_there_or_changed_is_told(tmp_path) -> None:
    with pytest.raises(CorpusError, match=r"none\.jsonl cannot be read"):
        list(read(tmp_path / "none.jsonl"))
    with pytest.raises(CorpusError, match="changed while it was imported"):
        list(samples(small.write(tmp_path), sha256="0" * 64))


def test_a_changed_file_is_another_release(tmp_path) -> None:
    layout, rows = Layout(tmp_path / "data"), small.items()
    first = import_release(layout, small.write(tmp_path, rows))
    rows[0]["question"] += " Mind the width."
    second = import_release(layout, small.write(tmp_path, rows))
    assert first.release != second.release
    assert not second.reused


def test_the_real_file_verifies(tmp_path) -> None:
    """78 items, 69 of them with a check block, when this was written; whatever it holds, no formula may disagree."""
    if not (path := os.environ.get(REAL)):
        pytest.skip(f"regbench's items.jsonl is not part of this repository; name a copy in {REAL}")
    found = import_release(Layout(tmp_path / "data"), Path(path))
    print(found)
    assert found.items == found.verified + found.unchecked + len(found.dropped)
    assert found.verified > found.unchecked
    assert not found.dropped
