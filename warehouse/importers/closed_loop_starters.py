"""What a run of the campaign began from, file by file, and which runs began from something else than the first did.

A starter is what the run itself was shown before it changed it; else what the run of the same task was shown that
began nearest in time, with no write to the operator's starters in between; else the file of the repository
around the bundle.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from warehouse.importers.closed_loop_effects import SILENT
from warehouse.importers.closed_loop_replay import Step
from warehouse.importers.closed_loop_sources import CONTROLLER, GRADED
from warehouse.importers.landing import digest, read_json

GENERATED = ("experiment.json",)
"""Files that the campaign wrote anew for every run."""


class Shown(NamedTuple):
    """What a run was shown of its starter: `key` tells it from others, `began` is when its session began."""

    key: str
    task: str
    began: datetime | None
    files: Mapping[str, str]


def shown(steps: Iterable[Step]) -> dict[str, str]:
    """Return the graded files that a run saw whole before anything changed them."""
    found: dict[str, str] = {}
    changed: set[str] = set()
    for step in steps:
        effect = step.effect
        if effect.kind == "seen" and effect.path in GRADED and effect.path not in changed:
            found.setdefault(effect.path, effect.text)
        elif effect.kind not in SILENT:
            changed |= {effect.path, effect.target}
    return found


def repository_around(index: Path) -> Path | None:
    """Return the checkout of the authors' repository that a run index lies in, if it does."""
    return next((folder for folder in index.resolve().parents if (folder / "experiments" / "tasks").is_dir()), None)


def rates(repository: Path, task: str) -> dict[str, int]:
    """Return the whole numbers that the repository's specification of a task gives its plant, by name."""
    spec = repository / "specs" / f"{task}.json"
    plant = read_json(spec).get("plant") or {} if spec.is_file() else {}
    return {name: value for name, value in sorted(plant.items()) if type(value) is int}


class Starters:
    """Starters of all runs of one bundle; `changes` are the moments at which a run wrote over those of a task."""

    def __init__(
        self, runs: Sequence[Shown], repository: Path | None, changes: Sequence[tuple[str, datetime]] = ()
    ) -> None:
        self.runs = sorted(runs, key=lambda run: (run.began is None, str(run.began), run.key))
        self.repository = repository
        self.changes = changes
        self._stock: dict[str, dict[str, str]] = {}

    def of(self, run: Shown) -> dict[str, str]:
        """Return every file of the start of a run that is known, by path."""
        stock = self.stock(run.task)
        found = dict(stock)
        for path in GRADED:
            text = run.files.get(path) or self._nearest(run, path)
            if text is not None and text.rstrip() != stock.get(path, "").rstrip():
                found[path] = text
        return found

    def differing(self, run: Shown) -> list[str]:
        """Return the editable files that a run was shown as other than the first run of its task was."""
        found = []
        for path in CONTROLLER:
            first = next((one.files[path] for one in self.runs if one.task == run.task and path in one.files), None)
            own = run.files.get(path) or self._nearest(run, path)
            if first is not None and own is not None and own.rstrip() != first.rstrip():
                found.append(f"{path} {digest(own.rstrip(), length=12)}, not {digest(first.rstrip(), length=12)}")
        return found

    def stock(self, task: str) -> dict[str, str]:
        """Return the workspace that the repository would make for a task; empty without one."""
        if task not in self._stock:
            self._stock[task] = _files(self.repository, task) if self.repository else {}
        return self._stock[task]

    def _nearest(self, run: Shown, path: str) -> str | None:
        others = [one for one in self.runs if one.task == run.task and path in one.files]
        if not others:
            return None
        began = run.began
        if began is None:
            return others[0].files[path]
        others = [one for one in others if self._version(one) == self._version(run)] or others
        return min(others, key=lambda one: abs((one.began - began).total_seconds()) if one.began else 1e12).files[path]

    def _version(self, run: Shown) -> int:
        """Return how often the starters of a run's task had been written over when it began."""
        return sum(task == run.task and run.began is not None and when < run.began for task, when in self.changes)


def _files(repository: Path, task: str) -> dict[str, str]:
    found: dict[str, str] = {}
    experiments = repository / "experiments"
    for root in (experiments / "base_workspace", experiments / "tasks" / task / "visible_files"):
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.is_file() and path.name not in GENERATED:
                found[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    for name in GRADED:
        own = repository / name
        if name not in found and name not in CONTROLLER and own.is_file():
            found[name] = own.read_text(encoding="utf-8", errors="replace")
    return found
