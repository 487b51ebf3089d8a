"""Releases as tables for the terminal."""

from rich.console import Group
from rich.table import Table

from tasks.curation.release import describe, diff, listing
from warehouse.database import query
from warehouse.layout import Layout
from warehouse.reader import read

AGREEMENT = ("both", "only_libclang", "only_index", "macro", "conditional", "other", "disagree")


def listing_table(layout: Layout) -> Table:
    """Return every release with its track, age and size."""
    table = Table("release", "track", "created", "samples", "dropped", "projects")
    for manifest in listing(layout):
        counts = manifest["counts"]
        table.add_row(manifest["release"], manifest["track"], manifest["created_at"][:19].replace("T", " "),
                      f"{counts['samples']:,}", f"{counts['dropped']:,}",
                      ", ".join(manifest["build"].get("projects", {})))  # fmt: skip
    return table


def summary_table(layout: Layout, release: str) -> Group:
    """Return what a release holds by every column it can be counted by, and the accounts of its stages."""
    summary = describe(layout, release)
    counts = Table("by", "value", "samples", title=release)
    for column, values in summary.counts.items():
        if column == "family":
            counts.add_row(column, f"{len(values):,} different", "")
            continue
        for value, count in values.items():
            counts.add_row(column, value, f"{count:,}")
    context = Table("context", "items a sample")
    for kind, mean in summary.context.items():
        context.add_row(kind, f"{mean:.2f}")
    stages = Table("stage", "entered", "kept", "dropped", "reasons")
    for row in summary.stages:
        reasons = summary.reasons.get(row["stage"], {})
        stages.add_row(row["stage"], f"{row['entered']:,}", f"{row['kept']:,}", f"{row['dropped']:,}",
                       ", ".join(f"{reason} {count:,}" for reason, count in reasons.items()))  # fmt: skip
    agreement = Table("project", "kind", "both extractors", "only libclang", "only the index", "of which macros",
                      "conditional", "other", "placed differently")  # fmt: skip
    for row in read(layout, "context_agreement", area="corpora", batch=release).to_pylist():
        agreement.add_row(row["project_id"], row["kind"], *(f"{row[name]:,}" for name in AGREEMENT))
    return Group(counts, context, *([agreement] if agreement.row_count else []), stages)


def statistics_table(layout: Layout, release: str) -> Table:
    """Return the means of a release's samples beside the paper's Table V; empty for tracks without them."""
    table = Table("category", "samples", title="Means a sample, the paper's in brackets")
    names = ("loc", "calls", "globals", "types")
    for name in names:
        table.add_column(name.upper() if name == "loc" else name, justify="right")
    for row in query(layout, f"FROM release_statistics WHERE release = '{release}'").to_pylist():
        if all(row[f"mean_{name}"] is None for name in names):
            continue
        cells = ((row[f"mean_{name}"], row[f"paper_{name}"]) for name in names)
        table.add_row(row["category"], f"{row['n_samples']:,}", *(
            f"{mean:.2f}" + (f" ({paper:.2f})" if paper is not None else "") if mean is not None else "–"
            for mean, paper in cells
        ))  # fmt: skip
    return table


def diff_table(layout: Layout, before: str, after: str) -> Group:
    """Return what one release has that another has not."""
    found = diff(layout, before, after)
    totals = Table("same", "changed", "added", "removed", title=f"{before} → {after}")
    totals.add_row(*(f"{n:,}" for n in (found.same, len(found.changed), len(found.added), len(found.removed))))
    counts = Table("by", "value", "before", "after")
    for column, values in found.counts.items():
        for value, (old, new) in values.items():
            if old != new and column != "family":
                counts.add_row(column, value, f"{old:,}", f"{new:,}")
    return Group(totals, counts)
