"""Trees in a git repository, read object by object: no checkout, no index, no lazy download."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tasks.ids import digest
from tasks.sources.hashing import tree_hash
from tasks.sources.model import Source, TreeFile
from tasks.sources.partial import partial_folder
from warehouse.errors import SourceError
from warehouse.layout import Layout

REGULAR = ("100644", "100755", "100664")
Done = subprocess.CompletedProcess[bytes]

FULL_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
SCP = re.compile(r"[^/\\]+:")
PIN = "refs/firmbench/pin"

# Ids written ahead of the replies: 90 lines of at most 65 bytes always fit a pipe, so neither side blocks.
AHEAD = 90

# A clone made by someone else is only read, never run: its owner does not matter. Ids must not be redirected.
READ = ("-c", "safe.directory=*", "--no-replace-objects")
FETCH = (
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "http.lowSpeedLimit=1000",
    "-c",
    "http.lowSpeedTime=60",
)


@dataclass(frozen=True)
class GitTree:
    """The regular files of one commit, without submodules and links; `missing` counts blobs that the store lacks."""

    project_id: str
    git_dir: str
    revision: str
    tree_hash: str
    missing: int
    sha256: str | None = None

    @classmethod
    def open(cls, project_id: str, git_dir: Path, revision: str | None) -> "GitTree":
        """Resolve `revision` (HEAD when None) and list its tree; raises SourceError if there is no such commit."""
        commit = _commit(project_id, git_dir, revision or "HEAD")
        present, absent = _listing(str(git_dir), commit)
        return cls(project_id, str(git_dir), commit, tree_hash(present.values()), len(absent))

    def files(self) -> list[TreeFile]:
        """Return the files whose blobs are in the store, sorted by path."""
        return list(_listing(self.git_dir, self.revision)[0].values())

    def read(self, path: str) -> bytes:
        """Return the bytes of one file; raises SourceError if the tree or the store does not hold it."""
        for _, data in self.read_many([path]):
            return data
        raise SourceError(
            f"The blob of {path} of {self.project_id} is absent from the partial clone {self.git_dir}; clone it whole."
        )

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield (path, bytes) in the order asked with one `git cat-file`; files whose blobs are absent are skipped."""
        present, absent = _listing(self.git_dir, self.revision)
        wanted = (path for path in paths if path not in absent)
        process: subprocess.Popen[bytes] | None = None
        try:
            while batch := list(islice(wanted, AHEAD)):
                ids = [self._blob(present, path) for path in batch]
                process = process or _cat_file(_store(self.git_dir, len(self.revision)))
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write("".join(f"{blob}\n" for blob in ids).encode())
                process.stdin.flush()
                for path, blob in zip(batch, ids, strict=True):
                    yield path, self._reply(process.stdout, path, blob)
        except BrokenPipeError:
            raise SourceError(
                f"git stopped while reading {self.project_id} from {self.git_dir}; run git fsck."
            ) from None
        finally:
            if process is not None:
                process.kill()
                process.communicate()

    def _blob(self, present: dict[str, TreeFile], path: str) -> str:
        if path not in present:
            raise SourceError(
                f"{self.project_id} has no file {path!r} at {self.revision[:12]}; see files() for its paths."
            )
        return present[path].content_hash

    def _reply(self, stream, path: str, blob: str) -> bytes:
        header = stream.readline().split()
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            data = stream.read(size + 1)
            if len(data) == size + 1:
                return data[:-1]
        raise SourceError(
            f"Blob {blob} ({path} of {self.project_id}) cannot be read from {self.git_dir}; run git fsck."
        )


def fetch_git(source: Source, layout: Layout) -> GitTree:
    """Open a local repository in place, or the clone of an address below `layout.sources`, made now if need be.

    Of an address only the pinned commit is downloaded where the server allows it, else the whole history.
    Raises SourceError for an address that cannot be reached and a revision that it does not have.
    """
    if not is_remote(source.address):
        return GitTree.open(source.project_id, _local(source), source.revision)
    pin = digest("git", source.address, source.revision, length=12)
    clone = layout.sources / f"{source.project_id}-{pin}.git"
    if not clone.exists():
        with partial_folder(clone) as work:
            _clone(source, work)
    return GitTree.open(source.project_id, clone, PIN)


def is_remote(address: str) -> bool:
    """Say whether an address needs a transport: a URL other than file://, or host:path as ssh takes it."""
    if address.startswith("file://") or Path(address).expanduser().exists():
        return False
    return bool(SCHEME.match(address) or SCP.match(address))


def _local(source: Source) -> Path:
    path = Path(source.address.removeprefix("file://")).expanduser()
    for candidate in (path / ".git", path):
        # A worktree's .git is a file that points elsewhere; git itself follows it.
        done = _git(*READ, "rev-parse", "--resolve-git-dir", str(candidate), cwd=path if path.is_dir() else None)
        if done.returncode == 0:
            return (path / os.fsdecode(done.stdout.rstrip(b"\n"))).resolve()
    raise SourceError(
        f"There is no git repository at {source.address}, the address of {source.project_id}; clone it there or"
        " correct the address."
    )


