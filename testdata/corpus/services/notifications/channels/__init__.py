"""Ways to reach a customer."""

from __future__ import annotations

from typing import Protocol

from ..templates import Message
from .email import EmailChannel
from .sms import SmsChannel


class Channel(Protocol):
    def send(self, address: str, message: Message) -> None:
        """Raises retry.Temporary when a later attempt may succeed."""


REGISTRY: dict[str, Channel] = {
    "email": EmailChannel(),
    "sms": SmsChannel(),
}


def by_name(name: str) -> Channel:
    try:
        return REGISTRY[name]
    except KeyError:
        raise LookupError(f"no channel called {name!r}") from None
