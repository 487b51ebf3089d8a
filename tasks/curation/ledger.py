"""Accounts of a build: at every stage, what entered is what was kept plus what was dropped with a reason."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tasks.contract import BaseSample, Companion, Counted, Dropped
from warehouse.errors import CorpusError

if TYPE_CHECKING:
    from rich.table import Table

Entry = BaseSample | Dropped | Counted | Companion


class Ledger:
    """What a build yielded, sorted: `samples`, `drops`, `companions`, and the counts of each stage in order.

    Several `Counted` of one stage (one a project, say) add up.
    """

    def __init__(self, stream: Iterable[Entry] = ()) -> None:
        self.samples: list[BaseSample] = []
        self.drops: list[Dropped] = []
        self.companions: list[Companion] = []
        self._stages: dict[str, tuple[int, int]] = {}
        self.take(stream)

    def take(self, stream: Iterable[Entry]) -> "Ledger":
        """Read a stream to its end and return the ledger; raises CorpusError for what no track may yield."""
        for entry in stream:
            match entry:
                case Dropped():
                    self.drops.append(entry)
                case Counted():
                    entered, kept = self._stages.get(entry.stage, (0, 0))
                    self._stages[entry.stage] = (entered + entry.entered, kept + entry.kept)
                case Companion():
                    self._add_companion(entry)
                case BaseSample():
                    self.samples.append(entry)
                case _:
                    raise CorpusError(
                        f"A build yielded a {type(entry).__name__}; "
                        "yield samples, Dropped, Counted and Companion records only."
                    )
        return self

    def reasons(self) -> dict[str, Counter[str]]:
        """Return, for each stage, how many items each reason took."""
        reasons: dict[str, Counter[str]] = {stage: Counter() for stage in self._stages}
        for drop in self.drops:
            reasons.setdefault(drop.stage, Counter())[drop.reason] += 1
        return reasons

    def check(self) -> None:
        """Raise CorpusError, naming the stage and its numbers, unless input = kept + Σ dropped at every stage."""
        for stage, counts in self.reasons().items():
            dropped = counts.total()
            if stage not in self._stages:
                raise CorpusError(
                    f"The stage {stage!r} dropped {dropped} items and never said how many entered; "
                    "yield a Counted record for it."
                )
            entered, kept = self._stages[stage]
            if entered != kept + dropped or kept < 0:
                by_reason = ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items())) or "none"
                raise CorpusError(
                    f"The stage {stage!r} lost count: {entered} entered, {kept} were kept and {dropped} dropped "
                    f"({by_reason}); every item must be kept or yielded as Dropped."
                )

    def stages(self) -> list[dict[str, Any]]:
        """Return the rows of the `stages` table, without their release; raises CorpusError as `check` does."""
        self.check()
        reasons = self.reasons()
        return [
            {
                "position": position,
                "stage": stage,
                "entered": entered,
                "kept": kept,
                "dropped": reasons[stage].total(),
            }
            for position, (stage, (entered, kept)) in enumerate(self._stages.items())
        ]

    def dropped(self) -> list[dict[str, Any]]:
        """Return the rows of the `dropped` table, without their release."""
        return [drop.model_dump() for drop in self.drops]

    def table(self, title: str = "Kept and dropped") -> "Table":
        """Return the accounts as a rich table: a line a stage, the reasons below it by how often."""
        from rich.table import Table

        table = Table("stage", "entered", "kept", "dropped", "reason", title=title)
        for column in table.columns[1:4]:
            column.justify = "right"
        reasons = self.reasons()
        for row in self.stages():
            table.add_row(row["stage"], f"{row['entered']:,}", f"{row['kept']:,}", f"{row['dropped']:,}", "")
            for reason, count in sorted(reasons[row["stage"]].items(), key=lambda pair: (-pair[1], pair[0])):
                table.add_row("", "", "", f"{count:,}", reason)
        return table

    def _add_companion(self, companion: Companion) -> None:
        if any(companion.name == other.name for other in self.companions):
            raise CorpusError(f"The build yielded two companion tables called {companion.name!r}; name them apart.")
        self.companions.append(companion)
