"""When a request that failed is sent again, and after how long. A table of kinds and a pure function of time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tasks.ids import draw
from warehouse.errors import ProviderError

KINDS: dict[str, bool] = {
    "rate_limit": True,
    "timeout": True,
    "server": True,
    "connection": True,
    "malformed": True,
    "auth": False,
    "context_window": False,
    "content_filter": False,
    "empty": False,
    "sandbox": False,
    "other": False,
}
"""Every `error_kind` a generation may carry, and whether the same request may succeed a moment later."""


@dataclass(frozen=True)
class Retry:
    """Bounded attempts with exponential backoff and full jitter; `cap_s` also bounds a `Retry-After`.

    Method: exponential backoff with full jitter (Brooker, AWS Architecture Blog, 2015), drawn from the request's ids.
    """

    attempts: int = 6
    base_s: float = 1.0
    cap_s: float = 60.0

    def delay_s(self, error: ProviderError, failures: int, *key: object) -> float | None:
        """Return seconds to wait after the `failures`-th failure (from 1) of request `key`; None to give up.

        A provider that says when to come back is obeyed, up to `cap_s`; jitter of at most `base_s` on top spreads
        those who were told the same.
        """
        if failures >= self.attempts or not KINDS.get(error.error_kind, False):
            return None
        jitter = draw("retry", *key, failures)
        if error.retry_after_s is not None:
            return min(error.retry_after_s, self.cap_s) + jitter * self.base_s
        return jitter * min(self.cap_s, self.base_s * 2.0**failures)


def retry_after_s(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that `retry-after-ms` or `Retry-After` (seconds or an HTTP date) ask for, or None."""
    lower = {str(name).lower(): str(value).strip() for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(lower[name]) * scale)
        except (KeyError, ValueError):
            continue
    try:
        moment = parsedate_to_datetime(lower["retry-after"])
    except (KeyError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
