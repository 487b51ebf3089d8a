"""The grading work of one shard as one picklable call, for the process that runs it."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.contract import BaseSample, Bench, Track
from tasks.grading.work import Item, grade_shard

Job = tuple[Mapping[str, BaseSample], Sequence[Item]]


def grade_job(track: Track, bench: Bench, job: Job) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a shard: `job` holds the samples it needs and its items."""
    samples, items = job
    return grade_shard(track, samples, items, bench)
