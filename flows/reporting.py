"""Write the HTML report of a release."""

from functools import partial
from pathlib import Path

from warehouse.layout import Layout


def report_of(layout: Layout, release: str | None = None, out: Path | None = None) -> Path:
    """Write one self-contained page and return where it is; by default `<data>/reports/<release>.html`."""
    from flows.pictures import of_report
    from tasks.curation.manifest import listing
    from warehouse.errors import CorpusError
    from warehouse.exports.report import write_report

    if release is None:
        manifests = listing(layout)
        if not manifests:
            raise CorpusError("There is no release to report on; run `firmbench corpus build code` first.")
        release = manifests[-1]["release"]
    where = out or layout.reports / f"{release}.html"
    return write_report(layout, where, release=release, draw=partial(of_report, layout, release))
