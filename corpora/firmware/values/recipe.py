"""Parse a BitBake recipe (BitBake User Manual, chapter 3) into assignments, functions and classes.

Nothing of a recipe is run here: inline Python stays as it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from corpora.firmware.values.model import Unreadable

NAME = r"[a-zA-Z0-9\-_+.${}/~:]+?"
ASSIGNMENT = re.compile(
    rf"(?P<export>export\s+)?(?P<name>{NAME})(?:\[(?P<flag>[\w@.+-]+)\])?\s*"
    r"(?P<operator>\?\?=|\?=|:=|\+=|=\+|\.=|=\.|=)\s*(?P<quote>[\"'])(?P<value>.*)(?P=quote)\s*",
    re.DOTALL,
)
FUNCTION = re.compile(rf"(?P<python>python\s+|fakeroot\s+)*(?P<name>{NAME})?\s*\(\s*\)\s*\{{\s*")
EXPORTED = re.compile(r"export\s+[A-Za-z_]\w*\s*")
DEFINITION = re.compile(r"def\s+\w+\s*\(.*\)\s*:\s*")
DIRECTIVE = re.compile(
    r"(inherit|inherit_defer|include|require|addtask|deltask|addhandler|EXPORT_FUNCTIONS)\s+(.*)", re.DOTALL
)
OPERATIONS = ("append", "prepend", "remove")
OLD_STYLE = re.compile(
    r"^[A-Za-z]\w*_(append|prepend|remove)(_|$)|^(FILES|RDEPENDS|RRECOMMENDS|RPROVIDES|SUMMARY|SYSTEMD_SERVICE)_\$?\{?\w"
)
REFERENCE = re.compile(r"\$\{([A-Za-z0-9_.:+/~-]+)\}")
HOPS = 40

DEFAULTS = {
    "prefix": "/usr", "exec_prefix": "${prefix}", "bindir": "${exec_prefix}/bin", "sbindir": "${exec_prefix}/sbin",
    "base_bindir": "/usr/bin", "base_sbindir": "/usr/sbin", "libdir": "${exec_prefix}/lib", "base_libdir": "/usr/lib",
    "nonarch_base_libdir": "/usr/lib", "nonarch_libdir": "${exec_prefix}/lib", "libexecdir": "${exec_prefix}/libexec",
    "includedir": "${exec_prefix}/include", "datadir": "${prefix}/share", "docdir": "${datadir}/doc",
    "mandir": "${datadir}/man", "sysconfdir": "/etc", "localstatedir": "/var", "servicedir": "/srv",
    "systemd_unitdir": "/usr/lib/systemd", "systemd_system_unitdir": "/usr/lib/systemd/system",
    "systemd_user_unitdir": "/usr/lib/systemd/user", "firmware_dir": "/usr/lib/firmware", "P": "${PN}-${PV}",
    "PF": "${PN}-${PV}-${PR}", "PR": "r0", "BPN": "${PN}", "BP": "${BPN}-${PV}", "S": "${WORKDIR}/${BP}",
    "B": "${S}", "D": "${WORKDIR}/image", "UNPACKDIR": "${WORKDIR}", "SECTION": "base", "PACKAGE_ARCH": "core2-64",
    "COMMON_LICENSE_DIR": "${COREBASE}/meta/files/common-licenses", "COREBASE": "/oe", "THISDIR": "/recipe",
    "FILE_DIRNAME": "/recipe", "CC": "cc", "CFLAGS": "-O2", "CPPFLAGS": "", "LDFLAGS": "-Wl,--hash-style=gnu",
    "STRIP": "strip", "AR": "ar", "MACHINE": "qemuarm64", "DISTRO": "nodistro", "TARGET_OS": "linux",
    "FILES:${PN}": "${bindir}/* ${sbindir}/* ${libexecdir}/* ${libdir}/lib*.so.* ${sysconfdir} ${servicedir} "
    "${localstatedir} ${base_bindir}/* ${base_sbindir}/* ${base_libdir}/*.so.* ${datadir}/${BPN} ${libdir}/${BPN}/*",
    "FILES:${PN}-dev": "${includedir} ${libdir}/lib*.so ${libdir}/pkgconfig ${datadir}/pkgconfig",
    "FILES:${PN}-staticdev": "${libdir}/*.a", "FILES:${PN}-doc": "${docdir} ${mandir}",
    "PACKAGES": "${PN}-src ${PN}-dbg ${PN}-staticdev ${PN}-dev ${PN}-doc ${PN}-locale ${PN}",
}  # fmt: skip
"""What OpenEmbedded's bitbake.conf gives a recipe, with the merged /usr."""