def _clone(source: Source, work: Path) -> None:
    address, revision = source.address, source.revision or "HEAD"
    into = ("--git-dir", str(work))
    _git("init", "--bare", "--quiet", str(work))
    shallow = _git(*into, *FETCH, "fetch", "--quiet", "--depth=1", "--no-tags", "--", address, f"+{revision}:{PIN}")
    if shallow.returncode == 0:
        return
    if FULL_ID.match(revision) and b"not our ref" in shallow.stderr:
        raise _unknown(source.project_id, revision, address)
    # A short id, an expression, or a server that serves only branch heads: take everything, then look.
    whole = _git(
        *into, *FETCH, "fetch", "--quiet", "--no-tags", "--", address, "+refs/*:refs/*", "+HEAD:refs/firmbench/head"
    )
    if whole.returncode != 0:
        reason = _last_line(whole.stderr) or "git gave no reason"
        raise SourceError(
            f"{source.project_id} cannot be cloned from {address} ({reason}); check the address and the network,"
            " or clone it yourself and give the path."
        )
    if revision == "HEAD":
        revision = "refs/firmbench/head"
    done = _git(*into, "update-ref", PIN, _commit(source.project_id, work, revision, address))
    if done.returncode != 0:
        raise SourceError(
            f"{source.project_id} cannot be pinned in {work} ({_last_line(done.stderr)}); check the disk."
        )


def _commit(project_id: str, git_dir: Path, revision: str, address: str | None = None) -> str:
    done = _git("--git-dir", str(git_dir), *READ, "rev-parse", "--verify", "--quiet", "--end-of-options",
                f"{revision}^{{commit}}")  # fmt: skip
    if done.returncode != 0:
        raise _unknown(project_id, revision, address or str(git_dir))
    return done.stdout.decode().strip()


def _unknown(project_id: str, revision: str, address: str) -> SourceError:
    return SourceError(
        f"{project_id} has no revision {revision} at {address}; pin a commit, tag or branch that `git ls-remote` or"
        " `git log` shows there."
    )


@lru_cache(maxsize=16)
def _listing(git_dir: str, commit: str) -> tuple[dict[str, TreeFile], frozenset[str]]:
    """Return the readable files by path, in path order, and the paths whose blobs are absent."""
    done = _git("ls-tree", "-r", "-z", "--long", "--full-tree", commit, store=_store(git_dir, len(commit)))
    if done.returncode != 0:
        raise SourceError(
            f"The tree of {commit[:12]} cannot be listed in {git_dir} ({_last_line(done.stderr)}); clone it again"
            " without a tree filter."
        )
    present: dict[str, TreeFile] = {}
    absent: set[str] = set()
    for record in done.stdout.split(b"\0"):
        if not record:
            continue
        head, _, name = record.partition(b"\t")
        mode, _, blob, size = head.decode().split()
        path = os.fsdecode(name)
        if mode not in REGULAR:
            continue
        if size.isdigit():
            present[path] = TreeFile(path=path, size_bytes=int(size), content_hash=blob)
        else:
            absent.add(path)
    return {path: present[path] for path in sorted(present)}, frozenset(absent)


@lru_cache(maxsize=16)
def _store(git_dir: str, id_length: int) -> dict[str, str]:
    """Return the environment in which git sees the objects of a repository and nothing else of it.

    Behind an empty repository of ours the configuration of theirs is not read, so a partial clone has no remote to
    download absent blobs from: they are reported missing, by every version of git.
    """
    done = _git("--git-dir", git_dir, *READ, "rev-parse", "--git-path", "objects")
    objects = (Path.cwd() / os.fsdecode(done.stdout.rstrip(b"\n"))).resolve()
    return {"GIT_DIR": _empty_repository(id_length).name, "GIT_OBJECT_DIRECTORY": str(objects)}


@lru_cache(maxsize=2)
def _empty_repository(id_length: int) -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="firmbench-git-")
    for name in ("objects", "refs"):
        Path(folder.name, name).mkdir()
    Path(folder.name, "HEAD").write_text("ref: refs/heads/main\n")
    if id_length == 64:
        config = "[core]\nrepositoryformatversion = 1\nbare = true\n[extensions]\nobjectFormat = sha256\n"
        Path(folder.name, "config").write_text(config)
    return folder


def _cat_file(store: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["git", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=_environment() | store,
    )  # fmt: skip


def _git(*arguments: str, cwd: Path | None = None, store: dict[str, str] | None = None) -> Done:
    try:
        return subprocess.run(
            ["git", *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=cwd,
            env=_environment() | (store or {}),
        )  # fmt: skip
    except FileNotFoundError:
        raise SourceError(
            "git is needed to read git sources and is not on the PATH; install the package git."
        ) from None


def _environment() -> dict[str, str]:
    # A hook's GIT_DIR and the like would point git at another repository; credentials and transport settings stay.
    local = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
             "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE")  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if name not in local}
    return kept | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def _last_line(stderr: bytes) -> str:
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (fatal or lines or [""])[0].rstrip(".")
