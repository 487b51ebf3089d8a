"""Which declaration a name means, by closeness, on trees of a few lines."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tasks.mining import includes
from tasks.mining.includes import IncludeGraph, included
from tasks.mining.index import SymbolIndex
from tasks.mining.lookup import OWN_HEADER, PROJECT, REACHED, SAME_FILE, SAME_FOLDER, Finder
from tasks.mining.mine import mine_project
from tasks.mining.uses import uses
from tasks.sources.folder import DirTree
from tasks.sources.model import Source
from warehouse.layout import Layout


class Project:
    """A tree written from a dict, mined, and asked about one function."""

    def __init__(self, root: Path, files: dict[str, str], include_paths: tuple[str, ...] = ()) -> None:
        for path, text in files.items():
            (root / "src" / path).parent.mkdir(parents=True, exist_ok=True)
            (root / "src" / path).write_text(text)
        tree = DirTree.open("p", root / "src")
        source = Source(project_id="p", kind="dir", address=str(root / "src"), include_paths=include_paths)
        mined = mine_project(source, tree, Layout(root / "data"))
        self.index = SymbolIndex(mined.symbols, mined.functions, tree)
        self.graph = IncludeGraph(includes.load(tree, source, root / "graph.json"), include_paths)
        self.rows = pq.read_table(mined.functions).to_pylist()

    def finder(self, path: str, language: str = "c") -> Finder:
        return Finder(self.index, self.graph, path, language)

    def names(self, path: str, name: str):
        row = next(r for r in self.rows if r["path"] == path and r["name"] == name)
        found = self.finder(path, row["language"]).resolve(
            uses(row["text"], row["language"]), self.index.scope_of(row)
        )
        return (
            {f.use.name: (f.entry.kind, f.entry.path, f.entry.line) for f in found.found},
            [u.name for u in found.ambiguous],
            [u.name for u in found.unresolved],
        )


@pytest.fixture
def project(tmp_path):
    return lambda files, **more: Project(tmp_path, files, **more)


def test_closeness_in_order(project):
    p = project({
        "a/x.c": '#include "x.h"\nint here;\nvoid f(void) {}\n',
        "a/x.h": '#include "near.h"\nextern int own;\n',
        "b/near.h": "extern int reached;\n",
        "a/beside.h": "extern int beside;\n",
        "c/far.h": "extern int far_away;\n",
    })  # fmt: skip
    finder = p.finder("a/x.c")
    names = ("here", "own", "reached", "beside", "far_away")
    levels = [finder.level(p.index.named(name)[0])[0] for name in names]
    assert levels == [SAME_FILE, OWN_HEADER, REACHED, SAME_FOLDER, PROJECT]


def test_the_closest_wins(project):
    p = project({
        "a/x.c": '#include "b/y.h"\nint f(void) { return LIMIT + go(); }\n',
        "b/y.h": "#define LIMIT 1\nint go(void);\n",
        "a/z.h": "#define LIMIT 2\nint go(void);\n",
    })  # fmt: skip
    found, _, _ = p.names("a/x.c", "f")
    assert found == {"LIMIT": ("macro", "b/y.h", 1), "go": ("prototype", "b/y.h", 2)}


def test_source_files_hide_their_statics_types_and_macros(project):
    p = project({
        "x.c": "int f(void) { return a() + B + c + d() + (int)sizeof(e_t); }\n",
        "y.c": "static int a(void) { return 1; }\n#define B 2\nstatic int c;\nint d(void) { return 3; }\n"
        "typedef int e_t;\n",
    })  # fmt: skip
    found, ambiguous, unresolved = p.names("x.c", "f")
    assert found == {"d": ("function", "y.c", 4)}
    assert (ambiguous, unresolved) == ([], ["a", "B", "c", "e_t"])


def test_an_included_source_file_hides_nothing(project):
    p = project({"x.c": '#include "y.c"\nint f(void) { return a(); }\n', "y.c": "static int a(void) { return 1; }\n"})
    assert p.names("x.c", "f")[0] == {"a": ("function", "y.c", 1)}


def test_two_platforms_are_no_answer_but_a_prototype_is(project):
    files = {
        "x.c": "void f(void) { restart(); }\n",
        "esp/core.c": "void restart(void) { reset_a(); }\n",
        "rp/core.c": "void restart(void) { reset_b(); }\n",
    }
    assert project(files).names("x.c", "f")[:2] == ({}, ["restart"])
    files = {**files, "hal.h": "void restart(void);\n", "x.c": '#include "hal.h"\nvoid f(void) { restart(); }\n'}
    assert project(files).names("x.c", "f")[0] == {"restart": ("prototype", "hal.h", 1)}


def test_both_branches_of_a_condition_are_one_function(project):
    text = (
        "#ifdef A\nint g(void) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\nint f(void) { return g(); }\n"
    )
    assert project({"x.c": text}).names("x.c", "f")[0] == {"g": ("function", "x.c", 2)}


def test_an_enumerator_knows_its_enum(project):
    p = project({"x.c": "enum color { RED, GREEN };\ntypedef enum { ON, OFF } state_t;\n"})
    green, off = (p.index.enum_of(p.index.named(name)[0]) for name in ("GREEN", "OFF"))
    assert (green.name, off.name) == ("color", "state_t")


CPP = """\
class Base { public: void halt(); protected: int state_; };
class Pump : public Base { public: void run(); void stop(); static int made; enum Mode { FAST }; };
class Valve { public: void stop(); void open(); };
int state_;
void halt();
void Pump::run() { stop(); this->halt(); halt(); state_ = FAST; valve_->stop(); valve_->open(); Pump::made = 1; }
"""


def test_methods_belong_to_classes(project):
    p = project({"x.cpp": CPP})
    row = next(r for r in p.rows if r["name"] == "run")
    finder = p.finder("x.cpp", "cpp")
    resolved = finder.resolve(uses(row["text"], "cpp"), "Pump")
    meant = {(f.use.role, f.use.name, f.use.scope): (f.entry.scope, f.entry.line) for f in resolved.found}
    assert meant[("call", "stop", "")] == ("Pump", 2)
    assert meant[("method", "halt", "this")] == ("Base", 1)
    assert meant[("call", "halt", "")] == ("Base", 1)
    assert meant[("method", "open", "")] == ("Valve", 3)
    assert [u.name for u in resolved.ambiguous] == ["stop"]
    assert "state_" not in {f.use.name for f in resolved.found}


def test_a_function_pointer_of_c_is_no_function(project):
    p = project(
        {"x.c": "int read(int n);\nstruct ops { int (*read)(int); };\nint f(struct ops *o) { return o->read(1); }\n"}
    )
    assert set(p.names("x.c", "f")[0]) == {"ops"}


def test_a_type_of_another_class_is_out_of_sight(project):
    p = project({"x.cpp": "struct A { using T = int; };\nvoid g();\nvoid f() { T t; g(); }\n"})
    assert set(p.names("x.cpp", "f")[0]) == {"g"}


def test_a_cpp_type_that_no_include_reaches_is_out_of_sight(project):
    p = project(
        {
            "a/x.cpp": "void f() { sdk::Frame g; Near n; }\n",
            "b/y.h": "enum Frame { A };\n",
            "a/n.h": "class Near {};\n",
        }
    )
    assert set(p.names("a/x.cpp", "f")[0]) == {"Near"}


def test_the_class_of_a_nested_method_is_itself(project):
    p = project({"x.cpp": "class Out { class In { void f(); int n; }; };\nvoid Out::In::f() { n = 1; }\n"})
    assert p.names("x.cpp", "f")[0] == {"In": ("class", "x.cpp", 1)}


# --- the include graph


def graph(files: dict[str, str], *include_paths: str) -> IncludeGraph:
    return IncludeGraph({path: included(text.encode()) for path, text in files.items()}, include_paths)


def test_include_lines():
    text = b'#include "a.h"\n  #  include <b/c.h> // x\n// #include "no.h"\n#include MACRO\r\n#include "a.h"\n'
    assert included(text) == [("a.h", True), ("b/c.h", False)]


def test_quotes_look_beside_first_then_include_paths_then_anywhere():
    files = {"a/x.c": "", "a/h.h": "", "inc/h.h": "", "inc/p.h": "", "z/p.h": "", "y/deep/q.h": "", "q.h": ""}
    g = graph(files, "inc")
    assert g.resolve("a/x.c", "h.h", True) == "a/h.h"
    assert g.resolve("a/x.c", "h.h", False) == "inc/h.h"
    assert g.resolve("z/x.c", "p.h", False) == "inc/p.h"
    assert g.resolve("y/x.c", "deep/q.h", True) == "y/deep/q.h"
    assert g.resolve("a/x.c", "../q.h", True) == "q.h"
    assert g.resolve("a/x.c", "nowhere.h", True) is None


def test_the_nearest_of_several_and_never_the_standard_library():
    g = graph({"one/sub/x.c": "", "one/other/config.h": "", "two/config.h": "", "newlib/string.h": ""})
    assert g.resolve("one/sub/x.c", "config.h", True) == "one/other/config.h"
    assert g.resolve("one/sub/x.c", "string.h", False) is None


def test_cycles_end_and_steps_count():
    g = graph({"a.h": '#include "b.h"', "b.h": '#include "c.h"\n#include "a.h"', "c.h": '#include "a.h"'})
    assert g.reached("a.h") == {"a.h": 0, "b.h": 1, "c.h": 2}


def test_own_header_included_or_beside():
    g = graph({"src/m.c": '#include "inc/m.h"', "inc/m.h": "", "src/n.cpp": "", "src/n.hpp": "", "src/o.c": ""})
    assert [g.own_header(f"src/{name}") for name in ("m.c", "n.cpp", "o.c")] == ["inc/m.h", "src/n.hpp", None]
    assert g.own_header("inc/m.h") is None


def test_folders_that_make_includes_resolve():
    g = graph(
        {
            "src/m.c": '#include "drv/m.h"\n#include "x.h"',
            "lib/drv/m.h": '#include "core.h"',
            "core/core.h": "",
            "src/x.h": "",
        }
    )
    assert g.folders("src/m.c") == ["lib", "core", "."]
