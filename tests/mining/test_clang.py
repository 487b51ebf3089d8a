"""libclang through its worker: what it resolves, that a crash or a hang costs one file, and how it is told to read."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.mining.clang import Clang
from tasks.mining.clang_args import PRELUDE, arguments, compile_database
from tasks.mining.includes import IncludeGraph, included
from tasks.sources.folder import DirTree


@pytest.fixture(scope="module")
def clang():
    worker = Clang()
    yield worker
    worker.close()


def read(clang: Clang, root: Path, files: dict[str, str], path: str, function: str, language: str = "cpp"):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    graph = IncludeGraph({name: included(text.encode()) for name, text in files.items()})
    start = files[path].index(function)
    end = files[path].index("\n}", start) + 2
    return clang.read(root, path, arguments(root, path, language, graph, {}), [(start, end)])


def kinds(seen) -> set[tuple[str, str]]:
    return {(r.kind, r.name) for r in seen.functions[0]}


C = {
    "lib/api.h": """\
#pragma once
typedef struct { int x; } api_t;
enum step { ONE, TWO };
#define API_MAX 3
#define API_INNER(n) api_go(n)
#define API_RUN(n) API_INNER(n)
int api_go(int n);
extern int api_count;
""",
    "main.c": """\
#include "lib/api.h"
#include <stdio.h>
#include "vendor/none.h"
static int own;
int f(api_t *a) {
    int local = ONE;
    printf("%d", own);
    own = API_MAX + api_count;
    API_RUN(api_go(local));
    return a->x;
}
int g(void) {
    return 0;
}
""",
}


def test_c_references(clang, tmp_path):
    seen = read(clang, tmp_path, C, "main.c", "int f", "c")
    assert kinds(seen) == {
        ("types", "api_t"), ("types", "step"), ("globals", "own"), ("globals", "api_count"), ("macro", "API_MAX"),
        ("macro", "API_RUN"), ("calls", "api_go"),
    }  # fmt: skip
    assert {r.name: r.count for r in seen.functions[0]}["own"] == 2
    assert {r.name: (r.path, r.line) for r in seen.functions[0]}["api_go"] == ("lib/api.h", 7)
    assert (seen.missing_headers, seen.errors, seen.failed) == (1, 0, None)


def test_only_the_function_asked_for(clang, tmp_path):
    assert read(clang, tmp_path, C, "main.c", "int g", "c").functions == ((),)


def test_what_a_condition_hides_is_none(clang, tmp_path):
    files = {"a.c": "#ifdef NEVER\nint f(void) {\n    return 1;\n}\n#endif\n"}
    assert read(clang, tmp_path, files, "a.c", "int f", "c").functions == (None,)


CPP = {
    "a.hpp": """\
#include <vector>
#include <string>
namespace n {
struct Base {
  int kept;
};
class A : public Base {
 public:
  explicit A(int n);
  void add(const std::string &s);
  void add(int n);
  int size() const {
    return (int) items_.size() + kept;
  }
 private:
  std::vector<std::string> items_;
};
}
""",
    "a.cpp": """\
#include "a.hpp"
namespace n {
void A::add(const std::string &s) {
  items_.push_back(s);
  add(3);
  A other(2);
  other.unknown_method(size());
}
}
""",
}


def test_cpp_references_survive_the_missing_standard_library(clang, tmp_path):
    seen = read(clang, tmp_path, CPP, "a.cpp", "void A::add")
    assert kinds(seen) == {("types", "A"), ("calls", "add"), ("calls", "A"), ("calls", "size")}
    assert [(r.scope, r.line) for r in seen.functions[0] if r.name == "add"] == [("A", 11)]


def test_an_inline_method_of_a_header(clang, tmp_path):
    seen = read(clang, tmp_path, CPP, "a.hpp", "int size() const")
    assert kinds(seen) == {("types", "A"), ("types", "Base")}


def test_the_prelude_is_clean_in_both_languages(clang, tmp_path):
    for name, language in (("e.c", "c"), ("e.cpp", "cpp")):
        seen = read(clang, tmp_path, {name: "int f(void) {\n    return 0;\n}\n"}, name, "int f", language)
        assert (seen.errors, seen.missing_headers) == (0, 0), name
    assert not [line for line in PRELUDE.read_text().splitlines() if line.lstrip().startswith("#include")]


FAKE = """
import json, os, sys, time
for line in sys.stdin:
    path = json.loads(line)["path"]
    if path == "crash.c":
        os.abort()
    if path == "hang.c":
        time.sleep(60)
    print(json.dumps({"functions": [[]], "missing": 0, "errors": 0}), flush=True)
