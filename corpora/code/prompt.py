"""What a model is shown of a sample: the task, and as much context as the token budget holds.

Sections always stand in the order imports, types, globals, calls, window. The budget is filled in another: item by
item in order of rank, and among items of one rank by what their kind is worth in the paper's Table X (average drop
over its six models without it): window, calls, types, globals, imports. What does not fit is recorded in
`Prompt.cut`, the tail of an item too. A window ends, on its side, where an item of it does not fit: it has no gaps.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from string import Template

from corpora.code.schema import GENERATION, Sample
from tasks.contract import CONTEXT_KINDS, Config, ContextItem, Cut, Message, Prompt
from tasks.inference.tokens import clip
from tasks.inference.tokens import estimate as count

TEMPLATES = Path(__file__).with_name("templates")
SECTIONS = ("imports", "types", "globals", "calls", "window")
PRIORITY = {kind: place for place, kind in enumerate(("window", "calls", "types", "globals", "imports"))}
LANGUAGES = {"c": "C", "cpp": "C++"}

GAP = "<MISSING>"
HERE = "/* the function stands here */"
TRIMMED = "/* ... */"
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*\n?", re.MULTILINE)
LEAST_CLIP_TOKENS = 24
"""A shorter rest of an item is not worth showing."""

CONFIGS: dict[str, Config] = {
    "full": Config(name="full"),
    **{f"no_{kind}": Config(name=f"no_{kind}", hidden=frozenset({kind})) for kind in CONTEXT_KINDS},
    "no_context": Config(name="no_context", hidden=frozenset(CONTEXT_KINDS)),
}
"""The paper's seven context configurations (Table X); description, signature and visible code always stay."""


def prompt(sample: Sample, config: Config) -> Prompt:
    """Return the messages for a sample, of at most `budget_tokens - reply_tokens` estimated tokens.

    Description, signature and visible code come before any context. Visible code that is too long loses its outermost
    lines, then a description its last ones. The fixed words of the templates stay even where they alone exceed the
    budget; `Prompt.tokens` says what was really used.
    """
    room = config.budget_tokens - config.reply_tokens
    system = _fill("system", language=LANGUAGES.get(sample.language or "c", "C++"))
    bare = estimate(system) + estimate(_user(sample, "", "", ""))
    cut: list[Cut] = []
    description = _description(sample, room - bare - estimate(sample.signature), cut)
    visible = _visible(sample, room - bare - estimate(description), cut)
    used = bare + estimate(description) + estimate(visible)
    context, spent = _context(sample, config, room - used, cut)
    user = _user(sample, context, description, visible)
    messages = (Message(role="system", content=system), Message(role="user", content=user))
    return Prompt(messages=messages, tokens=used + spent, cut=tuple(cut))


@lru_cache(maxsize=65_536)
def estimate(text: str) -> int:
    """Return the estimated tokens of a text; items of context come back with every sample and config of a function."""
    return count(text)


@cache
def _template(name: str) -> Template:
    return Template((TEMPLATES / f"{name}.txt").read_text(encoding="utf-8"))


def _fill(name: str, **values: str) -> str:
    return _template(name).substitute(values)


def _user(sample: Sample, context: str, description: str, visible: str) -> str:
    return _fill(
        sample.category,
        project=f"{sample.project_id} ({sample.domain})" if sample.domain else str(sample.project_id),
        path=sample.path or "",
        language=LANGUAGES.get(sample.language or "c", "C++"),
        fence=sample.language or "c",
        function=sample.qualified_name,
        gap=GAP,
        context=context,
        description=description,
        signature=visible if sample.category == GENERATION else "",
        visible=visible,
    ).strip()


