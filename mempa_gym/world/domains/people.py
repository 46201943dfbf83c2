"""Contacts and phone."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import updated
from mempa_gym.world.search import Filter, listing, reading, searching

__all__ = ["HANDLERS"]


def _create(desk: Desk, arguments: dict[str, Any]) -> Any:
    entry = desk.add("contacts", {field: arguments.get(field, "") for field in COLLECTIONS["contacts"].fields})
    return {"id": entry.id}


def _update(desk: Desk, arguments: dict[str, Any]) -> Any:
    contact = desk.need("contacts", arguments["contact_id"], "contact_id")
    changes = {field: value for field, value in arguments.items() if field != "contact_id"}
    return updated(desk, "contacts", contact, contact.record | changes, list(changes))


def _dial(desk: Desk, arguments: dict[str, Any]) -> Any:
    contact = desk.need("contacts", arguments["contact_id"], "contact_id")
    if not contact.record["phone"]:
        raise ArgumentError("contact_id", contact.id, "this contact has no phone number")
    fields = {"contact": contact.id, "at": desk.now, "direction": "out", "summary": arguments["message"]}
    return {"id": desk.add("calls", fields).id}


HANDLERS: dict[str, Handler] = {
    "contact_search": searching("contacts"),
    "contact_read": reading("contacts", "contact_id"),
    "contact_create": _create,
    "contact_update": _update,
    "phone_call_read": listing("calls", "call_id", contact_id=Filter("contact", "id", "contacts")),
    "phone_call_dial": _dial,
}
