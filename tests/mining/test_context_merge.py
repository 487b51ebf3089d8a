"""Two extractors' findings made one, and how who found what is counted."""

from collections import Counter
from pathlib import Path

import pytest

from tasks.mining.clang import Reference
from tasks.mining.index import SymbolIndex
from tasks.mining.lookup import Found, Names
from tasks.mining.merge import merge, tally
from tasks.mining.mine import mine_project
from tasks.mining.uses import Use
from tasks.sources.folder import DirTree
from tasks.sources.model import Source
from warehouse.layout import Layout

HEADER = """\
#ifndef A_H
#define A_H
void stop(void);
void plain(void);
#ifdef WIDE
void wide(void);
#endif
#define LIMIT 3
typedef struct box { int x; } box_t;
#endif
"""
WHOLE = "typedef struct box { int x; } box_t;"
SOURCE = "void stop(void) { }\nclass Valve {\n public:\n  void stop();\n  void open();\n};\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> SymbolIndex:
    root: Path = tmp_path_factory.mktemp("merge")
    (root / "src").mkdir()
    (root / "src" / "a.h").write_text(HEADER)
    (root / "src" / "b.cpp").write_text(SOURCE)
    tree = DirTree.open("m", root / "src")
    project = mine_project(Source(project_id="m", kind="dir", address=str(root / "src")), tree, Layout(root / "data"))
    return SymbolIndex(project.symbols, project.functions, tree)


def found(index: SymbolIndex, name: str, path: str = "a.h", count: int = 1, conditional: bool = False) -> Found:
    entry = next(e for e in index.named(name) if e.path == path)
    return Found(Use("call", name, "", count, 5, conditional), entry)


def seen(kind: str, name: str, path: str, text: str, scope: str = "", count: int = 1) -> Reference:
    source = HEADER if path == "a.h" else SOURCE
    start = source.index(text)
    return Reference(
        kind, name, scope, path, start, start + len(text), source[:start].count("\n") + 1, None, 105, count
    )  # fmt: skip


def run(index, findings, references, failed=False):
    counts: Counter[str] = Counter()
    merged = merge(index, Names(tuple(findings), (), ()), references, failed, 100, counts)
    tally(merged, counts)
    return merged, counts


def test_the_same_thing_is_one_with_the_larger_count(index):
    (one,), counts = run(
        index, [found(index, "plain", count=2)], [seen("calls", "plain", "a.h", "void plain(void)", count=3)]
    )
    assert (one.found_by, one.count, one.first) == ("both", 3, 5)
    assert counts == {"calls.both": 1}


def test_a_declaration_and_its_definition_are_the_same(index):
    merged, counts = run(index, [found(index, "stop", "b.cpp")], [seen("calls", "stop", "a.h", "void stop(void)")])
    assert len(merged) == 1
    assert counts == {"calls.both": 1}


def test_where_they_disagree_libclang_is_kept_and_it_is_counted(index):
    merged, counts = run(index, [found(index, "stop")], [seen("calls", "stop", "b.cpp", "void stop();", "Valve")])
    assert [(one.scope, one.found_by) for one in merged] == [("Valve", "libclang")]
    assert counts == {"calls.libclang": 1, "disagree": 1, "calls.disagree": 1}


def test_index_only_is_counted_by_what_hid_it(index):
    findings = [
        found(index, "plain"),
        found(index, "wide"),
        found(index, "LIMIT"),
        found(index, "open", "b.cpp", conditional=True),
    ]
    _, counts = run(index, findings, [])
    assert {name: n for name, n in counts.items() if ".index" in name} == {
        "calls.index": 3, "calls.index.other": 1, "calls.index.conditional": 2, "types.index": 1,
        "types.index.macro": 1,
    }  # fmt: skip


def test_a_name_in_a_macro_s_arguments_is_hidden_by_the_macro(index):
    inside = Found(Use("call", "plain", "", 1, 5, False, frozenset({"LIMIT"})), index.named("plain")[0])
    _, counts = run(index, [found(index, "LIMIT"), inside], [seen("macro", "LIMIT", "a.h", "#define LIMIT 3")])
    assert counts == {"types.both": 1, "types.macro": 1, "calls.index": 1, "calls.index.macro": 1}


def test_a_function_that_libclang_does_not_see_is_behind_a_condition(index):
    assert run(index, [found(index, "plain")], None)[1] == {"calls.index": 1, "calls.index.conditional": 1}
    assert run(index, [found(index, "plain")], None, failed=True)[1] == {"calls.index": 1, "calls.index.other": 1}


def test_a_type_inside_another_item_counts_for_it(index):
    references = [
        seen("types", "box", "a.h", "struct box { int x; }", count=2),
        seen("types", "box_t", "a.h", WHOLE),
    ]
    (one,), counts = run(index, [], references)
    assert (one.name, one.count) == ("box_t", 3)
    assert counts == {"types.libclang": 1}
