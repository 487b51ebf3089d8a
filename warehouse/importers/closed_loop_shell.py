"""Shell commands of a transcript cut into statements, without executing or expanding anything.

Only what decides which files a command writes is read: words, quotes, connectors, redirections and here-documents
(POSIX.1-2017, Shell Command Language, 2.2 to 2.9). What stands for a value known at run time only makes its word
dynamic.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

PLACEHOLDERS = re.compile(r"\$(?:TMPDIR|HOME|REPO_ROOT)\b")
"""What the bundle wrote in place of the operator's folders: text, not variables."""

KEYWORDS = frozenset({"do", "then", "else", "{", "}", "!", "time", "fi"})
EXPANDS = re.compile(r"\$[A-Za-z_({]|`")
_REDIRECT = re.compile(r"(\d*|&)(>>|>\||>|<<<|<<-?|<)(&\d|&-)?")
_HEREDOC_ESCAPE = re.compile(r"\\([$`\\])")


@dataclass
class Statement:
    """One simple command: its words, `(operator, target)` of each redirection to or from a file, its here-document,
    and the connector before it (empty, `;`, `&&`, `||` or `|`). `dynamic` marks what is known at run time only."""

    joined: str = ""
    words: list[str] = field(default_factory=list)
    redirects: list[tuple[str, str]] = field(default_factory=list)
    body: str | None = None
    dynamic: bool = False


def statements(command: str) -> list[Statement]:
    """Return the simple commands of a shell command in order."""
    return _Reader(command).read()


class _Reader:
    """A cursor over a command."""

    def __init__(self, command: str) -> None:
        self.text = command
        self.at = 0
        self.found: list[Statement] = []
        self.now = Statement()
        self.awaited: list[tuple[Statement, str, bool, bool]] = []

    def read(self) -> list[Statement]:
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\n":
                self.at += 1
                self._bodies()
                self._close(";")
            elif char in " \t":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif (redirect := _REDIRECT.match(self.text, self.at)) is not None:
                self._redirect(redirect)
            elif char in ";&|()":
                self._connector()
            else:
                self._word()
        self._bodies()
        self._close("")
        return self.found

    def _close(self, connector: str) -> None:
        while self.now.words and self.now.words[0] in KEYWORDS:
            self.now.words.pop(0)
        if self.now.words or self.now.redirects:
            self.found.append(self.now)
            self.now = Statement(joined=connector)
        elif connector and self.now.joined in ("", ";"):
            self.now.joined = connector

    def _connector(self) -> None:
        double = self.text[self.at : self.at + 2]
        connector = double if double in ("&&", "||") else "|" if self.text[self.at] == "|" else ";"
        self.at += 2 if double in ("&&", "||", ";;", "|&") else 1
        self._close(connector)

    def _redirect(self, match: re.Match[str]) -> None:
        self.at = match.end()
        if match[3]:
            return
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        quoted = self.text[self.at : self.at + 1] in ("'", '"', "\\")
        target, dynamic = self._token()
        if match[2].startswith("<<") and match[2] != "<<<":
            self.awaited.append((self.now, target, quoted, match[2].endswith("-")))
        elif match[2].startswith(">"):
            if match[1] in ("", "1", "&") and target != "/dev/null":
                self.now.redirects.append((match[2], target))
                self.now.dynamic |= dynamic
        else:
            self.now.redirects.append((match[2], target))

    def _bodies(self) -> None:
        for statement, delimiter, quoted, tabs in self.awaited:
            lines: list[str] = []
            while self.at < len(self.text):
                line, newline, _ = self.text[self.at :].partition("\n")
                self.at += len(line) + len(newline)
                line = line.lstrip("\t") if tabs else line
                if line == delimiter:
                    break
                lines.append(line + "\n")
            body = "".join(lines)
            if not quoted:
                plain = _HEREDOC_ESCAPE.sub("", PLACEHOLDERS.sub("", body))
                statement.dynamic |= EXPANDS.search(plain) is not None
                body = _HEREDOC_ESCAPE.sub(r"\1", body).replace("\\\n", "")
            statement.body = body
        self.awaited = []

    def _word(self) -> None:
        word, dynamic = self._token()
        self.now.words.append(word)
        self.now.dynamic |= dynamic

    def _token(self) -> tuple[str, bool]:
        """Read one word; return it without its quotes, and whether the shell would have expanded something in it."""
        parts: list[str] = []
        dynamic = False
        start = self.at
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\n;&|()<>":
                break
            if char == "'":
                end = self.text.find("'", self.at + 1)
                end = len(self.text) if end < 0 else end
                parts.append(self.text[self.at + 1 : end])
                self.at = end + 1
            elif char == '"':
                text, expands = self._double()
                parts.append(text)
                dynamic |= expands
            elif char == "\\":
                parts.append(self.text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif char == "$" and self.text.startswith("$(", self.at):
                dynamic = True
                self.at += 2
                parts.append("$(")
            else:
                placeholder = PLACEHOLDERS.match(self.text, self.at)
                text = placeholder[0] if placeholder else char
                dynamic |= not placeholder and char in "$`*?"
                parts.append(text)
                self.at += len(text)
        if self.at == start:
            self.at += 1
        return "".join(parts), dynamic

    def _double(self) -> tuple[str, bool]:
        """Read a double-quoted string; the cursor stands on its first quote."""
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\", "\n"):
                parts.append(self.text[self.at + 1].replace("\n", ""))
                parts.append("\0" if self.text[self.at + 1] in "$`" else "")
                self.at += 2
            else:
                parts.append(self.text[self.at])
                self.at += 1
        self.at += 1
        text = "".join(parts)
        expands = EXPANDS.search(PLACEHOLDERS.sub("", re.sub(r"[$`]\0", "", text))) is not None
        return text.replace("\0", ""), expands


def simple(command: str) -> Iterator[Statement]:
    """Yield the statements of a command but for changes of the folder and trailing `true`."""
    for statement in statements(command):
        if statement.words[:1] not in (["cd"], ["true"]):
            yield statement
