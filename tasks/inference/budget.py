"""A limit of money or tokens for one run, shared by every shard of the process."""

import threading

from tasks.inference.answer import Answer
from warehouse.errors import BudgetError


class Budget:
    """Asked before each request, told after it. Safe from any thread; a copy sent to another process counts alone.

    A request is refused once what is spent and what the requests in flight are expected to cost reach a limit. The
    expectation is the estimated prompt plus the mean reply so far, and the mean cost so far, so the limit may be
    passed by what was in flight before the first reply came. A cost the price list does not know counts as nothing:
    limit tokens then.
    """

    def __init__(self, max_usd: float | None = None, max_tokens: int | None = None) -> None:
        self.max_usd = max_usd
        self.max_tokens = max_tokens
        self.spent_usd = 0.0
        self.spent_tokens = 0
        self._completion_tokens = 0
        self._requests = 0
        self._flying = 0
        self._flying_tokens = 0
        self._lock = threading.Lock()

    def before(self, prompt_tokens: int) -> None:
        """Reserve one request of `prompt_tokens` estimated tokens; raises BudgetError if it does not fit."""
        with self._lock:
            done = max(self._requests, 1)
            tokens = self.spent_tokens + self._flying_tokens + self._flying * self._completion_tokens / done
            usd = self.spent_usd * (1 + self._flying / done)
            if self.max_tokens is not None and tokens >= self.max_tokens:
                raise BudgetError(
                    f"The budget of {self.max_tokens:,} tokens is spent ({self.spent_tokens:,} used): "
                    "raise it and run the same command again, finished units are kept."
                )
            if self.max_usd is not None and usd >= self.max_usd:
                raise BudgetError(
                    f"The budget of ${self.max_usd:g} is spent (${self.spent_usd:.4f} used): "
                    "raise it and run the same command again, finished units are kept."
                )
            self._flying += 1
            self._flying_tokens += prompt_tokens

    def after(self, prompt_tokens: int, answer: Answer | None) -> None:
        """Replace the reservation of a request by what it used; None if it failed."""
        with self._lock:
            self._flying -= 1
            self._flying_tokens -= prompt_tokens
            if answer is None:
                return
            self._requests += 1
            self._completion_tokens += answer.completion_tokens or 0
            self.spent_tokens += (answer.prompt_tokens or 0) + (answer.completion_tokens or 0)
            self.spent_usd += answer.cost_usd or 0.0

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()
