"""Kconfig: a fragment of assignments, or a file of definitions, applied to the tree that the case shows.

A case whose `context/` holds `Kconfig` asks for a fragment. One that holds `Kconfig.base`, too, asks for definitions:
the answer is read where the base says `# answer`. kconfiglib does both; it runs no program here, because a `$` in an
answer is refused, and with it every macro.
"""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import kconfiglib

from corpora.firmware.case import Case
from corpora.firmware.values.model import Plain, Unreadable, Value, text_value

TREE, BASE, MARK = "context/Kconfig", "context/Kconfig.base", "# answer"
ASSIGNED = re.compile(r"(CONFIG_\w+)=(.*)")
UNSET = re.compile(r"# (CONFIG_\w+) is not set")
NOTHING = re.compile(r"\s*(#.*)?")
TYPES = {
    kconfiglib.BOOL: "bool", kconfiglib.TRISTATE: "tristate", kconfiglib.INT: "int", kconfiglib.HEX: "hex",
    kconfiglib.STRING: "string",
}  # fmt: skip
FORBIDDEN = re.compile(r"\$|^\s*[or]*source\b", re.MULTILINE)


def asks_for_definitions(case: Case) -> bool:
    """Whether the answer defines symbols; otherwise it sets them."""
    return BASE in case.context


def written(case: Case, code: str) -> Plain:
    """Return the values as the answer writes them: assignments, or of definitions type, prompt, help, depends, range.

    Raises Unreadable for a line that is none.
    """
    if asks_for_definitions(case):
        return Plain(dict(_definitions(_loaded(_definition_tree(case, code)))))
    found: dict[str, Value] = {}
    for number, line in enumerate(code.splitlines(), 1):
        unset, assigned = UNSET.fullmatch(line.strip()), ASSIGNED.fullmatch(line.strip())
        if unset:
            found[unset.group(1)] = text_value("n")
        elif assigned:
            found[assigned.group(1)] = text_value(_unquoted(assigned.group(2)))
        elif not NOTHING.fullmatch(line):
            raise Unreadable(f"line {number} is no assignment CONFIG_NAME=value: {line.strip()[:80]}")
    return Plain(found)


def evaluated(case: Case, code: str, given: Mapping[str, str]) -> dict[str | None, Plain]:
    """Return every symbol's value after the answer, and after each situation's fragment on top; raises Unreadable."""
    definitions = asks_for_definitions(case)
    tree = _loaded(_definition_tree(case, code) if definitions else case.context[TREE])
    fragments: dict[str | None, str] = {None: ""}
    fragments.update(given)
    return {name: _applied(tree, [text] if definitions else [code, text]) for name, text in fragments.items()}


def _definition_tree(case: Case, code: str) -> str:
    lines = "\n".join(line for line in code.splitlines() if not line.lstrip().startswith("#"))
    forbidden = FORBIDDEN.search(lines)
    if forbidden:
        raise Unreadable(
            f"{forbidden.group().strip()!r} is not for an answer: it defines symbols, without macros and source"
        )
    if not lines.strip():
        raise Unreadable("it defines nothing")
    base = case.context[BASE]
    if base.count(MARK) != 1:
        raise ValueError(f"{BASE} must say {MARK!r} once")
    return base.replace(MARK, code)


def _loaded(text: str) -> kconfiglib.Kconfig:
    with _file(text) as path:
        try:
            return kconfiglib.Kconfig(path, warn=True, warn_to_stderr=False, suppress_traceback=False)
        except (kconfiglib.KconfigError, RecursionError) as error:
            raise Unreadable(_short(str(error), path)) from None


def _applied(tree: kconfiglib.Kconfig, fragments: list[str]) -> Plain:
    tree.warn_assign_undef = True
    tree.warnings.clear()
    tree.unset_values()
    for number, text in enumerate(fragments):
        with _file(text) as path:
            tree.load_config(path, replace=number == 0)
            tree.warnings[:] = [_short(warning, path) for warning in tree.warnings]
    found = {f"CONFIG_{symbol.name}": text_value(symbol.str_value) for symbol in tree.unique_defined_syms}
    warnings = [*tree.warnings, *_ignored(tree)]
    if warnings:
        found["warnings"] = Value(tuple(warnings), "; ".join(warnings))
    return Plain(found)


def _ignored(tree: kconfiglib.Kconfig) -> Iterator[str]:
    """Assignments that came to nothing: a dependency is missing, or another choice won."""
    for symbol in tree.unique_defined_syms:
        asked = symbol.user_value
        if asked is None:
            continue
        asked = kconfiglib.TRI_TO_STR[asked] if isinstance(asked, int) else asked
        if symbol.str_value != asked:
            yield f"CONFIG_{symbol.name}={asked} is not taken: it is {symbol.str_value or 'not set'}"


def _definitions(tree: kconfiglib.Kconfig) -> Iterator[tuple[str, Value]]:
    for symbol in tree.unique_defined_syms:
        name = f"CONFIG_{symbol.name}"
        yield f"type:{name}", text_value(TYPES.get(symbol.orig_type, "unknown"))
        helps = [node.help for node in symbol.nodes if node.help]
        prompts = [node.prompt[0] for node in symbol.nodes if node.prompt]
        if helps:
            yield f"help:{name}", text_value(helps[0])
        if prompts:
            yield f"prompt:{name}", text_value(prompts[0])
        if symbol.ranges:
            low, high, _ = symbol.ranges[0]
            yield f"range:{name}", text_value(f"{low.str_value} {high.str_value}")
        if symbol.selects:
            yield f"selects:{name}", text_value(" ".join(f"CONFIG_{target.name}" for target, _ in symbol.selects))
        yield f"depends:{name}", text_value(kconfiglib.expr_str(symbol.direct_dep))


def _unquoted(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value


def _short(message: str, path: str) -> str:
    return message.replace(path, "answer").strip()


class _file:
    """A text as a file of its own for a moment."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __enter__(self) -> str:
        handle, self.path = tempfile.mkstemp(suffix=".kconfig")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(self.text)
        return self.path

    def __exit__(self, *_: object) -> None:
        Path(self.path).unlink()
