"""The pinned projects, and the words by which a command line names projects."""

import difflib
import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tasks.contract import Frozen
from tasks.sources.model import Source
from warehouse.errors import UsageError

CATALOG = Path(__file__).with_name("projects.toml")

FORMS = "git:ADDRESS@REVISION, pypi:NAME==VERSION#sha256=HASH, npm:NAME@VERSION#sha256=HASH or dir:PATH"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
AD_HOC = re.compile(r"(?:(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)=)?(?P<kind>git|pypi|npm|dir):(?P<rest>.+)\Z", re.S)
RESTS = {
    "git": re.compile(r"(?P<address>.+)@(?P<revision>[^@:\s]+)\Z"),
    "pypi": re.compile(
        r"(?P<address>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<revision>[^=#\s]+)#sha256=(?P<sha256>[0-9a-f]{64})\Z"
    ),
    "npm": re.compile(
        r"(?P<address>@?[A-Za-z0-9][A-Za-z0-9._/-]*)@(?P<revision>[^@#\s]+)#sha256=(?P<sha256>[0-9a-f]{64})\Z"
    ),
    "dir": re.compile(r"(?P<address>.+)\Z"),
}


class Entry(Frozen):
    """A source and what the catalog knows beside it; the fields are explained at the head of projects.toml."""

    source: Source
    verified: bool
    paper: str | None = None
    release: str | None = None
    note: str | None = None


def entries(path: Path | None = None) -> dict[str, Entry]:
    """Return the entries of the catalog, or of another file, by project id in the file's order.

    Raises UsageError naming the entry for a file that does not fit.
    """
    return dict(_read(path or CATALOG)[0])


def load(path: Path | None = None) -> dict[str, Source]:
    """Return the pinned sources of the catalog, or of another file, by project id in the file's order."""
    return {name: entry.source for name, entry in entries(path).items()}


def demo() -> list[Source]:
    """Return the sources of the demo, which come from a package registry and need no git host."""
    known, names = _read(CATALOG)
    return [known[name].source for name in names]


def paper() -> list[Source]:
    """Return the fifteen projects of the paper (RealEmbedBench, Table IV)."""
    return [entry.source for entry in entries().values() if entry.paper]


def resolve(names: Iterable[str]) -> list[Source]:
    """Return the sources that `names` ask for, each once, in the order asked.

    A name is a project of the catalog or a source written out as one of `FORMS`, with `ID=` before it to choose its
    project id; a git source with the id of a git project of the catalog takes that one's place and keeps its macros,
    globs and licence. Raises UsageError for a name that is neither, naming near matches, and for one id given to two
    sources.
    """
    known = load()
    chosen: dict[str, Source] = {}
    for name in names:
        source = known.get(name) or _ad_hoc(name, known)
        if chosen.setdefault(source.project_id, source) != source:
            raise UsageError(
                f"Two projects are called {source.project_id!r}; write another id before one: OTHER={name}."
            )
    return list(chosen.values())


@lru_cache(maxsize=8)
def _read(path: Path) -> tuple[dict[str, Entry], tuple[str, ...]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"The catalog {path} cannot be read ({error}); correct it.") from error
    found = {name: _entry(path, name, fields) for name, fields in content.get("project", {}).items()}
    names = tuple(content.get("demo", ()))
    if unknown := [name for name in names if name not in found]:
        raise UsageError(f"The demo list of {path} names {unknown[0]!r}, which is no project there; correct it.")
    return found, names


def _entry(path: Path, name: str, fields: dict[str, Any]) -> Entry:
    own = {key: fields[key] for key in Entry.model_fields if key in fields}
    rest = {key: value for key, value in fields.items() if key not in own}
    try:
        if not NAME.match(name):
            raise ValueError("a project id is made of letters, digits, dots, hyphens and underscores")
        return Entry(source=Source(project_id=name, **rest), **own)
    except (ValidationError, ValueError, TypeError) as error:
        reason = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
        where = ".".join(str(part) for part in reason["loc"])
        raise UsageError(
            f"Project {name} of {path} is wrong{f' at {where}' if where else ''}: {reason['msg']}."
        ) from error


def _ad_hoc(name: str, known: dict[str, Source]) -> Source:
    form = AD_HOC.match(name)
    fields = form and RESTS[form["kind"]].match(form["rest"])
    if not form or not fields:
        near = difflib.get_close_matches(name.lower(), [key.lower() for key in known], n=3)
        hint = f"did you mean {' or '.join(near)}" if near else f"the catalog has {', '.join(known)}"
        if form:
            raise UsageError(f"{name!r} is not a complete {form['kind']} source; write it as {FORMS}.")
        raise UsageError(f"There is no project {name!r}: {hint}, and a source can be written as {FORMS}.")
    parts = fields.groupdict()
    project_id = form["name"] or _project_id(form["kind"], parts)
    if project_id in known:
        if form["kind"] == "git" == known[project_id].kind:
            return known[project_id].model_copy(update=parts)
        raise UsageError(
            f"{project_id!r} is a project of the catalog already; write another id before the source: OTHER={name}."
        )
    return Source(project_id=project_id, kind=form["kind"], **parts)


def _project_id(kind: str, parts: dict[str, str]) -> str:
    """Return the last part of the address, with the revision's if there is one; never the whole path of a folder,
    which differs between machines."""
    address = str(Path(parts["address"]).resolve()) if kind == "dir" else parts["address"]
    base = re.split(r"[/:]", address.rstrip("/"))[-1].removesuffix(".git")
    words = "-".join(word for word in (base, parts.get("revision", "")[:12]) if word)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words).strip("-.") or kind
