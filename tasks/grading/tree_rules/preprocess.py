"""Preprocess C text without its headers: drop comments and dead branches, expand the text's own macros.

What stays is on the line where it stood, so that a report can name lines. Names that headers may define are unknown:
a condition on them is taken as true, unless that leaves nothing but `#error`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tasks.grading.tree_rules.condition import evaluate

MOST_TOKENS = 150_000
"""Macros can grow a text without end; a text that grows beyond this is none that is meant."""
_TOKEN = re.compile(
    r"""(?P<space>(?:[^\S\n]|\\\r?\n|//(?:\\\r?\n|[^\n])*|/\*(?:.*?\*/|.*\Z))+)
    |(?P<newline>\n)
    |(?P<token>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:[uUL])?'(?:\\.|[^'\\\n])+'
    |[^\W\d][\w$]*|\.?\d(?:[eEpP][+-]|[\w.])*
    |\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||\#\#|[-+*/%&|^<>=!]=|[^\s])""",
    re.DOTALL | re.VERBOSE,
)
_WORD = re.compile(r"[^\W\d][\w$]*")


class Token(NamedTuple):
    """One token, its 1-based line, and whether space stands before it."""

    text: str
    line: int
    spaced: bool = True


@dataclass(frozen=True)
class Macro:
    """A macro of the text itself; `parameters` is None for one without a list, the last may be `...`."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


class TooLarge(Exception):
    """The text is larger than any that is meant; the message says in which way."""


@dataclass
class Source:
    """What preprocessing leaves: `text`, and what it took out of the way."""

    text: str = ""
    includes: list[str] = field(default_factory=list)
    macros: dict[str, Macro] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    """Every word of the live code as it was written, before macros were expanded."""


@dataclass
class _Group:
    """`#if` to `#endif`: each branch is its condition, as a directive line, and what stands in it."""

    branches: list[tuple[list[Token], list["_Line"]]]


_Line = list[Token] | _Group


def preprocess(text: str) -> Source:
    """Return the live code of `text`; raises TooLarge."""
    found = Source()
    lines = list(_lines(text))
    items, _ = _grouped(lines, 0)
    _Run(found).take(items)
    return found


def _lines(text: str) -> Iterator[list[Token]]:
    line, spaced, tokens = 1, True, list[Token]()
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "token":
            tokens.append(Token(match.group(), line, spaced))
            spaced = False
            continue
        spaced = True
        line += match.group().count("\n")
        if match.lastgroup == "newline" and tokens:
            yield tokens
            tokens = []
    if tokens:
        yield tokens


def _directive(line: _Line) -> str:
    """The name of the directive on a line, empty if there is none."""
    if isinstance(line, _Group) or line[0].text != "#":
        return ""
    return line[1].text if len(line) > 1 else "#"


_OPEN, _NEXT = ("if", "ifdef", "ifndef"), ("elif", "else", "elifdef", "elifndef")


def _grouped(lines: Sequence[list[Token]], at: int) -> tuple[list[_Line], int]:
    """Nest the lines from `at` until the directive that ends them; an explicit stack, for depth is not trusted."""
    top: list[_Line] = []
    stack: list[tuple[list[_Line], _Group]] = []
    items = top
    for line in lines[at:]:
        name = _directive(line)
        if name in _OPEN:
            group = _Group([(line, [])])
            items.append(group)
            stack.append((items, group))
            items = group.branches[-1][1]
        elif name in _NEXT and stack:
            stack[-1][1].branches.append((line, []))
            items = stack[-1][1].branches[-1][1]
        elif name == "endif" and stack:
            items = stack.pop()[0]
        else:
            items.append(line)
    return top, len(lines)


class _Run:
    """Goes through the items in order, defining and expanding."""

    def __init__(self, found: Source) -> None:
        self.found, self.line, self.count = found, 1, 0
        self.pending: list[Token] = []
        self.parts: list[str] = []

    def take(self, items: Sequence[_Line]) -> None:
        """Take items in order and set the text."""
        todo = list(reversed(items))
        while todo:
            item = todo.pop()
            if isinstance(item, _Group):
                self._flush()
                todo += reversed(self._chosen(item))
            elif item[0].text == "#":
                self._flush()
                self._obey(item)
            else:
                self.pending += item
        self._flush()
        self.found.text = "".join(self.parts) + "\n"

    def _flush(self) -> None:
        self.found.words.update(token.text for token in self.pending if _WORD.fullmatch(token.text))
        for token in self.expand(self.pending, frozenset()):
            if token.line > self.line:
                self.parts.append("\n" * (token.line - self.line))
                self.line = token.line
            self.parts.append(token.text + " ")
        self.pending = []

    def _obey(self, line: Sequence[Token]) -> None:
        name = line[1].text if len(line) > 1 else ""
        rest = line[2:]
        if name == "include" and rest:
            path = "".join(token.text for token in rest)
            macro = self.found.macros.get(path)
            path = "".join(token.text for token in macro.body) if macro else path
            self.found.includes.append(path.strip('<>"'))
        elif name == "define" and rest:
            self._define(rest)
        elif name == "undef" and rest:
            self.found.macros.pop(rest[0].text, None)

    def _define(self, rest: Sequence[Token]) -> None:
        name, body, parameters = rest[0].text, list(rest[1:]), None
        if body and body[0].text == "(" and not body[0].spaced:
            texts = [token.text for token in body]
            if ")" not in texts:
                return
            end = texts.index(")")
            parameters = tuple(text for text in texts[1:end] if text != ",")
            body = body[end + 1 :]
        self.found.macros[name] = Macro(name, parameters, tuple(body))

    def _chosen(self, group: _Group) -> list[_Line]:
        """The branch that is live: the first whose condition holds, or may hold and leaves some code."""
        maybe: list[list[_Line]] = []
        for line, items in group.branches:
            holds = self._holds(line)
            if holds is None:
                maybe.append(items)
            elif holds:
                maybe.append(items)
                break
        return next((items for items in maybe if any(_says(item) for item in items)), [])

    def _holds(self, line: Sequence[Token]) -> bool | None:
        name, rest = line[1].text, line[2:]
        if name == "else":
            return True
        if name in ("ifdef", "ifndef", "elifdef", "elifndef"):
            known = self.defined(rest[0].text) if rest else False
            return known if known is None or not name.endswith("ndef") else not known
        return evaluate(self._resolved(rest), self.defined)

    def _resolved(self, tokens: Sequence[Token]) -> list[str]:
        """The condition with macros expanded, but for what `defined` asks."""
        out: list[str] = []
        at = 0
        while at < len(tokens):
            if tokens[at].text == "defined":
                width = 4 if at + 1 < len(tokens) and tokens[at + 1].text == "(" else 2
                out += [token.text for token in tokens[at : at + width]]
                at += width
            else:
                out += [token.text for token in self.expand(tokens[at : at + 1], frozenset())]
                at += 1
        return out

    def defined(self, name: str) -> bool | None:
        """Whether a macro is defined: by the text, or perhaps by a header."""
        if name in self.found.macros:
            return True
        return None if UNKNOWN.match(name) and name != "__cplusplus" else False

    def expand(self, tokens: Sequence[Token], hidden: frozenset[str]) -> list[Token]:
        """Return the tokens with every macro of the text expanded."""
        out: list[Token] = []
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            macro = self.found.macros.get(token.text) if token.text not in hidden else None
            if macro is None:
                out.append(token)
                self._spend(1)
                continue
            given: list[list[Token]] | None = None
            if macro.parameters is not None:
                given, after = _arguments(tokens, at)
                if given is None:
                    out.append(token)
                    continue
                at = after
            body = [Token(t.text, token.line, t.spaced) for t in self._substituted(macro, given or [], hidden)]
            out += self.expand(body, hidden | {macro.name})
        return out

    def _substituted(self, macro: Macro, given: list[list[Token]], hidden: frozenset[str]) -> list[Token]:
        named = _named(macro.parameters or (), given)
        out: list[Token] = []
        body = macro.body
        for at, token in enumerate(body):
            pasted = (at + 1 < len(body) and body[at + 1].text == "##") or (at > 0 and body[at - 1].text == "##")
            if token.text == "##":
                continue
            if token.text == "#" and at + 1 < len(body) and body[at + 1].text in named:
                continue
            if at > 0 and body[at - 1].text == "#" and token.text in named:
                quoted = " ".join(t.text for t in named[token.text]).replace("\\", "\\\\").replace('"', '\\"')
                part = [Token(f'"{quoted}"', token.line)]
            elif token.text in named:
                part = named[token.text] if pasted else self.expand(named[token.text], hidden)
            else:
                part = [token]
            if at > 1 and body[at - 1].text == "##" and out and part and out[-1].text != ",":
                part = [Token(out.pop().text + part[0].text, token.line), *part[1:]]
            elif at > 1 and body[at - 1].text == "##" and out and out[-1].text == "," and not part:
                out.pop()
            out += part
        self._spend(len(out))
        return out

    def _spend(self, tokens: int) -> None:
        self.count += tokens
        if self.count > MOST_TOKENS:
            raise TooLarge("its macros expand without end")


UNKNOWN = re.compile(r"__|CONFIG_|DT_|LINUX_|KERNEL_|ESP_|IDF_|STM32|HAL_|DEVICE_|INCLUDE_|config[A-Z]")
"""Names that a header or the compiler may define."""


def _says(item: _Line) -> bool:
    """Whether an item is more than `#error`."""
    if isinstance(item, _Group):
        return any(_says(inner) for _, items in item.branches for inner in items)
    return _directive(item) not in ("error", "warning", "pragma")


def _arguments(tokens: Sequence[Token], at: int) -> tuple[list[list[Token]] | None, int]:
    """Return the arguments of the call that begins at `at`, and where it ends; None if it is no call."""
    if at >= len(tokens) or tokens[at].text != "(":
        return None, at
    depth, given = 0, list[list[Token]]([[]])
    for index in range(at, len(tokens)):
        text = tokens[index].text
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
            if depth == 0:
                return given, index + 1
        if text == "," and depth == 1:
            given.append([])
        elif index > at:
            given[-1].append(tokens[index])
    return None, at


def _named(parameters: tuple[str, ...], given: list[list[Token]]) -> dict[str, list[Token]]:
    named: dict[str, list[Token]] = {}
    for number, parameter in enumerate(parameters):
        if parameter == "...":
            rest: list[Token] = []
            for index, argument in enumerate(given[number:]):
                rest += ([Token(",", argument[0].line if argument else 0)] if index else []) + argument
            named["__VA_ARGS__"] = rest
        else:
            named[parameter] = given[number] if number < len(given) else []
    return named
