"""`make bench`: run every `bench_*.py` beside this file, or those named, and print the ratios as one table."""

import importlib
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table


def main(names: list[str]) -> None:
    """Run the benchmarks and print a row a ratio; a goal that is missed is said, never an error."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    chosen = [f"bench_{name}" for name in names] or found
    if unknown := set(chosen) - set(found):
        sys.exit(f"No benchmark {', '.join(sorted(unknown))}; there are {', '.join(found)}.")
    table = Table("benchmark", "ours", "other", "unit", "ratio", "goal", "met", "detail")
    console = Console(width=160)
    for name in chosen:
        for row in importlib.import_module(f"tests.bench.{name}").run():
            console.print(f"{row.name}: {row.ratio:.3g} (goal {row.goal}) {row.detail}")
            table.add_row(row.name, f"{row.ours:.4g}", f"{row.other:.4g}", row.unit, f"{row.ratio:.3g}", row.goal,
                          "yes" if row.met else "no", row.detail)  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
