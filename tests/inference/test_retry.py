"""When a failure is tried again, how it is named, and what a run may spend."""

import pickle
import threading
from datetime import UTC, datetime, timedelta

import pytest

from tasks.inference.answer import Answer
from tasks.inference.budget import Budget
from tasks.inference.failures import kind_of, provider_error
from tasks.inference.retry import KINDS, Retry, retry_after_s
from warehouse.errors import BudgetError, ProviderError

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(("headers", "wait"), [
    ({}, None), ({"Retry-After": "3"}, 3.0), ({"retry-after": "0.5"}, 0.5), ({"retry-after-ms": "250"}, 0.25),
    ({"Retry-After-Ms": "250", "Retry-After": "9"}, 0.25), ({"Retry-After": "-4"}, 0.0),
    ({"Retry-After": "soon"}, None),
    ({"Retry-After": (NOW + timedelta(seconds=7)).strftime("%a, %d %b %Y %H:%M:%S GMT")}, 7.0),
    ({"Retry-After": (NOW - timedelta(hours=1)).strftime("%a, %d %b %Y %H:%M:%S GMT")}, 0.0),
])  # fmt: skip
def test_retry_after(headers: dict[str, str], wait: float | None) -> None:
    assert retry_after_s(headers, NOW) == wait


def test_delays_are_bounded_jittered_repeatable_and_end() -> None:
    retry = Retry(attempts=5, base_s=1.0, cap_s=10.0)
    error = ProviderError("busy", error_kind="server")
    delays = [[retry.delay_s(error, failures, f"unit{unit}") for failures in range(1, 6)] for unit in range(200)]
    assert all(row[-1] is None for row in delays)
    for failures, bound in enumerate((2.0, 4.0, 8.0, 10.0)):
        column = [row[failures] for row in delays]
        assert 0 <= min(column) < 0.1 * bound  # type: ignore[type-var]
        assert 0.9 * bound < max(column) <= bound  # type: ignore[type-var]
    assert delays == [
        [retry.delay_s(error, failures, f"unit{unit}") for failures in range(1, 6)] for unit in range(200)
    ]


def test_retry_after_is_obeyed_and_capped() -> None:
    retry = Retry(attempts=5, base_s=1.0, cap_s=10.0)
    for asked, low in ((4.0, 4.0), (120.0, 10.0)):
        delay = retry.delay_s(ProviderError("slow down", error_kind="rate_limit", retry_after_s=asked), 1, "u")
        assert delay is not None
        assert low <= delay <= low + 1.0


@pytest.mark.parametrize("kind", [kind for kind, again in KINDS.items() if not again])
def test_what_cannot_pass_is_not_tried_again(kind: str) -> None:
    assert Retry().delay_s(ProviderError("no", error_kind=kind), 1, "u") is None


class RateLimitError(Exception): ...


class BadRequestError(Exception): ...


class ContextWindowExceededError(BadRequestError): ...


class APIConnectionError(Exception): ...


@pytest.mark.parametrize(("error", "kind"), [
    (RateLimitError("x"), "rate_limit"), (BadRequestError("no such field"), "other"), (TimeoutError(), "timeout"),
    (ContextWindowExceededError("x"), "context_window"), (ConnectionRefusedError(), "connection"),
    (BadRequestError("request (9031 tokens) exceeds the available context size (4096 tokens)"), "context_window"),
    (BadRequestError("This model's maximum context length is 8192 tokens"), "context_window"),
    (APIConnectionError("Expecting value: line 1 column 1 (char 0)"), "malformed"), (KeyError("choices"), "malformed"),
    (BadRequestError("blocked by content_filter"), "content_filter"), (RuntimeError("?"), "other"),
])  # fmt: skip
def test_kinds_of_failure(error: Exception, kind: str) -> None:
    assert kind_of(error) == kind
    assert kind in KINDS


def test_a_provider_error_is_one_line_and_survives_pickling() -> None:
    error = provider_error("openai/x", RateLimitError("first\n  second " + "x" * 1000))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.error_kind) == (str(error), "rate_limit")
    assert "\n" not in str(copy)
    assert len(str(copy)) < 600


def test_a_token_budget_counts_what_is_in_flight() -> None:
    budget = Budget(max_tokens=1000)
    for _ in range(3):
        budget.before(400)
    with pytest.raises(BudgetError, match="1,000 tokens"):
        budget.before(400)
    budget.after(400, Answer("x", prompt_tokens=100, completion_tokens=50))
    budget.after(400, None)
    budget.before(100)
    assert budget.spent_tokens == 150
    budget.after(400, Answer("x", prompt_tokens=800, completion_tokens=50))
    with pytest.raises(BudgetError):
        budget.before(1)


def test_a_money_budget_expects_the_mean_cost_of_what_is_in_flight() -> None:
    budget = Budget(max_usd=1.0)
    budget.before(10)
    budget.after(10, Answer("x", cost_usd=0.3))
    budget.before(10)
    budget.before(10)
    budget.before(10)
    with pytest.raises(BudgetError, match=r"\$1 is spent \(\$0.3000 used\)"):
        budget.before(10)


def test_a_budget_is_exact_over_threads_and_travels() -> None:
    budget = Budget(max_tokens=10**9)

    def spend() -> None:
        for _ in range(500):
            budget.before(3)
            budget.after(3, Answer("x", prompt_tokens=2, completion_tokens=1, cost_usd=0.5))

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    copy = pickle.loads(pickle.dumps(budget))
    assert (copy.spent_tokens, copy.spent_usd) == (8 * 500 * 3, 2000.0)
    copy.before(1)


def test_no_limit_never_refuses() -> None:
    budget = Budget()
    for _ in range(1000):
        budget.before(10**6)
