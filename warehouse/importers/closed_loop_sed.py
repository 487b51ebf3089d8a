"""The part of `sed -i` that transcripts use on sources: addresses, `d`, `a`, `i`, `c` and `s` (POSIX.1-2017, sed)."""

import re
from collections.abc import Callable
from typing import NamedTuple

_ADDRESS = re.compile(r"\s*(?:(?P<line>\d+|\$)|/(?P<text>(?:[^/\\]|\\.)*)/)")
_TEXT = re.compile(r"\s*\\\n?(.*)|\s*(.*)", re.DOTALL)
_SPECIAL = "(){}|+?"


class Unread(ValueError):
    """A script outside the part that is read here."""


class _Command(NamedTuple):
    first: tuple[int | None, re.Pattern[str] | None] | None
    last: tuple[int | None, re.Pattern[str] | None] | None
    negated: bool
    apply: Callable[[str], str | None]


def substitute(text: str, script: str, extended: bool = False) -> str:
    """Return what `sed` makes of a text; raises Unread for a script that is not understood."""
    commands = _parse(script, extended)
    lines = text.splitlines(keepends=True)
    active = [False] * len(commands)
    found: list[str] = []
    for number, line in enumerate(lines, start=1):
        bare, end = (line[:-1], "\n") if line.endswith("\n") else (line, "")
        kept: str | None = bare
        for place, command in enumerate(commands):
            if kept is not None and _selected(command, place, active, number, kept, len(lines)) != command.negated:
                kept = command.apply(kept)
        if kept is not None:
            found.append(kept + end)
    return "".join(found)


def _selected(command: _Command, place: int, active: list[bool], number: int, line: str, count: int) -> bool:
    def meets(address: tuple[int | None, re.Pattern[str] | None]) -> bool:
        wanted, pattern = address
        return bool(pattern.search(line)) if pattern else number == (count if wanted == -1 else wanted)

    if command.first is None:
        return True
    if command.last is None:
        return meets(command.first)
    if active[place]:
        active[place] = not meets(command.last)
        return True
    if not meets(command.first):
        return False
    end = command.last[0]
    active[place] = end is None or (count if end == -1 else end) > number
    return True


def _parse(script: str, extended: bool) -> list[_Command]:
    commands: list[_Command] = []
    rest = script.strip()
    while rest:
        first, rest = _address(rest, extended)
        last = None
        if first is not None and rest.startswith(","):
            last, rest = _address(rest[1:], extended)
            if last is None:
                raise Unread(script)
        rest = rest.lstrip()
        negated = rest.startswith("!")
        rest = rest[negated:]
        apply, rest = _verb(rest, extended)
        commands.append(_Command(first, last, negated, apply))
        rest = rest.lstrip(" \t;\n")
    return commands


def _address(rest: str, extended: bool) -> tuple[tuple[int | None, re.Pattern[str] | None] | None, str]:
    match = _ADDRESS.match(rest)
    if match is None:
        return None, rest
    if match["line"]:
        return (-1 if match["line"] == "$" else int(match["line"]), None), rest[match.end() :]
    return (None, _pattern(match["text"], extended, "/")), rest[match.end() :]


def _verb(rest: str, extended: bool) -> tuple[Callable[[str], str | None], str]:
    verb, rest = rest[:1], rest[1:]
    if verb == "d":
        return (lambda line: None), rest
    if verb in ("a", "i", "c"):
        match = _TEXT.match(rest)
        text = ((match[1] or match[2]) if match else "").replace("\\n", "\n").replace("\\t", "\t")
        joined: dict[str, Callable[[str], str | None]] = {
            "a": lambda line: f"{line}\n{text}",
            "i": lambda line: f"{text}\n{line}",
            "c": lambda line: text,
        }
        return joined[verb], ""
    if verb == "s" and rest:
        return _replacement(rest, extended)
    raise Unread(verb + rest)


def _replacement(rest: str, extended: bool) -> tuple[Callable[[str], str], str]:
    mark = rest[0]
    parts: list[str] = []
    start = at = 1
    while at < len(rest) and len(parts) < 2:
        if rest[at] == "\\":
            at += 2
            continue
        if rest[at] == mark:
            parts.append(rest[start:at])
            start = at + 1
        at += 1
    if len(parts) < 2:
        raise Unread(rest)
    flags = re.match(r"[gIi]*", rest[start:])
    told = flags[0] if flags else ""
    pattern = _pattern(parts[0], extended, mark, re.IGNORECASE if set(told) & {"I", "i"} else 0)
    new, count = parts[1].replace("\\" + mark, mark), 0 if "g" in told else 1

    def expand(match: re.Match[str]) -> str:
        def part(one: re.Match[str]) -> str:
            if one[0] == "&":
                return match[0]
            known = {"n": "\n", "t": "\t"}
            return (match[int(one[1])] or "") if one[1].isdigit() else known.get(one[1], one[1])

        return re.sub(r"&|\\(.)", part, new, flags=re.DOTALL)

    return (lambda line: pattern.sub(expand, line, count=count)), rest[start + len(told) :]


def _pattern(text: str, extended: bool, mark: str, flags: int = 0) -> re.Pattern[str]:
    """Return a POSIX expression in Python's dialect: in a basic one, `\\(` groups and `(` is a character."""
    text = text.replace("\\" + mark, mark)
    parts: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "[" and (end := text.find("]", at + 2)) > 0:
            if text.startswith("[[:", at):
                end = text.find("]", text.find(":]", at) + 2)
            parts.append(text[at : end + 1].replace("\\", r"\\").replace("[:space:]", r"\s"))
            at = end + 1
        elif char == "\\" and at + 1 < len(text):
            following = text[at + 1]
            swapped = not extended and following in _SPECIAL
            parts.append(following if swapped else char + following)
            at += 2
        else:
            literal = (not extended and char in _SPECIAL) or (char == "*" and not parts)
            parts.append("\\" + char if literal else char)
            at += 1
    try:
        return re.compile("".join(parts), flags)
    except re.error as error:
        raise Unread(text) from error
