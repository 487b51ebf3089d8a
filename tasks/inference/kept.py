"""Answers of a unit that is not finished, on disk from the moment each arrives: what was paid for is not asked again.

One file a unit, `<data>/journal/units/<generation id>.jsonl`, of one line an answer with the hash of what was asked. A
unit that begins again, after a kill or a failure of the provider, gets these answers as long as it asks the same; from
the first request that differs (a tool said something else) the model is asked. A finished unit's file goes.
"""

import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.contract import Message
from tasks.inference.answer import Answer, Tool, ToolCall
from warehouse.layout import Layout

Entry = dict[str, Any]


class Kept:
    """The answers of one unit, in the order of its requests."""

    def __init__(self, layout: Layout, generation_id: str) -> None:
        self._path = _folder(layout) / f"{generation_id}.jsonl"
        self._entries, self._whole = _read(self._path)
        self._next = 0

    async def ask(
        self, messages: Sequence[Message], tools: Sequence[Tool], send: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """Return the answer kept for this request, else what `send` gives, which is kept from now on."""
        asked = _hash([message.model_dump(mode="json") for message in messages], [asdict(tool) for tool in tools])
        if self._next == len(self._entries) or self._entries[self._next]["asked"] != asked:
            answer = await send()
            plain = asdict(answer) | {"tool_calls": [call.model_dump() for call in answer.tool_calls]}
            self._keep({"asked": asked, "answer": plain})
        self._next += 1
        return _answer(self._entries[self._next - 1])

    def _keep(self, entry: Entry) -> None:
        """Put an entry in place of all from here on."""
        append = self._whole and self._next == len(self._entries)
        self._entries = [*self._entries[: self._next], entry]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(self._path, "ab" if append else "wb") as file:
            file.write(b"".join(json.dumps(one).encode() + b"\n" for one in ([entry] if append else self._entries)))
            file.flush()
            os.fsync(file.fileno())
        self._whole = True


def forget(layout: Layout, generation_id: str) -> None:
    """Remove the file of a unit that is finished and landed."""
    (_folder(layout) / f"{generation_id}.jsonl").unlink(missing_ok=True)


def _folder(layout: Layout) -> Path:
    return layout.journals / "units"


def _read(path: Path) -> tuple[list[Entry], bool]:
    """Return the entries, and whether they are the whole file: a kill may have cut its last line short."""
    *lines, rest = path.read_bytes().split(b"\n") if path.exists() else [b""]
    return [json.loads(line) for line in lines], not rest


def _answer(entry: Entry) -> Answer:
    plain = entry["answer"]
    return Answer(**{**plain, "tool_calls": tuple(ToolCall(**call) for call in plain["tool_calls"])})


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
