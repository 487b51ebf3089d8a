import os
import pickle
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tasks.sources.fetch import fetch
from tasks.sources.git import GitTree, is_remote
from tasks.sources.model import Source
from warehouse.errors import SourceError

from .conftest import FILES, git, write_files


def source(address: object, revision: str | None = "v2") -> Source:
    return Source(project_id="p", kind="git", address=str(address), revision=revision)


@pytest.fixture
def partial(made_repository: Path, tmp_path: Path) -> Path:
    """A clone that lacks the blobs of src/a.c and name with space.c, whose promisor could still deliver them."""
    clone = tmp_path / "partial.git"
    git(made_repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{made_repository}", str(clone))
    for path in sorted(set(FILES) - {"src/a.c", "name with space.c"}):
        git(clone, "cat-file", "blob", f"v2:{path}")
    return clone


def objects(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in (folder / "objects").rglob("*") if path.is_file())


def test_reads_every_regular_file_without_links_and_submodules(made_repository, layout, read_all):
    tree = fetch(source(made_repository), layout)
    assert read_all(tree) == FILES
    assert [file.path for file in tree.files()] == sorted(FILES)
    assert all(file.size_bytes == len(FILES[file.path]) for file in tree.files())
    assert tree.revision == git(made_repository, "rev-parse", "v2^{commit}")
    assert tree.missing == 0
    assert not layout.root.exists(), "a local repository is read in place"


@pytest.mark.parametrize("revision", ["v1", "main~1", "feature/x", "short", "full"])
def test_a_revision_of_any_form_becomes_the_full_commit(made_repository, layout, revision):
    full = git(made_repository, "rev-parse", "v1")
    asked = {"short": full[:9], "full": full}.get(revision, revision)
    tree = fetch(source(made_repository, asked), layout)
    assert tree.revision == full
    assert [(file.path, tree.read(file.path)) for file in tree.files()] == [("src/a.c", b"int old;\n")]


def test_worktree_bare_git_folder_and_file_url_agree(made_repository, layout, tmp_path):
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(made_repository), str(bare))
    git(made_repository, "worktree", "add", "-q", "-f", str(tmp_path / "tree"), "v1")
    places = [made_repository, made_repository / ".git", bare, tmp_path / "tree", f"file://{bare}"]
    trees = [fetch(source(place), layout) for place in places]
    assert len({(tree.tree_hash, tree.revision) for tree in trees}) == 1


def test_a_later_checkout_or_dirty_file_changes_nothing(made_repository, layout, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(made_repository), str(clone))
    before = fetch(source(clone), layout)
    write_files(clone, {"src/a.c": b"changed", "new.c": b"new"})
    after = fetch(source(clone), layout)
    assert (after.tree_hash, after.read("src/a.c")) == (before.tree_hash, FILES["src/a.c"])


def test_absent_blobs_are_counted_skipped_and_never_downloaded(partial, layout):
    before = objects(partial)
    tree = fetch(source(partial), layout)
    assert tree.missing == 2
    assert [file.path for file in tree.files()] == sorted(set(FILES) - {"src/a.c", "name with space.c"})
    asked = ["tool.py", "src/a.c", "src/deep/b.cpp", "name with space.c", "empty.h"]
    assert list(tree.read_many(asked)) == [(path, FILES[path]) for path in ("tool.py", "src/deep/b.cpp", "empty.h")]
    with pytest.raises(SourceError, match=r"src/a\.c of p is absent from the partial clone"):
        tree.read("src/a.c")
    assert objects(partial) == before


