"""Yocto: a recipe's variables, and what its own tasks build, install and package, run in the sandbox.

The tasks are those that the recipe writes itself (do_configure, do_compile, do_install; what classes bring is not
run), with the native compiler in the place of the cross compiler. What they install is split into packages as
OpenEmbedded's package class does it: the first package whose FILES matches takes the file.
"""

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from corpora.firmware.values.model import Plain, Unreadable, Value, list_value, text_value
from corpora.firmware.values.recipe import Recipe, parse_recipe
from corpora.firmware.values.table import ValueRules
from tasks.sandbox import Limits, Session

TASKS = ("do_configure", "do_compile", "do_install")
LIMITS = Limits(wall_s=60.0, cpu_s=10.0)
SAW_CHARS = 1500
LIST = ("/usr/bin/find", "-mindepth", "1", "-printf", "%m\\t%y\\t%P\\t%l\\n")
DEFAULT_COMPILE = "if [ -e Makefile ] || [ -e makefile ] || [ -e GNUmakefile ]; then oe_runmake; fi"
"""What base.bbclass does for a recipe that does not say how it is compiled."""
HELPERS = """\
set -e
umask 022
bbfatal() { echo "$@" >&2; exit 1; }
bberror() { echo "$@" >&2; }
bbnote() { :; }
bbwarn() { :; }
bbplain() { :; }
bbdebug() { :; }
"""


@dataclass(frozen=True)
class Names(Plain):
    """Values whose names may say `${PN}` and the like."""

    recipe: Recipe | None = None

    def find(self, name: str, node: object | None) -> Value | None:
        """Return the value; names are expanded as the recipe's variables are."""
        if self.recipe is None:
            return None
        name = self.recipe.expand(name)
        found = self.values.get(name)
        if found is None and (value := self.recipe.value(name)) is not None:
            return text_value(value)
        return found


def parsed(rules: ValueRules, code: str, work: str = "/build", overrides: tuple[str, ...] = ()) -> Recipe:
    """Return the recipe, for a build with these overrides; raises Unreadable."""
    name, _, version = (rules.recipe or "recipe_1.0.bb").removesuffix(".bb").partition("_")
    recipe = parse_recipe(code, name, version, overrides)
    recipe.variables["WORKDIR"] = work
    return recipe


def written(recipe: Recipe) -> Names:
    """Return the values that the recipe says, after overrides and expansion."""
    found = {
        "inherit": list_value([recipe.expand(name) for name in recipe.inherits]),
        "require": list_value(recipe.requires),
        "tasks": list_value(recipe.tasks),
    }
    if recipe.faults:
        found["faults"] = Value(tuple(recipe.faults), "; ".join(recipe.faults))
    found |= {f"task:{name}": text_value(recipe.expand(body)) for name, body in recipe.functions.items()}
    for (name, flag), text in recipe.flags.items():
        value = text_value(recipe.expand(text))
        found[f"flag:{name}[{flag}]"] = value
        # A checksum may say which of several sources it is of: `[archive.sha256sum]`.
        found.setdefault(f"flag:{name}[{flag.rpartition('.')[2]}]", value)
    found |= {f"raw:{name}": text_value(text) for name, text in {**recipe.variables, **recipe.functions}.items()}
    found |= {f"written:{name}": text_value(recipe.value(name) or "") for name in recipe.written}
    return Names(found, recipe)


@dataclass(frozen=True)
class Installed:
    """One installed file: its path in the image, its mode as octal text, where it points to if it is a link."""

    path: str
    mode: str
    kind: str
    target: str


