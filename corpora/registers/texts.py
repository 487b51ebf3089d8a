"""Prose of the families: wordings and distractors as paragraphs, kept in `families/texts/<module>.txt`."""

import re
from collections.abc import Mapping
from importlib.resources import files

from warehouse.errors import CorpusError


def phrases(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a text, each as one line; `$code` is set apart, so that a listing can fill it."""
    lines = (" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))
    return tuple(re.sub(r" ?\$code ?", "\n\n$code\n\n", line).strip() for line in lines)


def sections(module: str) -> Mapping[str, tuple[str, ...]]:
    """Return the paragraphs of each section of a module's text file; a section starts at a line `== <name>`.

    Raises CorpusError for a section that occurs twice.
    """
    text = (files("corpora.registers.families") / "texts" / f"{module}.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for part in re.split(r"^== ", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        if name.strip() in found:
            raise CorpusError(f"Section {name.strip()} occurs twice in {module}.txt; merge the two.")
        found[name.strip()] = phrases(body)
    return found
