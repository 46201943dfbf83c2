"""Room booking: four tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Amount, Arguments, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import After, Before, OnDay, acting, reading, says

__all__ = ["TOOLS"]


class RoomSearch(Arguments):
    query: Query = None
    place: Annotated[Name | None, says("Only rooms of this place, by name or id.")] = None
    date: OnDay = None
    after: After = None
    before: Before = None
    max_price: Annotated[Amount | None, says("Only open slots up to this price.")] = None


class RoomRead(Arguments):
    booking_id: Annotated[Id, says("Id of a booking or of an open slot.")]


class RoomCreate(Arguments):
    slot_id: Annotated[Id, says("Id of the open slot to book.")]
    purpose: Annotated[Text, says("What the room is for.")]


class RoomUpdate(Arguments):
    booking_id: Annotated[Id, says("Id of the booking.")]
    slot_id: Annotated[Id | None, says("Id of the open slot to move it to.")] = None
    purpose: Annotated[Text | None, says("New purpose.")] = None
    status: Annotated[Literal["confirmed", "cancelled"] | None, says("New status.")] = None


_read, _act = reading("Room booking"), acting("Room booking")

TOOLS = (
    _read("room_booking_search", "Searches the user's room bookings and open rooms.", RoomSearch),
    _read("room_booking_read", "Reads one room booking or open slot in full.", RoomRead),
    _act("room_booking_create", "Books a room in an open slot.", RoomCreate),
    _act("room_booking_update", "Moves, changes or cancels a room booking.", RoomUpdate),
)
