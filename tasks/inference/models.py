"""What a model is to the harness, and how a name becomes one. See docs/models.md for the names."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from tasks.contract import BaseSample, Message
from tasks.inference.answer import Answer, Tool, Unit
from warehouse.errors import UsageError
from warehouse.layout import Layout

__all__ = ["BUILT_IN", "Answer", "Model", "resolve"]


class Model(Protocol):
    """Something that answers. Made cheaply by `resolve`, may be pickled until started, used as a context manager.

    `parameters` are recorded and make the reply's identity; `deterministic` says that asking again gives the same, so
    an empty reply is final and costs nothing to lose; `verbatim` that a reply is its own code and is not searched for
    fences; `concurrency` bounds requests in flight, over all threads that share the object.
    """

    name: str
    parameters: Mapping[str, Any]
    deterministic: bool
    verbatim: bool
    concurrency: int

    def sent(self, unit: Unit, reply_tokens: int) -> dict[str, Any]:
        """Return the parameters of one request as they are sent and recorded."""
        ...

    def start(self) -> None:
        """Make the model ready; a second call does nothing. Raises ModelError naming what is missing."""
        ...

    def stop(self) -> None:
        """Let go of servers and connections."""
        ...

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        """Return one reply of at most `reply_tokens`; raises ProviderError once its own retries are used up.

        `tools` is given only where a scenario offers some; a solver that answers with its whole work ignores them.
        """
        ...

    def __enter__(self) -> "Model": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Maker(NamedTuple):
    """The class behind a built-in name, whether the name takes an argument after a colon, and what it does."""

    module: str
    cls: str
    argument: bool
    purpose: str


BUILT_IN: dict[str, Maker] = {
    "reference": Maker("tasks.inference.builtin", "Reference", False, "the sample's reference answer"),
    "empty": Maker("tasks.inference.builtin", "Empty", False, "nothing"),
    "stub": Maker("tasks.inference.builtin", "Stub", False, "the sample's stub"),
    "mutant": Maker("tasks.inference.builtin", "Mutation", True, "a seeded bug: the first, or mutant:NAME"),
    "replay": Maker("tasks.inference.replay", "Replay", True, "stored replies: replay:<parquet>[#MODEL]"),
    "local/smollm2-135m": Maker("tasks.inference.local", "LocalModel", False, "135M parameters, served on loopback"),
}


def resolve(name: str, *, layout: Layout, parameters: Mapping[str, Any] | None = None) -> Model:
    """Return the model called `name`, not started.

    Built-in names are the keys of `BUILT_IN`; anything else with a slash goes to litellm as `provider/model`, a
    self-hosted one as `hosted_vllm/model@http://host:port/v1`. `parameters` override what is sent (None leaves one
    out) and how (`hosted.SETTINGS`: `api_base`, `api_key`, `timeout_s`, …); solvers that ask no model ignore them.
    Raises UsageError, naming the choices, for a name that is neither.
    """
    head, colon, argument = name.partition(":")
    if (maker := BUILT_IN.get(head)) and (maker.argument or not colon):
        return getattr(import_module(maker.module), maker.cls)(name, argument or None, layout, parameters or {})
    provider, slash, model = name.partition("/")
    if not slash or not provider or not model or provider == "local" or head in BUILT_IN:
        raise UsageError(
            f"There is no model {name!r}: use one of {', '.join(sorted(BUILT_IN))}, "
            "or provider/model as litellm names it."
        )
    from tasks.inference.hosted import HostedModel

    return HostedModel(name, None, layout, parameters or {})
