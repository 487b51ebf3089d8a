"""`python -m tests.bench.extractors`: functions found in the demo trees by us, universal-ctags and libclang.

A function is a (file, name) pair, spaces and template arguments taken out of the name. A pair that at least two of the
three find is taken as right; what only one finds is listed, to be looked at. docs/mining.md explains the classes.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from corpora.catalog import demo
from tasks.mining.grammar import sniff
from tasks.mining.mine import Shard, cut, mine_file, uncollected
from tasks.sources.fetch import fetch
from tasks.sources.model import Source, Tree
from tasks.sources.select import c_files
from tasks.sources.write_out import write_out
from warehouse.errors import SourceError
from warehouse.layout import Layout

Pair = tuple[str, str]
Found = dict[Pair, int]
"""(file, name) to the first line it is found on."""

KEEP_GOING = 0x200


@dataclass(frozen=True)
class Written:
    """A demo tree as files, for tools that read a file system."""

    source: Source
    tree: Tree
    root: Path
    paths: tuple[str, ...]


def demo_trees() -> Iterator[Written]:
    """Yield the demo trees below the data folder, downloaded once; says why a tree is left out."""
    layout = Layout.default()
    for source in demo():
        try:
            tree = fetch(source, layout)
        except SourceError as error:
            print(f"{source.project_id} is left out: {error}", file=sys.stderr)
            continue
        files = c_files(tree, source)
        yield Written(
            source,
            tree,
            write_out(tree, files, layout.trees / f"bench-{source.project_id}"),
            tuple(file.path for file in files),
        )


def plain(name: str) -> str:
    """Return a function's name as the three tools can agree on it."""
    if name.isidentifier():
        return name
    name = "".join(name.split())
    return name if name.startswith("operator") else name.split("<")[0]


def ours_shard(shard: Shard) -> list[tuple[str, str, int]]:
    """Mine the functions of a shard; runs in a worker."""
    found = []
    with uncollected():
        for path, data in shard.tree.read_many(shard.paths):
            mined = mine_file(path, data, shard.source, symbols=False)
            found += [(path, one.name, one.start_line) for one in mined.functions]
    return found


def ours(written: Written, map: Callable) -> Found:
    """Return what the miner finds."""
    wanted = set(written.paths)
    files = [file for file in written.tree.files() if file.path in wanted]
    return first_lines(one for part in map(ours_shard, cut(written.source, written.tree, files)) for one in part)


def first_lines(found: Iterator[tuple[str, str, int]]) -> Found:
    """Return the first line of each pair."""
    lines: Found = {}
    for path, name, line in found:
        lines.setdefault((path, plain(name)), line)
    return lines


def ctags(written: Written) -> Found:
    """Return what universal-ctags finds, in one process, which is all it can use.

    It is asked for what the miner tells of a function too: scope, first and last line, signature.
    """
    command = ["ctags", "--languages=C,C++", "--kinds-C=f", "--kinds-C++=f", "--fields=+neS", "--output-format=json",
               "-f", "-", "-L", "-"]  # fmt: skip
    told = subprocess.run(
        command, input="\n".join(written.paths), cwd=written.root, capture_output=True, text=True, check=True
    )
    tags = (json.loads(line) for line in told.stdout.splitlines())
    return first_lines((tag["path"], tag["name"], tag["line"]) for tag in tags if tag.get("kind") == "function")


def has_ctags() -> bool:
    """Tell whether universal-ctags with JSON is installed."""
    if not shutil.which("ctags"):
        return False
    return "json" in subprocess.run(["ctags", "--list-features"], capture_output=True, text=True, check=False).stdout


def clang_file(job: tuple[str, str, tuple[str, ...]]) -> list[tuple[str, str, int]]:
    """Return the definitions that libclang sees in one file; runs in a worker."""
    from clang import cindex

    root, path, include = job
    full = os.path.join(root, path)
    cpp = sniff(path, Path(full).read_bytes())[0] == "cpp"
    arguments = ["-x", "c++" if cpp else "c", *(["-std=c++20"] if cpp else []), "-ferror-limit=0", "-w"]
    arguments += [f"-I{os.path.join(root, folder)}" for folder in include]
    kinds = {getattr(cindex.CursorKind, name) for name in (
        "FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE",
    )}  # fmt: skip
    found: list[tuple[str, str, int]] = []

    def visit(cursor: cindex.Cursor) -> None:
        for child in cursor.get_children():
            if child.location.file is None or child.location.file.name != full:
                continue
            if child.kind in kinds:
                if child.is_definition() and not child.is_default_method():
                    found.append((path, child.spelling, child.extent.start.line))
            else:
                visit(child)

    try:
        visit(cindex.Index.create().parse(full, args=arguments, options=KEEP_GOING).cursor)
    except cindex.TranslationUnitLoadError:
        return []
    return found


def libclang(written: Written, map: Callable) -> Found:
    """Return what libclang finds with the source's include paths and no compile database, missing headers ignored."""
    include = written.source.include_paths or (".",)
    jobs = [(str(written.root), path, include) for path in written.paths]
    return first_lines(one for part in map(clang_file, jobs) for one in part)


def show(written: Written, map: Callable, examples: int) -> None:
    """Print the counts of a tree and examples of every class of disagreement."""
    found = {"ours": ours(written, map), "ctags": ctags(written), "libclang": libclang(written, map)}
    every = sorted(set().union(*found.values()))
    right = {pair for pair in every if sum(pair in one for one in found.values()) >= 2}
    print(
        f"\n{written.source.project_id} {written.tree.revision}: {len(written.paths)} files, {len(right)} found by two"
    )
    for name, one in found.items():
        share = len(right & set(one)) / len(right) if right else 0.0
        print(f"  {name:9} {len(one):6} found, {len(right & set(one)):6} of them by another too ({share:.2%})")
    classes: dict[str, list[Pair]] = {}
    for pair in every:
        who = "+".join(name for name in found if pair in found[name])
        classes.setdefault(who, []).append(pair)
    for who, pairs in sorted(classes.items()):
        print(f"  {who}: {len(pairs)}")
        if who in ("ours", "ctags", "libclang", "ctags+libclang"):
            step = max(1, len(pairs) // examples)
            for path, name in pairs[::step][:examples]:
                line = next(one[path, name] for one in found.values() if (path, name) in one)
                print(f"    {path}:{line} {name}")


def number(flag: str, otherwise: int) -> int:
    """Return the number behind a flag of the command line."""
    return int(sys.argv[sys.argv.index(flag) + 1]) if flag in sys.argv else otherwise


def main() -> None:
    """Print the comparison for every demo tree.

    `--examples N` sets how many of each class are shown, `--one-in N` takes every N-th file (libclang needs half a
    second a file of C++), `--tree NAME` one tree only.
    """
    if not has_ctags():
        sys.exit("universal-ctags is not installed: apt-get install universal-ctags")
    wanted = sys.argv[sys.argv.index("--tree") + 1] if "--tree" in sys.argv else None
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for written in demo_trees():
            if wanted in (None, written.source.project_id):
                some = replace(written, paths=written.paths[:: number("--one-in", 1)])
                show(some, lambda function, jobs: pool.map(function, jobs, chunksize=1), number("--examples", 12))


if __name__ == "__main__":
    main()
