"""Reads order events and sends the messages that customers asked for."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from dataclasses import dataclass
from typing import Iterable, Iterator

from .channels import Channel, by_name
from .preferences import Preferences
from .retry import RetryPolicy, run_with_retry
from .templates import render

log = logging.getLogger("notifications")

SILENT_KINDS = frozenset({"order.draft", "order.packed"})


@dataclass(frozen=True)
class OrderEvent:
    """One line of the event stream."""

    event_id: int
    order_id: str
    customer_id: str
    kind: str

    @classmethod
    def parse(cls, line: str) -> "OrderEvent":
        raw = json.loads(line)
        return cls(int(raw["id"]), raw["order_id"], raw["customer_id"], raw["kind"])


class Dispatcher:
    """Sends each event at most once, though the stream may repeat it."""

    def __init__(self, preferences: Preferences, policy: RetryPolicy) -> None:
        self._preferences = preferences
        self._policy = policy
        self._seen: set[int] = set()

    def dispatch(self, event: OrderEvent) -> int:
        """Gives the number of messages sent for the event."""
        if event.event_id in self._seen or event.kind in SILENT_KINDS:
            return 0
        sent = 0
        for wish in self._preferences.wishes(event.customer_id):
            channel: Channel = by_name(wish.channel)
            message = render(event.kind, wish.language, order_id=event.order_id)
            if run_with_retry(lambda: channel.send(wish.address, message), self._policy):
                sent += 1
            else:
                log.error("gave up on %s for order %s", wish.channel, event.order_id)
        self._seen.add(event.event_id)
        return sent


def events(lines: Iterable[str]) -> Iterator[OrderEvent]:
    """Skips lines that are no event; a broken one must not stop the others."""
    for number, line in enumerate(lines, start=1):
        try:
            yield OrderEvent.parse(line)
        except (ValueError, KeyError) as error:
            log.warning("line %d is no event: %s", number, error)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preferences", required=True, help="file with the customers' wishes")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    dispatcher = Dispatcher(Preferences.load(arguments.preferences), RetryPolicy())
    total = sum(dispatcher.dispatch(event) for event in events(sys.stdin))
    log.info("%d messages sent", total)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
