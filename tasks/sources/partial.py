"""All or nothing: a file or folder is made under a temporary name beside its place and renamed when complete."""

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch(place: Path) -> Iterator[Path]:
    """Yield an empty folder beside `place` that is removed when the block ends, however it ends.

    What processes of this host left behind that were killed while making the same place is removed first.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    for left in sorted(place.parent.glob(f".partial-{_host()}-*-{place.name}-*")):
        if not _running(left.name.split("-")[2]):
            shutil.rmtree(left, ignore_errors=True)
    prefix = f".partial-{_host()}-{os.getpid()}-{place.name}-"
    work = Path(tempfile.mkdtemp(prefix=prefix, dir=place.parent))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def partial_folder(place: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `place` when the block ends well, and is removed when it does not.

    Two processes may make the same place: the first to finish wins and the other's work is dropped.
    """
    with scratch(place) as work:
        made = work / place.name
        made.mkdir()
        yield made
        try:
            made.rename(place)
        except OSError:
            if not place.exists():
                raise


@contextmanager
def partial_file(place: Path) -> Iterator[Path]:
    """Yield the name of a file to write that becomes `place` when the block ends well, and is removed otherwise."""
    with scratch(place) as work:
        yield work / place.name
        (work / place.name).replace(place)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]", "", platform.node()) or "here"


def _running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
