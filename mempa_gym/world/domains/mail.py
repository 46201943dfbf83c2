"""Email and messages: correspondence goes only to people whom the records know."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.search import Filter, listing, reading, searching
from mempa_gym.world.words import fold

__all__ = ["HANDLERS"]

_ME = "me"


def _check_recipients(desk: Desk, recipients: list[str]) -> None:
    for recipient in recipients:
        if "@" in recipient:
            if not _known_address(desk, fold(recipient)):
                raise ArgumentError("to", recipient, "no contact and no e-mail has this address")
        elif not desk.need("contacts", recipient, "to").record["email"]:
            raise ArgumentError("to", recipient, "this contact has no e-mail address")


def _known_address(desk: Desk, address: str) -> bool:
    if any(fold(entry.record["email"]) == address for entry in desk.all("contacts")):
        return True
    return any(
        fold(known) == address for entry in desk.all("emails") for known in (entry.record["from"], *entry.record["to"])
    )


def _write(desk: Desk, folder: str, arguments: dict[str, Any]) -> Any:
    _check_recipients(desk, arguments["to"])
    entry = desk.add(
        "emails",
        {
            "folder": folder,
            "from": _ME,
            "to": arguments["to"].copy(),
            "subject": arguments["subject"],
            "body": arguments["body"],
            "at": desk.now,
        },
    )
    return {"id": entry.id}


def _draft(desk: Desk, arguments: dict[str, Any]) -> Any:
    return _write(desk, "draft", arguments)


def _send(desk: Desk, arguments: dict[str, Any]) -> Any:
    id = arguments.get("draft_id")
    if id is None:
        return _write(desk, "sent", arguments)
    draft = desk.need("emails", id, "draft_id")
    if draft.record["folder"] != "draft":
        raise ArgumentError("draft_id", id, "this e-mail is not a draft")
    if not draft.record["to"]:
        raise ArgumentError("draft_id", id, "this draft has no recipient")
    desk.change("emails", draft, folder="sent", at=desk.now)
    return {"id": id}


def _send_message(desk: Desk, arguments: dict[str, Any]) -> Any:
    contact = desk.need("contacts", arguments["to"], "to")
    if not contact.record["phone"]:
        raise ArgumentError("to", contact.id, "this contact has no phone number")
    entry = desk.add("messages", {"with": contact.id, "sender": _ME, "text": arguments["text"], "at": desk.now})
    return {"id": entry.id}


HANDLERS: dict[str, Handler] = {
    "email_message_search": searching("emails", folder=Filter("folder", "is")),
    "email_message_read": reading("emails", "email_id"),
    "email_draft_read": listing(
        "emails", "email_id", only=lambda record: bool(record["folder"] == "draft"), what="a draft"
    ),
    "email_sent_read": listing(
        "emails", "email_id", only=lambda record: bool(record["folder"] == "sent"), what="a sent one"
    ),
    "email_draft_create": _draft,
    "email_message_send": _send,
    "message_search": searching("messages", contact_id=Filter("with", "id", "contacts")),
    "message_read": reading("messages", "message_id"),
    "message_send": _send_message,
}
