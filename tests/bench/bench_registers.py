"""How many items of the registers track are generated and verified in a minute, on two processes.

Every item has its own draw, its text is made, and its answer is computed by both paths; C items are compiled and run,
on Cortex-M as well where the tools are installed. The goal is the one that the track promises: 100,000.
"""

import resource
import time
from concurrent.futures import ProcessPoolExecutor

from corpora.registers.families import families
from corpora.registers.family import item
from corpora.registers.verify import verify
from tests.bench.ratio import Ratio

ITEMS, WORKERS, GOAL = 100_000, 2, 100_000


def run() -> list[Ratio]:
    """Return the items a minute against the goal: by the clock, and of two cores that do nothing else (CPU time)."""
    names = list(families())
    draws = -(-ITEMS // (2 * len(names)))
    start = time.perf_counter()
    with ProcessPoolExecutor(max_workers=WORKERS) as pool:
        shares = [pool.submit(share, names[k::WORKERS], draws) for k in range(WORKERS)]
        results = [future.result() for future in shares]
    minutes = (time.perf_counter() - start) / 60
    made, cpu_s = sum(count for count, _, _ in results), sum(spent for _, spent, _ in results)
    detail = f"{made} items of {len(names)} families in {60 * minutes:.0f} s, {cpu_s:.0f} s of CPU; {results[0][2]}"
    return [
        Ratio("registers: items a minute, by the clock", made / minutes, GOAL, "items", ">= 1", detail),
        Ratio(
            "registers: items a minute of 2 cores' time", 60 * WORKERS * made / cpu_s, GOAL, "items", ">= 1", detail
        ),
    ]


def share(names: list[str], draws: int) -> tuple[int, float, str]:
    """Verify and generate the items of some families; return their number, CPU seconds and what was not run."""
    found = families()
    chosen = {name: found[name] for name in names}
    report = verify(chosen, draws)
    made = 0
    for family in chosen.values():
        for draw in range(draws):
            item(family, "renumber" if draw else "base", draw, draw % 24)
            item(family, "isolate", draw, draw % 24)
            made += 2
    assert made == report.answers
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return made, sum(one.ru_utime + one.ru_stime for one in usage), "; ".join(report.not_run) or "host and Cortex-M"
