"""Flow: the whole way once, on two real projects and a real small model."""

import time
from typing import Any

from prefect import flow

from flows.corpus import build_corpus
from flows.evaluation import run_benchmark
from flows.progress import say
from flows.reporting import report_of
from flows.runner import Where, on, pool_for
from warehouse.layout import Layout

LOCAL = "local/smollm2-135m"
BASELINES = ["reference", "empty", "stub"]
# 135M parameters read 140 tokens a second on two cores and write 77: this window keeps a unit near five seconds.
WINDOW = {"budget_tokens": 640, "reply_tokens": 144}


@flow(name="demo", validate_parameters=False)
def demo(size: int, slice_size: int, data: str, where: Where) -> Any:
    """Build, ask, grade; return the release."""
    release = on(where, build_corpus)("code", size=size, data=data, where=where)
    benchmark = on(where, run_benchmark)
    benchmark("code", BASELINES, ["full"], release=release, data=data, where=where)
    benchmark("code", [LOCAL], ["full"], release=release, limit=3 * slice_size, data=data, where=where, **WINDOW)
    benchmark("code", [LOCAL], ["all"], release=release, filters={"category": ["generation"]}, limit=slice_size,
              data=data, where=where, **WINDOW)  # fmt: skip
    return release


def run_demo(layout: Layout, *, size: int, slice_size: int, workers: int | None) -> None:
    """Run the demo and show its results: the leaderboard here, the rest in the report."""
    from warehouse.exports.leaderboard import leaderboard

    started = time.perf_counter()
    say("firmbench demo: littlefs and esphome in, a leaderboard and a report out (Prefect takes 15–30 s to start)")
    where = Where(workers=workers)
    with pool_for(where):
        release = demo(size, slice_size, str(layout.root), where)
    say(leaderboard(layout, release=release))
    path = report_of(layout, release)
    say(f"report: {path}")
    say(f'query:  firmbench sql "select * from leaderboard"   ({time.perf_counter() - started:.0f} s in all)')
