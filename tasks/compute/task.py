"""The Prefect task under every CPU-bound stage: one shard of work a task, so that 100,000 items are 2,000 tasks."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.utilities.annotations import quote

from tasks.compute.pool import Pool
from tasks.contract import Map

# The warehouse is the cache: a finished unit is a row whose id hashes its inputs and the version strings of the code
# that made it. A second cache keyed by Prefect could only disagree with it.
POLICY = NO_CACHE

Advance = Callable[[int], None]
Bar = Callable[[str, int], AbstractContextManager[Advance]]
"""`bar(label, total)` opens a progress bar and gives the function that moves it on."""


def unseen(value: Any) -> Any:
    """Hand a value to a task as it is: Prefect would walk through every sample in search of futures, for seconds."""
    return quote(value)


@task(name="shard", task_run_name="{label}", cache_policy=POLICY, persist_result=False)
def shard(function: Callable[[Any], Any], item: Any, label: str, pool: Pool | None) -> Any:
    """Run one shard: in the pool where this process has one, else here (a Dask, Ray or process worker)."""
    return pool.run(function, item) if pool is not None else function(item)


def prefect_map(pool: Pool | None, bar: Bar) -> Map:
    """Return a `Map` that runs each item as a Prefect task on the task runner of the flow it is called in."""

    def run(function: Callable[[Any], Any], items: Iterable[Any], label: str) -> Iterator[Any]:
        futures = [shard.submit(unseen(function), unseen(item), label, unseen(pool)) for item in items]
        with bar(label, len(futures)) as advance:
            for future in futures:
                yield future.result()
                advance(1)

    return run
