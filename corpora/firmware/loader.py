"""Read the cases of a checkout, flat or two levels deep; a bad case is named and leaves the others alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from corpora.firmware import own
from corpora.firmware.case import Case, Metadata, digest, parse_metadata
from corpora.firmware.yaml_text import read_yaml
from warehouse.errors import CorpusError, UsageError

METADATA = "metadata.yaml"
MARKS = ("prompt.md", "reference", "checks")
"""A folder with one of these is meant to be a case."""
CHECKS = ("checks/static.py", "checks/behavior.py")
NEGATIVES = "checks/negatives.py"
EXPECTED = "checks/expected_output.txt"
IGNORED = {".gitkeep", ".DS_Store"}
GENERATED = {"__pycache__", "build", ".git"}
FILE_BYTES = 1 << 20
OWN = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Loaded:
    """The cases, by id, and one sentence for each folder that is no valid case."""

    cases: tuple[Case, ...]
    faults: tuple[str, ...]


def load(root: Path, private: Path | None = None) -> Loaded:
    """Return every case below `root` and `private`, those of `private` as private.

    Each is a checkout or its folder of cases. Raises UsageError if a path is no folder or holds no case at all.
    """
    found: dict[str, Case] = {}
    faults: list[str] = []
    for base, hidden in ((root, False), (private, True)):
        if base is None:
            continue
        for folder in case_folders(base):
            try:
                case = read_case(folder, base, private=hidden)
                if case.id in found:
                    raise CorpusError(
                        f"Case {case.id}: the id is used in {found[case.id].folder} and {case.folder}; rename one."
                    )
                found[case.id] = case
            except CorpusError as error:
                faults.append(str(error))
    return Loaded(tuple(found[name] for name in sorted(found)), tuple(faults))


def own_cases() -> tuple[Case, ...]:
    """Return the cases of this track, in the order of their ids; raises CorpusError for the first bad one."""
    if not OWN.is_dir():
        return ()
    loaded = load(OWN)
    if loaded.faults:
        raise CorpusError(loaded.faults[0])
    return loaded.cases


def case_folders(base: Path) -> list[Path]:
    """Return the folders of cases, one or two levels below `base` or `base/cases`, in the order of their names."""
    if not base.is_dir():
        raise UsageError(f"The folder of cases {base} does not exist.")
    start = base / "cases" if (base / "cases").is_dir() else base
    folders: list[Path] = []
    for first in _folders(start):
        folders += [first] if _is_case(first) else [second for second in _folders(first) if _is_case(second)]
    if not folders:
        raise UsageError(f"No case found in {start}: a case is a folder with {METADATA}, one or two levels down.")
    return folders


def _folders(base: Path) -> list[Path]:
    return sorted(path for path in base.iterdir() if path.is_dir() and not path.is_symlink() and path.name[0] != ".")


def _is_case(folder: Path) -> bool:
    return (folder / METADATA).exists() or any((folder / name).exists() for name in MARKS)


def read_case(folder: Path, base: Path, *, private: bool = False) -> Case:
    """Return the case in `folder`; raises CorpusError naming the case and the file that is missing or wrong."""
    name = folder.name
    files = _files(folder)
    texts = {path: _text(name, path, content) for path, content in files.items()}
    metadata = _metadata(name, texts)
    if private:
        metadata = metadata.model_copy(update={"visibility": "private"})
    reference = _below(texts, "reference/")
    if not texts.get("prompt.md", "").strip():
        raise CorpusError(f"Case {name}: prompt.md is missing or empty.")
    if not any(text.strip() for text in reference.values()):
        raise CorpusError(f"Case {name}: reference/ holds no file with text; put the solution into reference/main.c.")
    expected = texts.get(EXPECTED)
    rest = {path: text for path, text in texts.items() if "/" not in path and path not in (METADATA, "prompt.md")}
    names = own.CHECKS if metadata.execution else CHECKS
    case = Case(
        metadata=metadata,
        folder=folder.relative_to(base).as_posix(),
        prompt=texts["prompt.md"],
        reference=reference,
        checks={path: texts[path] for path in names if path in texts},
        negatives=texts.get(own.NEGATIVES if metadata.execution else NEGATIVES),
        expected_output=None if expected is None else tuple(filter(None, map(str.strip, expected.splitlines()))),
        context=_below(texts, "context/"),
        starter=_below(texts, "src/"),
        build={**rest, **_below(texts, "boards/")},
        content_hash=digest(files),
        check_hash=digest({path: content for path, content in files.items() if path.startswith("checks/")}),
    )
    if case.is_own:
        own.refuse_strange(case, texts)
        own.read(case)
    return case


def _metadata(name: str, texts: Mapping[str, str]) -> Metadata:
    where = f"Case {name}: {METADATA}"
    if METADATA not in texts:
        raise CorpusError(f"{where} is missing.")
    return parse_metadata(where, read_yaml(where, texts[METADATA]))


def _files(folder: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if GENERATED & set(inside.parts) or path.name in IGNORED or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file():
            raise CorpusError(
                f"Case {folder.name}: {inside.as_posix()} is a link or no plain file; put the file itself."
            )
        if path.stat().st_size > FILE_BYTES:
            raise CorpusError(f"Case {folder.name}: {inside.as_posix()} is larger than {FILE_BYTES} bytes.")
        files[inside.as_posix()] = path.read_bytes()
    return files


def _text(name: str, path: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CorpusError(f"Case {name}: {path} is not UTF-8 text (byte {error.start}).") from None


def _below(texts: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {path: text for path, text in texts.items() if path.startswith(prefix)}
