"""The Prefect task under every CPU-bound stage: one shard of work a task, so that 100,000 items are 2,000 tasks."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.compute.pool import Pool
from tasks.contract import Map

# The warehouse is the cache: a finished unit is a row whose id hashes its inputs and the version strings of the code
# that made it. A second cache keyed by Prefect could only disagree with it.
POLICY = NO_CACHE

Advance = Callable[[int], None]
Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""`bar(label, total)` opens a progress bar and gives the function that moves it on."""


class Opaque:
    """Carries values into a task or flow as they are.

    Prefect walks through every argument in search of futures, for seconds where it holds samples, and records those
    of a flow, half a megabyte at most.
    """

    def __init__(self, *values: Any) -> None:
        self.values = values


@task(name="shard", task_run_name="{label}", cache_policy=POLICY, persist_result=False)
def shard(work: Opaque, label: str) -> Any:
    """Run one shard: in the pool where this process has one, else here (a Dask, Ray or process worker)."""
    function, item, pool = work.values
    return pool.run(function, item) if pool is not None else function(item)


def prefect_map(pool: Pool | None, bar: Bar) -> Map:
    """Return a `Map` that runs each item as a Prefect task on the task runner of the flow it is called in."""

    def run(function: Callable[[Any], Any], items: Iterable[Any], label: str) -> Iterator[Any]:
        futures = [shard.submit(Opaque(function, item, pool), label) for item in items]
        with bar(label, len(futures)) as advance:
            for future in futures:
                result = future.result()
                advance(1)
                yield result

    return run
