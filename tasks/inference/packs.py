"""A context pack: text of a team's own that goes before every prompt, to ask whether it helps.

It works for every track, config and scenario alike, because it is put where prompts are handed out
(`scenarios.Scenario.shown`). The config's name carries the hash of the text, so replies with a pack are other units
than those without it and are compared as one more config.
"""

import re
from pathlib import Path

from tasks.contract import Config, Message, Prompt
from tasks.ids import digest
from tasks.inference.tokens import estimate
from warehouse.errors import UsageError

HEAD = "## Team Context"
LARGEST_BYTES = 1 << 20
HASH_DIGITS = 8


def read_pack(path: Path) -> str:
    """Return the text of a pack; raises UsageError for a file that is missing, empty, too large or no text."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The context pack {path} cannot be read: {error.strerror}.") from None
    if len(content) > LARGEST_BYTES:
        raise UsageError(f"The context pack {path} is larger than {LARGEST_BYTES} bytes.")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").strip()
    except UnicodeDecodeError:
        raise UsageError(f"The context pack {path} is not UTF-8 text.") from None
    if not text:
        raise UsageError(f"The context pack {path} is empty.")
    return text


def with_pack(config: Config, pack: str) -> Config:
    """Return the config that shows the pack too, under a name with the pack's hash."""
    name = f"{config.name}+pack-{digest('pack', pack, length=HASH_DIGITS)}"
    return config.model_copy(update={"name": name, "pack": pack})


def of_track(config: Config) -> Config:
    """Return a config as the track knows it: under its own name, without the pack, whose tokens the budget loses.

    Raises UsageError for a pack that leaves no room.
    """
    config = config.model_copy(update={"name": re.split(r"[+@]", config.name)[0]})
    if config.pack is None:
        return config
    left = config.budget_tokens - estimate(_block(config.pack))
    if left <= config.reply_tokens:
        raise UsageError(
            f"The context pack leaves no room for a prompt in {config.budget_tokens} tokens; raise --budget-tokens."
        )
    return config.model_copy(update={"pack": None, "budget_tokens": left})


def packed(prompt: Prompt, pack: str | None) -> Prompt:
    """Return the prompt with the pack before its first message of the user."""
    if pack is None:
        return prompt
    messages = list(prompt.messages)
    place = next((number for number, message in enumerate(messages) if message.role == "user"), len(messages))
    if place == len(messages):
        messages.append(Message(role="user", content=_block(pack)))
    else:
        first = messages[place]
        messages[place] = first.model_copy(update={"content": _block(pack) + first.content})
    return prompt.model_copy(update={"messages": tuple(messages), "tokens": prompt.tokens + estimate(_block(pack))})


def _block(pack: str) -> str:
    return f"{HEAD}\n\n{pack}\n\n"
