"""From families, or from a file of items, to samples. Families are verified by both paths first, or nothing is built.

Options (`BuildInputs.options`), all optional and all part of the build's identity:
    rename, renumber, distractor, isolate: items of that variant a family, where `size` is not given (`DEFAULTS`).
    families: names of the only families wanted.
    modules: the modules of `corpora.registers.families` to take them from.
    verify_draws: draws a family on which the two paths are compared (default 1,000).
    cortex_m: whether C items must also run on the simulated Cortex-M; default where the tools are installed.
    items: a file of items with check blocks to build from instead (`items_import`); `items_sha256` is its hash.

`size` is the number of items in total: every family gets one item of each variant before any gets a second, so a
larger release holds every item of a smaller one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from corpora.registers import proof
from corpora.registers.answers import Key
from corpora.registers.families import MODULES, families
from corpora.registers.family import Family, Item, Variant, item
from corpora.registers.schema import Sample
from tasks.contract import BuildInputs, Counted, Dropped
from warehouse.errors import CorpusError

DEFAULTS: dict[Variant, int] = {"rename": 7, "renumber": 8, "distractor": 3, "isolate": 3}
OPTIONS = (*DEFAULTS, "families", "modules", "verify_draws", "cortex_m")
"""Those of the options that a user may give."""

VERIFY_DRAWS = 1000
GENERATOR = "1"


def build(inputs: BuildInputs) -> Iterator[Sample | Dropped | Counted]:
    """Yield samples and the counts of each stage.

    Raises CorpusError where a family's two paths disagree, for a family that does not exist, and for a `size` that
    leaves a family without an item.
    """
    if items := inputs.options.get("items"):
        from corpora.registers.items_import import samples

        yield from samples(Path(items), sha256=inputs.options.get("items_sha256"))
        return
    wanted = _families(inputs.options)
    yield from _verified(wanted, inputs.options)
    yield from from_items(planned(wanted, inputs.size, inputs.options))


def planned(wanted: Mapping[str, Family], size: int | None, options: Mapping[str, Any]) -> Iterator[Item]:
    """Yield the items of a release, family by family in rounds: one item of each variant a round."""
    if size is not None and size < len(wanted):
        raise CorpusError(f"{size} items leave some of the {len(wanted)} families without one; ask for {len(wanted)}.")
    counts = {variant: int(options.get(variant, most)) for variant, most in DEFAULTS.items()}
    rounds = max(counts.values(), default=0) if size is None else size
    every = (
        item(family, variant, draw, wording)
        for turn in range(max(rounds, 1))
        for variant, draw, wording in _round(turn, counts if size is None else None)
        for family in wanted.values()
    )
    yield from islice(every, size)


def _round(turn: int, counts: Mapping[Variant, int] | None) -> Iterator[tuple[Variant, int, int]]:
    """Yield variant, draw and wording of one round. A rename keeps draw 0, the others keep wording 0."""
    if turn == 0:
        yield "base", 0, 0
    more: tuple[tuple[Variant, int, int], ...] = (
        ("rename", 0, turn + 1),
        ("renumber", turn + 1, 0),
        ("distractor", turn, 0),
        ("isolate", turn, 0),
    )
    for variant, draw, wording in more:
        if counts is None or turn < counts[variant]:
            yield variant, draw, wording


def from_items(items: Iterable[Item]) -> Iterator[Sample | Dropped | Counted]:
    """Yield the samples of items and how many there were; a question asked twice is dropped."""
    entered = 0
    asked: set[str] = set()
    for one in items:
        entered += 1
        if one.question in asked:
            yield Dropped(stage="items", item=one.key, reason="repeated_question")
            continue
        asked.add(one.question)
        yield sample_of(one)
    yield Counted(stage="items", entered=entered, kept=len(asked))


def sample_of(one: Item) -> Sample:
    """Return the sample of an item, with its proof."""
    key = Key(one.kind, one.answer, one.unit, one.tolerance, one.base, one.choices, one.aliases)
    return Sample(
        category=one.variant, cluster=one.family, family=one.family, domain=one.domain, difficulty=one.tier,
        reference=proof.reference(key), stub=proof.stub(key), mutants=proof.mutants(key), question=one.question,
        kind=one.kind, expected=one.answer, unit=one.unit, tolerance=one.tolerance, base=one.base,
        choices=one.choices, aliases=dict(one.aliases), rationale=one.rationale, draw=one.draw, wording=one.wording,
        params=one.params, provenance={"item": one.key}, extractors={"registers": GENERATOR},
    )  # fmt: skip


def _families(options: Mapping[str, Any]) -> dict[str, Family]:
    found = families(tuple(options.get("modules", MODULES)))
    names = options.get("families")
    if names is None:
        return found
    if unknown := sorted(set(names) - set(found)):
        raise CorpusError(f"There is no family {unknown[0]!r}; the families are {', '.join(found)}.")
    return {name: found[name] for name in found if name in set(names)}


def _verified(wanted: Mapping[str, Family], options: Mapping[str, Any]) -> Iterator[Counted]:
    """Compute every answer twice and say how many agreed; a disagreement ends the build."""
    from corpora.registers.verify import verify

    report = verify(wanted, int(options.get("verify_draws", VERIFY_DRAWS)), cortex_m=options.get("cortex_m"))
    yield Counted(stage="verification", entered=report.answers, kept=report.answers)