def test_blobs_deleted_from_a_plain_repository_count_as_absent(made_repository, layout, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--bare", "--no-hardlinks", str(made_repository), str(clone))
    for pack in sorted((clone / "objects" / "pack").glob("*.pack")):
        moved = shutil.move(pack, tmp_path / pack.name)
        with Path(moved).open("rb") as stream:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=clone, stdin=stream, check=True)
    blob = git(clone, "rev-parse", "v2:src/a.c")
    (clone / "objects" / blob[:2] / blob[2:]).unlink()
    tree = fetch(source(clone), layout)
    assert (tree.missing, "src/a.c" in [file.path for file in tree.files()]) == (1, False)
    whole = fetch(source(made_repository), layout)
    assert tree.tree_hash != whole.tree_hash, "what is mined from an incomplete tree must not pass for the whole"


def test_many_files_in_any_order_come_through_one_pipe(layout, tmp_path):
    files = {f"f{index:04}.c": b"x" * (index * 37 % 70_000) for index in range(500)}
    write_files(tmp_path / "many", files)
    git(tmp_path / "many", "init", "-q")
    git(tmp_path / "many", "add", "-A")
    git(tmp_path / "many", "commit", "-qm", "all")
    tree = fetch(source(tmp_path / "many", None), layout)
    asked = [*sorted(files, reverse=True), "f0001.c", "f0001.c"]
    assert list(tree.read_many(asked)) == [(path, files[path]) for path in asked]


def test_a_reader_that_stops_early_leaves_no_process(made_repository, layout):
    tree = fetch(source(made_repository), layout)
    reader = tree.read_many([file.path for file in tree.files()])
    next(reader)
    reader.close()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = [Path(f"/proc/{child}/comm").read_text().strip() for child in children if Path(f"/proc/{child}").exists()]
    assert "git" not in names


@pytest.mark.parametrize("path", ["nope.c", "link.c", "vendor/sub.c", "src", "../a.c"])
def test_what_is_no_file_of_the_tree_is_refused_by_name(made_repository, layout, path):
    with pytest.raises(SourceError, match=r"p has no file .* at [0-9a-f]{12}; see files\(\)"):
        fetch(source(made_repository), layout).read(path)


def test_pickles_small_and_opens_elsewhere(made_repository, layout):
    tree = fetch(source(made_repository), layout)
    data = pickle.dumps(tree)
    assert len(data) < 1000
    program = "import pickle,sys; t=pickle.load(sys.stdin.buffer); sys.stdout.buffer.write(t.read('src/a.c'))"
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, check=True)
    assert done.stdout == FILES["src/a.c"]


def test_the_environment_of_a_git_hook_does_not_redirect_reading(made_repository, layout, tmp_path, monkeypatch):
    git(tmp_path, "init", "-q", "--bare", "other.git")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other.git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other.git" / "objects"))
    assert fetch(source(made_repository), layout).read("src/a.c") == FILES["src/a.c"]


def test_replaced_objects_are_read_as_pinned(made_repository, layout, tmp_path):
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--bare", str(made_repository), str(clone))
    git(clone, "replace", git(clone, "rev-parse", "v2:src/a.c"), git(clone, "rev-parse", "v2:tool.py"))
    assert fetch(source(clone), layout).read("src/a.c") == FILES["src/a.c"]


@pytest.mark.parametrize("revision", ["v9", "0" * 40, "--help", "main:src"])
def test_an_unknown_revision_names_project_revision_and_place(made_repository, layout, revision):
    with pytest.raises(SourceError, match=f"^p has no revision {revision} at .*; pin a commit") as error:
        fetch(source(made_repository, revision), layout)
    assert "\n" not in str(error.value)
    assert not layout.root.exists()


def test_a_missing_path_is_no_repository(layout, tmp_path):
    for place in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(SourceError, match=f"^There is no git repository at {place}, the address of p;"):
            fetch(source(place), layout)
    assert not layout.root.exists()


def test_a_folder_inside_a_repository_is_not_taken_for_it(made_repository, layout):
    with pytest.raises(SourceError, match="There is no git repository at"):
        fetch(source(made_repository / "src"), layout)


