"""What the outcome labels of the closed-loop firmware benchmark say in our statuses, stage by stage.

Its evaluator stops at the first stage that fails. Its `failure_family` calls build and smoke failures `host_tests`, so
that `hidden_status` decides here. Method: arXiv 2610.11447, section 4, and the authors' public run index.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

STAGES = ("host_tests", "build", "flash_image", "qemu_smoke", "integration")
Fields = Mapping[str, Any]


class Outcome(NamedTuple):
    """A status of ours, and the stage that gave it; None where no stage did."""

    status: str
    stage: str | None = None


OUTCOMES: dict[str, Outcome] = {
    "PASS": Outcome("pass"),
    "HOST_TEST_FAILED": Outcome("fail", "host_tests"),
    "BUILD_FAILED": Outcome("fail", "build"),
    "FLASH_IMAGE_FAILED": Outcome("fail", "flash_image"),
    "QEMU_SMOKE_FAILED": Outcome("fail", "qemu_smoke"),
    "INTEGRATION_FAILED": Outcome("fail", "integration"),
    "EDIT_SURFACE_VIOLATION": Outcome("fail", "edit_surface"),
    "NO_SUBMISSION": Outcome("no_submission"),
    "INFRA_FAILURE": Outcome("infra_error"),
    "": Outcome("infra_error"),
}


class Unmeasured(NamedTuple):
    """A record that says less than its label: `holds` tells it from its fields, `why` is kept beside the verdict."""

    name: str
    holds: Callable[[Fields], bool]
    why: str


UNMEASURED: tuple[Unmeasured, ...] = (
    Unmeasured("infra_failure", lambda run: run["infra_failure"], "the record says that its infrastructure failed"),
    Unmeasured("no_status", lambda run: not run["hidden_status"], "the record holds no hidden status"),
    Unmeasured(
        "provider_failure",
        lambda run: run["hidden_status"] == "NO_SUBMISSION" and run["total_tokens"] == run["tool_call_count"] == 0,
        "the model was never heard: no token and no tool call is recorded",
    ),
)
"""Runs that could not be measured, whatever their label: `infra_error`, in the order they are tried."""
