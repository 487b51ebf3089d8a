"""Mining a project: one batch, the same rows whatever the workers, nothing parsed twice, duplicates marked."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import pyarrow.parquet as pq
import pytest

from tasks.contract import serial_map
from tasks.mining import duplicates, mine, tables
from tasks.mining.mine import mine_file, mine_project
from tasks.sources.model import Source, TreeFile
from warehouse.layout import Layout
from warehouse.schema import SCHEMAS

BODY = "{\n  int sum = a + b;\n  sum *= 2;\n  return sum;\n}\n"
FILES = {
    "include/ring.h": b"#define RING 8\nstruct ring { int used; };\nint ring_add(int a, int b);\n",
    "src/a.c": f"/* Adds. */\nint ring_add(int a, int b)\n{BODY}".encode(),
    "src/b.cpp": b"namespace n { int twice(int a) { return a * 2; } }\nTEST(A, B) { x(); }\n",
    "src/latin.c": "/* ä */\nint grad(void) { return 1; }\n".encode("latin-1"),
    "tests/c.c": f"long copy(int a, int b)\n{BODY.replace('  ', '    ')}\n%% lost ?\n".encode(),
    "readme.md": b"int not_c(void) { return 1; }\n",
}
SOURCE = Source(project_id="ring", kind="dir", address=".", licence="MIT", domain="demo")


@dataclass(frozen=True)
class MemoryTree:
    """A tree held in memory."""

    content: tuple[tuple[str, bytes], ...]
    project_id: str = "ring"
    revision: str = "1"
    tree_hash: str = "abc"
    sha256: str | None = None
    missing: int = 0

    def files(self) -> list[TreeFile]:
        return [TreeFile(path=path, size_bytes=len(data), content_hash="0") for path, data in self.content]

    def read(self, path: str) -> bytes:
        return dict(self.content)[path]

    def read_many(self, paths):
        return ((path, self.read(path)) for path in paths)


TREE = MemoryTree(tuple(sorted(FILES.items())))


def rows(project, table):
    return pq.read_table(project.batch / f"{table}.parquet").to_pylist()


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path)


def test_a_batch_holds_the_project_its_functions_and_what_was_dropped(layout):
    project = mine_project(SOURCE, TREE, layout)
    assert project.batch == layout.batch("mining", mine.batch_name(SOURCE, TREE))
    found = rows(project, "functions")
    assert [(one["path"], one["qualified_name"]) for one in found] == [
        ("src/a.c", "ring_add"), ("src/b.cpp", "n::twice"), ("src/latin.c", "grad"), ("tests/c.c", "copy"),
    ]  # fmt: skip
    for one in found:
        data = FILES[one["path"]][one["start_byte"] : one["end_byte"]]
        assert one["text"].encode(one["encoding"]) == data
        assert one["text"].startswith(one["signature"])
        assert one["licence"] == "MIT"
    assert [one["test"] for one in found] == [False, False, False, True]
    assert [(one["reason"], one["item"]) for one in rows(project, "dropped")] == [
        ("macro_made", "src/b.cpp:2"),
        ("parse_error", "tests/c.c:8"),
    ]
    (summed,) = rows(project, "projects")
    assert (summed["files"], summed["c_files"], summed["functions"]) == (6, 5, 4)
    assert summed["c_bytes"] == sum(len(data) for path, data in FILES.items() if path != "readme.md")
    (stage,) = rows(project, "stages")
    assert (stage["entered"], stage["kept"], stage["dropped"]) == (6, 4, 2)
    assert [one["path"] for one in rows(project, "files")] == [path for path in sorted(FILES) if path != "readme.md"]
    assert {one["name"] for one in rows(project, "symbols")} >= {"RING", "ring", "ring_add", "twice"}
    assert project.summary["functions"] == 4
    assert project.summary["dropped"] == {"macro_made": 1, "parse_error": 1}


def test_tables_have_the_declared_schemas(layout):
    project = mine_project(SOURCE, TREE, layout)
    for name in ("projects", "functions", "symbols", "files", "dropped", "stages"):
        assert pq.read_schema(project.batch / f"{name}.parquet").equals(SCHEMAS[name])
    assert project.symbols == project.batch / "symbols.parquet"
    assert tables.SYMBOLS is SCHEMAS["symbols"]


def test_two_processes_and_small_shards_give_the_same_rows(tmp_path, monkeypatch):
    whole = mine_project(SOURCE, TREE, Layout(tmp_path / "one"))
    monkeypatch.setattr(mine, "SMALL_SHARD_BYTES", 60)
    assert len(mine.cut(SOURCE, TREE, TREE.files())) > 3
    with ProcessPoolExecutor(2) as pool:
        shards = mine_project(SOURCE, TREE, Layout(tmp_path / "two"), lambda f, items, label: pool.map(f, items))
    for name in ("projects", "functions", "symbols", "files", "dropped", "stages"):
        assert rows(whole, name) == rows(shards, name)
    assert whole.batch.name == shards.batch.name


def test_a_batch_that_exists_is_not_mined_again(layout):
    first = mine_project(SOURCE, TREE, layout)

    def refuse(function, items, label):
        raise AssertionError("mined again")

    again = mine_project(SOURCE, TREE, layout, refuse)
    assert again.batch == first.batch
    assert again.summary == first.summary


def test_the_batch_is_named_after_everything_that_bears_on_its_rows(monkeypatch):
    name = mine.batch_name(SOURCE, TREE)
    assert name == mine.batch_name(SOURCE, TREE)
    assert name.startswith("ring-")
    others = [
        mine.batch_name(SOURCE.model_copy(update={"macros": ("FAR",)}), TREE),
        mine.batch_name(SOURCE.model_copy(update={"tests": ("x/*",)}), TREE),
        mine.batch_name(SOURCE, MemoryTree(TREE.content, tree_hash="other")),
    ]
    monkeypatch.setattr(mine, "VERSION", "next")
    assert len({name, *others, mine.batch_name(SOURCE, TREE)}) == 5


def test_shards_hold_every_file_once_in_order():
    files = [TreeFile(path=f"f{i:03}.c", size_bytes=size, content_hash="0") for i, size in enumerate([900_000] * 5)]
    shards = mine.cut(SOURCE, TREE, files)
    assert [path for shard in shards for path in shard.paths] == [one.path for one in files]
    assert len(shards) == 5
    assert mine.cut(SOURCE, TREE, []) == []


def test_shards_get_smaller_and_not_too_small():
    files = [TreeFile(path=f"f{i:04}.c", size_bytes=10_000, content_hash="0") for i in range(2_000)]
    sizes = [10_000 * len(shard.paths) for shard in mine.cut(SOURCE, TREE, files)]
    assert sizes[:-1] == sorted(sizes[:-1], reverse=True)
    assert (sizes[0], sizes[-2]) == (mine.BIG_SHARD_BYTES, mine.SMALL_SHARD_BYTES)
    assert sum(sizes) == 20_000_000


def test_an_empty_project_has_empty_tables(layout):
    project = mine_project(SOURCE, MemoryTree(()), layout)
    assert rows(project, "functions") == []
    assert project.summary["functions"] == 0


def test_the_first_of_two_equal_bodies_is_the_original(layout):
    found = {one["name"]: one for one in rows(mine_project(SOURCE, TREE, layout), "functions")}
    assert found["copy"]["duplicate_of"] == found["ring_add"]["function_id"]
    assert found["ring_add"]["duplicate_of"] is None
    assert found["grad"]["duplicate_of"] is None


def mined_table(project_id: str, code: str, path: str = "a.c"):
    data = code.encode()
    return tables.functions(project_id, [(mine_file(path, data, SOURCE), data)])


def test_duplicates_across_projects_follow_project_order():
    code = f"int one(int a, int b)\n{BODY}"
    first, second, cpp = mined_table("x", code), mined_table("y", code), mined_table("z", code, "a.cpp")
    marked = duplicates.mark([first, second, cpp])
    original = first["function_id"][0].as_py()
    assert [table["duplicate_of"].to_pylist() for table in marked] == [[None], [original], [None]]
    assert [table["duplicate_of"].to_pylist() for table in duplicates.mark([second, first])] == [
        [None],
        [second["function_id"][0].as_py()],
    ]
    assert duplicates.mark(marked)[1].equals(marked[1])


def test_function_ids_depend_on_place_and_text_alone():
    args = ("p", "a.c", 0, 9, b"int f(){}")
    assert tables.function_id(*args) == tables.function_id(*args)
    assert len(tables.function_id(*args)) == 16
    others = [("q", *args[1:]), ("p", "b.c", *args[2:]), ("p", "a.c", 1, 9, args[4]), (*args[:4], b"int g(){}")]
    assert len({tables.function_id(*args), *(tables.function_id(*one) for one in others)}) == 5


def test_serial_map_is_the_default(layout):
    assert mine_project(SOURCE, TREE, layout, serial_map).summary["c_files"] == 5
