"""Which samples of a release a run is about: every filter in one table, by the name of its option."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tasks.contract import BaseSample
from warehouse.errors import UsageError

Values = Callable[[BaseSample], tuple[str, ...]]
Chosen = Mapping[str, Sequence[str]]
"""Filter → the values asked for; no values ask for nothing."""

ALL = "all"
"""Given as a value, it lets every sample pass."""


@dataclass(frozen=True)
class Filter:
    """One way to choose samples. `values` are what a sample has; it is kept if one of them is asked for, or, of a
    `date`, if it is later than the one asked for. A sample without a value is kept by no filter that is used."""

    name: str
    words: str
    values: Values
    is_date: bool = False

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"

    def keeps(self, sample: BaseSample, asked: Sequence[str]) -> bool:
        """Return whether the sample has what is asked for."""
        own = self.values(sample)
        return any(value > max(asked) for value in own) if self.is_date else bool(set(own) & set(asked))


def _of(field: str) -> Values:
    """Return the reader of a field that a track may have or not, with one value or several."""

    def values(sample: BaseSample) -> tuple[str, ...]:
        value = getattr(sample, field, None)
        return () if value is None else (value,) if isinstance(value, str) else tuple(value)

    return values


FILTERS: dict[str, Filter] = {
    row.name: row
    for row in (
        Filter("visibility", "public or private", _of("visibility")),
        Filter("category", "what the sample is about", _of("category")),
        Filter("difficulty", "as its author says", _of("difficulty")),
        Filter("tier", "sanity, core or challenge", _of("tier")),
        Filter("reasoning", "the kinds of reasoning it asks for", _of("reasoning_types")),
        Filter("after_date", "made after this day", _of("created"), is_date=True),
    )
}


def chosen(held: Mapping[str, BaseSample], asked: Chosen) -> dict[str, BaseSample]:
    """Return the samples that every filter keeps.

    Raises UsageError for a filter that does not exist, a value that no sample has (naming those there are), a date
    that is none, and a filter by what no sample says.
    """
    kept = dict(held)
    for name, values in asked.items():
        if name not in FILTERS:
            raise UsageError(f"There is no filter {name!r}; there are {', '.join(FILTERS)}.")
        row = FILTERS[name]
        if not values or ALL in values:
            continue
        _refuse_unknown(row, values, held)
        kept = {key: sample for key, sample in kept.items() if row.keeps(sample, values)}
    return kept


def _refuse_unknown(row: Filter, values: Sequence[str], held: Mapping[str, BaseSample]) -> None:
    known = sorted({value for sample in held.values() for value in row.values(sample)})
    if not known:
        raise UsageError(f"No sample of the release says its {row.name}, so {row.option} cannot choose.")
    if row.is_date:
        for value in values:
            try:
                date.fromisoformat(value)
            except ValueError:
                raise UsageError(f"{row.option} takes a day such as {known[-1]}, not {value!r}.") from None
    elif unknown := sorted(set(values) - set(known)):
        raise UsageError(f"The release has no {row.name} {', '.join(unknown)}; it has {', '.join(known)}.")
