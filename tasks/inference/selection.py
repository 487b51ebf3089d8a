"""Which samples and configs a run is about."""

from collections.abc import Container, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from tasks.contract import BaseSample, Config
from tasks.ids import digest
from warehouse.errors import UsageError


def samples(
    held: Mapping[str, BaseSample], limit: int | None, categories: Sequence[str] | None
) -> dict[str, BaseSample]:
    """Return the samples of the categories, at most `limit` of them: each category in turn, by hash within it.

    Raises UsageError for a category that the release does not have.
    """
    known = sorted({sample.category for sample in held.values()})
    if unknown := sorted(set(categories or ()) - set(known)):
        raise UsageError(f"The release has no category {', '.join(unknown)}; it has {', '.join(known)}.")
    wanted = [category for category in known if not categories or category in categories]
    drawn = sorted(held, key=lambda key: digest("draw", key))
    queues = [[key for key in drawn if held[key].category == category] for category in wanted]
    longest = max(map(len, queues), default=0)
    order = [queue[rank] for rank in range(longest) for queue in queues if rank < len(queue)]
    return {key: held[key] for key in order[:limit]}


def configs(
    known: Mapping[str, Config], names: Sequence[str], budget_tokens: int, reply_tokens: int
) -> dict[str, Config]:
    """Return the configs asked for by the names they are recorded under; `all` means every one of the track.

    A budget other than the default is part of the name (`full@1024`), since it changes what the model is shown.
    Raises UsageError for an unknown name or a reply that leaves no room for a prompt.
    """
    if reply_tokens >= budget_tokens:
        raise UsageError(f"A budget of {budget_tokens} tokens leaves no prompt beside a reply of {reply_tokens}.")
    wanted = list(known) if "all" in names else list(dict.fromkeys(names))
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"The track has no config {', '.join(unknown)}; it has {', '.join(known)}.")
    shown = {}
    for name in wanted:
        config = known[name]
        if (budget_tokens, reply_tokens) != (config.budget_tokens, config.reply_tokens):
            label = f"{name}@{budget_tokens}" if budget_tokens != config.budget_tokens else name
            config = config.model_copy(
                update={"name": label, "budget_tokens": budget_tokens, "reply_tokens": reply_tokens}
            )
        shown[config.name] = config
    return shown


def of_release(generations: pa.Table, held: Container[str]) -> pa.Table:
    """Return the rows whose sample the release holds."""
    mask = pa.array([sample in held for sample in generations.column("sample_id").to_pylist()], pa.bool_())
    return generations.filter(pc.fill_null(mask, False))
