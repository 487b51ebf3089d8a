"""Prefect task of the stage: ask one model one shard of units."""

from collections.abc import Callable, Mapping

from prefect import task

from tasks.compute.task import POLICY
from tasks.contract import BaseSample, Config, Track
from tasks.inference.budget import Budget
from tasks.inference.models import Model
from tasks.inference.plan import Shard
from tasks.inference.shard import ShardSummary, run_shard
from warehouse.layout import Layout


@task(name="ask", task_run_name="ask {model.name}", cache_policy=POLICY, persist_result=False)
def ask(
    track: Track,
    samples: Mapping[str, BaseSample],
    shard: Shard,
    model: Model,
    configs: Mapping[str, Config],
    layout: Layout,
    run_id: str,
    release: str,
    budget: Budget,
    on_reply: Callable[[int], None],
) -> ShardSummary:
    """Ask, journal and land the units of one shard."""
    return run_shard(
        track,
        samples,
        shard,
        model,
        configs,
        layout=layout,
        run_id=run_id,
        release=release,
        budget=budget,
        on_reply=on_reply,
    )
