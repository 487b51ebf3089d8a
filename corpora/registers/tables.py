"""What questions show beside prose: tables, dumps, lists, and how near a quantity has to be."""

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a plain table, a row a line, columns separated by two spaces or more."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    )


def dump(data: bytes, base: int, width: int = 16) -> str:
    """Return a hex dump, lowest address first: `20001000: 4A 00 ...`."""
    lines = (
        f"{base + at:08X}: " + " ".join(f"{byte:02X}" for byte in data[at : at + width])
        for at in range(0, len(data), width)
    )
    return "\n".join(lines)


def listed(values: Iterable[object]) -> str:
    """Return the values as `1, 2, 3`."""
    return ", ".join(str(value) for value in values)


def accepted(tolerance: float, conventions: Sequence[str] = ("",)) -> tuple[str, ...]:
    """Return the conventions, at least two, each followed by the relative error that a quantity may have."""
    percent = f"{tolerance * 100:g} %"
    ends = (f"An error of up to {percent} is accepted.", f"The value has to be right within {percent}.")
    count = max(2, len(conventions))
    return tuple(f"{conventions[at % len(conventions)]} {ends[at % 2]}".strip() for at in range(count))
