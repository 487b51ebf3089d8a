"""What holds for trees of every kind."""

import hashlib
import os
import pickle
from pathlib import Path

import pytest

from tasks.sources.fetch import fetch
from tasks.sources.hashing import blob_id, tree_hash
from tasks.sources.model import Source, TreeFile
from tasks.sources.select import c_files, summary
from tasks.sources.write_out import MARK, write_out
from warehouse.errors import SourceError

from .conftest import FILES, git, sha256, tar_gz, write_files


def folder_source(root: Path, **fields: object) -> Source:
    return Source(project_id="p", kind="dir", address=str(root), **fields)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = write_files(tmp_path / "folder", FILES)
    (root / "link.c").symlink_to("src/a.c")
    (root / "loop").symlink_to(root)
    write_files(root, {".git/HEAD": b"ref: refs/heads/main\n", ".git/objects/x.c": b""})
    return root


def test_the_same_files_hash_alike_from_git_folder_and_archive(made_repository, folder, layout):
    data = tar_gz(FILES, top="demo-1.0/")
    layout.sources.mkdir(parents=True)
    (layout.sources / f"demo-1.0-{sha256(data)[:12]}.tar.gz").write_bytes(data)
    trees = [
        fetch(Source(project_id="g", kind="git", address=str(made_repository), revision="v2"), layout),
        fetch(folder_source(folder), layout),
        fetch(Source(project_id="a", kind="pypi", address="demo", revision="1.0", sha256=sha256(data)), layout),
    ]
    assert len({tree.tree_hash for tree in trees}) == 1
    assert trees[0].files() == trees[1].files() == trees[2].files()


def test_blob_ids_are_those_of_git(tmp_path):
    for data in (b"", b"a\r\n\0\xff", b"x" * 70_000):
        (tmp_path / "f").write_bytes(data)
        assert blob_id(data) == git(tmp_path, "hash-object", "--no-filters", "f")


def test_the_tree_hash_is_plain_sha256_and_sees_names_content_and_borders():
    files = [TreeFile(path="a", size_bytes=0, content_hash="1"), TreeFile(path="b", size_bytes=0, content_hash="2")]
    assert tree_hash(files) == hashlib.sha256(b"a\x001\0b\x002\0").hexdigest()
    others = [("a", "12"), ("b", "2")], [("a1", ""), ("b", "2")], [("a", "1")], [("b", "1"), ("a", "2")]
    hashes = [tree_hash(TreeFile(path=p, size_bytes=0, content_hash=h) for p, h in other) for other in others]
    assert len({tree_hash(files), *hashes}) == 5


def test_a_folder_is_read_without_links_and_git(folder, layout, read_all):
    tree = fetch(folder_source(folder), layout)
    assert read_all(tree) == FILES
    assert tree.revision == tree.tree_hash
    assert fetch(folder_source(folder, revision="mine"), layout).revision == "mine"


def test_a_folder_pickles_without_its_listing_and_lists_again(folder, layout):
    tree = fetch(folder_source(folder), layout)
    data = pickle.dumps(tree)
    assert len(data) < 1000
    copy = pickle.loads(data)
    assert copy == tree
    assert copy.files() == tree.files()


def test_a_folder_that_changed_since_it_was_opened_says_so(folder, layout):
    copy = pickle.loads(pickle.dumps(fetch(folder_source(folder), layout)))
    (folder / "src/a.c").write_bytes(b"changed")
    with pytest.raises(SourceError, match=r"\(p\) changed while it was read"):
        copy.files()


@pytest.mark.parametrize("path", ["nope.c", "link.c", "../folder/src/a.c", "/etc/passwd", "", "src"])
def test_paths_outside_a_folder_are_refused(folder, layout, path):
    with pytest.raises(SourceError, match="p has no file"):
        fetch(folder_source(folder), layout).read(path)


def test_a_missing_folder_is_named(tmp_path, layout):
    with pytest.raises(SourceError, match=f"^There is no folder {tmp_path}/nope, the address of p; correct the path"):
        fetch(folder_source(tmp_path / "nope"), layout)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_named(folder, layout):
    (folder / "tool.py").chmod(0)
    with pytest.raises(SourceError, match=r"tool\.py of p cannot be read"):
        fetch(folder_source(folder), layout)


