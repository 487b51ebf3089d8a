"""The command line. Commands import what they need when they run, so that `--help` and `sql` answer at once."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows import audit, exchange
from flows.exchange import Data
from warehouse.errors import FirmbenchError, UsageError
from warehouse.layout import Layout

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Build benchmarks of embedded software, run models over them, grade, and read the results.",
)
corpus = typer.Typer(no_args_is_help=True, help="Build, list, show and compare releases of a track.")
app.add_typer(corpus, name="corpus")
app.add_typer(exchange.export, name="export")
app.add_typer(audit.app, name="audit")
app.command("import")(exchange.import_results)

WIDTH = 160
"""Columns of a table that goes to a file."""

Runner = Annotated[str, typer.Option(help="Where shards run: threads, processes, dask or ray.")]
Workers = Annotated[int | None, typer.Option(help="Worker processes; default all cores.", min=1)]
Address = Annotated[str | None, typer.Option(help="Address of a Dask or Ray scheduler.")]
Track = Annotated[str, typer.Argument(help="Track, e.g. code.")]
Categories = Annotated[list[str] | None, typer.Option("--category", help="Only samples of these categories.")]
Difficulties = Annotated[list[str] | None, typer.Option("--difficulty", help="Only samples this hard.")]
Tiers = Annotated[list[str] | None, typer.Option("--tier", help="Only samples of these tiers.")]
Reasonings = Annotated[list[str] | None, typer.Option("--reasoning", help="Only samples that ask for one of these.")]
AfterDate = Annotated[str | None, typer.Option(help="Only samples made after this day, 2026-03-24 say.")]
Halt = Annotated[bool, typer.Option("--halt", help="Grade no layer behind the first that does not hold.")]
Release = Annotated[str | None, typer.Option(help="Release; default the newest of the track.")]


@app.command()
def demo(
    data: Data = None,
    size: Annotated[int, typer.Option(help="Functions in the release.", min=10)] = 150,
    slice_size: Annotated[
        int, typer.Option("--slice", help="Samples of each category the local model is asked.", min=1)
    ] = 3,
    workers: Workers = None,
) -> None:
    """Mine two real projects, build a release, ask a real 135M model, grade, report. Needs no account."""
    from flows.environment import prepare

    prepare()
    from flows.demo import run_demo

    run_demo(Layout.default(data), size=size, slice_size=slice_size, workers=workers)


@app.command()
def run(
    track: Track,
    model: Annotated[list[str], typer.Option(help="Model; give it several times for several. See docs/models.md.")],
    config: Annotated[list[str] | None, typer.Option(help="Config of the track; default full; `all` for all.")] = None,
    release: Release = None,
    scenario: Annotated[str, typer.Option(help="How the model may work.")] = "generation",
    rounds: Annotated[int | None, typer.Option(help="Rounds of feedback, in scenarios that have them.", min=1)] = None,
    attempts: Annotated[int, typer.Option(help="Replies to each unit.", min=1)] = 1,
    limit: Annotated[int | None, typer.Option(help="Only this many samples, chosen by hash.", min=1)] = None,
    visibility: Annotated[str, typer.Option(help="public, private or all.")] = "public",
    after_date: AfterDate = None,
    category: Categories = None,
    difficulty: Difficulties = None,
    tier: Tiers = None,
    reasoning: Reasonings = None,
    pack: Annotated[Path | None, typer.Option(help="Context pack: text before every prompt.")] = None,
    halt: Halt = False,
    temperature: Annotated[float, typer.Option(min=0, max=2)] = 0.6,
    top_p: Annotated[float, typer.Option(min=0, max=1)] = 0.95,
    seed: Annotated[int | None, typer.Option(help="Sent to the model where given.")] = None,
    api_base: Annotated[str | None, typer.Option(help="Address of a self-hosted model.")] = None,
    budget_tokens: Annotated[int, typer.Option(help="Prompt and reply together.", min=256)] = 8192,
    reply_tokens: Annotated[int, typer.Option(help="Longest reply.", min=16)] = 2048,
    max_usd: Annotated[float | None, typer.Option(help="Stop asking when this is spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop asking when these are used.")] = None,
    unit_seconds: Annotated[float | None, typer.Option(help="Longest work on a unit; default the scenario's.")] = None,
    unit_tokens: Annotated[int | None, typer.Option(help="Tokens of a unit; default the scenario's.")] = None,
    data: Data = None,
    runner: Runner = "threads",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Ask models what is not answered yet, grade what is not graded yet, and print the leaderboard."""
    from flows.environment import prepare

    prepare()
    import corpora
    from flows.evaluation import run_benchmark
    from flows.runner import Where, on
    from tasks.inference.packs import read_pack
    from tasks.inference.scenarios import with_rounds

    where = Where(runner, workers, address)
    filters = _filters(visibility, after_date, category, difficulty, tier, reasoning)
    scenario = with_rounds(scenario, rounds, corpora.load(track))
    given = {"temperature": temperature, "top_p": top_p, "seed": seed, "api_base": api_base}
    parameters = {name: value for name, value in given.items() if value is not None}
    asked_of = on(where, run_benchmark)(
        track, model, config or ["full"], release=release, scenario=scenario, attempts=attempts, limit=limit,
        filters=filters, pack=read_pack(pack) if pack else None, halt=halt, parameters=parameters,
        budget_tokens=budget_tokens, reply_tokens=reply_tokens,
        max_usd=max_usd, max_tokens=max_tokens, limits={"seconds_s": unit_seconds, "tokens": unit_tokens},
        data=str(Layout.default(data).root), where=where,
    )  # fmt: skip
    _leaderboard(Layout.default(data), asked_of)


