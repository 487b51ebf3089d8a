"""Hosted and self-hosted models through litellm, with our own retries, time limit and bound on requests in flight.

litellm's retries are off: its Retry-After is uncapped, its `num_retries` multiplies with the SDK's and fails without
a package it does not require. Requests run on one event loop per model, in a thread of its own: shards in several
threads share one bound and one set of connections, and no client outlives its loop.
"""

import asyncio
import itertools
import os
import threading
import time
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

from tasks.contract import BaseSample, Message
from tasks.inference.answer import Answer, Tool, ToolCall, ToolMessage, Unit
from tasks.inference.failures import provider_error
from tasks.inference.retry import Retry
from warehouse.errors import ProviderError, UsageError
from warehouse.layout import Layout

DEFAULTS: dict[str, Any] = {"temperature": 0.6, "top_p": 0.95}
SETTINGS: dict[str, Any] = {"api_base": None, "api_key": None, "timeout_s": 300.0, "concurrency": 16, "attempts": 6,
                            "retry_base_s": 1.0, "retry_cap_s": 60.0}  # fmt: skip
"""How a model is reached: never recorded, never part of an identity."""


class HostedModel:
    """A model that litellm reaches. `provider/model@http://…` names its address, which is no part of its name."""

    deterministic = False
    verbatim = False
    settings: Mapping[str, Any] = SETTINGS
    fixed: Mapping[str, Any] = {}
    """Facts about the model that are recorded but not sent."""

    def __init__(self, name: str, argument: str | None, layout: Layout, parameters: Mapping[str, Any]) -> None:
        self.name, at, address = name.partition("@http")
        self.target = self.name
        reach = {**self.settings, **{key: value for key, value in parameters.items() if key in self.settings}}
        self.api_base: str | None = "http" + address if at else reach["api_base"]
        self.api_key: str | None = reach["api_key"]
        self.timeout_s = float(reach["timeout_s"])
        self.concurrency = int(reach["concurrency"])
        self.retry = Retry(int(reach["attempts"]), float(reach["retry_base_s"]), float(reach["retry_cap_s"]))
        if self.concurrency < 1 or self.retry.attempts < 1:
            raise UsageError(f"Model {self.name} needs a concurrency and a number of attempts of at least 1.")
        sent = {**DEFAULTS, **{key: value for key, value in parameters.items() if key not in self.settings}}
        self.parameters: Mapping[str, Any] = {key: value for key, value in sent.items() if value is not None}
        self._loop: LoopThread | None = None
        self._lock = threading.Lock()

    def sent(self, unit: Unit, reply_tokens: int) -> dict[str, Any]:
        """Return the parameters of one request as recorded; a seed grows with the attempt, else repeats were one."""
        sent = {"max_tokens": reply_tokens, **self.parameters, **self.fixed}
        if "seed" in sent:
            sent["seed"] += unit.attempt - 1
        return sent

    def start(self) -> None:
        """Import litellm and start the model's event loop."""
        with self._lock:
            if self._loop is None:
                litellm()
                self._loop = LoopThread(f"ask {self.name}", self.concurrency)

    def stop(self) -> None:
        """Cancel what is in flight and end the event loop."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.close()

    async def ask(self, messages: Sequence[Message], *, sample: BaseSample, unit: Unit, reply_tokens: int,
                  tools: Sequence[Tool] = ()) -> Answer:  # fmt: skip
        """Return one reply; a failure that may pass is tried again (`Retry`) before it is raised as ProviderError."""
        self.start()
        assert self._loop is not None
        sent = {key: value for key, value in self.sent(unit, reply_tokens).items() if key not in self.fixed}
        wire = [_wire(message) for message in messages]
        if tools:
            sent["tools"] = [{"type": "function", "function": asdict(tool)} for tool in tools]
        key = (unit.sample_id, unit.model, unit.config, unit.scenario, unit.attempt)
        return await self._loop.run(self._patiently(wire, sent, key, self._loop.gate))

    async def _patiently(self, wire: list[dict[str, Any]], sent: dict[str, Any], key: tuple[object, ...],
                         gate: asyncio.Semaphore) -> Answer:  # fmt: skip
        async with gate:  # held while waiting to retry: a provider out of breath is asked less
            for failures in itertools.count(1):
                try:
                    return await self._once(wire, sent)
                except ProviderError as error:
                    delay_s = self.retry.delay_s(error, failures, *key)
                    if delay_s is None:
                        raise
                await asyncio.sleep(delay_s)
        raise AssertionError("unreachable")

    async def _once(self, wire: list[dict[str, Any]], sent: dict[str, Any]) -> Answer:
        start = time.perf_counter()
        try:
            async with asyncio.timeout(self.timeout_s):
                response = await litellm().acompletion(
                    model=self.target, messages=wire, api_base=self.api_base, api_key=self.api_key,
                    timeout=self.timeout_s, max_retries=0, **sent,
                )  # fmt: skip
            choice = response.choices[0]
            text = choice.message.content or ""
            calls = _calls(choice.message)
        except TimeoutError as error:
            raise ProviderError(
                f"{self.name} did not answer within {self.timeout_s:g} s.", error_kind="timeout"
            ) from error
        except Exception as error:
            raise provider_error(self.name, error) from error
        seconds_s = time.perf_counter() - start
        usage = getattr(response, "usage", None)
        details = getattr(usage, "prompt_tokens_details", None)
        return Answer(
            text=text,
            finish_reason=choice.finish_reason,
            prompt_tokens=getattr(usage, "prompt_tokens", None),
            cached_tokens=getattr(details, "cached_tokens", None),
            completion_tokens=getattr(usage, "completion_tokens", None),
            cost_usd=self.cost_usd(response),
            seconds_s=seconds_s,
            tool_calls=calls,
        )

    def cost_usd(self, response: Any) -> float | None:
        """Return the price of a response by litellm's list, cached tokens at their own rate; None if it has none."""
        try:
            return float(litellm().completion_cost(completion_response=response, model=self.target))
        except Exception:  # litellm raises bare Exceptions for a model without a price
            return None

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("_loop", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _loop=None, _lock=threading.Lock())

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()


class LoopThread:
    """An event loop in a daemon thread, with a semaphore that lives on it."""

    def __init__(self, name: str, concurrency: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.gate = asyncio.Semaphore(concurrency)
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Await `work`, which runs on this loop, from another loop; cancelling one cancels the other."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def close(self) -> None:
        """Cancel every task, let them end, stop the loop and the thread."""
        asyncio.run_coroutine_threadsafe(_cancel_others(), self.loop).result(timeout=10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout=10)
        self.loop.close()


def _wire(message: Message) -> dict[str, Any]:
    """Return a message as the OpenAI protocol writes it."""
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if isinstance(message, ToolMessage):
        if message.tool_calls:
            wire["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls
            ]
        if message.tool_call_id is not None:
            wire["tool_call_id"] = message.tool_call_id
    return wire


def _calls(message: Any) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=call.id or "", name=call.function.name or "", arguments=call.function.arguments or "")
        for call in getattr(message, "tool_calls", None) or ()
    )


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def litellm() -> Any:
    """Import litellm (4.5 s) without its price download, telemetry, banner and log lines."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import logging

    import litellm as module

    if not module.suppress_debug_info:
        module.suppress_debug_info = True
        module.telemetry = False
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return module
