"""CodeBLEU: pairs per second of one core, ours with references parsed once against the package's on the same pairs."""

import logging
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.bench.ratio import Ratio

CLASSES = ((1, 10), (11, 30), (31, 100), (101, 400))
PAIRS = 40
WHILES = 6
"""The package's time doubles with each nested `while`; functions with more of them are left out of the comparison."""
Pair = tuple[str, str, str]


def run() -> Iterator[Ratio]:
    """Yield a ratio per size class and one over all; half are a function and its edit, half are strangers."""
    from codebleu import calc_codebleu

    from tasks.grading.codebleu import Reference, codebleu

    logging.disable(logging.CRITICAL)
    functions = _functions()
    totals = [0, 0.0, 0.0]
    for low, high in CLASSES:
        pairs = _pairs([one for one in functions if low <= one[1].count("\n") + 1 <= high])
        references = [Reference([reference], language) for reference, _, language in pairs]  # type: ignore[arg-type]

        def ours(pairs: list[Pair] = pairs, references: list[Reference] = references) -> None:
            for reference, (_, candidate, _) in zip(references, pairs, strict=True):
                codebleu(reference, candidate)

        def package(pairs: list[Pair] = pairs) -> None:
            for reference, candidate, language in pairs:
                calc_codebleu([reference], [candidate], language)

        times = _cpu_s(ours), _cpu_s(package)
        totals = [totals[0] + len(pairs), totals[1] + times[0], totals[2] + times[1]]
        yield _ratio(f"codebleu, {low}–{high} lines", len(pairs), *times)
    yield _ratio("codebleu, all", *totals)


def _ratio(name: str, pairs: float, ours_s: float, package_s: float) -> Ratio:
    return Ratio(
        name, pairs / ours_s, pairs / package_s, "pairs/s", ">= 5", f"{pairs:.0f} pairs of functions, CPU time"
    )


def _cpu_s(function: Callable[[], object], repeats: int = 3) -> float:
    """Return the least CPU time in seconds: the machine may be busy, and both run on one core."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def _pairs(functions: list[tuple[str, str]]) -> list[Pair]:
    """Return references in the order of a hash, each with an edit of itself or with the next function."""
    from tasks.ids import digest

    chosen = sorted(functions, key=lambda one: digest(one))[: PAIRS + 1]
    pairs = []
    for at, ((language, text), (other, stranger)) in enumerate(pairwise(chosen)):
        lines = text.split("\n")
        edited = "\n".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :]).replace("i", "k")
        pairs.append((text, edited if at % 2 or other != language else stranger, language))
    return pairs


def _functions() -> list[tuple[str, str]]:
    """Return (language, text) of the functions in the demo's sources that parse, by a plain query."""
    from tree_sitter import Parser, Query, QueryCursor

    from corpora import catalog
    from tasks.grading.keywords import CodeLanguage
    from tasks.grading.syntax import grammar
    from tasks.sources.fetch import fetch
    from tasks.sources.select import c_files
    from warehouse.layout import Layout

    found: dict[tuple[str, str], None] = {}
    for source in catalog.demo():
        tree = fetch(source, Layout.default())
        paths = [file.path for file in c_files(tree, source) if file.path.endswith((".c", ".cpp"))]
        for path, data in tree.read_many(paths):
            language: CodeLanguage = "c" if path.endswith(".c") else "cpp"
            root = Parser(grammar(language)).parse(data).root_node
            query = Query(grammar(language), "(function_definition) @function")
            for node in QueryCursor(query).captures(root).get("function", []):
                text = (node.text or b"").decode("utf-8", "replace")
                if not node.has_error and text.count("while") <= WHILES:
                    found[language, text] = None
    return list(found)
