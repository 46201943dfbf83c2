"""Calendar: events end after they start; overlapping is the user's own business."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import updated
from mempa_gym.world.search import reading, searching

__all__ = ["HANDLERS"]


def _check_attendees(desk: Desk, arguments: dict[str, Any]) -> None:
    for id in arguments.get("attendees", ()):
        desk.need("contacts", id, "attendees")


def _check_order(start: str, end: str) -> None:
    if end <= start:
        raise ArgumentError("end", end, f"the end must be later than the start, {start}")


def _create(desk: Desk, arguments: dict[str, Any]) -> Any:
    _check_order(arguments["start"], arguments["end"])
    _check_attendees(desk, arguments)
    attendees = list(arguments.get("attendees", ()))
    entry = desk.add(
        "events",
        {
            "title": arguments["title"],
            "start": arguments["start"],
            "end": arguments["end"],
            "location": arguments.get("location", ""),
            "attendees": attendees,
            "notes": arguments.get("notes", ""),
            "shared": bool(attendees),
            "status": arguments["status"],
        },
    )
    return {"id": entry.id}


def _update(desk: Desk, arguments: dict[str, Any]) -> Any:
    event = desk.need("events", arguments["event_id"], "event_id")
    _check_attendees(desk, arguments)
    changes = {field: value for field, value in arguments.items() if field != "event_id"}
    record = event.record | changes
    if "start" in changes or "end" in changes:
        _check_order(record["start"], record["end"])
    if "attendees" in changes:
        record["attendees"] = changes["attendees"].copy()
    return updated(desk, "events", event, record, list(changes))


HANDLERS: dict[str, Handler] = {
    "calendar_event_search": searching("events"),
    "calendar_event_read": reading("events", "event_id"),
    "calendar_event_create": _create,
    "calendar_event_update": _update,
}
