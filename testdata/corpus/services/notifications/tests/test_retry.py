import random

import pytest

from notifications.retry import RetryPolicy, Temporary, run_with_retry


def failing(times: int):
    calls = {"n": 0}

    def attempt() -> None:
        calls["n"] += 1
        if calls["n"] <= times:
            raise Temporary("not yet")

    return attempt, calls


def test_succeeds_after_failures():
    attempt, calls = failing(times=2)
    waits: list[float] = []
    assert run_with_retry(attempt, RetryPolicy(), sleep=waits.append, rng=random.Random(1))
    assert calls["n"] == 3
    assert len(waits) == 2


def test_gives_up():
    attempt, calls = failing(times=99)
    assert not run_with_retry(attempt, RetryPolicy(attempts=3), sleep=lambda _: None)
    assert calls["n"] == 3


@pytest.mark.parametrize("attempt,longest", [(1, 0.5), (4, 4.0), (20, 30.0)])
def test_delay_is_bounded(attempt, longest):
    rng = random.Random(7)
    policy = RetryPolicy()
    assert all(0 <= policy.delay(attempt, rng) <= longest for _ in range(100))


def test_other_errors_are_raised():
    def broken() -> None:
        raise ValueError("a mistake")

    with pytest.raises(ValueError):
        run_with_retry(broken, RetryPolicy())
