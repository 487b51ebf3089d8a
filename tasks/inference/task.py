"""Prefect task of the stage: ask one model one shard of units."""

from prefect import task

from tasks.compute.task import POLICY, Opaque
from tasks.inference.shard import ShardSummary, run_shard


@task(name="ask", task_run_name="ask {model}", cache_policy=POLICY, persist_result=False)
def ask(work: Opaque, model: str) -> ShardSummary:
    """Ask, journal and land the units of one shard; `work` holds the arguments of `run_shard`, `model` names it."""
    positional, named = work.values
    return run_shard(*positional, **named)
