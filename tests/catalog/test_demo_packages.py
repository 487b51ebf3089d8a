"""The two packages of the demo as the registry serves them; needs the network once."""

import subprocess

import pytest

from corpora import catalog
from tasks.sources.fetch import fetch
from tasks.sources.licence import project_licence
from tasks.sources.select import c_files, summary
from warehouse.errors import SourceError
from warehouse.layout import Layout

pytestmark = [pytest.mark.network, pytest.mark.slow]

EXPECTED = {
    "littlefs": (14, "littlefs 0.19.0: 14 C/C++ files, 0.4 MB.", "BSD-3-Clause"),
    "esphome": (2604, "esphome 2026.6.5: 2,604 C/C++ files, 13.8 MB.", "GPL-3.0-only AND MIT"),
}


@pytest.mark.parametrize("source", catalog.demo(), ids=lambda source: source.project_id)
def test_a_demo_package_downloads_once_and_holds_what_the_catalog_says(source, tmp_path, monkeypatch):
    layout = Layout(tmp_path)
    try:
        tree = fetch(source, layout)
    except SourceError as error:
        if "could not download" in str(error):
            pytest.skip(f"the package registry cannot be reached: {error}")
        raise
    count, sentence, licence = EXPECTED[source.project_id]
    files = c_files(tree, source)
    assert (len(files), summary(tree, files)) == (count, sentence)
    assert sum(len(data) for _, data in tree.read_many(file.path for file in files)) == sum(
        f.size_bytes for f in files
    )
    assert project_licence(tree, source.model_copy(update={"licence": None})) == licence
    monkeypatch.setattr(subprocess, "run", None)
    assert fetch(source, layout) == tree
