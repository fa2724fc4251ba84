"""What each customer wants to be told, and how."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wish:
    channel: str
    address: str
    language: str = "en"


class Preferences:
    """An immutable view of the preferences file; load it again to see changes."""

    def __init__(self, wishes: dict[str, tuple[Wish, ...]]) -> None:
        self._wishes = wishes

    @classmethod
    def load(cls, path: str | Path) -> "Preferences":
        raw = json.loads(Path(path).read_text(encoding="utf-8"))
        return cls({customer: tuple(Wish(**w) for w in wishes) for customer, wishes in raw.items()})

    def wishes(self, customer_id: str) -> tuple[Wish, ...]:
        """A customer who said nothing hears nothing."""
        return self._wishes.get(customer_id, ())
