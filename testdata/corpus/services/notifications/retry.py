"""Exponential backoff with full jitter."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Callable


class Temporary(Exception):
    """The attempt failed but may succeed later."""


@dataclass(frozen=True)
class RetryPolicy:
    attempts: int = 5
    first_delay: float = 0.5
    longest_delay: float = 30.0

    def delay(self, attempt: int, rng: random.Random) -> float:
        """Seconds to wait after the given attempt, which counts from 1.

        The delay is drawn evenly from zero to the backoff. A fixed delay would
        bring all clients back in the same instant after an outage.
        """
        backoff = min(self.longest_delay, self.first_delay * 2 ** (attempt - 1))
        return rng.uniform(0, backoff)


def run_with_retry(
    attempt_once: Callable[[], None],
    policy: RetryPolicy,
    sleep: Callable[[float], None] = time.sleep,
    rng: random.Random | None = None,
) -> bool:
    """Runs until it succeeds or the attempts are used up.

    Only Temporary is tried again. Any other exception is a mistake in the
    program or the data, and is raised at once.
    """
    rng = rng or random.Random()
    for attempt in range(1, policy.attempts + 1):
        try:
            attempt_once()
            return True
        except Temporary:
            if attempt == policy.attempts:
                return False
            sleep(policy.delay(attempt, rng))
    return False
