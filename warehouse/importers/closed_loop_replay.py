"""The workspace of a run as its recorded file operations made it, and its state at every submission.

Nothing is executed. Where a change cannot be followed, the file is in doubt until it is shown or written whole again;
a submission in between is not exact and says why.
"""

import difflib
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from warehouse.importers.closed_loop_effects import NAME, WRITES, Effect, submits
from warehouse.importers.closed_loop_sed import Unread, substitute
from warehouse.importers.closed_loop_sources import GRADED

IGNORED = re.compile(r"(^|/)(artifacts|__pycache__|\.git)(/|$)|\.pyc$")
"""What the campaign's own comparison of workspaces left out."""

BINARY = re.compile(r"(^|/)[^./]+$|\.(so|o|a|elf|bin|out|exe)$")
"""Files that only programs write; they have no lines."""

_OPENED = re.compile(r"open\(\s*['\"]([^'\"]+)['\"]\s*,\s*(?:mode\s*=\s*)?['\"][rb+]*[wax+]")
_QUOTES = str.maketrans(
    "\u2018\u2019\u201c\u201d\u2010\u2011\u2012\u2013\u2014\u2212\u00a0\u202f\u3000", "''\"\"------   "
)


class Step(NamedTuple):
    """An effect and when it came: turn, seconds and tokens since the session began."""

    turn: int
    after_s: float | None
    tokens: int
    effect: Effect


@dataclass
class Handed:
    """What one submission handed in: the graded files, the status that was heard of it, and why the files may not be
    what was graded."""

    turn: int
    after_s: float | None
    tokens: int
    files: Mapping[str, str]
    heard: str = ""
    doubts: list[str] = field(default_factory=list)


class Lines(NamedTuple):
    """How a workspace differs from its start: the files, and the lines added and deleted."""

    files: frozenset[str]
    added: int
    deleted: int


