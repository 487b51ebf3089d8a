"""Context end to end on a small project of our own: what is found, by whom, and that nothing gives a target away."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tasks.contract import CONTEXT_KINDS, serial_map
from tasks.mining import context
from tasks.mining.context import ContextOptions, FunctionContext, extract, summarise
from tasks.mining.leaks import leaks
from tasks.mining.mine import mine_project
from tasks.sources.folder import DirTree
from tasks.sources.model import Source
from warehouse.layout import Layout

FW = Path(__file__).parent / "data_context" / "fw"


def mined(data: Path):
    source = Source(project_id="fw", kind="dir", address=str(FW))
    return mine_project(source, DirTree.open("fw", FW), Layout(data))


@pytest.fixture(scope="module")
def fw(tmp_path_factory):
    """The mined project, its rows, and their contexts by (path, name, which of that name)."""
    data = tmp_path_factory.mktemp("fw")
    project = mined(data)
    rows = pq.read_table(project.functions).to_pylist()
    contexts = list(extract(project, rows, serial_map, layout=Layout(data)))
    return data, project, rows, contexts


def of(fw, path: str, name: str, number: int = 0) -> FunctionContext:
    _, _, rows, contexts = fw
    return [c for r, c in zip(rows, contexts, strict=True) if r["path"] == path and r["name"] == name][number]


def names(found: FunctionContext, kind: str) -> dict[str, str]:
    return {item.name: item.found_by for item in found.items if item.kind == kind}


def item(found: FunctionContext, kind: str, name: str):
    return next(i for i in found.items if i.kind == kind and i.name == name)


def test_order_and_ranks(fw):
    _, _, rows, contexts = fw
    assert [c.function_id for c in contexts] == [r["function_id"] for r in rows]
    for found in contexts:
        for kind in CONTEXT_KINDS:
            ranks = [i.rank for i in found.items if i.kind == kind]
            assert ranks == list(range(len(ranks)))
        assert [CONTEXT_KINDS.index(i.kind) for i in found.items] == sorted(
            CONTEXT_KINDS.index(i.kind) for i in found.items
        )


def test_c_function_has_what_it_refers_to_and_no_more(fw):
    found = of(fw, "drivers/led.c", "led_refresh")
    assert names(found, "calls") == {"led_write_pin": "both"}
    assert names(found, "globals") == {"led_ticks": "both"}
    assert names(found, "types") == {"led_t": "both", "led_mode": "both", "LED_MAX": "both", "BOARD_TRACE": "both"}
    assert item(found, "types", "led_t").text.startswith("typedef struct led {")
    assert "LED_BLINK" in item(found, "types", "led_mode").text


def test_a_macro_is_the_item_not_what_it_expands_to(fw):
    assert "trace_printf" not in names(of(fw, "drivers/led.c", "led_refresh"), "calls")


def test_static_names_of_other_files_are_out_of_sight(fw):
    found = of(fw, "drivers/other.c", "other_level")
    assert item(found, "calls", "clamp_level").path == "drivers/other.c"
    assert item(of(fw, "drivers/led.c", "led_set"), "calls", "clamp_level").path == "drivers/led.c"
    inner = of(fw, "drivers/other.c", "clamp_level")
    assert item(inner, "globals", "led_ticks").text == "static unsigned led_ticks = 7;\n"


def test_comment_comes_with_a_called_function(fw):
    text = item(of(fw, "app/sensor.cpp", "setup", 1), "calls", "led_set").text
    assert text.startswith("/* Sets the level of a lamp, in percent.\n")
    assert text.endswith("led_status_t led_set(led_t *led, uint8_t percent);\n")


def test_short_functions_are_shown_whole(fw):
    text = item(of(fw, "drivers/led.c", "led_set"), "calls", "clamp_level").text
    assert text.startswith("/* Keeps a level in range. */\nstatic uint8_t clamp_level(uint32_t level) {\n    return")


def test_code_that_no_build_sees_is_found_by_the_index_alone(fw):
    slow = of(fw, "drivers/led.c", "led_set", 0)
    assert slow.counts["clang.hidden"] == 1
    assert names(slow, "calls") == {"clamp_level": "index", "led_refresh": "index"}
    assert slow.counts["calls.index.conditional"] == 2
    usual = of(fw, "drivers/led.c", "led_set", 1)
    assert "clang.hidden" not in usual.counts
    assert names(usual, "calls") == {"clamp_level": "both", "led_refresh": "both"}


def test_the_compile_database_is_used(fw):
    """`led_dump` stands below BOARD_DEBUG, which only compile_commands.json defines."""
    assert names(of(fw, "drivers/led.c", "led_dump"), "calls") == {"trace_printf": "both"}


def test_missing_headers_are_counted_and_the_c_library_is_not(fw):
    assert of(fw, "drivers/led.c", "led_depth").counts["clang.missing_headers"] == 1


def test_recursion_is_no_context(fw):
    found = of(fw, "drivers/led.c", "led_depth")
    assert names(found, "calls") == {}
    assert found.counts["self"] == 1


def test_locals_parameters_and_function_pointers_on_them_are_no_globals(fw):
    found = of(fw, "drivers/led.c", "led_on_done")
    assert names(found, "globals") == {}
    assert names(found, "calls") == {"led_refresh": "both"}
    assert names(found, "types") == {"led_t": "both", "led_done_t": "both", "LED_FLASH_MS": "both"}


def test_a_nameless_enum_goes_by_its_enumerator(fw):
    """libclang names it after the folder of the tree, which must not get into an item."""
    shown = item(of(fw, "drivers/led.c", "led_on_done"), "types", "LED_FLASH_MS")
    assert shown.text == "enum { LED_FLASH_MS = 20, LED_PAUSE_MS = 30 };\n"
    _, _, _, contexts = fw
    assert not [i for c in contexts for i in c.items if "unnamed" in i.name or str(fw[0]) in i.name + i.text]


def test_methods_resolve_through_their_class(fw):
    found = of(fw, "app/sensor.cpp", "setup", 0)
    assert names(found, "calls") == {"read": "both", "log_line": "both", "mark_failed": "both", "convert_": "both"}
    assert item(found, "calls", "mark_failed").text == "/// Marks the component as broken.\nvoid mark_failed();\n"
    assert names(found, "globals") == {"TAG": "both", "REGISTER_VALUE": "both"}
    assert names(found, "types")["Sensor"] == "both"


def test_bare_members_are_the_class_not_globals(fw):
    found = of(fw, "app/sensor.cpp", "update")
    assert names(found, "globals") == {}
    assert names(found, "calls") == {"get": "both", "setup": "both"}
    assert names(found, "types") == {"Sensor": "both", "Component": "libclang", "Unit": "both"}
    assert item(found, "calls", "setup").path == "app/sensor.cpp"


def test_enclosing_class_is_shown_without_the_target(fw):
    _, _, rows, _ = fw
    found = of(fw, "app/sensor.hpp", "get")
    text = item(found, "types", "Sensor").text
    assert "float get(Unit unit) const { /* ... */ }" in text
    assert "void set_gain(float gain) { this->gain_ = gain; }" in text
    assert "ABSOLUTE_ZERO" not in text
    target = next(r for r in rows if r["name"] == "get")
    assert target["text"].partition("{")[2] not in text


def test_imports_are_the_files_and_its_own_headers(fw):
    found = [i for i in of(fw, "app/sensor.cpp", "update").items if i.kind == "imports"]
    assert [(i.path, i.start_line, i.text) for i in found] == [
        ("app/sensor.cpp", 1, '#include "sensor.hpp"\n'),
        ("app/sensor.hpp", 2, '#include <vector>\n#include "drivers/led.h"\n'),
    ]


def test_nothing_overlaps_or_repeats_a_target(fw):
    _, project, rows, contexts = fw
    checked = 0
    for row, found in zip(rows, contexts, strict=True):
        whole = project.tree.read(row["path"]).decode()
        assert whole[row["start_byte"] : row["end_byte"]] == row["text"]
        for one in found.items:
            checked += 1
            assert not leaks(one.text, row["text"]), (row["qualified_name"], one)
            assert row["text"] not in one.text
    assert checked > 150


def test_copies_of_the_target_are_taken_out(fw):
    """Under `#else`, in another file reformatted, and as a macro: each is gone, and what stands beside stays."""
    for number in (0, 1):
        found = of(fw, "drivers/led.c", "led_set", number)
        window = "".join(i.text for i in found.items if i.kind == "window")
        assert "memset(&led->blink" not in window
        assert "static uint8_t clamp_level" in window
        assert found.counts["leaks_elided"] >= 1
    copied = of(fw, "lib/copy.c", "led_copy")
    assert "memset" not in "".join(i.text for i in copied.items)
    assert copied.counts["leaks_elided"] >= 1


def test_summary_adds_up(fw):
    _, _, _, contexts = fw
    for row in summarise(contexts):
        assert row["only_index"] == row["macro"] + row["conditional"] + row["other"]
        shown = [i.found_by for c in contexts for i in c.items if i.kind == row["kind"]]
        assert row["both"] + row["only_index"] + row["only_libclang"] >= len(shown) > 0


def test_without_libclang_the_index_finds_nearly_everything(fw, tmp_path):
    _, project, rows, contexts = fw
    alone = list(extract(project, rows, serial_map, layout=Layout(tmp_path), options=ContextOptions(libclang=False)))
    assert {i.found_by for c in alone for i in c.items} == {"index", "text"}
    calls = [{i.name for i in c.items if i.kind == "calls"} for c in alone]
    assert calls == [{i.name for i in c.items if i.kind == "calls"} for c in contexts]


def test_a_second_extraction_runs_nothing(fw):
    data, project, rows, contexts = fw

    def refuse(function, items, label):
        raise AssertionError("asked to work")

    assert list(extract(project, rows, refuse, layout=Layout(data))) == contexts


def test_a_changed_option_is_made_anew(fw, tmp_path):
    data, project, rows, _ = fw
    asked = []

    def watch(function, items, label):
        asked.extend(items)
        return serial_map(function, items, label)

    wide = ContextOptions(window_lines=5, libclang=False)
    list(extract(project, rows[:2], watch, layout=Layout(data), options=wide))
    assert len(asked) == 1


def test_a_damaged_cache_entry_is_made_again(fw):
    data, project, rows, contexts = fw
    place = next(Path(data, "cache", "context").rglob(f"{rows[0]['function_id']}.json"))
    place.write_text(place.read_text()[:40])
    assert list(extract(project, rows[:1], serial_map, layout=Layout(data))) == contexts[:1]


def test_any_order_gives_each_function_its_own(fw, tmp_path):
    _, project, rows, contexts = fw
    back = list(extract(project, rows[::-1], serial_map, layout=Layout(tmp_path)))
    assert back[::-1] == contexts


DIGEST = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
from tasks.contract import serial_map
from tasks.ids import digest
from tasks.mining.context import extract
from tasks.mining.mine import mine_project
from tasks.sources.folder import DirTree
from tasks.sources.model import Source
from warehouse.layout import Layout
source = Source(project_id="fw", kind="dir", address=sys.argv[1])
project = mine_project(source, DirTree.open("fw", Path(sys.argv[1])), Layout(Path(sys.argv[2])))
rows = pq.read_table(project.functions).to_pylist()
found = extract(project, rows, serial_map, layout=Layout(Path(sys.argv[2])))
print(digest([[c.function_id, [i.model_dump() for i in c.items], c.counts] for c in found]))
"""


@pytest.mark.slow
def test_hash_seed_and_place_do_not_matter(tmp_path):
    digests = set()
    for seed in ("1", "77"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONPATH": str(context.Path(context.__file__).parents[2]),
        }
        ran = subprocess.run(
            [sys.executable, "-c", DIGEST, str(FW), str(tmp_path / seed)],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        digests.add(ran.stdout.strip())
    assert len(digests) == 1


@pytest.mark.slow
def test_workers_do_not_matter(fw, tmp_path, monkeypatch):
    _, project, rows, contexts = fw
    monkeypatch.setattr(context, "FILES_PER_ITEM", 1)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(extract(project, rows, lambda f, items, label: pool.map(f, items), layout=Layout(tmp_path)))
    assert found == contexts
