"""Figures that public results print beside their raw files, landed with the import of those files.

`printed.csv` holds them as printed, rates as fractions: EmbedEval's leaderboard, heatmap and stability tables of
2026-04-12 (README.md and results/LEADERBOARD.md of Ecro/embedeval, Apache-2.0), and the sample output of its page on
context quality of 2026-04-18.
"""

import csv
from pathlib import Path
from typing import Any

from warehouse.importers import published
from warehouse.importers.landing import Landed
from warehouse.layout import Layout
from warehouse.reader import read

FILE = Path(__file__).with_name("printed.csv")


def printed_of(*sources: str) -> list[dict[str, Any]]:
    """Return rows of `published` that these sources print."""
    rows = csv.DictReader(FILE.read_text(encoding="utf-8").splitlines())
    return [{**row, "value": float(row["text"])} for row in rows if row["source"] in sources]


def figures(layout: Layout, folder: Path) -> Landed:
    """Land the printed figures in `folder` in place of those landed before (`warehouse.importers.published`)."""
    stored = layout.batch(published.AREA, published.GIVEN)
    before = read(layout, "published", area=stored.parent.name, batch=stored.name)
    batch = published.land(layout, folder)
    after = read(layout, "published", area=stored.parent.name, batch=stored.name)
    return Landed(batch, published.AREA, before != after, {"published": after.num_rows})
