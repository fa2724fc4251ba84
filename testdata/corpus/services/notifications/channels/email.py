"""Electronic mail through the relay of the data centre."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage

from ..retry import Temporary
from ..templates import Message

SENDER = "Millpond <orders@millpond.example>"
RELAY = ("localhost", 25)


class EmailChannel:
    """Plain text only: no images, no tracking, nothing to click by mistake."""

    def compose(self, address: str, message: Message) -> EmailMessage:
        mail = EmailMessage()
        mail["From"] = SENDER
        mail["To"] = address
        mail["Subject"] = message.subject
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(message.body)
        return mail

    def send(self, address: str, message: Message) -> None:
        mail = self.compose(address, message)
        try:
            with smtplib.SMTP(*RELAY, timeout=10) as relay:
                relay.send_message(mail)
        except smtplib.SMTPRecipientsRefused as refused:
            code, _ = refused.recipients[address]
            if 400 <= code < 500:
                raise Temporary("greylisted") from refused
            raise
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            raise Temporary(str(error)) from error
