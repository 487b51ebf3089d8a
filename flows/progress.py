"""Progress bars for a terminal, and one line a stage where the output is a file."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tasks.compute.task import Advance

console = Console(stderr=True, highlight=False, width=None if sys.stderr.isatty() else 160)
QUIET_S = 10.0


@contextmanager
def bar(label: str, total: int) -> Iterator[Advance]:
    """Show how far a stage is; without a terminal, print a line every few seconds and one at its end."""
    start = time.monotonic()
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                   TimeRemainingColumn())  # fmt: skip
        with Progress(*columns, console=console) as progress:
            row = progress.add_task(label, total=total)
            yield lambda steps: progress.advance(row, steps)
        return
    done, told = 0, start

    def advance(steps: int) -> None:
        nonlocal done, told
        done += steps
        if time.monotonic() - told > QUIET_S:
            told = time.monotonic()
            print(f"  {label}: {done} of {total}", file=sys.stderr, flush=True)

    yield advance
    print(f"  {label}: {done} of {total} in {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)


def say(what: object) -> None:
    """Print a line, or a table, about what the run does, beside the bars.

    Flows call this and never name the console: Dask pickles a flow with what it names, and a console has locks.
    """
    console.print(what)
