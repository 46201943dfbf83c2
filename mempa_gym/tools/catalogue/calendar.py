"""Calendar: four tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Arguments, Id, People, Query, Stamp, Text
from mempa_gym.tools.catalogue._common import After, Before, OnDay, reading, says, writing

__all__ = ["TOOLS"]


class EventSearch(Arguments):
    query: Query = None
    date: OnDay = None
    after: After = None
    before: Before = None


class EventRead(Arguments):
    event_id: Annotated[Id, says("Id of the event.")]


class EventCreate(Arguments):
    title: Annotated[Text, says("Title of the event.")]
    start: Annotated[Stamp, says("Start, YYYY-MM-DDTHH:MM, 24-hour clock.")]
    end: Annotated[Stamp, says("End, YYYY-MM-DDTHH:MM, after the start.")]
    location: Annotated[Text | None, says("Where it takes place.")] = None
    attendees: Annotated[People | None, says("Contact ids of the people invited.")] = None
    notes: Annotated[Text | None, says("Notes for the user.")] = None
    status: Annotated[Literal["confirmed", "tentative"], says("Whether it is firm.")] = "confirmed"


class EventUpdate(Arguments):
    event_id: Annotated[Id, says("Id of the event to change.")]
    title: Annotated[Text | None, says("New title.")] = None
    start: Annotated[Stamp | None, says("New start, YYYY-MM-DDTHH:MM, 24-hour clock.")] = None
    end: Annotated[Stamp | None, says("New end, YYYY-MM-DDTHH:MM, after the start.")] = None
    location: Annotated[Text | None, says("New place.")] = None
    attendees: Annotated[People | None, says("New list of contact ids; replaces the old one.")] = None
    notes: Annotated[Text | None, says("New notes; replace the old ones.")] = None
    status: Annotated[Literal["confirmed", "tentative", "cancelled"] | None, says("New status.")] = None


_read, _write = reading("Calendar"), writing("Calendar")

TOOLS = (
    _read("calendar_event_search", "Searches the user's calendar.", EventSearch),
    _read("calendar_event_read", "Reads one calendar event in full.", EventRead),
    _write("calendar_event_create", "Enters an event in the user's calendar.", EventCreate),
    _write("calendar_event_update", "Changes or cancels an event in the user's calendar.", EventUpdate),
)
