"""Which samples and configs a run is about."""

from collections.abc import Container, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from tasks.contract import BaseSample, Config
from tasks.ids import digest
from tasks.inference.filters import FILTERS, Chosen, chosen
from tasks.inference.packs import with_pack
from warehouse.errors import UsageError

NOTHING: Chosen = {}
"""No filter: every sample is kept."""


def samples(
    held: Mapping[str, BaseSample], limit: int | None = None, asked: Chosen = NOTHING, scenario: str = "generation"
) -> dict[str, BaseSample]:
    """Return the samples for the scenario that the filters keep, at most `limit`: each category in turn, by hash.

    Raises UsageError as `filters.chosen` does, and where nothing is left.
    """
    suited = {key: sample for key, sample in held.items() if sample.suits(scenario)}
    if not suited:
        raise UsageError(f"The release has no sample for the scenario {scenario}.")
    kept = chosen(suited, asked)
    if not kept:
        given = ", ".join(f"{FILTERS[name].option} {' '.join(values)}" for name, values in asked.items() if values)
        raise UsageError(f"The release has no sample for {given}.")
    categories = sorted({sample.category for sample in kept.values()})
    drawn = sorted(kept, key=lambda key: digest("draw", key))
    queues = [[key for key in drawn if kept[key].category == category] for category in categories]
    longest = max(map(len, queues), default=0)
    order = [queue[rank] for rank in range(longest) for queue in queues if rank < len(queue)]
    return {key: kept[key] for key in order[:limit]}


def configs(
    known: Mapping[str, Config], names: Sequence[str], budget_tokens: int, reply_tokens: int, pack: str | None = None
) -> dict[str, Config]:
    """Return the configs asked for by the names they are recorded under; `all` means every one of the track.

    A context pack and a budget other than the default are part of the name (`full+pack-1a2b3c4d@1024`), since they
    change what the model is shown. Raises UsageError for an unknown name or a reply that leaves no room for a prompt.
    """
    if reply_tokens >= budget_tokens:
        raise UsageError(f"A budget of {budget_tokens} tokens leaves no prompt beside a reply of {reply_tokens}.")
    wanted = list(known) if "all" in names else list(dict.fromkeys(names))
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"The track has no config {', '.join(unknown)}; it has {', '.join(known)}.")
    shown = {}
    for name in wanted:
        config = known[name] if pack is None else with_pack(known[name], pack)
        if (budget_tokens, reply_tokens) != (config.budget_tokens, config.reply_tokens):
            label = f"{config.name}@{budget_tokens}" if budget_tokens != config.budget_tokens else config.name
            config = config.model_copy(
                update={"name": label, "budget_tokens": budget_tokens, "reply_tokens": reply_tokens}
            )
        shown[config.name] = config
    return shown


def of_release(generations: pa.Table, held: Container[str]) -> pa.Table:
    """Return the rows whose sample the release holds."""
    mask = pa.array([sample in held for sample in generations.column("sample_id").to_pylist()], pa.bool_())
    return generations.filter(pc.fill_null(mask, False))
