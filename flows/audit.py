"""`firmbench audit`: what the checks of a track are worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warehouse.errors import CorpusError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

app = typer.Typer(no_args_is_help=True, help="Ask what checks are worth.")
SHOWN = 30


def _table(rows: list[list[str]]) -> "Table":
    from rich.table import Table

    table = Table(*rows[0], box=None)
    for cells in rows[1:]:
        table.add_row(*cells)
    return table


@app.callback()
def _group() -> None:
    """Keep `checks` a word of the command, so that other audits can stand beside it."""


@app.command()
def checks(
    track: Annotated[str, typer.Option(help="Track; firmware is the one whose cases have checks.")] = "firmware",
    cases: Annotated[Path | None, typer.Option(help="A checkout or a folder of cases; default our own cases.")] = None,
    mutants: Annotated[int, typer.Option(help="One-line mutants of each reference, at most.", min=0)] = 20,
    only: Annotated[list[str] | None, typer.Option("--case", help="Only these cases.")] = None,
    shown: Annotated[int, typer.Option("--show", help="Findings listed, and surviving mutants.", min=0)] = SHOWN,
    out: Annotated[Path | None, typer.Option(help="Write one row a check to this .parquet or .csv.")] = None,
) -> None:
    """Run every check on its reference, on other layouts of it, on texts without live code, on seeded bugs and on
    one-line mutants, and say what each fires on."""
    from rich.console import Console
    from rich.progress import Progress

    from corpora.firmware.audit import report
    from corpora.firmware.audit.checks import audit
    from corpora.firmware.loader import load, own_cases
    from tasks.sandbox import open_sandbox

    if track != "firmware":
        raise UsageError(f"The track {track!r} has no cases with checks; firmware has.")
    if out is not None and out.suffix not in (".parquet", ".csv"):
        raise UsageError(f"The audit is written as .parquet or .csv, not as {out.name}.")
    console = Console()
    if cases is None:
        found = own_cases()
    else:
        loaded = load(cases)
        found = loaded.cases
        for fault in loaded.faults:
            console.print(f"left out: {fault}", markup=False)
    if only:
        unknown = sorted(set(only) - {case.id for case in found})
        if unknown:
            raise CorpusError(
                f"There is no case {unknown[0]!r} among the {len(found)} read; an id is the name of its folder, "
                f"such as {found[0].id}."
            )
        found = tuple(case for case in found if case.id in only)
    with open_sandbox() as sandbox, Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("auditing", total=len(found))
        items, together = audit(found, sandbox, most=mutants, done=lambda case: progress.advance(task))
    for rows in (report.texts(together), report.summary(items), report.kills(together)):
        console.print(_table(rows))
    for rows, words in ((report.findings(items), "findings"), (report.survivors(together), "surviving mutants")):
        console.print(_table(rows[: shown + 1]))
        if len(rows) > shown + 1:
            console.print(f"{len(rows) - 1 - shown} more {words}; --show lists more.")
    if out is not None:
        report.write(items, out)
        console.print(f"{len(items)} checks written to {out}.")
