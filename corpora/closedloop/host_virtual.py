"""The `host_virtual` back end: firmware compiled with gcc for this machine; computing takes no virtual time."""

from corpora.closedloop.boards import Board, BoardBackend
from corpora.closedloop.runs import Run, headers
from tasks.grading.platform_backends import Tool

__all__ = ["BACKEND", "Run", "headers", "run"]

BACKEND = BoardBackend(
    Board(name="host_virtual", start=("./firmware",)), needs=(Tool("gcc", "install the package gcc"),)
)
run = BACKEND.run
