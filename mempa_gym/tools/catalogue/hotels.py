"""Hotels: four tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Amount, Arguments, Day, Id, Name, Query
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class HotelSearch(Arguments):
    query: Query = None
    city: Annotated[Name | None, says("Only hotels in this city.")] = None
    max_price: Annotated[Amount | None, says("Only up to this price a night.")] = None


class HotelBookingRead(Arguments):
    booking_id: Annotated[Id | None, says("Id of the booking. Leave out to list them.")] = None
    query: Query = None


class HotelBook(Arguments):
    hotel_id: Annotated[Id, says("Id of the hotel.")]
    start: Annotated[Day, says("Day of arrival, YYYY-MM-DD.")]
    end: Annotated[Day, says("Day of departure, YYYY-MM-DD.")]


class HotelBookingUpdate(Arguments):
    booking_id: Annotated[Id, says("Id of the booking.")]
    start: Annotated[Day | None, says("New day of arrival, YYYY-MM-DD.")] = None
    end: Annotated[Day | None, says("New day of departure, YYYY-MM-DD.")] = None
    status: Annotated[Literal["confirmed", "cancelled"] | None, says("New status.")] = None


_read, _act = reading("Hotels"), acting("Hotels")

TOOLS = (
    _read("hotel_search", "Searches hotels, with the price a night.", HotelSearch),
    _read("hotel_booking_read", "Reads one of the user's hotel bookings, or lists them.", HotelBookingRead),
    _act("hotel_book", "Books a hotel.", HotelBook),
    _act("hotel_booking_update", "Changes or cancels a hotel booking.", HotelBookingUpdate),
)
