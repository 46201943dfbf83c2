"""Appointments, restaurants and rooms: three domains in which a booking takes an open slot.

The slot leaves the searches while a booking holds it and comes back when the booking is cancelled or moved, so that
no slot is ever held twice and none is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import is_status, updated
from mempa_gym.world.entry import Entry, Record
from mempa_gym.world.search import LIMIT, Keep, bounds, find, hit, names_of, require_known
from mempa_gym.world.words import fold

__all__ = ["HANDLERS"]


@dataclass(frozen=True, slots=True)
class _Domain:
    """One of the three domains.

    Attributes:
        bookings: collection of bookings.
        slots: collection of open slots.
        noun: what a booking is called in hits.
        argument: the argument that holds a booking's id.
        host: the field, and the argument, that names who or what is booked.
        taken_over: fields that a booking takes from its slot.
        own: arguments that go into the booking as they are.
    """

    bookings: str
    slots: str
    noun: str
    argument: str
    host: str
    taken_over: tuple[str, ...]
    own: tuple[str, ...]


_APPOINTMENTS = _Domain(
    "appointments",
    "appointment_slots",
    "appointment",
    "appointment_id",
    "provider",
    ("provider", "service", "start", "end"),
    ("notes",),
)
_RESTAURANTS = _Domain(
    "reservations",
    "reservation_slots",
    "reservation",
    "reservation_id",
    "restaurant",
    ("restaurant", "start"),
    ("party", "name", "notes"),
)
_ROOMS = _Domain(
    "room_bookings",
    "room_slots",
    "booking",
    "booking_id",
    "place",
    ("place", "room", "start", "end"),
    ("purpose",),
)


def _search(domain: _Domain) -> Handler:
    def search(desk: Desk, arguments: dict[str, Any]) -> Any:
        host = arguments.get(domain.host)
        names = names_of(desk, host) if host is not None else None
        party, price = arguments.get("party"), arguments.get("max_price")

        def of_host(record: Record) -> bool:
            return names is None or fold(record[domain.host]) in names

        def open_slot(record: Record) -> bool:
            return (
                record["start"] > desk.now
                and of_host(record)
                and (party is None or record["max_party"] >= party)
                and (price is None or record["price"] <= price)
            )

        found: list[tuple[str, str, Entry]] = []
        low, high = bounds(arguments)
        kinds: tuple[tuple[str, str, Keep], ...] = (
            (domain.bookings, domain.noun, of_host),
            (domain.slots, "open_slot", open_slot),
        )
        for collection, noun, keep in kinds:
            entries = find(desk, collection, arguments.get("query"), low=low, high=high, keep=keep)
            found += [(collection, noun, entry) for entry in entries]
        if not found and host is not None and names is not None:
            fields = [
                (domain.bookings, domain.host),
                (domain.slots, domain.host),
                ("places", "name"),
                ("contacts", "name"),
            ]
            require_known(desk, domain.host, host, names, fields)
        coming = sorted((each for each in found if each[2].time >= desk.now), key=_when)
        past = sorted((each for each in found if each[2].time < desk.now), key=_when, reverse=True)
        return {
            "hits": [
                {"id": entry.id, "kind": noun} | hit(COLLECTIONS[collection], entry)
                for collection, noun, entry in (coming + past)[:LIMIT]
            ]
        }

    return search


def _when(found: tuple[str, str, Entry]) -> tuple[str, str]:
    return found[2].time, found[2].id


def _read(domain: _Domain) -> Handler:
    def read(desk: Desk, arguments: dict[str, Any]) -> Any:
        id = arguments[domain.argument]
        collection, entry = desk.need_one_of((domain.bookings, domain.slots), id, domain.argument)
        return desk.show(collection, entry)

    return read


def _open_slot(desk: Desk, domain: _Domain, id: str) -> Entry:
    slot = desk.need(domain.slots, id, "slot_id")
    if slot.record["start"] <= desk.now:
        raise ArgumentError("slot_id", id, f"this slot started at {slot.record['start']}")
    return slot


def _check_party(party: int | None, slot: Entry | None) -> None:
    if party is not None and slot is not None and party > slot.record.get("max_party", party):
        raise ArgumentError("party", party, f"this table takes at most {slot.record['max_party']} guests")


def _create(domain: _Domain) -> Handler:
    def create(desk: Desk, arguments: dict[str, Any]) -> Any:
        slot = _open_slot(desk, domain, arguments["slot_id"])
        _check_party(arguments.get("party"), slot)
        fields = {field: slot.record[field] for field in domain.taken_over}
        fields |= {field: arguments.get(field, "") for field in domain.own}
        entry = desk.add(domain.bookings, fields | {"status": "confirmed"})
        desk.hold(domain.slots, slot, entry.id)
        return {"id": entry.id, "start": slot.record["start"]}

    return create


def _update(domain: _Domain) -> Handler:
    def update(desk: Desk, arguments: dict[str, Any]) -> Any:
        booking = desk.need(domain.bookings, arguments[domain.argument], domain.argument)
        changes = {field: value for field, value in arguments.items() if field != domain.argument}
        if is_status(booking.record, "cancelled"):
            raise ArgumentError(domain.argument, booking.id, f"this {domain.noun} is cancelled", "Book an open slot")
        if booking.record["start"] <= desk.now and not changes.keys() <= {"notes", "purpose"}:
            raise ArgumentError(domain.argument, booking.id, f"this {domain.noun} has already begun")
        cancels = changes.get("status") == "cancelled"
        if cancels and "slot_id" in changes:
            raise ArgumentError(
                "slot_id", changes["slot_id"], f"a {domain.noun} is either moved or cancelled, not both"
            )
        record = booking.record | {field: changes[field] for field in (*domain.own, "status") if field in changes}
        held = desk.held_by(domain.slots, booking.id)
        slot = held
        if "slot_id" in changes:
            slot = _open_slot(desk, domain, changes["slot_id"])
            record |= {field: slot.record[field] for field in domain.taken_over}
        _check_party(record.get("party") if "slot_id" in changes else changes.get("party"), slot)
        if held is not None and (cancels or slot is not held):
            desk.hold(domain.slots, held, "")
        if slot is not None and slot is not held:
            desk.hold(domain.slots, slot, booking.id)
        return updated(desk, domain.bookings, booking, record, list(changes))

    return update


def _handlers(prefix: str, domain: _Domain) -> dict[str, Handler]:
    return {
        f"{prefix}_search": _search(domain),
        f"{prefix}_read": _read(domain),
        f"{prefix}_create": _create(domain),
        f"{prefix}_update": _update(domain),
    }


HANDLERS: dict[str, Handler] = (
    _handlers("appointment", _APPOINTMENTS)
    | _handlers("restaurant_reservation", _RESTAURANTS)
    | _handlers("room_booking", _ROOMS)
)