def test_c_and_cpp_files_are_chosen_by_extension_and_prefix(tmp_path, layout):
    suffixes = ("c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "ino", "inl", "ipp", "tpp", "cppm", "CPP", "H")
    names = [f"a.{suffix}" for suffix in suffixes]
    others = ["a.py", "a.cs", "a.S", "a.c.in", "c", "README.c.md", "a.java", "a.rs", "a.pyx"]
    write_files(tmp_path / "t", dict.fromkeys([*names, *others, "lib/x.c", "library.c", "other/y.c"], b""))
    tree = fetch(folder_source(tmp_path / "t"), layout)
    assert [file.path for file in c_files(tree, folder_source(tmp_path))] == sorted(
        [*names, "lib/x.c", "library.c", "other/y.c"]
    )
    chosen = c_files(tree, folder_source(tmp_path, include=("other/", "lib/")))
    assert [file.path for file in chosen] == ["lib/x.c", "other/y.c"]


def test_a_project_without_c_is_reported_and_does_not_fail(tmp_path, layout):
    write_files(tmp_path / "t", {"Main.java": b"class Main {}"})
    tree = fetch(folder_source(tmp_path / "t", revision="2.0"), layout)
    files = c_files(tree, folder_source(tmp_path))
    assert files == []
    assert summary(tree, files) == "p 2.0: 0 C/C++ files, nothing to mine."


def test_the_summary_counts_files_bytes_and_absent_blobs(tmp_path, layout):
    write_files(tmp_path / "t", {"a.c": b"x" * 1500, "b.h": b"y" * 600})
    tree = fetch(folder_source(tmp_path / "t", revision="2.0"), layout)
    assert summary(tree, tree.files()) == "p 2.0: 2 C/C++ files, 2.1 kB."
    assert summary(tree, tree.files()[:1]) == "p 2.0: 1 C/C++ file, 1.5 kB."
    object.__setattr__(tree, "missing", 3)
    assert summary(tree, []).endswith("nothing to mine; 3 files are absent from the partial clone.")


def test_files_written_out_are_those_of_the_tree_and_reused(made_repository, layout, tmp_path):
    source = Source(project_id="p", kind="git", address=str(made_repository), revision="v2")
    tree = fetch(source, layout)
    files = c_files(tree, source)
    out = write_out(tree, files, tmp_path / "out" / "p")
    found = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file() and p.name != MARK}
    assert found == {file.path: FILES[file.path] for file in files}
    before = (out / "src/a.c").stat().st_ino
    assert write_out(tree, files, out) == out
    assert (out / "src/a.c").stat().st_ino == before
    assert [p.name for p in out.parent.iterdir()] == ["p"]


def test_another_tree_or_other_files_replace_what_was_written(made_repository, layout, tmp_path):
    new, old = (
        fetch(Source(project_id="p", kind="git", address=str(made_repository), revision=tag), layout)
        for tag in ("v2", "v1")
    )
    write_out(new, new.files(), tmp_path / "out")
    write_out(old, old.files(), tmp_path / "out")
    assert (tmp_path / "out/src/a.c").read_bytes() == b"int old;\n"
    assert not (tmp_path / "out/tool.py").exists()
    write_out(new, new.files()[:1], tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [MARK, "LICENSE"]


class Stopping:
    """A tree whose reading fails after one file."""

    project_id, revision, tree_hash, sha256, missing = "p", "1", "0" * 64, None, 0

    def __init__(self, *paths: str) -> None:
        self.paths = paths

    def files(self) -> list[TreeFile]:
        return [TreeFile(path=path, size_bytes=1, content_hash="0") for path in self.paths]

    def read(self, path: str) -> bytes:
        raise SourceError("gone")

    def read_many(self, paths):
        yield next(iter(paths)), b"x"
        raise SourceError("gone")


def test_a_failure_half_way_leaves_no_folder(tmp_path):
    tree = Stopping("a.c", "b.c")
    with pytest.raises(SourceError, match="gone"):
        write_out(tree, tree.files(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["../evil.c", "/evil.c", "a/../../evil.c", MARK])
def test_nothing_is_written_outside_the_folder(tmp_path, path):
    tree = Stopping(path)
    with pytest.raises(SourceError, match=r"p holds the path .* which cannot be written below"):
        write_out(tree, tree.files(), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