@app.command()
def grade(
    track: Track,
    release: Release = None,
    reextract: Annotated[bool, typer.Option(help="Take the code from the stored replies again.")] = False,
    visibility: Annotated[str, typer.Option(help="public, private or all.")] = "all",
    after_date: AfterDate = None,
    category: Categories = None,
    difficulty: Difficulties = None,
    tier: Tiers = None,
    reasoning: Reasonings = None,
    halt: Halt = False,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE for grading; the datasheet lists them.")] = None,
    sweep: Annotated[
        int | None, typer.Option(help="Option sweep: UART phases to play a closed loop at.", min=1)
    ] = None,
    imported: Annotated[str | None, typer.Option(help="Imported release: grade the sources it brought.")] = None,
    data: Data = None,
    runner: Runner = "threads",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Grade stored replies with the current grader, without asking a model."""
    import corpora
    from flows.environment import prepare

    corpora.load(track)
    prepare()
    from flows.corpus import options_of
    from flows.evaluation import grade_release
    from flows.runner import Where, on
    from tasks.curation.manifest import newest

    where = Where(runner, workers, address)
    layout = Layout.default(data)
    if imported:
        from flows.imported import grade_imported

        on(where, grade_imported)(
            track, imported, options=options_of(option or []), data=str(layout.root), where=where
        )
        return
    release = release or newest(layout, track)["release"]
    filters = _filters(visibility, after_date, category, difficulty, tier, reasoning)
    options = {**options_of(option or []), **({"sweep": sweep} if sweep else {})}
    on(where, grade_release)(
        track, release=release, reextract=reextract, filters=filters, halt=halt,
        options=options, data=str(layout.root), where=where,
    )  # fmt: skip
    _leaderboard(layout, release)


@corpus.command("build")
def corpus_build(
    track: Track,
    project: Annotated[
        list[str] | None, typer.Option(help="Catalog name, or git:, pypi:, npm:, dir: address.")
    ] = None,
    size: Annotated[int | None, typer.Option(help="Primary samples wanted; default the track's.", min=1)] = None,
    describe_with: Annotated[str | None, typer.Option(help="Model that writes descriptions.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="NAME=VALUE; the datasheet lists them.")] = None,
    cases: Annotated[Path | None, typer.Option(help="Checkout whose cases to take; default the track's own.")] = None,
    private: Annotated[Path | None, typer.Option(help="Folder of private cases to add.")] = None,
    data: Data = None,
    runner: Runner = "threads",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Fetch, mine, sample, gate and write a release of a track."""
    import corpora
    from flows.environment import prepare

    corpora.load(track)  # a wrong name is told before Prefect's server starts
    prepare()
    from flows.corpus import build_corpus, options_of
    from flows.runner import Where, on

    where = Where(runner, workers, address)
    folders = {name: str(path.resolve()) for name, path in (("cases", cases), ("private", private)) if path}
    on(where, build_corpus)(
        track, project, size=size, describe_with=describe_with, options={**options_of(option or []), **folders},
        data=str(Layout.default(data).root), where=where,
    )  # fmt: skip


@corpus.command("list")
def corpus_list(data: Data = None) -> None:
    """List the releases, the oldest first."""
    from flows.releases import listing_table

    _print(listing_table(Layout.default(data)))


@corpus.command("show")
def corpus_show(release: Annotated[str, typer.Argument(help="Release.")], data: Data = None) -> None:
    """Show what a release holds: counts, context, what was dropped and why."""
    from flows.releases import summary_table

    _print(summary_table(Layout.default(data), release))


@corpus.command("diff")
def corpus_diff(
    before: Annotated[str, typer.Argument(help="Release.")],
    after: Annotated[str, typer.Argument(help="Release.")],
    data: Data = None,
) -> None:
    """Show how two releases differ."""
    from flows.releases import diff_table

    _print(diff_table(Layout.default(data), before, after))


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help="A query over the tables and views; docs/views.md lists them.")],
    format: Annotated[str, typer.Option(help="table, csv, json or parquet (to a file with --out).")] = "table",
    out: Annotated[Path | None, typer.Option(help="Write to this file.")] = None,
    data: Data = None,
) -> None:
    """Query the warehouse; opens it read-only."""
    from warehouse.database import query as run_query
    from warehouse.exports.tables import emit

    emit(run_query(Layout.default(data), query), format, out)


