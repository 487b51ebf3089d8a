"""What the tool calls of a transcript do to files: a table of effects, read off each call, nothing of it executed.

Tools are those of the pi agent, version 3. A path is relative to the workspace where it lies in it, else as written.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from warehouse.importers.closed_loop_shell import Statement, simple, statements

EVALUATION = "tools/run_eval.py"
EXHAUSTED = "SUBMISSION_BUDGET_EXHAUSTED"
HEARD = re.compile(r"^Status: ([A-Z_]+)$", re.MULTILINE)
STARTS = re.compile(r"subprocess|os\.system|os\.popen")
WORKSPACE = re.compile(r"^\$TMPDIR/embedded_agent_eval_matrix/[^/]+/[^/]+/workspace(?:/|$)")
WRITES = re.compile(
    r"open\([^)]*,\s*(?:mode\s*=\s*)?['\"][rb+]*[wax+]|write_text|write_bytes|\.writelines|shutil\.(?:copy|move)"
    r"|os\.(?:rename|replace|remove|unlink)|fileinput|sed -i"
)
"""How a script looks that writes files."""

INTERPRETERS = re.compile(r"^(?:.*/)?(?:python3?(?:\.\d+)?|perl|bash|sh|node|ruby|awk|ed)$")
NAME = re.compile(r"[\w.$/-]*[\w-]\.\w+")


SILENT = ("seen", "submission", "refused", "script", "run")
"""Kinds of effects that do not say by themselves that a file changed."""


class Call(NamedTuple):
    """A tool call with its answer: the turn of the answer, seconds since the session began, tokens until then."""

    turn: int
    tool: str
    arguments: Mapping[str, Any]
    result: str
    failed: bool
    after_s: float | None = None
    tokens: int = 0


class Effect(NamedTuple):
    """One thing done to a file.

    `kind` is put (the file is `text` now), append, edit (`text` becomes `new`), copy or move (to `new`), remove, sed
    (`text` is the script, `new` its flags), seen (the file was shown as `text`), script (a program `text` ran that
    may write what it names), run (the file ran; `new` is set where the output may be an evaluation's), lost (changed,
    nobody can say how), submission (`text` is the status heard), or refused (handed in when none was left).
    """

    kind: str
    path: str = ""
    text: str = ""
    new: str = ""

    @property
    def target(self) -> str:
        """The file that is another one afterwards, or is shown."""
        return self.new if self.kind in ("copy", "move") else self.path


def inside(path: str, folder: str = "") -> str:
    """Return a path relative to the workspace where it lies in it; `folder` is where a relative one starts."""
    path = path.removeprefix("@")
    match = WORKSPACE.match(path)
    if match:
        path = path[match.end() :]
    elif not path.startswith(("/", "$", "~")):
        path = posixpath.join(folder, path)
    return posixpath.normpath(path) if path else "."


def effects(call: Call) -> Iterator[Effect]:
    """Yield what a call did, in order."""
    arguments = call.arguments
    path = arguments.get("path")
    if call.tool == "bash":
        yield from _bash(call)
    elif call.failed or not isinstance(path, str):
        return
    elif call.tool == "write":
        yield Effect("put", inside(path), str(arguments.get("content", "")))
    elif call.tool == "edit":
        yield Effect("edit", inside(path), str(arguments.get("oldText", "")), str(arguments.get("newText", "")))
    elif call.tool == "read" and not (arguments.get("offset") or arguments.get("limit")) and _whole(call.result):
        yield Effect("seen", inside(path), call.result)


def _whole(text: str) -> bool:
    """Whether a text shown is not cut."""
    return not re.search(r"\[(?:Showing|Output truncated|\d+ more lines)[^\n]*\]\s*$", text)


def evaluated(call: Call) -> bool:
    """Whether the output of a call that hands in is that of an evaluation."""
    text = call.result
    if EXHAUSTED in text or "can't open file" in text:
        return False
    return "Status:" in text or not (
        "Traceback (most recent call last)" in text or text.startswith("Command timed out")
    )


def submits(program: str) -> bool:
    """Whether the text of a program starts the command that hands in."""
    return EVALUATION in program and STARTS.search(program) is not None


def _bash(call: Call) -> Iterator[Effect]:
    command = str(call.arguments.get("command", ""))
    shown = list(simple(command))
    folder, piped = "", None
    doubtful, times = False, 1
    for statement in statements(command):
        words = statement.words
        if doubtful and statement.joined != ";":
            yield from (Effect("lost", path) for path in _named(statement, folder))
            continue
        doubtful = False
        if words[:1] in (["for"], ["done"]):
            times = max(1, len(words) - 3) if words[0] == "for" and not statement.dynamic else 1
        if words[:1] == ["cd"]:
            folder = inside(words[1], folder) if len(words) > 1 else "~"
            continue
        found, said = _effects(statement, folder, piped if statement.joined == "|" else None)
        piped = said
        for effect in found:
            if effect.kind == "seen":
                if len(shown) == 1 and not call.failed and _whole(call.result):
                    yield effect._replace(text=call.result)
            elif effect.kind == "run":
                yield effect._replace(new="evaluated" if evaluated(call) and not call.failed else "")
            elif effect.kind != "submission":
                yield effect
                if effect.kind == "script" and submits(effect.text) and evaluated(call) and not call.failed:
                    yield Effect("submission")
            elif evaluated(call):
                heard = HEARD.search(call.result)
                yield from [effect._replace(text=heard[1] if heard else "")] * times
            elif EXHAUSTED in call.result:
                yield Effect("refused")
        doubtful = call.failed and not found and statement.joined != "|"


Found = tuple[list[Effect], str | None]
"""Effects, and the text that a command says where it is known."""


def _effects(statement: Statement, folder: str, piped: str | None) -> Found:
    words = statement.words
    targets = [(op, inside(path, folder)) for op, path in statement.redirects if op.startswith(">")]
    said = _said(statement, piped)
    found: list[Effect] = []
    name = words[0] if words else ""
    if name in COMMANDS:
        found = COMMANDS[name](statement, folder, said)
    elif INTERPRETERS.match(name):
        found = _interpreted(statement, folder, piped)
    for op, path in targets:
        if said is None or statement.dynamic:
            source = inside(words[1], folder) if name == "cat" and len(words) == 2 else None
            found.append(Effect("copy", source, new=path) if source and op != ">>" else Effect("lost", path))
        else:
            found.append(Effect("append" if op == ">>" else "put", path, said))
    return found, said


def _said(statement: Statement, piped: str | None) -> str | None:
    words = statement.words
    if words[:1] in (["cat"], ["tee"]) and (len(words) == 1 or words[0] == "tee" or words[1:] == ["-"]):
        return statement.body if statement.body is not None else piped
    if not words and statement.redirects:
        return ""
    if words[:1] == ["echo"]:
        flags = [word for word in words[1:2] if re.fullmatch(r"-[neE]+", word)]
        text = " ".join(words[1 + len(flags) :])
        if flags and "e" in flags[0] and "\\" in text:
            return None
        return text + ("" if flags and "n" in flags[0] else "\n")
    if words[:1] == ["printf"] and len(words) == 2 and not set("%\\") & set(words[1]):
        return words[1]
    return None


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words[1:] if not word.startswith("-")]


def _cat(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    names = statement.words[1:]
    alone = len(names) == 1 and not names[0].startswith("-")  # options change how a text is shown
    writes = any(op.startswith(">") for op, _ in statement.redirects)
    return [Effect("seen", inside(names[0], folder))] if alone and not writes else []


def _tee(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    names = [inside(name, folder) for name in _plain(statement.words)]
    if said is None or statement.dynamic:
        return [Effect("lost", name) for name in names]
    return [Effect("append" if "-a" in statement.words else "put", name, said) for name in names]


def _transfer(kind: str) -> "Action":
    def act(statement: Statement, folder: str, said: str | None) -> list[Effect]:
        *sources, target = [inside(name, folder) for name in _plain(statement.words)] or [""]
        return [Effect(kind, source, new=target) for source in sources]

    return act


def _remove(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    return [Effect("remove", inside(name, folder)) for name in _plain(statement.words)]


def _sed(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    words = statement.words
    options = [word for word in words[1:] if word.startswith("-") and word != "-e"]
    if not any(re.match(r"-[nrE]*i|--in-place", word) for word in options):
        return []
    rest = [word for word in words[1:] if not (word.startswith("-") and word != "-e")]
    scripts = [rest[place + 1] for place, word in enumerate(rest[:-1]) if word == "-e"]
    names = [word for place, word in enumerate(rest) if word != "-e" and (place == 0 or rest[place - 1] != "-e")]
    if not scripts:
        scripts, names = names[:1], names[1:]
    extended = "E" if any(re.match(r"-\w*[rE]", word) for word in options) else ""
    kind = "lost" if any(re.match(r"-\w*n", word) for word in options) or _unread(statement) else "sed"
    return [Effect(kind, inside(name, folder), "\n".join(scripts), extended) for name in names]


def _unread(statement: Statement) -> bool:
    """Whether a sed script depends on what the shell puts into it; patterns and `$` as an address do not."""
    return statement.dynamic and any(re.search(r"\$\(|\$\{|`", word) for word in statement.words)


def _named(statement: Statement, folder: str) -> list[str]:
    """Return the files that a statement may have written, had it run."""
    found, _ = _effects(statement, folder, None)
    return [one.target for one in found if one.kind not in SILENT]


def _interpreted(statement: Statement, folder: str, piped: str | None) -> list[Effect]:
    words = statement.words
    files = [word for word in words[1:] if not word.startswith("-")]
    if files and inside(files[0], folder) == EVALUATION:
        return [] if {"--help", "-h"} & set(words) else [Effect("submission")]
    if "-c" in words or "-e" in words or words[0] in ("perl", "awk"):
        return [Effect("script", text=" ".join(words[1:]))]
    if files and files[0] != "-":
        return [Effect("run", inside(files[0], folder), text=" ".join(words[2:]))]
    return [Effect("script", text=statement.body or piped or "")]


def _lost(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    return [Effect("lost", inside(name, folder)) for name in _plain(statement.words)]


def _submitted(statement: Statement, folder: str, said: str | None) -> list[Effect]:
    """A program that starts another, `timeout 600 python3 …` say: what the other does."""
    words = statement.words[1:]
    while words and (words[0].startswith("-") or re.fullmatch(r"[\d.]+[smh]?|\w+=.*", words[0])):
        words = words[1:]
    inner = Statement(statement.joined, list(words), [], statement.body, statement.dynamic)
    return _effects(inner, folder, None)[0] if words else []


Action = Callable[[Statement, str, str | None], list[Effect]]
COMMANDS: dict[str, Action] = {
    "cat": _cat, "tee": _tee, "cp": _transfer("copy"), "mv": _transfer("move"), "rm": _remove, "sed": _sed,
    "patch": _lost, "truncate": _lost, "dd": _lost, "timeout": _submitted, "env": _submitted, "nohup": _submitted,
    "./tools/run_eval.py": lambda statement, folder, said: [Effect("submission")],
}  # fmt: skip
"""Commands that change or show files; any other only says something."""
