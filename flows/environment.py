"""Settings that must stand before Prefect or litellm is imported: no telemetry, no downloads, patient start."""

import os

from tasks.compute import reaper

DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # A loaded machine needs more than Prefect's 20 s to bring its ephemeral server up on a fresh home.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",
    # One event a transaction loses task runs at our rate; 200 does not.
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
    # The command line reports errors itself, once.
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_SERVER_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_INTERNAL_LEVEL": "CRITICAL",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOG": "ERROR",
}


def prepare() -> None:
    """Set every default that the user's environment leaves open, and see to it that nothing outlives this process."""
    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    reaper.watch()
