import io
import os
import pickle
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from tasks.sources import archive as archive_module
from tasks.sources.fetch import fetch
from tasks.sources.model import Source
from warehouse.errors import SourceError
from warehouse.layout import Layout

from .conftest import FILES, sha256, tar_gz, wheel, zipped

SDIST = tar_gz({**FILES, "PKG-INFO": b"Name: demo\n"}, top="demo-1.0/")
BUILD = {
    "pyproject.toml": b'[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    "PKG-INFO": b"Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n",
    "backend.py": b"""
import os
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    os.mkdir(os.path.join(folder, "demo-1.0.dist-info"))
    with open(os.path.join(folder, "demo-1.0.dist-info", "METADATA"), "w") as f:
        f.write("Metadata-Version: 2.1\\nName: demo\\nVersion: 1.0\\n")
    return "demo-1.0.dist-info"
def build_wheel(*a, **k): raise SystemExit("nobody asked for a wheel")
""",
    "src/a.c": b"int a;\n",
}


def source(data: bytes, kind: str = "pypi", archive: str | None = "sdist", **fields: object) -> Source:
    given = {"project_id": "p", "address": "demo", "revision": "1.0", "sha256": sha256(data)} | fields
    return Source(kind=kind, archive=archive, **given)


def put(layout: Layout, data: bytes, suffix: str = ".tar.gz") -> Path:
    """Place an archive where a download would have left it."""
    layout.sources.mkdir(parents=True, exist_ok=True)
    place = layout.sources / f"demo-1.0-{sha256(data)[:12]}{suffix}"
    place.write_bytes(data)
    return place


def left(layout: Layout) -> list[str]:
    return sorted(path.name for path in layout.sources.iterdir()) if layout.sources.exists() else []


