"""Where the shards of a flow run: threads beside a process pool here, or Dask or Ray workers anywhere."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from prefect import Flow
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from tasks.compute.pool import Pool
from warehouse.errors import UsageError

KINDS = ("threads", "processes", "dask", "ray")


@dataclass(frozen=True)
class Where:
    """`kind` is one of KINDS, `workers` a number of processes (all cores when None), `address` that of a scheduler."""

    kind: str = "threads"
    workers: int | None = None
    address: str | None = None

    @property
    def count(self) -> int:
        """Number of workers."""
        return self.workers or len(os.sched_getaffinity(0))


def task_runner(where: Where) -> TaskRunner[Any]:
    """Return Prefect's task runner for it; raises UsageError on an unknown kind or a missing extra."""
    if where.kind == "threads":
        # More threads than processes, so that the next shard waits at the pool and not behind Prefect.
        return ThreadPoolTaskRunner(max_workers=where.count + 2)
    if where.kind == "processes":
        return ProcessPoolTaskRunner(max_workers=where.count)
    if where.kind not in KINDS:
        raise UsageError(f"There is no runner {where.kind!r}; the runners are {', '.join(KINDS)}.")
    try:
        if where.kind == "dask":
            from prefect_dask import DaskTaskRunner

            local = {"n_workers": where.count, "threads_per_worker": 1}
            return DaskTaskRunner(address=where.address) if where.address else DaskTaskRunner(cluster_kwargs=local)
        from prefect_ray import RayTaskRunner

        return RayTaskRunner(address=where.address)
    except ImportError as error:
        raise UsageError(
            f"The {where.kind} runner needs the {where.kind!r} extra: run `make setup GROUPS='core {where.kind}'`."
        ) from error


_open: list[Pool] = []


@contextmanager
def pool_for(where: Where) -> Iterator[Pool | None]:
    """Open the process pool that the threads runner leans on; the other runners bring their own processes.

    Flows nest: an inner flow uses the pool that an outer one has open, since a worker takes seconds to import.
    """
    if where.kind != "threads":
        yield None
    elif _open:
        yield _open[-1]
    else:
        with Pool(where.count) as pool:
            _open.append(pool)
            try:
                yield pool
            finally:
                _open.remove(pool)


def on(where: Where, flow: Flow[..., Any]) -> Flow[..., Any]:
    """Return the flow with its shards on these workers."""
    return flow.with_options(task_runner=task_runner(where))