"""


def test_a_crash_and_a_hang_cost_one_file_each(tmp_path):
    clang = Clang([sys.executable, "-c", FAKE], timeout_s=5.0)
    got = [clang.read(tmp_path, path, [], [(0, 1)]) for path in ("a.c", "crash.c", "b.c")]
    assert [(seen.failed, seen.functions) for seen in got] == [(None, ((),)), ("crashed", (None,)), (None, ((),))]
    clang.timeout_s = 0.2
    assert clang.read(tmp_path, "hang.c", [], [(0, 1)]).failed == "timeout"
    clang.timeout_s = 5.0
    assert clang.read(tmp_path, "c.c", [], [(0, 1)]).failed is None
    clang.close()


ECHO = """
import json, sys
for line in sys.stdin:
    path = json.loads(line)["path"]
    print(json.dumps({"functions": [[]], "missing": int(path), "errors": 0}), flush=True)
"""


def test_threads_get_their_own_answers(tmp_path):
    clang = Clang([sys.executable, "-c", ECHO])
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda n: clang.read(tmp_path, str(n), [], [(0, 1)]), range(200)))
    clang.close()
    assert [one.missing_headers for one in seen] == list(range(200))


def test_a_file_that_is_not_there_is_said_so(clang, tmp_path):
    seen = clang.read(tmp_path, "none.c", [], [(0, 1)])
    assert seen.failed
    assert seen.failed.startswith("FileNotFoundError")


# --- how a file is read


def test_a_compile_database_of_another_machine(tmp_path):
    entries = [
        {"directory": "/b/out", "file": "../src/one.c",
         "command": "cc -I../inc -isystem /sdk/x -DA=1 -D B -UC -std=c99 -O2 -c ../src/one.c"},
        {"directory": "/b", "file": "/b/src/two.c", "arguments": ["cc", "-I", "inc", "-DQ=\"a b\"", "src/two.c"]},
        {"directory": "/b", "file": "gone.c", "command": "cc gone.c"},
        "no entry",
    ]  # fmt: skip
    for path in ("src/one.c", "src/two.c", "inc/h.h"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    tree = DirTree.open("p", tmp_path)
    assert compile_database(tree, ["src/one.c", "src/two.c", "inc/h.h"]) == {
        "src/one.c": ["-Iinc", "-DA=1", "-DB", "-UC", "-std=c99"],
        "src/two.c": ["-Iinc", '-DQ="a b"'],
    }


def test_a_broken_compile_database_is_none(tmp_path):
    (tmp_path / "compile_commands.json").write_text("[{")
    assert compile_database(DirTree.open("p", tmp_path), []) == {}


def test_arguments_name_no_header_of_this_machine(tmp_path):
    graph = IncludeGraph({"a.c": [("x/h.h", True)], "lib/x/h.h": []}, ["inc"])
    got = arguments(tmp_path, "a.c", "c", graph, {"a.c": ["-std=c99", "-DA"]})
    assert got[:2] == ["-xc", "-std=c99"]
    assert [a for a in got if a.startswith("-I")] == [
        f"-I{tmp_path / 'inc'}",
        f"-I{tmp_path / 'lib'}",
        f"-I{tmp_path}",
    ]
    assert "-nostdinc" in got
    assert "-DA" in got
