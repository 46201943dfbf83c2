"""The record collections of a world in one table: fields, order of search results, and what refers to what.

Loading, searching, reading and checking are the same work for every collection, so they are written once and read
this table. A domain module holds only what is special about its domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Literal

__all__ = ["COLLECTIONS", "PREFIXES", "Collection", "FieldKind", "Order"]

FieldKind = Literal[
    "text", "note", "texts", "whole", "number", "flag", "stamp", "day", "day?", "time?", "folder", "direction",
    "status", "sections",
]  # fmt: skip
"""How a field is checked. text: required. note: text, empty when left out. texts: list of text, empty when left out.
stamp: YYYY-MM-DDTHH:MM. day: YYYY-MM-DD. day?: a day or empty. time?: a day, a stamp or empty. status: of an event."""

Order = Literal["newest", "soonest", "id"]
"""Order of hits. newest: latest time first. soonest: from now on forward, then the past backward. id: by id."""


@dataclass(frozen=True)
class Collection:
    """One kind of record.

    Attributes:
        name: name of the collection, as in fixture files.
        noun: what one record is called in messages.
        fields: field name to its kind, in the order in which a record shows them; `id` comes first and is not listed.
        time: field that search results are ordered and dated by; empty when there is none.
        order: order of search results.
        arrives: the record enters at its own time unless it says otherwise (an e-mail, a call).
        text: fields that a query is matched against.
        label: fields that name the record to those that refer to it.
        hit: fields shown in a search result; None shows the whole record.
        refs: field to the collection that it refers to; "address" marks fields that hold a contact's id, an e-mail
            address or "me", "named" those that hold the name or the id of a place or a contact.
        prefix: prefix of the ids of records that tools create; empty when none is ever created.
    """

    name: str
    noun: str
    fields: Mapping[str, FieldKind]
    time: str = ""
    order: Order = "id"
    arrives: bool = False
    text: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    hit: tuple[str, ...] | None = None
    refs: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""

    @cached_property
    def lists(self) -> tuple[str, ...]:
        """Fields that hold lists, which a fresh copy of a record must copy too."""
        return tuple(field for field, kind in self.fields.items() if kind in {"texts", "sections"})

    @cached_property
    def dated(self) -> bool:
        """Whether the time field holds days without a clock time."""
        return bool(self.time) and self.fields[self.time] in {"day", "day?"}


_TABLE = (
    Collection(
        "emails",
        "e-mail",
        {
            "folder": "folder",
            "from": "text",
            "to": "texts",
            "subject": "note",
            "body": "note",
            "at": "stamp",
        },
        time="at",
        order="newest",
        arrives=True,
        text=("subject", "body"),
        label=("subject",),
        hit=("folder", "from", "to", "subject", "at"),
        refs={"from": "address", "to": "address"},
        prefix="email",
    ),
    Collection(
        "messages",
        "message",
        {"with": "text", "sender": "text", "text": "text", "at": "stamp"},
        time="at",
        order="newest",
        arrives=True,
        text=("text",),
        hit=("with", "sender", "text", "at"),
        refs={"with": "contacts", "sender": "address"},
        prefix="message",
    ),
    Collection(
        "events",
        "event",
        {
            "title": "text",
            "start": "stamp",
            "end": "stamp",
            "location": "note",
            "attendees": "texts",
            "notes": "note",
            "shared": "flag",
            "status": "status",
        },
        time="start",
        order="soonest",
        text=("title", "location", "notes"),
        label=("title",),
        hit=("title", "start", "end", "location", "status"),
        refs={"attendees": "contacts"},
        prefix="event",
    ),
    Collection(
        "documents",
        "document",
        {"path": "text", "title": "text", "shared_with": "texts", "sections": "sections"},
        text=("path", "title"),
        label=("title",),
        hit=("path", "title"),
        refs={"shared_with": "contacts"},
        prefix="document",
    ),
    Collection(
        "contacts",
        "contact",
        {"name": "text", "relation": "note", "phone": "note", "email": "note", "notes": "note"},
        text=("name", "relation", "phone", "email", "notes"),
        label=("name",),
        hit=("name", "relation", "phone", "email"),
        prefix="contact",
    ),
    Collection(
        "calls",
        "call",
        {"contact": "text", "at": "stamp", "direction": "direction", "summary": "note"},
        time="at",
        order="newest",
        arrives=True,
        text=("summary",),
        hit=("contact", "at", "direction", "summary"),
        refs={"contact": "contacts"},
        prefix="call",
    ),
    Collection(
        "places",
        "place",
        {
            "name": "text",
            "kind": "text",
            "address": "note",
            "city": "text",
            "hours": "note",
            "phone": "note",
            "notes": "note",
        },
        text=("name", "kind", "address", "city", "notes"),
        label=("name",),
    ),
    Collection(
        "routes",
        "route",
        {
            "origin": "text",
            "destination": "text",
            "mode": "text",
            "minutes": "whole",
            "distance_km": "number",
            "notes": "note",
        },
        text=("origin", "destination", "mode", "notes"),
    ),
    Collection(
        "weather",
        "forecast",
        {
            "city": "text",
            "date": "day",
            "summary": "note",
            "high_c": "whole",
            "low_c": "whole",
            "rain_pct": "whole",
        },
        time="date",
        order="soonest",
        text=("city", "summary"),
    ),
    Collection(
        "products",
        "product",
        {
            "name": "text",
            "store": "text",
            "category": "text",
            "price": "number",
            "features": "texts",
            "stock": "whole",
            "notes": "note",
        },
        text=("name", "store", "category", "features", "notes"),
        label=("name", "store"),
    ),
    Collection(
        "orders",
        "order",
        {
            "product": "text",
            "quantity": "whole",
            "store": "text",
            "total": "number",
            "status": "text",
            "placed": "stamp",
            "arrives": "day?",
            "address": "note",
            "method": "note",
        },
        time="placed",
        order="newest",
        arrives=True,
        text=("store", "status"),
        label=("product", "store"),
        hit=("product", "quantity", "store", "total", "status", "placed", "arrives"),
        refs={"product": "products", "address": "addresses", "method": "payment_methods"},
        prefix="order",
    ),
    Collection(
        "return_cases",
        "return case",
        {"order": "text", "status": "text", "reason": "note", "deadline": "day?", "notes": "note"},
        time="deadline",
        order="newest",
        text=("status", "reason", "notes"),
        refs={"order": "orders"},
    ),
    Collection(
        "addresses",
        "address",
        {"label": "text", "street": "text", "city": "text"},
        text=("label", "street", "city"),
        label=("label",),
    ),
    Collection(
        "packages",
        "package",
        {
            "order": "note",
            "carrier": "text",
            "status": "text",
            "last_seen": "note",
            "expected": "day?",
            "history": "texts",
            "proof": "note",
        },
        time="expected",
        order="newest",
        text=("carrier", "status", "last_seen", "history"),
        hit=("order", "carrier", "status", "last_seen", "expected"),
        refs={"order": "orders"},
    ),
    Collection(
        "bills",
        "bill",
        {
            "provider": "text",
            "account": "note",
            "period": "text",
            "amount": "number",
            "due": "day",
            "status": "text",
        },
        time="due",
        order="newest",
        text=("provider", "period", "status"),
        label=("provider", "period"),
        hit=("provider", "account", "period", "amount", "due", "status"),
        refs={"account": "accounts"},
    ),
    Collection(
        "payment_methods",
        "payment method",
        {"label": "text", "kind": "text", "last4": "note"},
        text=("label", "kind", "last4"),
        label=("label",),
    ),
    Collection(
        "bill_payments",
        "payment",
        {"bill": "text", "amount": "number", "date": "day", "method": "text"},
        time="date",
        order="newest",
        arrives=True,
        text=(),
        refs={"bill": "bills", "method": "payment_methods"},
        prefix="bill_payment",
    ),
    Collection(
        "accounts",
        "account",
        {"provider": "text", "account": "text", "holder": "text"},
        text=("provider", "account", "holder"),
        label=("provider",),
    ),
    Collection(
        "appointments",
        "appointment",
        {"provider": "text", "service": "text", "start": "stamp", "end": "stamp", "status": "text", "notes": "note"},
        time="start",
        order="soonest",
        text=("provider", "service", "status", "notes"),
        hit=("provider", "service", "start", "end", "status"),
        prefix="appointment",
        refs={"provider": "named"},
    ),
    Collection(
        "appointment_slots",
        "open slot",
        {"provider": "text", "service": "text", "start": "stamp", "end": "stamp"},
        time="start",
        order="soonest",
        text=("provider", "service"),
        refs={"provider": "named"},
    ),
    Collection(
        "reservations",
        "reservation",
        {
            "restaurant": "text",
            "party": "whole",
            "start": "stamp",
            "name": "note",
            "status": "text",
            "notes": "note",
        },
        time="start",
        order="soonest",
        text=("restaurant", "name", "status", "notes"),
        hit=("restaurant", "start", "party", "status"),
        prefix="reservation",
        refs={"restaurant": "named"},
    ),
    Collection(
        "reservation_slots",
        "open slot",
        {"restaurant": "text", "start": "stamp", "max_party": "whole"},
        time="start",
        order="soonest",
        text=("restaurant",),
        refs={"restaurant": "named"},
    ),
    Collection(
        "room_bookings",
        "booking",
        {"place": "text", "room": "text", "start": "stamp", "end": "stamp", "purpose": "note", "status": "text"},
        time="start",
        order="soonest",
        text=("place", "room", "purpose", "status"),
        hit=("place", "room", "start", "end", "purpose", "status"),
        prefix="room_booking",
        refs={"place": "named"},
    ),
    Collection(
        "room_slots",
        "open slot",
        {
            "place": "text",
            "room": "text",
            "start": "stamp",
            "end": "stamp",
            "price": "number",
            "features": "texts",
        },
        time="start",
        order="soonest",
        text=("place", "room", "features"),
        refs={"place": "named"},
    ),
    Collection(
        "flights",
        "flight",
        {
            "origin": "text",
            "destination": "text",
            "depart": "stamp",
            "arrive": "stamp",
            "price": "number",
            "airline": "text",
            "seats": "whole",
        },
        time="depart",
        order="soonest",
        text=("origin", "destination", "airline"),
        label=("origin", "destination", "airline"),
    ),
    Collection(
        "flight_bookings",
        "booking",
        {"flight": "text", "passenger": "text", "status": "text"},
        text=("passenger", "status"),
        refs={"flight": "flights"},
        prefix="flight_booking",
    ),
    Collection(
        "recipes",
        "recipe",
        {"name": "text", "ingredients": "texts", "minutes": "whole", "steps": "texts", "tags": "texts"},
        text=("name", "ingredients", "tags"),
        label=("name",),
    ),
    Collection(
        "showtimes",
        "showtime",
        {"cinema": "text", "film": "text", "start": "stamp", "price": "number", "seats": "whole"},
        time="start",
        order="soonest",
        text=("cinema", "film"),
        label=("film", "cinema"),
        refs={"cinema": "named"},
    ),
    Collection(
        "cinema_tickets",
        "ticket",
        {"showtime": "text", "seats": "whole", "total": "number"},
        refs={"showtime": "showtimes"},
        prefix="cinema_ticket",
    ),
    Collection(
        "exhibitions",
        "exhibition",
        {"title": "text", "venue": "text", "from": "day", "to": "day", "price": "number", "notes": "note"},
        time="from",
        order="newest",
        text=("title", "venue", "notes"),
        label=("title", "venue"),
        refs={"venue": "named"},
    ),
    Collection(
        "exhibition_tickets",
        "ticket",
        {"exhibition": "text", "date": "day", "quantity": "whole"},
        time="date",
        order="soonest",
        refs={"exhibition": "exhibitions"},
        prefix="exhibition_ticket",
    ),
    Collection(
        "transcode_services",
        "service",
        {
            "name": "text",
            "formats": "texts",
            "max_minutes": "whole",
            "price": "number",
            "turnaround": "note",
            "notes": "note",
        },
        text=("name", "formats", "turnaround", "notes"),
        label=("name",),
    ),
    Collection(
        "transcode_jobs",
        "job",
        {"service": "text", "source": "text", "target_format": "text", "status": "text", "ready": "time?"},
        text=("source", "target_format", "status"),
        refs={"service": "transcode_services"},
        prefix="transcode_job",
    ),
    Collection(
        "household",
        "household item",
        {"name": "text", "quantity": "number", "unit": "note", "place": "note", "notes": "note"},
        text=("name", "place", "notes"),
        label=("name",),
    ),
    Collection(
        "hotels",
        "hotel",
        {"name": "text", "city": "text", "price": "number", "features": "texts"},
        text=("name", "city", "features"),
        label=("name", "city"),
    ),
    Collection(
        "hotel_bookings",
        "booking",
        {"hotel": "text", "start": "day", "end": "day", "status": "text"},
        time="start",
        order="soonest",
        text=("status",),
        refs={"hotel": "hotels"},
        prefix="hotel_booking",
    ),
)

COLLECTIONS: Mapping[str, Collection] = MappingProxyType({entry.name: entry for entry in _TABLE})
"""Every collection by name, in the order of the design."""

PREFIXES: Mapping[str, str] = MappingProxyType({entry.prefix: entry.name for entry in _TABLE if entry.prefix})
"""Prefix of created ids to the collection."""