def _description(sample: Sample, room: int, cut: list[Cut]) -> str:
    """Return the description, shortened only where it would leave no room for the task itself."""
    whole = sample.description
    limit = max(room // 2, LEAST_CLIP_TOKENS)
    if estimate(whole) <= limit:
        return whole
    kept = clip(whole, limit).rstrip()
    cut.append(Cut(kind="description", rank=0, name=sample.function_name, tokens=estimate(whole) - estimate(kept)))
    return kept


def _visible(sample: Sample, room: int, cut: list[Cut]) -> str:
    """Return the signature, or the visible code with a mark where the hole is, its outermost lines gone if need be."""
    if sample.category == GENERATION:
        return sample.signature
    prefix, suffix = sample.prefix, sample.suffix
    room -= estimate(GAP)
    if estimate(prefix) + estimate(suffix) > room:
        near = max(room // 2, room - estimate(prefix))
        suffix = _clipped("suffix", sample, suffix, near, cut)
        prefix = _clipped("prefix", sample, prefix, room - estimate(suffix), cut)
    return f"{prefix}{GAP}{suffix}"


def _clipped(part: str, sample: Sample, text: str, room: int, cut: list[Cut]) -> str:
    """Keep the lines of `text` that are nearest to the hole, at least the one that the hole is in."""
    if estimate(text) <= room:
        return text
    room -= estimate(TRIMMED)
    if part == "suffix":
        first, newline, _ = text.partition("\n")
        kept = max(clip(text, room), first + newline, key=len)
        shown = f"{kept.rstrip()}\n{TRIMMED}" if len(kept) < len(text) else text
    else:
        kept = max(_tail(text, room), text.rpartition("\n")[2], key=len)
        shown = f"{TRIMMED}\n{kept}" if len(kept) < len(text) else text
    lost = estimate(text) - estimate(kept)
    if lost:
        cut.append(Cut(kind=part, rank=0, name=sample.function_name, tokens=lost))
    return shown


def _tail(text: str, tokens: int) -> str:
    """Return the longest run of whole lines up to the end of `text` that is estimated at `tokens` or fewer."""
    lines = text.splitlines(keepends=True)
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        if estimate("".join(lines[middle:])) <= tokens:
            high = middle
        else:
            low = middle + 1
    return "".join(lines[low:])


def _context(sample: Sample, config: Config, room: int, cut: list[Cut]) -> tuple[str, int]:
    """Fill the room item by item and return the sections and the tokens that they take."""
    start = room
    chosen: dict[str, list[tuple[ContextItem, str]]] = {kind: [] for kind in SECTIONS}
    closed: set[bool] = set()
    shown = [item for item in sample.context if item.kind in PRIORITY and item.kind not in config.hidden]
    for item in sorted(shown, key=lambda item: (item.rank, PRIORITY[item.kind])):
        header = 0 if chosen[item.kind] else estimate(_fill(item.kind, fence="cpp", items=HERE)) + 1
        full = _text(item)
        if not full.strip():
            continue
        whole = estimate(full)
        before = _before(sample, item)
        left = 0 if item.kind == "window" and before in closed else room - header
        text = full if whole < left else ""
        if not text and left > LEAST_CLIP_TOKENS:
            kept = _tail(full, left - 1) if before else clip(full, left - 1)
            text = kept if kept.strip() and estimate(kept) >= LEAST_CLIP_TOKENS else ""
        used = estimate(text)
        if used < whole:
            if item.kind == "window":
                closed.add(before)
            cut.append(Cut(kind=item.kind, rank=item.rank, name=item.name, tokens=whole - used))
        if text:
            room -= header + used + 1
            chosen[item.kind].append((item, text))
    sections = (_section(sample, kind, chosen[kind]) for kind in SECTIONS if chosen[kind])
    return "".join(sections), start - room


def _text(item: ContextItem) -> str:
    """Return what is shown of an item; the includes of a file are the section `imports`, never part of the window."""
    return INCLUDE.sub("", item.text) if item.kind == "window" else item.text


def _before(sample: Sample, item: ContextItem) -> bool:
    """Whether a window item stands before the function, so that its last lines are the near ones."""
    line = sample.provenance.get("start_line")
    return item.kind == "window" and bool(item.start_line) and line is not None and item.start_line < line


def _section(sample: Sample, kind: str, items: Iterable[tuple[ContextItem, str]]) -> str:
    if kind == "window":
        ordered = sorted(items, key=lambda pair: pair[0].start_line or 0)
        before = [text.strip("\r\n") for item, text in ordered if _before(sample, item)]
        after = [text.strip("\r\n") for item, text in ordered if not _before(sample, item)]
        body = "\n".join([*before, HERE, *after])
    else:
        ranked = sorted(items, key=lambda pair: pair[0].rank)
        body = "\n".join(text.strip("\r\n") for _, text in ranked)
    return _fill(kind, fence=sample.language or "c", items=body)
