"""Hotels and flights."""

from __future__ import annotations

from datetime import date
from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import is_status, money, updated
from mempa_gym.world.search import Filter, listing, reading, searching

__all__ = ["HANDLERS"]


def _check_stay(desk: Desk, start: str, end: str) -> None:
    if start < desk.today:
        raise ArgumentError("start", start, f"a stay cannot start before today, {desk.today}")
    if end <= start:
        raise ArgumentError("end", end, f"the departure must be later than the arrival, {start}")


def _book_hotel(desk: Desk, arguments: dict[str, Any]) -> Any:
    hotel = desk.need("hotels", arguments["hotel_id"], "hotel_id")
    start, end = arguments["start"], arguments["end"]
    _check_stay(desk, start, end)
    entry = desk.add("hotel_bookings", {"hotel": hotel.id, "start": start, "end": end, "status": "confirmed"})
    nights = (date.fromisoformat(end) - date.fromisoformat(start)).days
    return {"id": entry.id, "total": money(hotel.record["price"] * nights)}


def _update_hotel(desk: Desk, arguments: dict[str, Any]) -> Any:
    booking = desk.need("hotel_bookings", arguments["booking_id"], "booking_id")
    if is_status(booking.record, "cancelled"):
        raise ArgumentError("booking_id", booking.id, "this booking is cancelled", "Book again")
    if booking.record["end"] <= desk.today:
        raise ArgumentError("booking_id", booking.id, "this stay is over")
    changes = {field: value for field, value in arguments.items() if field != "booking_id"}
    record = booking.record | changes
    if "start" in changes:
        _check_stay(desk, record["start"], record["end"])
    elif record["end"] <= max(record["start"], desk.today if "end" in changes else ""):
        raise ArgumentError("end", record["end"], f"the departure must be later than {record['start']} and than today")
    return updated(desk, "hotel_bookings", booking, record, list(changes))


def _book_flight(desk: Desk, arguments: dict[str, Any]) -> Any:
    flight = desk.need("flights", arguments["flight_id"], "flight_id")
    if flight.record["depart"] <= desk.now:
        raise ArgumentError("flight_id", flight.id, f"this flight departed at {flight.record['depart']}")
    if flight.record["seats"] < 1:
        raise ArgumentError("flight_id", flight.id, "no seat is left on this flight")
    desk.change("flights", flight, seats=flight.record["seats"] - 1)
    fields = {"flight": flight.id, "passenger": arguments["passenger"], "status": "confirmed"}
    return {"id": desk.add("flight_bookings", fields).id, "price": flight.record["price"]}


HANDLERS: dict[str, Handler] = {
    "hotel_search": searching("hotels", city=Filter("city", "name"), max_price=Filter("price", "most")),
    "hotel_booking_read": listing("hotel_bookings", "booking_id"),
    "hotel_book": _book_hotel,
    "hotel_booking_update": _update_hotel,
    "flight_search": searching(
        "flights",
        origin=Filter("origin", "name"),
        destination=Filter("destination", "name"),
        max_price=Filter("price", "most"),
    ),
    "flight_read": reading("flights", "flight_id"),
    "flight_booking_read": listing("flight_bookings", "booking_id"),
    "flight_book": _book_flight,
}
