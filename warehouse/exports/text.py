"""Values as text that people read: short figures, and nothing that steers a terminal."""

import json
import re
from datetime import datetime
from typing import Any

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Return `text` without control characters, so that a reply cannot steer the terminal it is shown on."""
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def cell(value: Any) -> str:
    """Return a value as it is shown to a reader: null as nothing, a fraction with four digits, the rest as text."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < 1000 else f"{value:.1f}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return printable(str(value))
