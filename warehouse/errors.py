"""The errors firmbench raises on purpose. Each message is one sentence that names the thing and the fix.

FirmbenchError
├── WarehouseError        a table, a view or a query (warehouse/)
├── SourceError           an upstream project: address, hash, revision, archive (tasks/sources)
├── CorpusError           a release: sampling, gate, missing companion (tasks/curation, corpora/)
├── ModelError            a model or its server (tasks/inference)
│   ├── ProviderError     the provider failed; the unit is asked again on the next run
│   └── BudgetError       the money or token limit of the run is spent
├── GradingError          a grader could not measure (tasks/grading)
│   └── SandboxError      the sandbox broke, or is not here; never what a program in it does (tasks/sandbox)
└── UsageError            the command line or a flow parameter
"""

__all__ = [
    "BudgetError",
    "CorpusError",
    "FirmbenchError",
    "GradingError",
    "ModelError",
    "ProviderError",
    "SandboxError",
    "SourceError",
    "UsageError",
    "WarehouseError",
]


class FirmbenchError(Exception):
    """Base of every error that firmbench raises on purpose; the command line prints the message alone."""


class WarehouseError(FirmbenchError):
    """A table, a view or a query cannot be written or read."""


class SourceError(FirmbenchError):
    """An upstream project cannot be had as pinned."""


class CorpusError(FirmbenchError):
    """A release cannot be built, found or trusted."""


class ModelError(FirmbenchError):
    """A model cannot be asked."""


class ProviderError(ModelError):
    """The provider of a model failed: recorded on the unit, which is asked again on the next run.

    `error_kind` is one of `tasks.inference.retry.KINDS`; `retry_after_s` is what the provider asked to wait.
    """

    def __init__(self, message: str, *, error_kind: str = "other", retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.error_kind = error_kind
        self.retry_after_s = retry_after_s


class BudgetError(ModelError):
    """The limit of money or tokens given for the run is spent."""


class GradingError(FirmbenchError):
    """A grader could not measure a reply."""


class SandboxError(GradingError):
    """A sandbox cannot be had, or broke; whatever the program in it does is an outcome, never this error."""


class UsageError(FirmbenchError):
    """A command or a parameter asks for something that does not exist."""
