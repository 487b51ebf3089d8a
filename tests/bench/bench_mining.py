"""Function mining against parsing alone on one process, and on all cores against universal-ctags on the same tree."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

from tasks.mining import grammar
from tasks.mining.mine import mine_file
from tests.bench.extractors import Found, Written, ctags, demo_trees, has_ctags, ours
from tests.bench.ratio import Ratio, best_in_turns


def run() -> Iterator[Ratio]:
    """Yield two ratios a demo tree; says why one cannot be measured."""
    for written in demo_trees():
        yield against_parsing(written)
        if has_ctags():
            yield against_ctags(written)
        else:
            print("Mining against ctags is left out: universal-ctags with JSON output is not installed.")


def against_parsing(written: Written) -> Ratio:
    """Time mining and parsing over the same bytes in memory, in turns, on one process."""
    files = list(written.tree.read_many(written.paths))
    languages = [grammar.sniff(path, data)[0] for path, data in files]

    def parse() -> None:
        for language, (_, data) in zip(languages, files, strict=True):
            grammar.parse(language, data)

    def mine() -> None:
        for path, data in files:
            mine_file(path, data, written.source, symbols=False)

    parsing, mining = best_in_turns(parse, mine)
    size = sum(len(data) for _, data in files)
    detail = f"{len(files)} files, {size / 1e6:.1f} MB, functions only, one process"
    return Ratio(f"mining {written.source.project_id} / parsing", mining, parsing, "s", "<= 1.5", detail)


def against_ctags(written: Written) -> Ratio:
    """Time both over the tree on disk and count what each finds."""
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores) as pool:
        map: Callable = pool.map
        found: dict[str, Found] = {"ours": ours(written, map), "ctags": ctags(written)}
        mining, tagging = best_in_turns(lambda: ours(written, map), lambda: ctags(written))
    both = len(set(found["ours"]) & set(found["ctags"]))
    detail = (
        f"{cores} processes against one; ours found {len(found['ours'])}, ctags {len(found['ctags'])}, both {both} "
        "(file, name) pairs; docs/mining.md says which of the others are right"
    )
    return Ratio(f"mining {written.source.project_id} / ctags", mining, tagging, "s", "<= 2", detail)
