"""Restaurants: four tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Arguments, Count, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import After, Before, OnDay, acting, reading, says

__all__ = ["TOOLS"]


class ReservationSearch(Arguments):
    query: Query = None
    restaurant: Annotated[Name | None, says("Only this restaurant.")] = None
    party: Annotated[Count | None, says("Only open slots for at least so many guests.")] = None
    date: OnDay = None
    after: After = None
    before: Before = None


class ReservationRead(Arguments):
    reservation_id: Annotated[Id, says("Id of a reservation or of an open slot.")]


class ReservationCreate(Arguments):
    slot_id: Annotated[Id, says("Id of the open slot to reserve.")]
    party: Annotated[Count, says("Number of guests.")]
    name: Annotated[Name | None, says("Name the table is under.")] = None
    notes: Annotated[Text | None, says("Notes for the restaurant.")] = None


class ReservationUpdate(Arguments):
    reservation_id: Annotated[Id, says("Id of the reservation.")]
    slot_id: Annotated[Id | None, says("Id of the open slot to move it to.")] = None
    party: Annotated[Count | None, says("New number of guests.")] = None
    status: Annotated[Literal["confirmed", "cancelled"] | None, says("New status.")] = None
    notes: Annotated[Text | None, says("New notes; replace the old ones.")] = None


_read, _act = reading("Restaurants"), acting("Restaurants")

TOOLS = (
    _read("restaurant_reservation_search", "Searches the user's reservations and open tables.", ReservationSearch),
    _read("restaurant_reservation_read", "Reads one reservation or open slot in full.", ReservationRead),
    _act("restaurant_reservation_create", "Reserves a table in an open slot.", ReservationCreate),
    _act("restaurant_reservation_update", "Moves, changes or cancels a reservation.", ReservationUpdate),
)
