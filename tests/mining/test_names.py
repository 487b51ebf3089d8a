"""Names that a project's code may call, and where each is from."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tasks.mining.names import called_names, known_names
from tasks.mining.records import MinedProject
from tasks.sources.fetch import fetch
from tasks.sources.model import Source
from warehouse.layout import Layout

FILES = {
    "a.c": b"""#include "sdk.h"
// commented(1);
/* blocked(2); */
static const char *text = "quoted(3)";
void start(void) { sdk_init(0); if (ready) { table.run (1); } }
int (*hook)(int);
#define TWICE(x) ((x) + (x))
""",
    "b.cpp": b"""template <class T> T pick(T t) { return std::max<int>(t, other< std::vector<int> >(t)); }
struct Ops { void (*send)(int); }; char quote = '"'; int after(int);
long big = 1'000'000; void late() { tail(); }
""",
    "notes.txt": b"prose(1)",
}
SYMBOLS = [
    ("function", "start"), ("prototype", "sdk_init"), ("macro", "TWICE"), ("struct", "Ops"), ("global", "text"),
    ("typedef", "word_t"), ("enumerator", "RED"),
]  # fmt: skip


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    for name, data in FILES.items():
        (root / name).write_bytes(data)
    source = Source(project_id="p", kind="dir", address=str(root))
    symbols = tmp_path / "symbols.parquet"
    pq.write_table(pa.table({"kind": [kind for kind, _ in SYMBOLS], "name": [name for _, name in SYMBOLS]}), symbols)
    return MinedProject(source, fetch(source, Layout(tmp_path)), tmp_path, tmp_path / "functions.parquet", symbols)


def test_the_strongest_origin_is_recorded(project):
    known = known_names(project)
    assert known["start"] == "function"
    assert known["sdk_init"] == "prototype", "declared and called"
    assert known["TWICE"] == "macro"
    assert known["Ops"] == "type"
    assert known["word_t"] == "type"
    assert known["hook"] == "pointer"
    assert known["send"] == "pointer"
    assert known["run"] == "called"
    assert list(known) == sorted(known)


def test_what_is_not_code_is_not_called(project):
    known = known_names(project)
    for name in ("commented", "blocked", "quoted", "prose", "if", "text", "RED"):
        assert name not in known, name


def test_templates_and_quotes_do_not_hide_calls(project):
    known = known_names(project)
    for name in ("max", "other", "pick", "after", "tail", "late"):
        assert name in known, name


def test_names_are_those_before_parentheses():
    assert set(called_names(b"x = f(1) + g; return h (2); switch (y) {}")) == {"f", "h"}


def test_a_map_of_processes_gives_the_same(project):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        spread = known_names(project, lambda function, items, label: pool.map(function, items))
    assert spread == known_names(project)
