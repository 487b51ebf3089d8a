"""A made-up warehouse for every test that only reads."""

import pytest

from tests.warehouse import synthetic
from warehouse.layout import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "data")


@pytest.fixture(scope="session")
def landed(tmp_path_factory):
    """Return (layout, rows by table) of sixty samples, three models, seven configs; read only."""
    layout = Layout(tmp_path_factory.mktemp("landed"))
    return layout, synthetic.land(layout)
