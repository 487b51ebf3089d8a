"""One question at a time, outside a run: how a stage before the benchmark asks a model."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tasks.contract import BaseSample, Message
from tasks.ids import digest
from tasks.inference.answer import Unit
from tasks.inference.models import resolve
from warehouse.errors import UsageError
from warehouse.layout import Layout

REPLY_TOKENS = 512


class _NoSample(BaseSample):
    """Stands in the place of a sample: a real model never looks at it."""

    track = "none"


@contextmanager
def asking(name: str, layout: Layout, reply_tokens: int = REPLY_TOKENS) -> Iterator[Callable[[list[Message]], str]]:
    """Start a model and yield the function that returns its reply to a prompt.

    Raises UsageError for a built-in solver, which answers from a sample and has none here.
    """
    model = resolve(name, layout=layout, parameters={"temperature": 0.0})
    if model.deterministic:
        raise UsageError(f"The solver {name!r} cannot write text: name a model such as local/smollm2-135m.")
    sample = _NoSample(category="none", cluster="none", reference="", stub="")

    def ask(messages: list[Message]) -> str:
        unit = Unit(digest([message.content for message in messages], length=16), name, "full", "generation", 1)
        return asyncio.run(model.ask(messages, sample=sample, unit=unit, reply_tokens=reply_tokens)).text

    with model:
        yield ask
