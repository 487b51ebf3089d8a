"""The kinds of results that `firmbench import KIND PATH` takes, each with the function that lands it."""

import importlib
from pathlib import Path
from typing import NamedTuple

from warehouse.errors import UsageError
from warehouse.importers.landing import Landed
from warehouse.layout import Layout


class Kind(NamedTuple):
    """A kind of import: `function` of `module` takes (layout, path); `takes` says what the path is."""

    module: str
    function: str
    takes: str


KINDS: dict[str, Kind] = {
    "closed-loop": Kind(
        "closed_loop_index", "closed_loop", "a run index (CSV), or the folder of the bundle around it"
    ),
    "embedeval-tracker": Kind("embedeval_tracker", "tracker", "a test_tracker.json, or the folder that holds it"),
    "embedeval-runs": Kind("embedeval_runs", "runs", "a run's folder, a folder of runs, or a …_failures.csv"),
    "published": Kind("printed", "figures", "a folder of CSV files of printed figures"),
    "inspect": Kind("inspect_logs", "inspect_logs", "an Inspect log (.eval or .json), or a folder of logs"),
}


def import_from(layout: Layout, kind: str, path: Path) -> list[Landed]:
    """Land the results in `path`, which are of `kind`, and return one record a batch.

    Raises UsageError for an unknown kind or a path that is not there, WarehouseError for what the importer refuses.
    """
    if kind not in KINDS:
        told = "; ".join(f"{name}: {known.takes}" for name, known in KINDS.items())
        raise UsageError(f"There is no import of {kind!r}; there are {told}.")
    if not path.exists():
        raise UsageError(f"{path} is not there; {kind} takes {KINDS[kind].takes}.")
    module = importlib.import_module(f"warehouse.importers.{KINDS[kind].module}")
    landed = getattr(module, KINDS[kind].function)(layout, path)
    return [landed] if isinstance(landed, Landed) else landed
