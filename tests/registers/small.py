"""A small file of items in regbench's form, written for these tests, and replies to it."""

import json
from pathlib import Path
from typing import Any

Item = dict[str, Any]


def item(family: str, variant: str, kind: str, target: str, check: Item | None, **more: Any) -> Item:
    """Return one line of the file as a dictionary."""
    asked = {
        "integer": "Give the answer in hexadecimal.",
        "quantity": "Give it in milliseconds.",
        "choice": "Which one?",
    }
    return {
        "id": f"{family}.{variant}", "family": family, "variant": variant, "domain": "demo", "difficulty": "easy",
        "question": f"A {variant} question of the family {family}. {asked[kind]}", "answer_type": kind,
        "target": target, "unit": "ms" if kind == "quantity" else None,
        "tolerance": 0.005 if kind == "quantity" else 0.0, "aliases": [], "check": check, "rationale": "As it is.",
        **more,
    }  # fmt: skip


def items() -> list[Item]:
    """Return nine items of three families: two checked by formulas, one of choices without."""

    def shifted(value: int) -> Item:
        return {"expr": "(value << 2) & 0xFF", "vars": {"value": value}}

    def frame(count: int, baud: int) -> Item:
        return {"expr": "count * 10 / baud", "vars": {"count": count, "baud": baud}, "unit": "s"}

    state = {"aliases": ["on", "switched_on"]}
    return [
        item("shift", "base", "integer", "0x48", shifted(0x12)),
        item("shift", "rename", "integer", "0x48", shifted(0x12)),
        item("shift", "renumber", "integer", "0xA4", shifted(0x29)),
        item("frame", "base", "quantity", "5.5556", frame(64, 115200)),
        item("frame", "rename", "quantity", "5.5556", frame(64, 115200)),
        item("frame", "renumber", "quantity", "33.333", frame(32, 9600)),
        item("state", "base", "choice", "switched-on", None, **state),
        item("state", "rename", "choice", "switched-on", None, **state),
        item("state", "renumber", "choice", "switched-off", None),
    ]


def write(folder: Path, rows: list[Item] | None = None) -> Path:
    """Write the items as JSON lines into `folder`."""
    path = folder / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n\n" for row in (items() if rows is None else rows)), encoding="utf-8")
    return path