@dataclass
class Recipe:
    """What a recipe says. `variables` are raw values under their full names (`RDEPENDS:${PN}`), overrides applied."""

    variables: dict[str, str] = field(default_factory=dict)
    flags: dict[tuple[str, str], str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    python: set[str] = field(default_factory=set)
    inherits: list[str] = field(default_factory=list)
    requires: list[str] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    changes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    weak: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)

    def expand(self, text: str) -> str:
        """Return a text with every `${NAME}` that is known replaced."""
        for _ in range(HOPS):
            after = REFERENCE.sub(lambda match: self._get(match.group(1), match.group()), text)
            if after == text or len(after) > 1 << 16:
                break
            text = after
        return text

    def value(self, name: str) -> str | None:
        """Return a variable's expanded value, None if nothing sets it."""
        raw = self.variables.get(name)
        return None if raw is None else self.expand(raw)

    def _get(self, name: str, otherwise: str) -> str:
        return self.variables.get(name, otherwise)


def parse_recipe(text: str, name: str, version: str, overrides: tuple[str, ...] = ()) -> Recipe:
    """Return what the recipe `name_version.bb` says, for a build with these overrides; raises Unreadable.

    Assignments are made in their order; `??=` and the defaults come after them, then `:append`, `:prepend` and
    `:remove`, then overrides, as BitBake does.
    """
    recipe = Recipe()
    recipe.variables.update({"PN": name, "PV": version, "WORKDIR": "/build"})
    said = False
    for number, statement in _statements(text):
        said = True
        _take(recipe, statement, number)
    if not said:
        raise Unreadable("the recipe says nothing")
    recipe.written |= set(recipe.variables) - {"PN", "PV", "WORKDIR"}
    for variable, value in {**DEFAULTS, **recipe.weak}.items():
        recipe.variables.setdefault(variable, value)
    recipe.written |= set(recipe.weak)
    _apply(recipe, overrides)
    return recipe


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield logical lines, each with the number of its first; a function is one of them, up to its closing brace."""
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        start, line = at, lines[at]
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        while line.endswith("\\") and at < len(lines):
            line = line[:-1] + lines[at]
            at += 1
        if FUNCTION.fullmatch(line):
            body = []
            while at < len(lines) and lines[at].rstrip() != "}":
                body.append(lines[at])
                at += 1
            if at >= len(lines):
                raise Unreadable(f"line {start + 1}: the function has no closing brace at the beginning of a line")
            at += 1
            line = "\n".join([line, *body])
        elif DEFINITION.fullmatch(line):
            while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t"):
                at += 1
        yield start + 1, line


def _take(recipe: Recipe, statement: str, number: int) -> None:
    first = statement.split("\n", 1)[0]
    function = FUNCTION.fullmatch(first)
    directive = DIRECTIVE.fullmatch(statement.strip())
    assignment = ASSIGNMENT.fullmatch(statement.strip())
    if function:
        _function(recipe, function, statement[len(first) + 1 :])
    elif directive:
        kind, rest = directive.groups()
        words = rest.split()
        target = {"inherit": recipe.inherits, "inherit_defer": recipe.inherits, "addtask": recipe.tasks}
        target.get(kind, recipe.requires).extend(words[:1] if kind == "addtask" else words)
    elif assignment:
        _assign(recipe, assignment)
    elif not EXPORTED.fullmatch(statement) and not DEFINITION.fullmatch(first):
        raise Unreadable(f"line {number} cannot be parsed: {first.strip()[:80]}")


def _function(recipe: Recipe, match: re.Match[str], body: str) -> None:
    name, operation = _operation(match["name"] or "anonymous")
    if match["python"]:
        recipe.python.add(name)
    if operation == "append":
        recipe.functions[name] = recipe.functions.get(name, "") + "\n" + body
    elif operation == "prepend":
        recipe.functions[name] = body + "\n" + recipe.functions.get(name, "")
    else:
        _old_style(recipe, name)
        recipe.functions[name] = body


def _operation(name: str) -> tuple[str, str | None]:
    parts = name.split(":")
    found = next((part for part in parts[1:] if part in OPERATIONS), None)
    return (":".join(part for part in parts if part != found), found) if found else (name, None)


def _old_style(recipe: Recipe, name: str) -> None:
    if OLD_STYLE.match(name):
        recipe.faults.append(f"{name} uses the override syntax from before Yocto 3.4")


def _assign(recipe: Recipe, match: re.Match[str]) -> None:
    full, value, operator = match["name"], " ".join(match["value"].split("\\\n")), match["operator"]
    if match["flag"]:
        recipe.flags[full, match["flag"]] = value
        return
    name, operation = _operation(full)
    _old_style(recipe, name)
    recipe.written.add(name)
    if operation is not None:
        recipe.changes.setdefault(name, []).append((operation, value))
        return
    before = recipe.variables.get(name)
    inherited = before if before is not None else DEFAULTS.get(name, "")
    if operator == "??=":
        recipe.weak[name] = value
        return
    if operator == "?=" and before is not None:
        return
    recipe.variables[name] = {
        "+=": f"{inherited} {value}",
        "=+": f"{value} {inherited}",
        ".=": f"{inherited}{value}",
        "=.": f"{value}{inherited}",
        ":=": recipe.expand(value),
    }.get(operator, value)


def _apply(recipe: Recipe, overrides: tuple[str, ...]) -> None:
    active = {recipe.expand(text) for text in ("pn-${PN}", "class-target", "linux", "${MACHINE}")} | set(overrides)
    named = _expanded_names(recipe)
    for name, changes in named.items():
        target = _changed(name, recipe, active)
        if target is None:
            continue
        value = recipe.variables.get(target, "")
        for operation, text in changes:
            if operation == "append":
                value = value + text
            elif operation == "prepend":
                value = text + value
        gone = {word for operation, text in changes if operation == "remove" for word in recipe.expand(text).split()}
        if gone:
            value = " ".join(word for word in recipe.expand(value).split() if word not in gone)
        recipe.variables[target] = value
    for name in list(recipe.variables):
        base, _, override = name.partition(":")
        if override in active:
            recipe.variables[base] = recipe.variables[name]


def _expanded_names(recipe: Recipe) -> dict[str, list[tuple[str, str]]]:
    """Bring every name to one form: `RDEPENDS:${PN}` and `RDEPENDS:name` are the same variable."""
    for name in [name for name in recipe.variables if "${" in name]:
        recipe.variables[recipe.expand(name)] = recipe.variables[name]
    recipe.written |= {recipe.expand(name) for name in recipe.written}
    changes: dict[str, list[tuple[str, str]]] = {}
    for name, items in recipe.changes.items():
        changes.setdefault(recipe.expand(name), []).extend(items)
    return changes


def _changed(name: str, recipe: Recipe, active: set[str]) -> str | None:
    """The variable that a name with overrides changes, None if one of them is not active."""
    if name in recipe.variables or ":" not in name:
        return name
    base, *conditions = name.split(":")
    packages = recipe.expand(recipe.variables.get("PACKAGES", "")).split()
    if len(conditions) == 1 and conditions[0] in packages:
        return name
    if len(conditions) > 1 and conditions[0] in packages:
        base, conditions = f"{base}:{conditions[0]}", conditions[1:]
    return base if all(item in active for item in conditions) else None