@app.command()
def show(
    identifier: Annotated[str, typer.Argument(help="Sample or generation id, or a unique beginning of one.")],
    svg: Annotated[Path | None, typer.Option(help="Write what the device did to this SVG file.")] = None,
    data: Data = None,
) -> None:
    """Print one sample or one reply: prompt, reply, differences to the reference, checks, and what a device did."""
    from rich.console import Console

    from flows.pictures import shown
    from warehouse.exports.show import show as render

    Console().print(render(Layout.default(data), identifier))
    if picture := shown(Layout.default(data), identifier, svg):
        typer.echo(f"\n{picture}")


@app.command()
def report(
    out: Annotated[Path | None, typer.Option(help="File to write; default <data>/reports/<release>.html.")] = None,
    release: Release = None,
    data: Data = None,
) -> None:
    """Write the HTML report: one self-contained page."""
    from flows.reporting import report_of

    typer.echo(report_of(Layout.default(data), release, out))


@app.command()
def metrics(
    track: Track,
    release: Release = None,
    data: Data = None,
) -> None:
    """Print a track's own figures: of registers, what survives rewording and renumbering."""
    from warehouse.exports.metrics import metrics_of

    _print(metrics_of(Layout.default(data), track, release))


@app.command()
def guide(
    track: Track,
    release: Release = None,
    by: Annotated[str, typer.Option(help="Group by category, family, stratum or project_id.")] = "category",
    scenario: Annotated[str, typer.Option(help="Only replies of this scenario.")] = "generation",
    config: Annotated[str, typer.Option(help="Only replies under this config.")] = "full",
    simultaneous: Annotated[bool, typer.Option(help="Let all bounds of the guide hold together.")] = False,
    data: Data = None,
) -> None:
    """Print how far each model's code can be trusted, by kind of task: a risk tier from the lower bound."""
    from warehouse.exports.guide import guide_page

    layout = Layout.default(data)
    typer.echo(
        guide_page(layout, track=track, release=release, by=by, scenario=scenario, config=config,
                   simultaneous=simultaneous)
    )  # fmt: skip


@app.command()
def doctor() -> None:
    """List the programs and packages that stages and layers need, and what to install for those missing."""
    from rich.console import Console
    from rich.table import Table

    from tasks.parts import survey

    table = Table("part", "for", "found")
    found = survey()
    for row in found:
        table.add_row(row.part.name, row.part.purpose, row.where or f"missing: {row.part.install}")
    console = Console()
    console.print(table)
    missing = sum(row.where is None for row in found)
    console.print(f"{len(found) - missing} of {len(found)} parts are here; a missing one makes its layer not_run.")


def _filters(
    visibility: str,
    after_date: str | None,
    category: list[str] | None,
    difficulty: list[str] | None,
    tier: list[str] | None,
    reasoning: list[str] | None,
) -> dict[str, list[str]]:
    """Return the options that choose samples, by the names of `tasks.inference.filters.FILTERS`."""
    return {
        "visibility": [visibility],
        "after_date": [after_date] if after_date else [],
        "category": category or [],
        "difficulty": difficulty or [],
        "tier": tier or [],
        "reasoning": reasoning or [],
    }


def _print(renderable: object) -> None:
    from rich.console import Console

    console = Console(markup=False)
    Console(markup=False, width=console.width if console.is_terminal else WIDTH).print(renderable)


def _leaderboard(layout: Layout, release: str | None) -> None:
    from warehouse.exports.leaderboard import leaderboard

    _print(leaderboard(layout, release=release))


def main() -> None:
    """Run the command line; an error of ours is one sentence on stderr and exit status 1, a wrong command 2."""
    try:
        app()
    except UsageError as error:
        typer.echo(f"firmbench: {error}", err=True)
        sys.exit(2)
    except FirmbenchError as error:
        typer.echo(f"firmbench: {error}", err=True)
        sys.exit(1)
