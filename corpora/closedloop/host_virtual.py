"""The `host_virtual` back end: firmware compiled with gcc for this machine; computing takes no virtual time."""

from corpora.closedloop.lockstep import Board, LockStep
from corpora.closedloop.runs import Run, headers
from tasks.grading.platform_backends import Tool

__all__ = ["BACKEND", "Run", "headers", "run"]

BACKEND = LockStep(Board("host_virtual", start=("./firmware",)), needs=(Tool("gcc", "install the package gcc"),))
run = BACKEND.run
