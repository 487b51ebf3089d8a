"""What the bundle of the closed-loop benchmark holds beside its index: prompt, token counts and transcript of a run.

Transcripts are sessions of the pi agent, version 3: one JSON object a line, messages of user, assistant and tool
results. Thinking is left out: hosted models' is encrypted, and a turn is what was said or done.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.errors import WarehouseError
from warehouse.importers.closed_loop_effects import Call
from warehouse.importers.landing import Row, digest, read_json

PROMPT_TOKENS = ("prompt_tokens", "cache_read_tokens", "cache_write_tokens")
RUN = "{repetition}__{task_id}__{mode}__{model_label}"


class Session(NamedTuple):
    """Columns of `generations` that the bundle knows, rows of `turns` without their generation, the tool calls with
    their answers, and what the summary records of the workspace (`tool_behavior`)."""

    columns: Mapping[str, Any] = {}
    turns: tuple[Row, ...] = ()
    calls: tuple[Call, ...] = ()
    began: datetime | None = None
    recorded: Mapping[str, Any] = {}


def session_of(bundle: Path, run: Row) -> Session:
    """Return what `bundle` holds of `run`; empty where the run has no folder or a part of it is missing."""
    folder = bundle / "runs" / RUN.format(**run)
    if not folder.is_dir():
        return Session()
    columns: Row = {}
    recorded: Mapping[str, Any] = {}
    if (prompt := folder / "prompt.txt").is_file():
        messages = [{"role": "user", "content": prompt.read_text(encoding="utf-8", errors="replace")}]
        columns |= {"messages": json.dumps(messages, ensure_ascii=False), "prompt_hash": digest(messages, length=16)}
    if (summary := folder / "summary.json").is_file():
        told = read_json(summary)
        usage, recorded = told.get("model_usage") or {}, told.get("tool_behavior") or {}
        columns |= {
            "prompt_tokens": sum(usage.get(name) or 0 for name in PROMPT_TOKENS) if usage else None,
            "cached_tokens": usage.get("cache_read_tokens"), "completion_tokens": usage.get("completion_tokens"),
        }  # fmt: skip
    log = folder / "session.jsonl"
    if not log.is_file():
        return Session(columns, recorded=recorded)
    turns: list[Row] = []
    calls: list[Call] = []
    asked: dict[str, Mapping[str, Any]] = {}
    began: datetime | None = None
    last: datetime | None = None
    tokens = 0
    for entry in _lines(log):
        when = datetime.fromisoformat(entry["timestamp"]) if entry.get("timestamp") else last
        message = entry.get("message") or {}
        waited = (when - last).total_seconds() if when and last else None
        for role, tool, content in _said(message):
            turns.append({"turn": len(turns), "role": role, "tool": tool, "content": content, "seconds_s": waited})
            waited = None  # the time of a message counts once, with its first part
        last, began = when, began or when
        if message.get("role") == "toolResult" and (call := asked.get(message.get("toolCallId", ""))):
            after = (when - began).total_seconds() if when and began else None
            failed = bool(message.get("isError"))
            calls.append(Call(len(turns) - 1, call["name"], call.get("arguments") or {}, turns[-1]["content"], failed,
                              after, tokens))  # fmt: skip
        if message.get("role") == "assistant":
            tokens += (message.get("usage") or {}).get("totalTokens") or 0
            asked |= {part["id"]: part for part in _parts(message) if part.get("type") == "toolCall"}
            columns |= {"finish_reason": message.get("stopReason"), "created_at": when}
    spoken = [turn["content"] for turn in turns if turn["role"] == "assistant" and turn["tool"] is None]
    columns["reply"] = spoken[-1] if spoken else None
    return Session(columns, tuple(turns), tuple(calls), began, recorded)


def _lines(log: Path) -> Iterator[Mapping[str, Any]]:
    with log.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    raise WarehouseError(
                        f"{log}, line {number} is no JSON; take the file from the bundle again."
                    ) from error


def _parts(message: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    parts = message.get("content")
    return [{"type": "text", "text": parts}] if isinstance(parts, str) else parts or []


def _said(message: Mapping[str, Any]) -> Iterator[tuple[str, str | None, str]]:
    """Yield (role, tool, text) of what a message says and does, in its order."""
    role, parts = message.get("role"), _parts(message)
    if role == "toolResult":
        yield "tool", message.get("toolName"), "\n".join(part.get("text", "") for part in parts)
        return
    for part in parts:
        if part.get("type") == "text" and part.get("text"):
            yield str(role), None, part["text"]
        elif part.get("type") == "toolCall":
            arguments = json.dumps(part.get("arguments"), ensure_ascii=False, sort_keys=True)
            yield str(role), part.get("name"), arguments