@pytest.fixture
def no_process(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("no process may start")

    monkeypatch.setattr(subprocess, "run", refuse)


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder that is all pip knows of package indexes."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_an_sdist_already_here_is_read_without_starting_anything(layout, no_process, read_all):
    put(layout, SDIST)
    tree = fetch(source(SDIST), layout)
    assert read_all(tree) == {**FILES, "PKG-INFO": b"Name: demo\n"}
    assert (tree.revision, tree.sha256, tree.missing) == ("1.0", sha256(SDIST), 0)


def test_a_wheel_keeps_its_paths(layout, no_process, read_all):
    data = wheel("demo", "1.0", {"demo/a.c": b"int a;\n", "demo/sub/b.h": b""})
    put(layout, data, ".whl")
    found = read_all(fetch(source(data, archive="wheel"), layout))
    assert {path for path in found if "dist-info" not in path} == {"demo/a.c", "demo/sub/b.h"}


def test_an_npm_archive_loses_its_top_folder(layout, no_process, read_all):
    data = tar_gz(FILES, top="package/")
    put(layout, data, ".tgz")
    assert read_all(fetch(source(data, "npm", None), layout)) == FILES


def test_the_pack_is_written_once_and_again_when_it_was_deleted(layout, no_process, read_all, monkeypatch):
    pack = Path(f"{put(layout, SDIST)}.pack")
    before = fetch(source(SDIST), layout)
    assert pack.exists()
    archive_module._index.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(archive_module, "_members", None)
        assert fetch(source(SDIST), layout) == before
    pack.unlink()
    archive_module._index.cache_clear()
    assert read_all(fetch(source(SDIST), layout)) == read_all(before)


def test_many_files_in_any_order_repeatedly(layout, no_process):
    files = {f"f{index:03}.c": bytes([index % 251]) * (index * 131) for index in range(200)}
    data = tar_gz(files, top="demo-1.0/")
    put(layout, data)
    asked = [*sorted(files, reverse=True), "f001.c", "f001.c"]
    assert list(fetch(source(data), layout).read_many(asked)) == [(path, files[path]) for path in asked]


def test_pickles_small_and_opens_in_another_process(layout, no_process):
    put(layout, SDIST)
    tree = fetch(source(SDIST), layout)
    data = pickle.dumps(tree)
    assert len(data) < 1000
    archive_module._index.cache_clear()
    assert pickle.loads(data).read("src/latin.h") == FILES["src/latin.h"]


def test_a_name_that_is_not_there_is_refused(layout):
    put(layout, SDIST)
    with pytest.raises(SourceError, match=r"p has no file 'demo-1\.0/src/a\.c'"):
        fetch(source(SDIST), layout).read("demo-1.0/src/a.c")


def test_a_kept_archive_that_was_damaged_is_named_with_both_hashes(layout, no_process):
    place = put(layout, SDIST)
    place.write_bytes(SDIST + b"x")
    with pytest.raises(SourceError, match=f"expected sha256 {sha256(SDIST)}, got {sha256(SDIST + b'x')}; delete"):
        fetch(source(SDIST), layout)


@pytest.mark.parametrize("fields", [{"sha256": None}, {"revision": None}])
def test_an_incomplete_pin_is_refused(layout, no_process, fields):
    with pytest.raises(SourceError, match=r"^p is pinned incompletely: a pypi source needs a version and the sha256"):
        fetch(source(SDIST, **fields), layout)


@pytest.mark.parametrize("name", ["../evil.c", "/etc/evil.c", "demo-1.0/../../evil.c", "demo-1.0/a/../b.c"])
@pytest.mark.parametrize("form", ["tar", "zip"])
def test_paths_that_lead_out_are_refused_and_nothing_is_written(layout, tmp_path, name, form):
    data = tar_gz({"demo-1.0/ok.c": b"", name: b"evil"}) if form == "tar" else zipped({"ok.c": b"", name: b"evil"})
    put(layout, data, ".tar.gz" if form == "tar" else ".whl")
    before = sorted(path for path in tmp_path.rglob("*"))
    with pytest.raises(SourceError, match=r"holds the path .* which leads out of its folder"):
        fetch(source(data, archive="sdist" if form == "tar" else "wheel"), layout)
    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_links_and_devices_of_a_tar_are_left_out_and_hard_links_read(layout, read_all):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        regular = tarfile.TarInfo("t/a.c")
        regular.size = 7
        archive.addfile(regular, io.BytesIO(b"int a;\n"))
        for name, kind, to in [
            ("t/soft.c", tarfile.SYMTYPE, "/etc/passwd"), ("t/hard.c", tarfile.LNKTYPE, "t/a.c"),
            ("t/pipe.c", tarfile.FIFOTYPE, ""), ("t/dir.c", tarfile.DIRTYPE, ""),
        ]:  # fmt: skip
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, to
            archive.addfile(member)
    put(layout, buffer.getvalue())
    assert read_all(fetch(source(buffer.getvalue()), layout)) == {"a.c": b"int a;\n", "hard.c": b"int a;\n"}


def test_a_symbolic_link_in_a_zip_is_left_out(layout, read_all):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.c", b"int a;\n")
        link = zipfile.ZipInfo("link.c")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    put(layout, buffer.getvalue(), ".whl")
    assert read_all(fetch(source(buffer.getvalue(), archive="wheel"), layout)) == {"a.c": b"int a;\n"}


@pytest.mark.parametrize("cut", [0, 10, len(SDIST) // 2])
def test_a_broken_archive_is_one_sentence_and_leaves_no_pack(layout, cut):
    put(layout, SDIST[:cut])
    with pytest.raises(SourceError, match=r"of p cannot be read \(.*\); delete it and run again") as error:
        fetch(source(SDIST[:cut]), layout)
    assert "\n" not in str(error.value)
    assert [name for name in left(layout) if "pack" in name or "partial" in name] == []


def test_pip_downloads_the_wheel_with_the_hash(layout, index, no_process_after, read_all):
    data = wheel("demo", "1.0", {"demo/a.c": b"int a;\n"})
    (index / "demo-1.0-py3-none-any.whl").write_bytes(data)
    tree = fetch(source(data, archive="wheel"), layout)
    assert tree.read("demo/a.c") == b"int a;\n"
    name = f"demo-1.0-{sha256(data)[:12]}.whl"
    assert left(layout) == [name, f"{name}.pack"]
    no_process_after()
    assert fetch(source(data, archive="wheel"), layout) == tree


@pytest.fixture
def no_process_after(monkeypatch):
    def stop() -> None:
        monkeypatch.setattr(subprocess, "run", None)

    return stop


def test_pip_downloads_the_sdist_though_a_wheel_is_there(layout, index):
    data = tar_gz(BUILD, top="demo-1.0/")
    (index / "demo-1.0.tar.gz").write_bytes(data)
    (index / "demo-1.0-py3-none-any.whl").write_bytes(wheel("demo", "1.0", {"demo/a.c": b""}))
    assert fetch(source(data), layout).read("src/a.c") == b"int a;\n"


def test_another_hash_from_pip_names_both_and_keeps_nothing(layout, index):
    data = wheel("demo", "1.0", {"demo/a.c": b"int a;\n"})
    (index / "demo-1.0-py3-none-any.whl").write_bytes(data)
    wanted = "0" * 64
    with pytest.raises(SourceError, match=f"expected sha256 {wanted}, got {sha256(data)}; nothing was kept") as error:
        fetch(source(data, archive="wheel", sha256=wanted), layout)
    assert "\n" not in str(error.value)
    assert left(layout) == []


def test_a_package_pip_cannot_find_is_one_sentence_and_leaves_nothing(layout, index):
    with pytest.raises(
        SourceError, match=r"^pip could not download p \(demo 1\.0\) \(.*demo==1\.0.*\); check"
    ) as error:
        fetch(source(SDIST, archive="wheel"), layout)
    assert "\n" not in str(error.value)
    assert left(layout) == []


NPM = """#!{python}
import pathlib, sys, time
into = pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1])
name = sys.argv[2]
(into / "half.tgz").write_bytes(b"half")
if name == "slow@1.0":
    pathlib.Path({mark!r}).touch()
    time.sleep(60)
if name == "gone@1.0":
    (into / "half.tgz").unlink()
    sys.exit("npm error code E404\\nnpm error 404 Not Found - gone@1.0\\nnpm error A complete log: debug-0.log")
(into / "half.tgz").rename(into / "demo-1.0.tgz")
(into / "demo-1.0.tgz").write_bytes(pathlib.Path({data!r}).read_bytes())
"""


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """A program called npm that packs one prepared archive."""
    data = tar_gz(FILES, top="package/")
    (tmp_path / "packed").write_bytes(data)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "npm"
    program.write_text(NPM.format(python=sys.executable, data=str(tmp_path / "packed"), mark=str(tmp_path / "mark")))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return data


@pytest.mark.parametrize("address", ["demo", "@scope/demo"])
def test_npm_packs_once(layout, npm, read_all, address):
    tree = fetch(source(npm, "npm", None, address=address), layout)
    assert read_all(tree) == FILES
    name = f"{address.removeprefix('@').replace('/', '-')}-1.0-{sha256(npm)[:12]}.tgz"
    assert left(layout) == [name, f"{name}.pack"]


def test_another_hash_from_npm_keeps_nothing(layout, npm):
    with pytest.raises(SourceError, match=f"expected sha256 {'1' * 64}, got {sha256(npm)}; nothing was kept"):
        fetch(source(npm, "npm", None, sha256="1" * 64), layout)
    assert left(layout) == []


def test_the_reason_npm_gave_is_in_the_sentence(layout, npm):
    with pytest.raises(SourceError, match=r"^npm could not download p \(gone 1\.0\) \(code E404\); check"):
        fetch(source(npm, "npm", None, address="gone"), layout)
    assert left(layout) == []


def test_a_missing_client_is_named(layout, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SourceError, match=r"^npm is needed to download p \(demo 1\.0\) and is not on the PATH"):
        fetch(source(SDIST, "npm", None), layout)


def test_a_download_that_was_killed_leaves_no_archive_and_is_swept_by_the_next(layout, npm, tmp_path):
    slow = source(npm, "npm", None, address="slow")
    program = f"""
from pathlib import Path
from tasks.sources.fetch import fetch
from tasks.sources.model import Source
from warehouse.layout import Layout
fetch(Source.model_validate_json({slow.model_dump_json()!r}), Layout(Path({str(layout.root)!r})))
"""
    child = subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
    deadline = time.monotonic() + 30
    while not (tmp_path / "mark").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert [name for name in left(layout) if not name.startswith(".partial-")] == []
    assert left(layout), "the killed process had begun"
    program_path = tmp_path / "bin" / "npm"
    program_path.write_text(program_path.read_text().replace("time.sleep(60)", "pass"))
    fetch(slow, layout)
    assert [name for name in left(layout) if name.startswith(".partial-")] == []
