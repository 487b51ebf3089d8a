"""Prefect task of the stage: bring one pinned project."""

from prefect import task

from tasks.compute.task import POLICY
from tasks.sources.fetch import fetch as fetch_source
from tasks.sources.model import Source, Tree
from warehouse.layout import Layout


@task(name="fetch", task_run_name="fetch {source.project_id}", cache_policy=POLICY, persist_result=False)
def fetch(source: Source, layout: Layout) -> Tree:
    """Return the tree of a pinned project, downloading what is not here yet."""
    return fetch_source(source, layout)
