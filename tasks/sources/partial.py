"""All or nothing: a file or folder is made under a temporary name beside its place and renamed when complete."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def partial_folder(place: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `place` when the block ends well, and is removed when it does not.

    Two processes may make the same place: the first to finish wins and the other's work is dropped.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    sweep(place)
    work = Path(tempfile.mkdtemp(prefix=_prefix(place), dir=place.parent))
    try:
        yield work
        work.chmod(0o755)
        try:
            work.rename(place)
        except OSError:
            if not place.exists():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


@contextmanager
def partial_file(place: Path) -> Iterator[Path]:
    """Yield the name of a file to write that becomes `place` when the block ends well, and is removed otherwise."""
    place.parent.mkdir(parents=True, exist_ok=True)
    sweep(place)
    work = Path(tempfile.mkdtemp(prefix=_prefix(place), dir=place.parent))
    try:
        yield work / place.name
        (work / place.name).replace(place)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove what processes that were killed while making `place` left behind."""
    for left in sorted(place.parent.glob(f".partial-*-{place.name}-*")):
        if not _running(left.name.split("-")[1]):
            shutil.rmtree(left, ignore_errors=True)


def _prefix(place: Path) -> str:
    return f".partial-{os.getpid()}-{place.name}-"


def _running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
