"""A behavioural model of a platform: the C of a folder here, and how its `platform.toml` has it built."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from warehouse.errors import CorpusError

HERE = Path(__file__).parent
CORE, TABLE = "core", "platform.toml"
HEADERS = (".h", ".ld")
WARNINGS = (
    "-Wall",
    "-Wextra",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
)
INSTRUMENTED = ("-fsanitize=thread", "-fsanitize-coverage=trace-pc")
"""Only the candidate: gcc then calls core/coverage.c at each basic block and each access to memory that is shared."""


class _Table(BaseModel):
    """The keys of a platform.toml; paths are below corpora/platforms."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    words: str
    uses: tuple[str, ...] = (CORE,)
    include: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    compiler: tuple[str, ...] = ("gcc", "-std=gnu11", "-O1", "-g", *WARNINGS)
    flags: tuple[str, ...] = ()
    candidate: tuple[str, ...] = (*INSTRUMENTED, "-Dmain=candidate_main")
    own: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    run: tuple[str, ...] = ("./program",)
    secret_is_compiled_in: bool = False


@dataclass(frozen=True)
class Platform:
    """One model. `headers` and `sources` map paths below corpora/platforms to text; write them at those paths.

    `compiler` starts every compilation, with the include directories; `candidate` is added for the graded file, `own`
    for the model and the scenario, `link` at the end of the link, and `run` starts the program.
    """

    name: str
    words: str
    headers: Mapping[str, str]
    sources: Mapping[str, str]
    compiler: tuple[str, ...]
    candidate: tuple[str, ...]
    own: tuple[str, ...]
    link: tuple[str, ...]
    run: tuple[str, ...]
    secret_is_compiled_in: bool
    digest: str


def names() -> tuple[str, ...]:
    """Return the names of all platforms."""
    return tuple(sorted(path.parent.name for path in HERE.glob(f"*/{TABLE}")))


@cache
def platform(name: str) -> Platform:
    """Return the model called `name`; raises CorpusError if there is none or its platform.toml has a fault."""
    path = HERE / name / TABLE
    try:
        text = path.read_text(encoding="utf-8")
        table = _Table.model_validate(tomllib.loads(text))
    except OSError:
        raise CorpusError(f"There is no platform {name!r}; there are {', '.join(names())}.") from None
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise CorpusError(f"Correct {path.relative_to(HERE.parent)}: {error}") from error
    folders = (*table.uses, name)
    headers = _texts([path for folder in folders for path in (HERE / folder).rglob("*") if path.suffix in HEADERS])
    patterns = table.sources if table.sources is not None else tuple(f"{folder}/*.c" for folder in folders)
    sources = _texts([path for pattern in patterns for path in HERE.glob(pattern)])
    include = table.include
    if include is None:
        include = tuple(place for folder in folders for place in (f"{folder}/include", folder))
    whole = sha256(text.encode())
    for file, content in sorted({**headers, **sources}.items()):
        whole.update(f"\0{file}\0{content}".encode())
    return Platform(
        name=table.name,
        words=table.words,
        headers=headers,
        sources=sources,
        compiler=(*table.compiler, "-I.", *(f"-I{place}" for place in include), *table.flags),
        candidate=table.candidate,
        own=table.own,
        link=table.link,
        run=table.run,
        secret_is_compiled_in=table.secret_is_compiled_in,
        digest=whole.hexdigest()[:16],
    )


def _texts(paths: list[Path]) -> dict[str, str]:
    return {path.relative_to(HERE).as_posix(): path.read_text(encoding="utf-8") for path in sorted(set(paths))}
