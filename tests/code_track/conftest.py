"""A small firmware project, written for these tests, mined and built into samples of the code track once a session."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import corpora
from tasks.contract import Bench, BuildInputs
from tasks.curation.ledger import Ledger
from tasks.mining.mine import mine_project
from tasks.sources.fetch import fetch
from tasks.sources.model import Source
from warehouse.layout import Layout

DATA = Path(__file__).with_name("data")


@pytest.fixture(scope="session")
def layout(tmp_path_factory):
    return Layout(tmp_path_factory.mktemp("code_track"))


@pytest.fixture(scope="session")
def track():
    return corpora.load("code")


@pytest.fixture(scope="session")
def project(layout):
    source = Source(
        project_id="plant", kind="dir", address=str(DATA), licence="Apache-2.0", domain="demo", first_seen="2026-01-02"
    )
    return mine_project(source, fetch(source, layout), layout)


@pytest.fixture(scope="session")
def ledger(track, project, layout):
    return Ledger(track.build(BuildInputs(projects=(project,), size=50, options={"layout": layout})))


@pytest.fixture(scope="session")
def samples(ledger):
    return ledger.samples


@pytest.fixture(scope="session")
def bench(ledger, layout):
    folder = layout.root / "release"
    folder.mkdir()
    for companion in ledger.companions:
        pq.write_table(companion.table, folder / f"{companion.name}.parquet")
    return Bench(release=folder, figures=False)


@pytest.fixture(scope="session")
def by_name(samples):
    """The generation sample of a function by its name."""
    return {sample.function_name: sample for sample in samples if sample.category == "generation"}
