"""The layers of a case in a configuration language: does it parse, and what do its values come to."""

from collections.abc import Mapping

from corpora.firmware.case import Case
from tasks.grading.layers import Layer, Name
from tasks.sandbox import Session


def layers(case: Case, code: str, session: Session) -> Mapping[Name, Layer]:
    """Return what runs each layer on `code`."""
    return {}