class Workspace:
    """Files of a run, by path: `base` is the start as far as it is known, and grows by what is shown."""

    def __init__(self, base: Mapping[str, str]) -> None:
        self.base = dict(base)
        self.changed: dict[str, str | None] = {}
        self.doubts: dict[str, str] = {}
        self.handed: list[Handed] = []
        self.unexplained: list[str] = []
        self.read_backs = 0
        self.refused = 0
        self._unconfirmed: dict[str, list[Handed]] = {}

    def play(self, steps: Iterable[Step]) -> "Workspace":
        """Apply all steps and return the workspace."""
        for step in steps:
            self._apply(step)
        return self

    def text(self, path: str) -> str | None:
        """Return a file, None where it is not there or was never shown."""
        return self.changed[path] if path in self.changed else self.base.get(path)

    def difference(self) -> Lines:
        """Return what a comparison of the workspace with its start would count, line by line (difflib)."""
        files, added, deleted = set(), 0, 0
        for path, after in self.changed.items():
            before = self.base.get(path)
            if before == after or path.startswith(("/", "$", "~", "..")) or IGNORED.search(path):
                continue
            files.add(path)
            for line in difflib.unified_diff((before or "").splitlines(), (after or "").splitlines(), lineterm=""):
                if not line.startswith(("+++", "---", "@@")):
                    added += line.startswith("+")
                    deleted += line.startswith("-")
        return Lines(frozenset(files), added, deleted)

    def _apply(self, step: Step) -> None:
        effect, turn = step.effect, step.turn
        path, text = effect.path, effect.text
        if effect.kind == "submission":
            self._hand_in(step)
        elif effect.kind == "put":
            self._put(path, text)
        elif effect.kind == "append":
            if (before := self.text(path)) is None and path in GRADED:
                self._doubt(path, f"turn {turn} appends to a file that was never shown")
            else:
                self._set(path, (before or "") + text)
        elif effect.kind == "edit":
            self._edit(effect, turn)
        elif effect.kind in ("copy", "move"):
            self._transfer(effect, turn)
        elif effect.kind == "remove":
            for known in [one for one in {**self.base, **self.changed} if one == path or one.startswith(path + "/")]:
                self._put(known, None)
        elif effect.kind == "sed":
            self._sed(effect, turn)
        elif effect.kind == "seen":
            self._seen(path, text, turn)
        elif effect.kind == "lost":
            self._doubt(path, f"turn {turn} writes it in a way that is not read")
        elif effect.kind == "refused":
            self.refused += 1
        elif effect.kind in ("script", "run"):
            program = text if effect.kind == "script" else self.text(path) or ""
            self._script(program, turn)
            if effect.kind == "run" and effect.new and submits(program):
                self._hand_in(step._replace(effect=effect._replace(text="")))

    def _hand_in(self, step: Step) -> None:
        files = {path: text for path in GRADED if (text := self.text(path)) is not None}
        handed = Handed(step.turn, step.after_s, step.tokens, files, step.effect.text)
        handed.doubts += [f"{path}: {why}" for path, why in self.doubts.items() if path in GRADED]
        self.handed.append(handed)
        for path in GRADED:
            self._unconfirmed.setdefault(path, []).append(handed)

    def _set(self, path: str, text: str | None) -> None:
        self.changed[path] = text

    def _put(self, path: str, text: str | None) -> None:
        self._set(path, text)
        self.doubts.pop(path, None)
        self._unconfirmed.pop(path, None)

    def _doubt(self, path: str, why: str) -> None:
        if path in GRADED:
            self.doubts.setdefault(path, why)
        self.changed.setdefault(path, self.base.get(path, ""))

    def _edit(self, effect: Effect, turn: int) -> None:
        before = self.text(effect.path)
        after = None if before is None else edited(before, effect.text, effect.new)
        if after is None:
            self._doubt(effect.path, f"turn {turn} edits a text that the replay does not have there")
        else:
            self._set(effect.path, after)

    def _transfer(self, effect: Effect, turn: int) -> None:
        known = {**self.base, **self.changed}
        target = effect.new
        if any(one.startswith(target + "/") for one in known) or "." not in posixpath.basename(target):
            target = posixpath.normpath(posixpath.join(target, posixpath.basename(effect.path)))
        text = self.text(effect.path)
        if text is not None:
            self._put(target, text)
            if effect.path in self.doubts and target in GRADED:
                self._doubt(target, self.doubts[effect.path])
        elif effect.path in known or target in GRADED:
            self._doubt(target, f"turn {turn} copies a file there that was never shown")
        if effect.kind == "move":
            self._put(effect.path, None)

    def _sed(self, effect: Effect, turn: int) -> None:
        before = self.text(effect.path)
        try:
            if before is not None:
                self._set(effect.path, substitute(before, effect.text, bool(effect.new)))
            elif effect.path in GRADED:
                self._doubt(effect.path, f"turn {turn} edits a file that was never shown")
        except Unread:
            self._doubt(effect.path, f"turn {turn} edits it with a sed script that is not read")

    def _seen(self, path: str, text: str, turn: int) -> None:
        before = self.text(path)
        if path not in self.changed and (before is None or path not in GRADED):
            self.base[path] = text
            return
        self.read_backs += path in GRADED
        if before is not None and before.rstrip() == text.rstrip():
            self.doubts.pop(path, None)
        else:
            if path in GRADED and path not in self.doubts and before is not None:
                why = f"{path}: what is shown in turn {turn} differs from the replay"
                self.unexplained.append(why)
                for handed in self._unconfirmed.get(path, []):
                    handed.doubts.append(why)
            self._put(path, text)
        self._unconfirmed.pop(path, None)

    def _script(self, text: str, turn: int) -> None:
        if not WRITES.search(text):
            return
        named = _OPENED.findall(text) or NAME.findall(text)
        bases = {posixpath.basename(name) for name in named}
        for path in GRADED:
            if posixpath.basename(path) in bases:
                self._doubt(path, f"turn {turn} runs a program that may write it")


def edited(text: str, old: str, new: str) -> str | None:
    """Return a text with `old`, which stands in it once, replaced; None where it does not.

    As the agent's tool does, a text that fits only without trailing spaces and typographic quotes is replaced in the
    text so simplified.
    """
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if text.count(old) == 1:
        return text.replace(old, new)
    plain, wanted = _simplified(text), _simplified(old)
    return plain.replace(wanted, new) if wanted and text.count(old) == 0 and plain.count(wanted) == 1 else None


def _simplified(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).translate(_QUOTES)
