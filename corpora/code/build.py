"""From mined functions to samples: filter, read, sample, context, description, completion points, samples.

Every stage yields what it dropped, with the reason, and a count, so that input = kept + Σ dropped. Everything is a
pure function of the mined projects and the options: draws are hashes of function ids, so neither the number of workers
nor the hash seed changes a release.

Options (`BuildInputs.options`), all optional:
    layout: `warehouse.layout.Layout`, where context extraction keeps its caches.
    quotas: {project_id: most generation samples}.
    ask: callable from messages to text, the model that writes descriptions; without it comments and signatures do.
    describer: the name of that model, as rows record it.
    ask_workers: how many requests run at once (default 8).
    context_options: handed to context extraction as they are.
    max_tokens: longest function that is asked for, in estimated tokens (default 6,144, three quarters of 8,192).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpora.code import candidates, points
from corpora.code.assemble import Draft, drafts_to_samples
from corpora.code.schema import Sample
from tasks.contract import BuildInputs, Companion, ContextItem, Counted, Dropped
from tasks.curation.descriptions import Description, describe
from tasks.curation.strata import sample, stratum_of
from tasks.mining.records import MinedProject
from warehouse.errors import CorpusError
from warehouse.layout import Layout

OPTIONS = ("quotas", "max_tokens", "ask_workers")
"""Those of the options that a user may give."""

DEFAULT_SIZE = 1426
DEFAULT_COMPLETIONS = 3026
"""The paper's Table V; another size asks for completion samples in the same proportion."""

Row = Mapping[str, Any]
Entry = Sample | Dropped | Counted | Companion


def build(inputs: BuildInputs) -> Iterator[Entry]:
    """Yield the code track's samples, everything dropped, stage counts, and the companion table `known_names`.

    `inputs.size` is the number of generation samples. Raises CorpusError when there is no project to build from.
    """
    if not inputs.projects:
        raise CorpusError("The code track is built from mined projects and got none; name at least one source.")
    projects: dict[str, MinedProject] = {project.source.project_id: project for project in inputs.projects}

    known = candidates.known_names(projects, inputs.map)
    yield Companion("known_names", candidates.known_table(known))

    rows = candidates.load(projects)
    kept = yield from _stage("filter", rows, candidates.unfit(rows))
    kept = yield from _stage("near_duplicates", kept, candidates.near_duplicates(kept))
    unreadable = candidates.unreadable(kept, projects, known, inputs.map, inputs.options.get("max_tokens", 6144))
    kept = yield from _stage("read", kept, unreadable)

    size = DEFAULT_SIZE if inputs.size is None else inputs.size
    _, left = sample(
        kept,
        size,
        key=lambda row: row["function_id"],
        stratum=lambda row: stratum_of(row["loc"]),
        group=lambda row: row["project_id"],
        group_quotas=inputs.options.get("quotas"),
    )
    undrawn = ((row, "not_drawn", stratum_of(row["loc"])) for row in sorted(left, key=candidates.place))
    chosen = yield from _stage("sampling", kept, undrawn)

    contexts, agreement = _contexts(chosen, projects, inputs)
    yield agreement
    chosen = yield from _stage(
        "context", chosen, ((row, "no_context", "") for row in chosen if row["function_id"] not in contexts)
    )
    described = _descriptions(chosen, contexts, inputs.options)
    chosen = yield from _stage(
        "description", chosen, ((row, "no_text", "") for row in chosen if not described[row["function_id"]].text)
    )

    wanted = -(-DEFAULT_COMPLETIONS * len(chosen) // DEFAULT_SIZE)
    drawn, not_taken, entered = points.draw(chosen, projects, wanted, inputs.map)
    yield from not_taken
    yield Counted(stage="completion", entered=entered, kept=sum(map(len, drawn.values())))

    drafts = [
        Draft(
            row=row,
            macros=projects[row["project_id"]].source.macros,
            source=projects[row["project_id"]].source,
            revision=projects[row["project_id"]].tree.revision,
            tree_hash=projects[row["project_id"]].tree.tree_hash,
            context=contexts[row["function_id"]],
            description=described[row["function_id"]],
            points=tuple(drawn[row["function_id"]]),
        )
        for row in chosen
    ]
    yield from drafts_to_samples(drafts, inputs.map)


def _stage(
    stage: str, rows: Sequence[Row], faults: Iterable[tuple[Row, str, str]]
) -> Generator[Dropped | Counted, None, list[Row]]:
    """Yield the drops and the count of a stage and return the rows that stay."""
    gone = set()
    for row, reason, detail in faults:
        gone.add(row["function_id"])
        yield _drop(stage, row, reason, detail)
    kept = [row for row in rows if row["function_id"] not in gone]
    yield Counted(stage=stage, entered=len(rows), kept=len(kept))
    return kept


def _drop(stage: str, row: Row, reason: str, detail: str = "") -> Dropped:
    return Dropped(stage=stage, item=row["function_id"], reason=reason, detail=detail, project_id=row["project_id"])


def _contexts(
    rows: Sequence[Row], projects: Mapping[str, MinedProject], inputs: BuildInputs
) -> tuple[dict[str, tuple[ContextItem, ...]], Companion]:
    """Return the context items of each function by its id, and how far the two extractors agree, a row a project and
    kind: the table `context_agreement`."""
    import pyarrow as pa

    from tasks.mining.context import extract, summarise
    from warehouse.schema import SCHEMAS

    layout = inputs.options.get("layout") or Layout.default()
    options = inputs.options.get("context_options")
    more = {"options": options} if options is not None else {}
    found: dict[str, tuple[ContextItem, ...]] = {}
    agreement: list[dict[str, Any]] = []
    for project_id in sorted(projects):
        own = [row for row in rows if row["project_id"] == project_id]
        if own:
            contexts = list(extract(projects[project_id], own, inputs.map, layout=layout, **more))
            found |= {context.function_id: tuple(context.items) for context in contexts}
            agreement += [{"project_id": project_id, **row} for row in summarise(contexts)]
    schema = SCHEMAS["context_agreement"]
    return found, Companion("context_agreement", pa.Table.from_pylist(agreement, schema=schema))


def _descriptions(
    rows: Sequence[Row], contexts: Mapping[str, tuple[ContextItem, ...]], options: Mapping[str, Any]
) -> dict[str, Description]:
    """Describe each function; requests to a model run on threads, in the order of the rows."""
    ask: Callable[..., str] | None = options.get("ask")
    model = options.get("describer", "unnamed")

    def one(row: Row) -> Description:
        return describe(row, contexts[row["function_id"]], ask, model=model)

    if ask is None:
        return {row["function_id"]: one(row) for row in rows}
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(options.get("ask_workers", 8)) as pool:
        return {row["function_id"]: text for row, text in zip(rows, pool.map(one, rows), strict=True)}
