"""Which kind of failure an exception of a provider's client is: two tables of signatures and a pure function."""

import re
from collections.abc import Mapping
from typing import Any

from tasks.inference.retry import retry_after_s
from warehouse.errors import ProviderError

BY_MESSAGE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("context_window", re.compile(
        r"exceed\w*[^.]{0,40}context|context[ _](length|window|size)[^.]{0,40}exceed|maximum context length", re.I)),
    ("malformed", re.compile(
        r"JSONDecodeError|Expecting value|Unable to (get|parse) json|invalid json|Expecting ',' delimiter"
        r"|invalid response from LLM", re.I)),
    ("content_filter", re.compile(r"content[_ ](filter|policy)|responsible ai", re.I)),
)  # fmt: skip
"""Read first: providers that litellm does not know report these as plain bad requests or server errors."""

BY_CLASS: dict[str, str] = {
    "RateLimitError": "rate_limit",
    "Timeout": "timeout",
    "APITimeoutError": "timeout",
    "TimeoutError": "timeout",
    "AuthenticationError": "auth",
    "PermissionDeniedError": "auth",
    "PaymentRequiredError": "auth",
    "ContextWindowExceededError": "context_window",
    "ContentPolicyViolationError": "content_filter",
    "JSONDecodeError": "malformed",
    "APIResponseValidationError": "malformed",
    "AttributeError": "malformed",
    "IndexError": "malformed",
    "KeyError": "malformed",
    "TypeError": "malformed",
    "BadRequestError": "other",
    "NotFoundError": "other",
    "ServiceUnavailableError": "server",
    "BadGatewayError": "server",
    "InternalServerError": "server",
    "APIConnectionError": "connection",
    "ConnectionError": "connection",
    "APIError": "server",
}
"""By the name of the first class in the exception's line of descent that is listed."""

BY_CAUSE: dict[str, str] = {
    "JSONDecodeError": "malformed",
    "APITimeoutError": "timeout",
    "APIConnectionError": "connection",
    "ConnectionError": "connection",
}
"""By what an exception came from, where its own class says no more than that the server failed."""

LONGEST = 500


def kind_of(error: BaseException) -> str:
    """Return the `error_kind` of an exception that a provider's client raised."""
    kind = _listed(error, BY_CLASS) or "other"
    if kind in ("other", "server", "connection"):
        kind = next((name for name, pattern in BY_MESSAGE if pattern.search(str(error))), kind)
    cause = error.__cause__ or error.__context__
    while kind == "server" and cause is not None:
        kind = _listed(cause, BY_CAUSE) or kind
        cause = cause.__cause__ or cause.__context__
    return kind


def _listed(error: BaseException, table: Mapping[str, str]) -> str | None:
    return next((table[cls.__name__] for cls in type(error).__mro__ if cls.__name__ in table), None)


def provider_error(model: str, error: Exception) -> ProviderError:
    """Return the ProviderError for an exception: its kind, one line of its message, and how long it asks to wait."""
    line = " ".join(str(error).split())[:LONGEST] or type(error).__name__
    return ProviderError(f"{model}: {line}", error_kind=kind_of(error), retry_after_s=retry_after_s(_headers(error)))


def _headers(error: Any) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    return getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None) or {}
