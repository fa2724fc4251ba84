"""The words of each message, by kind of event and language."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True)
class Message:
    subject: str
    body: str


TEXTS: dict[tuple[str, str], tuple[str, str]] = {
    ("order.placed", "en"): (
        "We have your order {order_id}",
        "Thank you. We hold the goods for fifteen minutes while you pay.",
    ),
    ("order.placed", "zh"): (
        "已收到您的订单 {order_id}",
        "感谢您的惠顾。付款前,商品将为您保留十五分钟。",
    ),
    ("order.shipped", "en"): (
        "Your parcel is on its way",
        "Order {order_id} has left our warehouse.",
    ),
    ("order.shipped", "zh"): (
        "您的包裹已发出",
        "订单 {order_id} 已离开仓库,请留意物流信息。",
    ),
    ("order.cancelled", "en"): (
        "Order {order_id} is cancelled",
        "Nothing will be charged. What was paid goes back within three days.",
    ),
}


def render(kind: str, language: str, **values: str) -> Message:
    """Falls back to English where a translation is missing."""
    subject, body = TEXTS.get((kind, language)) or TEXTS[(kind, DEFAULT_LANGUAGE)]
    return Message(subject.format(**values), body.format(**values))


def missing_translations(language: str) -> list[str]:
    """Kinds of events that have English words only."""
    kinds = {kind for kind, _ in TEXTS}
    return sorted(kind for kind in kinds if (kind, language) not in TEXTS)
