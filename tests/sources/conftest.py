import base64
import hashlib
import io
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from warehouse.layout import Layout

FILES = {
    "LICENSE": b"MIT License\n",
    "src/a.c": b"int a(void) { return 1; }\n",
    "src/deep/b.cpp": b"int b() { return 2; }\r\n",
    "src/latin.h": b"/* caf\xe9 */\n",
    "empty.h": b"",
    "name with space.c": b"int c;\n",
    "odd\nname.c": b"int d;\n",
    "\u00fcber.c": b"int e;\n",
    "tool.py": b"pass\n",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git as a fixed author, without the configuration of the user."""
    environment = os.environ | {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
        "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    }  # fmt: skip
    done = subprocess.run(["git", *arguments], cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").strip()


def write_files(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def tar_gz(files: dict[str, bytes], top: str = "") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path, data in files.items():
            member = tarfile.TarInfo(top + path)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return buffer.getvalue()


def wheel(name: str, version: str, files: dict[str, bytes]) -> bytes:
    """Build a wheel that pip accepts."""
    info = f"{name}-{version}.dist-info"
    content = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for path, data in content.items():
        hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={hashed},{len(data)}\n")
    content[f"{info}/RECORD"] = ("".join(rows) + f"{info}/RECORD,,\n").encode()
    return zipped(content)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path / "data")


@pytest.fixture(scope="session")
def made_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a link and a submodule entry, two commits, a tag, a branch and an annotated tag."""
    root = write_files(tmp_path_factory.mktemp("repository"), {"src/a.c": b"int old;\n"})
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    git(root, "tag", "v1")
    write_files(root, FILES)
    (root / "link.c").symlink_to("src/a.c")
    git(root, "add", "-A")
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},vendor/sub.c")
    git(root, "commit", "-qm", "second")
    git(root, "tag", "-a", "v2", "-m", "second")
    git(root, "branch", "feature/x", "v1")
    return root


@pytest.fixture
def read_all() -> Callable[..., dict[str, bytes]]:
    return lambda tree: dict(tree.read_many(file.path for file in tree.files()))
