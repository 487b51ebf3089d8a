"""From a described function and its completion points to samples, each with its stub and its seeded bugs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from corpora.code.schema import BLOCK, GENERATION, TOKEN, Sample
from corpora.code.seams import without_seams
from tasks.contract import ContextItem, Counted, Dropped, Map, Mutant
from tasks.curation.descriptions import Description
from tasks.curation.mutants import (
    BLOCK_STUB,
    block_mutants,
    function_mutants,
    function_stub,
    token_mutants,
    token_stub,
)
from tasks.curation.strata import stratum_of
from tasks.grading.facts import function_head
from tasks.mining.completion import Point
from tasks.sources.model import Source

VERSION = "1"
"""Changes when the same functions would make other samples."""

CHUNK = 8
COUNTED = ("calls", "globals", "types")


@dataclass(frozen=True)
class Draft:
    """Everything that the samples of one function are made of."""

    row: Mapping[str, Any]
    macros: tuple[str, ...]
    source: Source
    revision: str
    tree_hash: str
    context: tuple[ContextItem, ...]
    description: Description
    points: tuple[Point, ...]


def drafts_to_samples(drafts: Sequence[Draft], map: Map) -> Iterator[Sample | Dropped | Counted]:
    """Yield the samples of all drafts in order, and the count of the stage `samples`."""
    chunks = [drafts[start : start + CHUNK] for start in range(0, len(drafts), CHUNK)]
    entered = sum(1 + len(draft.points) for draft in drafts)
    kept = 0
    for made in map(_chunk, chunks, "samples"):
        kept += sum(isinstance(one, Sample) for one in made)
        yield from made
    yield Counted(stage="samples", entered=entered, kept=kept)


def _chunk(drafts: Sequence[Draft]) -> list[Sample | Dropped]:
    return [one for draft in drafts for one in samples_of(draft)]


def samples_of(draft: Draft) -> Iterator[Sample | Dropped]:
    """Yield the generation sample of a function, then one for each completion point."""
    draft = replace(draft, context=without_seams(draft.context, draft.row["text"]))
    row, macros = draft.row, draft.macros
    text, language, key = row["text"], row["language"], row["function_id"]
    shared = _shared(draft)
    yield _checked(
        row,
        Sample(
            category=GENERATION,
            reference=text,
            stub=function_stub(text, language, macros=macros),
            mutants=function_mutants(text, language, key, macros=macros),
            start_byte=row["start_byte"],
            end_byte=row["end_byte"],
            **shared,
        ),
    )
    for point in draft.points:
        yield _checked(row, _completion(row, point, macros, shared))


def _completion(row: Mapping[str, Any], point: Point, macros: tuple[str, ...], shared: dict[str, Any]) -> Sample:
    language, key = row["language"], f"{row['function_id']}:{point.start_byte}"
    parts = (point.prefix, point.hidden, point.suffix)
    mutants: tuple[Mutant, ...]
    if point.level == "token":
        stub, mutants = token_stub(point.hidden), token_mutants(*parts, language, key, macros=macros)
    else:
        stub, mutants = BLOCK_STUB, block_mutants(*parts, language, key, macros=macros)
    # Offsets into the file count its own encoding, not the UTF-8 that the text is cut in.
    start = row["start_byte"] + len(point.prefix.encode(row["encoding"] or "utf-8"))
    return Sample(
        category=TOKEN if point.level == "token" else BLOCK,
        reference=point.hidden,
        stub=stub,
        mutants=mutants,
        prefix=point.prefix,
        suffix=point.suffix,
        hidden_kind=point.kind,
        start_byte=start,
        end_byte=start + len(point.hidden.encode(row["encoding"] or "utf-8")),
        **shared,
    )


def _checked(row: Mapping[str, Any], sample: Sample) -> Sample | Dropped:
    """Let a sample pass that carries at least one seeded bug: without one its release would prove less."""
    if sample.mutants:
        return sample
    return Dropped(
        stage="samples",
        item=f"{row['function_id']}:{sample.category}:{sample.start_byte}",
        reason="no_mutant",
        project_id=row["project_id"],
    )


def _shared(draft: Draft) -> dict[str, Any]:
    row, source = draft.row, draft.source
    kinds = Counter(item.kind for item in draft.context)
    found_by = Counter(f"{item.kind}:{item.found_by}" for item in draft.context)
    head = function_head(row["text"], row["language"], draft.macros)
    licence = row["licence"] or source.licence
    return {
        "cluster": row["project_id"],
        "project_id": row["project_id"],
        "family": row["function_id"],
        "domain": source.domain,
        "stratum": stratum_of(row["loc"]),
        "created": source.first_seen,
        "licence": licence,
        "language": row["language"],
        "path": row["path"],
        "context": draft.context,
        "function_name": row["name"],
        "qualified_name": row["qualified_name"] or row["name"],
        "signature": head or row["signature"],
        "description": draft.description.text,
        "description_source": draft.description.source,
        "loc": row["loc"],
        "counts": {kind: kinds[kind] for kind in COUNTED},
        "encoding": row["encoding"] or "utf-8",
        "macros": tuple(draft.macros),
        "provenance": {
            "project": row["project_id"],
            "revision": draft.revision,
            "tree_hash": draft.tree_hash,
            "path": row["path"],
            "function_id": row["function_id"],
            "function_span": [row["start_byte"], row["end_byte"]],
            "start_line": row["start_line"],
            "end_line": row["end_line"],
            "licence": licence,
            "context_found_by": dict(sorted(found_by.items())),
            "description_refused": draft.description.refused,
        },
        "extractors": versions(),
    }


@cache
def versions() -> dict[str, str]:
    """Return the versions of what decides a sample's content."""
    from importlib.metadata import version

    from tasks.mining.context import extractors

    grammars = {name: version(name) for name in ("tree-sitter", "tree-sitter-c", "tree-sitter-cpp")}
    return {"code": VERSION, **extractors(), **grammars}
