"""Flights: four tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Amount, Arguments, Id, Name, Query
from mempa_gym.tools.catalogue._common import OnDay, acting, reading, says

__all__ = ["TOOLS"]


class FlightSearch(Arguments):
    query: Query = None
    origin: Annotated[Name | None, says("Only from this city or airport.")] = None
    destination: Annotated[Name | None, says("Only to this city or airport.")] = None
    date: OnDay = None
    max_price: Annotated[Amount | None, says("Only up to this price.")] = None


class FlightRead(Arguments):
    flight_id: Annotated[Id, says("Id of the flight.")]


class FlightBookingRead(Arguments):
    booking_id: Annotated[Id | None, says("Id of the booking. Leave out to list them.")] = None
    query: Query = None


class FlightBook(Arguments):
    flight_id: Annotated[Id, says("Id of the flight.")]
    passenger: Annotated[Name, says("Full name of the passenger.")]


_read, _act = reading("Flights"), acting("Flights")

TOOLS = (
    _read("flight_search", "Searches flights.", FlightSearch),
    _read("flight_read", "Reads one flight in full.", FlightRead),
    _read("flight_booking_read", "Reads one of the user's flight bookings, or lists them.", FlightBookingRead),
    _act("flight_book", "Books a seat on a flight.", FlightBook),
)
