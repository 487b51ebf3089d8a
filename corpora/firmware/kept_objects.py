"""Objects of platform models, kept in the user's cache: built once for a content, a compiler and a kind of sandbox."""

import contextlib
import os
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tasks.sandbox import Sandbox

MOST = 40
"""The newest so many are kept: a model that changes leaves its old objects behind."""

_here: dict[str, bytes] = {}
_versions: dict[tuple[str, str], bytes] = {}


def _version(sandbox: Sandbox, compiler: str) -> bytes:
    if (sandbox.kind, compiler) not in _versions:
        _versions[sandbox.kind, compiler] = sandbox.run([compiler, "--version"]).stdout
    return _versions[sandbox.kind, compiler]


def kept(sandbox: Sandbox, compiler: str, content: str, build: Callable[[], bytes]) -> bytes:
    """Return the object of this content (a digest of everything that goes into it), built where there is none.

    A cache that cannot be read or written costs the time to build and nothing else.
    """
    parts = (sandbox.kind.encode(), _version(sandbox, compiler), content.encode())
    key = sha256(b"\0".join(parts)).hexdigest()[:24]
    if key in _here:
        return _here[key]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "firmbench" / "platforms"
    with contextlib.suppress(OSError):
        return _here.setdefault(key, (home / f"{key}.o").read_bytes())
    built = _here.setdefault(key, build())
    with contextlib.suppress(OSError):
        _keep(home, key, built)
    return built


def _keep(home: Path, key: str, built: bytes) -> None:
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=home)
    with os.fdopen(handle, "wb") as file:
        file.write(built)
    Path(name).replace(home / f"{key}.o")
    old = sorted(home.glob("*.o"), key=lambda path: path.stat().st_mtime, reverse=True)[MOST:]
    for path in old:
        path.unlink(missing_ok=True)