def test_a_refused_connection_is_one_sentence_and_leaves_nothing(layout):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    address = f"git://127.0.0.1:{port}/p.git"
    with pytest.raises(SourceError, match=f"^p cannot be cloned from {address} .*; check the address") as error:
        fetch(source(address), layout)
    assert "\n" not in str(error.value)
    assert list(layout.sources.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "remote"),
    [
        ("https://host/x.git", True), ("ssh://git@host/x", True), ("git@host:x/y.git", True), ("host:x", True),
        ("/abs/x", False), ("./rel:x", False), ("~/x", False), ("file:///x", False), ("x/y", False),
    ],
)  # fmt: skip
def test_addresses_that_need_a_transport(address, remote):
    assert is_remote(address) is remote


class Daemon:
    """`git daemon` on a loopback port over one folder of repositories."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        self.process = subprocess.Popen(
            ["git", "daemon", "--reuseaddr", "--export-all", "--listen=127.0.0.1", f"--port={self.port}",
             f"--base-path={folder}", str(folder)],
            env=os.environ
            | {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            try:
                self.process.wait(0.05)
                break
            except subprocess.TimeoutExpired:
                continue
        pytest.skip("git daemon does not start here")

    def url(self, name: str) -> str:
        return f"git://127.0.0.1:{self.port}/{name}"


@pytest.fixture
def daemon(made_repository: Path, tmp_path: Path):
    if subprocess.run(["git", "daemon", "--version"], capture_output=True, check=False).returncode == 1:
        pytest.skip("git has no daemon here")
    git(tmp_path, "clone", "-q", "--bare", str(made_repository), str(tmp_path / "p.git"))
    served = Daemon(tmp_path)
    yield served
    os.killpg(served.process.pid, 15)
    served.process.wait(10)


@pytest.mark.parametrize("revision", ["full", "v2", "main", "feature/x", "short", "main~1"])
def test_an_address_is_cloned_bare_once_and_read_without_it_later(daemon, made_repository, layout, read_all, revision):
    named = {"full": "v2", "short": "v2"}.get(revision, revision)
    commit = git(made_repository, "rev-parse", f"{named}^{{commit}}")
    asked = {"full": commit, "short": commit[:10]}.get(revision, revision)
    tree = fetch(source(daemon.url("p.git"), asked), layout)
    assert tree.revision == commit
    assert tree.tree_hash == GitTree.open("p", made_repository / ".git", commit).tree_hash
    assert tree.missing == 0
    (clone,) = layout.sources.iterdir()
    assert (clone / "HEAD").is_file()
    if revision in ("full", "v2"):
        assert int(git(clone, "rev-list", "--count", "refs/firmbench/pin")) == 1, "only the pinned commit comes down"
    os.killpg(daemon.process.pid, 19)
    again = fetch(source(daemon.url("p.git"), asked), layout)
    os.killpg(daemon.process.pid, 18)
    assert read_all(again) == read_all(tree)


@pytest.mark.parametrize("revision", ["v9", "0" * 39 + "1"])
def test_an_address_without_the_revision_leaves_nothing(daemon, layout, revision):
    with pytest.raises(SourceError, match=f"^p has no revision {revision} at git://127"):
        fetch(source(daemon.url("p.git"), revision), layout)
    assert list(layout.sources.iterdir()) == []


def test_an_address_without_the_repository_leaves_nothing(daemon, layout):
    with pytest.raises(SourceError, match=r"^p cannot be cloned from git://127"):
        fetch(source(daemon.url("q.git")), layout)
    assert list(layout.sources.iterdir()) == []


def test_a_repository_with_sha256_ids_is_read(layout, tmp_path, read_all):
    root = write_files(tmp_path / "new", {"a.c": b"int a;\n", "b/c.h": b""})
    git(root, "init", "-q", "--object-format=sha256")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "all")
    tree = fetch(source(root, None), layout)
    assert (len(tree.revision), read_all(tree)) == (64, {"a.c": b"int a;\n", "b/c.h": b""})
