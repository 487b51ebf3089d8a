"""`firmbench import` and `firmbench export`: results of other tools in, ours out."""

from pathlib import Path
from typing import Annotated

import typer

from warehouse.errors import UsageError
from warehouse.layout import Layout

Data = Annotated[Path | None, typer.Option(help="Data folder; default $FIRMBENCH_DATA, else ./data.")]
Release = Annotated[str | None, typer.Option(help="Release; default the newest.")]
Model = Annotated[str | None, typer.Option(help="Only the replies of this model.")]
VIEW_FORMATS = ("csv", "parquet", "jsonl")

export = typer.Typer(no_args_is_help=True, help="Write results for other tools.")


def import_results(
    kind: Annotated[str, typer.Argument(help="closed-loop, embedeval-tracker, embedeval-runs, inspect, published "
                                             "or registers.")],
    path: Annotated[Path, typer.Argument(help="File or folder; what each kind takes is in docs/analysts.md.")],
    data: Data = None,
) -> None:  # fmt: skip
    """Land results of another tool, or printed figures, under their own source."""
    from warehouse.database import rebuild

    layout = Layout.default(data)
    if kind == "registers":
        from corpora.registers.items_import import import_release

        if not path.exists():
            raise UsageError(f"{path} is not there; registers takes an items.jsonl.")
        typer.echo(str(import_release(layout, path)))
    else:
        from warehouse.importers.kinds import import_from

        for landed in import_from(layout, kind, path):
            rows = ", ".join(f"{count:,} {table}" for table, count in landed.rows.items())
            typer.echo(f"{landed.release}: {rows}{'' if landed.new else ' (there already)'}")
            for note in landed.notes:
                typer.echo(f"  {note}")
    rebuild(layout)


def _view(format: str) -> None:
    @export.command(format, help=f"Write a table or view as {format}.")
    def write(
        view: Annotated[str, typer.Argument(help="Name of a table or view; docs/views.md lists them.")],
        out: Annotated[Path, typer.Argument(help=f"File to write, ending in .{format}.")],
        data: Data = None,
    ) -> None:
        from warehouse.exports.files import export_view

        if out.suffix != f".{format}":
            raise UsageError(f"{out} does not end in .{format}: name the file so, or use another command.")
        typer.echo(export_view(Layout.default(data), view, out))


for name in VIEW_FORMATS:
    _view(name)


@export.command("huggingface")
def huggingface(
    release: Annotated[str, typer.Argument(help="Release.")],
    folder: Annotated[Path, typer.Argument(help="Folder to write.")],
    data: Data = None,
) -> None:
    """Write a data set folder with its card; private samples stay here."""
    from warehouse.exports.huggingface import export_huggingface

    typer.echo(export_huggingface(Layout.default(data), release, folder))


@export.command("junit")
def junit(
    out: Annotated[Path, typer.Argument(help="File to write.")],
    release: Release = None,
    model: Model = None,
    data: Data = None,
) -> None:
    """Write JUnit XML for CI: one test case a unit."""
    from warehouse.exports.junit import export_junit

    typer.echo(export_junit(Layout.default(data), out, release=release, model=model))


@export.command("inspect")
def inspect_logs(
    folder: Annotated[Path, typer.Argument(help="Folder to write.")],
    release: Release = None,
    run: Annotated[str | None, typer.Option(help="Only the replies of this run.")] = None,
    model: Model = None,
    format: Annotated[str, typer.Option(help="eval or json.")] = "eval",
    data: Data = None,
) -> None:
    """Write logs that `inspect view` opens."""
    from warehouse.exports.inspect_logs import export as export_logs

    for path in export_logs(Layout.default(data), folder, release=release, run=run, model=model, format=format):
        typer.echo(path)
