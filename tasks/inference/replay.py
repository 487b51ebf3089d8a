"""Stored replies as a model: a changed extraction or grader meets the same texts, and nobody is paid twice."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tasks.contract import BaseSample, Message
from tasks.ids import digest
from tasks.inference.answer import Answer, Tool, Unit
from tasks.inference.builtin import Solver
from warehouse.errors import ProviderError, UsageError
from warehouse.layout import Layout

COLUMNS = ["sample_id", "model", "config", "scenario", "attempt", "reply", "finish_reason", "prompt_tokens",
           "cached_tokens", "completion_tokens", "parameters", "error_kind"]  # fmt: skip
Row = dict[str, Any]


class Replay(Solver):
    """Replies of one model in a `generations` Parquet file, or in every such file below a folder, by unit.

    The recorded parameters are the original model's name and a hash of the replies. Raises UsageError where there is
    nothing to replay, or replies of several models and no `#MODEL` to pick one.
    """

    verbatim = False

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        super().__init__(name, argument, layout, parameters)
        if not argument:
            raise UsageError(
                "replay needs a Parquet file of generations: replay:<parquet>, or replay:<parquet>#MODEL."
            )
        path, _, model = argument.partition("#")
        rows = [row for row in _rows(_file(path, layout)) if row["error_kind"] is None and row["reply"] is not None]
        models = sorted({row["model"] for row in rows})
        if not model and len(models) == 1:
            model = models[0]
        if model not in models:
            raise UsageError(
                f"{path} holds finished replies of {', '.join(models) or 'no model'}: name one, replay:{path}#MODEL."
            )
        self._replies = {_key(row): row for row in rows if row["model"] == model}
        content = digest(sorted((*key, row["reply"]) for key, row in self._replies.items()), length=16)
        self.parameters = {"replay_of": model, "content": content}

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        """Return the stored reply to the unit; raises ProviderError if there is none."""
        row = self._replies.get((unit.sample_id, unit.config, unit.scenario, unit.attempt))
        if row is None:
            raise ProviderError(
                f"{self.name} holds no reply to {unit.sample_id}, config {unit.config}, scenario {unit.scenario}, "
                f"attempt {unit.attempt}."
            )
        return Answer(
            row["reply"],
            row["finish_reason"],
            row["prompt_tokens"],
            row["cached_tokens"],
            row["completion_tokens"],
            0.0,
        )


def _key(row: Row) -> tuple[str, str, str, int]:
    return row["sample_id"], row["config"], row["scenario"], row["attempt"]


def _file(path: str, layout: Layout) -> list[Path]:
    """Return the file, or the files below the folder, at `path` from here or from the data root."""
    for place in (Path(path), layout.root / path):
        if place.is_dir():
            return sorted(place.rglob("generations.parquet"))
        if place.is_file():
            return [place]
    raise UsageError(f"There is no file {path} to replay: give a generations.parquet or a folder that holds some.")


def _rows(files: Sequence[Path]) -> list[Row]:
    import pyarrow.parquet as pq

    return [row for file in files for row in pq.read_table(file, columns=COLUMNS).to_pylist()]