def install(rules: ValueRules, code: str, session: Session) -> tuple[Recipe, list[Installed]]:
    """Run the recipe's tasks; return what they installed. Raises Unreadable if the recipe or a task has a fault."""
    here = session.run(["pwd"]).stdout.decode().strip()
    recipe = parsed(rules, code, f"{here}/work")
    files = dict(_unpacked(recipe, rules.sources, here))
    script = [HELPERS, f'oe_runmake() {{ make {recipe.value("EXTRA_OEMAKE") or ""} "$@"; }}']
    recipe.functions.setdefault("do_compile", DEFAULT_COMPILE)
    for name in TASKS:
        if name in recipe.functions and name not in recipe.python:
            script.append(f"{name}() {{\n{recipe.expand(recipe.functions[name])}\n:\n}}")
    script.append(f"mkdir -p '{recipe.value('S')}' '{recipe.value('B')}' '{recipe.value('D')}'")
    script += [f"cd '{recipe.value('B')}'\n{name}" for name in TASKS if name in recipe.functions]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    for name in ("CC", "CFLAGS", "CPPFLAGS", "LDFLAGS", "D", "S", "B", "WORKDIR"):
        environment[name] = recipe.value(name) or ""
    outcome = session.run(["sh", "-s"], files, LIMITS, stdin="\n".join(script).encode(), env=environment)
    if not outcome.ok:
        said = outcome.stderr.decode(errors="replace").strip()[-SAW_CHARS:]
        raise Unreadable(f"its tasks end with {outcome.ending}: {said}")
    listed = session.run([LIST[0], recipe.value("D") or here, *LIST[1:]])
    rows = [line.split("\t") for line in listed.stdout.decode(errors="replace").splitlines()]
    return recipe, [Installed(f"/{row[2]}", row[0], row[1], row[3]) for row in rows if len(row) == 4]


def packaged(recipe: Recipe, installed: list[Installed]) -> Names:
    """Return the values of `written`, and packages, modes, links and what no package takes."""
    found = dict(written(recipe).values)
    packages = recipe.expand(recipe.variables["PACKAGES"]).split()
    taken: dict[str, list[str]] = {name: [] for name in packages}
    left: list[str] = []
    patterns = {name: list(_patterns(recipe, name)) for name in packages}
    for item in installed:
        if item.kind == "d":
            continue
        owner = next((name for name in packages if _matches(item.path, patterns[name])), None)
        (taken[owner] if owner is not None else left).append(item.path)
    found |= {f"package:{name}": list_value(sorted(paths)) for name, paths in taken.items() if paths}
    found |= {f"mode:{item.path}": text_value(item.mode) for item in installed if item.kind != "l"}
    found |= {f"link:{item.path}": text_value(item.target) for item in installed if item.kind == "l"}
    found["installed"] = list_value(sorted(item.path for item in installed if item.kind != "d"))
    if left:
        found["unpackaged"] = list_value(sorted(left))
    return Names(found, recipe)


def _patterns(recipe: Recipe, package: str) -> Iterator[str]:
    yield from (recipe.value(f"FILES:{package}") or "").split()
    if (
        "systemd" in recipe.inherits
        and package in (recipe.value("SYSTEMD_PACKAGES") or recipe.expand("${PN}")).split()
    ):
        units = (recipe.value(f"SYSTEMD_SERVICE:{package}") or "").split()
        yield from (f"{recipe.expand('${systemd_system_unitdir}')}/{unit}" for unit in units)


def _matches(path: str, patterns: list[str]) -> bool:
    plain = [pattern.rstrip("/") for pattern in patterns]
    return any(fnmatch.fnmatchcase(path, form) for pattern in plain for form in (pattern, f"{pattern}/*"))


def _unpacked(recipe: Recipe, sources: Mapping[str, str], here: str) -> Iterator[tuple[str, bytes | str]]:
    """The files that fetching and unpacking SRC_URI leaves, by path in the sandbox."""
    uris = [uri.partition(";")[0] for uri in (recipe.value("SRC_URI") or "").split()]
    local = {uri.removeprefix("file://") for uri in uris if uri.startswith("file://")}
    remote = next((uri for uri in uris if not uri.startswith("file://")), None)
    folder = (
        "work/git"
        if remote is not None and urlsplit(remote).scheme in ("git", "gitsm")
        else f"work/{recipe.expand('${BP}')}"
    )
    for name, text in sources.items():
        kind, _, path = name.partition(":")
        if kind == "file" and path in local:
            yield f"work/{path}", text
        elif kind == "upstream" and remote is not None:
            yield f"{folder}/{path}", text
