"""A small world of its own: one or two records of every collection, some of which enter late."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.world import World

NOW = "2026-03-04T09:00"
LATE = "2026-03-10T08:00"

RECORDS: dict[str, list[dict[str, Any]]] = {
    "contacts": [
        {"id": "con_ada", "name": "Ada Brandt", "relation": "sister", "phone": "555-1", "email": "ada@mill.example"},
        {"id": "con_ben", "name": "Ben Öhler", "relation": "colleague", "phone": "555-2", "email": "ben@mill.example"},
        {"id": "con_mute", "name": "Old Tom", "notes": "neither phone nor mail"},
        {"id": "con_late", "name": "Cora Late", "phone": "555-3", "email": "cora@mill.example", "enters": LATE},
    ],
    "emails": [
        {
            "id": "em_plan",
            "folder": "inbox",
            "from": "con_ada",
            "to": ["me"],
            "subject": "The garden plan",
            "body": "See below.",
            "at": "2026-02-20T10:00",
        },
        {
            "id": "em_stranger",
            "folder": "inbox",
            "from": "nil@far.example",
            "to": ["me"],
            "subject": "Offer",
            "body": "A garden shed.",
            "at": "2026-02-21T10:00",
        },
        {
            "id": "em_sent",
            "folder": "sent",
            "from": "me",
            "to": ["con_ada"],
            "subject": "Re: The garden plan",
            "body": "Yes.",
            "at": "2026-02-20T11:00",
        },
        {
            "id": "em_draft",
            "folder": "draft",
            "from": "me",
            "to": ["con_ben"],
            "subject": "Hours",
            "body": "About hours.",
            "at": "2026-02-22T11:00",
        },
        {
            "id": "em_future",
            "folder": "inbox",
            "from": "con_ada",
            "to": ["me"],
            "subject": "Garden news",
            "body": "Later.",
            "at": LATE,
        },
    ],
    "messages": [
        {"id": "msg_one", "with": "con_ada", "sender": "con_ada", "text": "Bring the ladder", "at": "2026-03-01T10:00"},
        {"id": "msg_two", "with": "con_ben", "sender": "me", "text": "The rota is fine", "at": "2026-03-02T10:00"},
    ],
    "events": [
        {"id": "ev_past", "title": "Rehearsal", "start": "2026-03-01T10:00", "end": "2026-03-01T12:00"},
        {
            "id": "ev_soon",
            "title": "Rehearsal",
            "start": "2026-03-05T10:00",
            "end": "2026-03-05T12:00",
            "attendees": ["con_ada"],
            "shared": True,
        },
        {"id": "ev_far", "title": "Rehearsal party", "start": "2026-04-05T10:00", "end": "2026-04-05T12:00"},
        {
            "id": "ev_hidden",
            "title": "Rehearsal extra",
            "start": "2026-03-12T10:00",
            "end": "2026-03-12T12:00",
            "enters": LATE,
        },
    ],
    "documents": [
        {
            "id": "doc_rules",
            "path": "rules/swaps.md",
            "title": "Swap rules",
            "shared_with": ["con_ben"],
            "sections": [
                {"heading": "Who", "text": "Anyone."},
                {"heading": "When", "text": "Before the zebra noon.", "from": LATE},
            ],
        },
        {
            "id": "doc_list",
            "path": "lists/shopping.md",
            "title": "Shopping list",
            "sections": [{"heading": "List", "text": "Café beans"}],
        },
        {
            "id": "doc_hidden",
            "path": "plans/later.md",
            "title": "Later plan",
            "sections": [{"heading": "Plan", "text": "Secret."}],
            "enters": LATE,
        },
    ],
    "calls": [
        {
            "id": "call_ada",
            "contact": "con_ada",
            "at": "2026-03-01T18:00",
            "direction": "in",
            "summary": "About the ladder",
        }
    ],
    "places": [
        {
            "id": "plc_mill",
            "name": "The Old Mill",
            "kind": "restaurant",
            "address": "1 Mill Lane",
            "city": "Ansel",
            "hours": "10-22",
        },
        {"id": "plc_studio", "name": "Studio North", "kind": "studio", "city": "Ansel"},
    ],
    "routes": [
        {
            "id": "rt_mill",
            "origin": "Home",
            "destination": "The Old Mill",
            "mode": "walk",
            "minutes": 20,
            "distance_km": 1.5,
        }
    ],
    "weather": [
        {
            "id": "wx_old",
            "city": "Ansel",
            "date": "2026-03-05",
            "summary": "Rain",
            "high_c": 5,
            "low_c": -1,
            "rain_pct": 90,
        },
        {
            "id": "wx_new",
            "city": "Ansel",
            "date": "2026-03-05",
            "summary": "Dry",
            "high_c": 7,
            "low_c": 1,
            "rain_pct": 10,
            "enters": "2026-03-04T06:00",
        },
        {
            "id": "wx_today",
            "city": "Ansel",
            "date": "2026-03-04",
            "summary": "Fog",
            "high_c": 5,
            "low_c": 1,
            "rain_pct": 20,
        },
    ],
    "products": [
        {
            "id": "pr_lamp",
            "name": "Desk lamp",
            "store": "Lumen",
            "category": "light",
            "price": 19.9,
            "features": ["dimmable"],
            "stock": 3,
        },
        {"id": "pr_bulb", "name": "Bulb", "store": "Lumen", "category": "light", "price": 2, "stock": 100},
    ],
    "orders": [
        {
            "id": "ord_lamp",
            "product": "pr_lamp",
            "quantity": 1,
            "store": "Lumen",
            "total": 19.9,
            "status": "placed",
            "placed": "2026-03-01T10:00",
            "address": "addr_home",
        },
        {
            "id": "ord_gone",
            "product": "pr_bulb",
            "quantity": 2,
            "store": "Lumen",
            "total": 4,
            "status": "shipped",
            "placed": "2026-02-01T10:00",
        },
    ],
    "return_cases": [
        {"id": "ret_open", "order": "ord_gone", "status": "open", "deadline": "2026-03-20"},
        {"id": "ret_over", "order": "ord_gone", "status": "open", "deadline": "2026-03-01"},
    ],
    "addresses": [
        {"id": "addr_cabin", "label": "Cabin", "street": "2 Pine Road", "city": "Ansel"},
        {"id": "addr_home", "label": "Home", "street": "3 Mill Lane", "city": "Ansel"},
    ],
    "packages": [
        {
            "id": "pkg_bulb",
            "order": "ord_gone",
            "carrier": "Gull",
            "status": "in transit",
            "last_seen": "Depot",
            "expected": "2026-03-05",
            "history": ["left"],
            "proof": "none yet",
        }
    ],
    "bills": [
        {
            "id": "bill_power",
            "provider": "Volt",
            "account": "acct_power",
            "period": "February",
            "amount": 60.5,
            "due": "2026-03-15",
            "status": "open",
        }
    ],
    "payment_methods": [{"id": "pm_debit", "label": "Debit card", "kind": "debit", "last4": "4471"}],
    "accounts": [{"id": "acct_power", "provider": "Volt", "account": "V-1", "holder": "Ada Brandt"}],
    "appointments": [
        {
            "id": "appt_teeth",
            "provider": "Dr. Amari",
            "service": "check-up",
            "start": "2026-03-09T10:00",
            "end": "2026-03-09T10:30",
            "status": "confirmed",
        }
    ],
    "appointment_slots": [
        {
            "id": "slot_teeth",
            "provider": "Dr. Amari",
            "service": "check-up",
            "start": "2026-03-11T10:00",
            "end": "2026-03-11T10:30",
        },
        {
            "id": "slot_teeth_late",
            "provider": "Dr. Amari",
            "service": "check-up",
            "start": "2026-03-18T10:00",
            "end": "2026-03-18T10:30",
        },
        {
            "id": "slot_teeth_gone",
            "provider": "Dr. Amari",
            "service": "check-up",
            "start": "2026-03-02T10:00",
            "end": "2026-03-02T10:30",
        },
    ],
    "reservations": [
        {"id": "res_mill", "restaurant": "The Old Mill", "party": 2, "start": "2026-03-07T19:00", "status": "confirmed"}
    ],
    "reservation_slots": [
        {"id": "rslot_mill", "restaurant": "The Old Mill", "start": "2026-03-08T19:00", "max_party": 4}
    ],
    "room_bookings": [
        {
            "id": "room_north",
            "place": "plc_studio",
            "room": "A",
            "start": "2026-03-06T10:00",
            "end": "2026-03-06T12:00",
            "purpose": "tape",
            "status": "confirmed",
        }
    ],
    "room_slots": [
        {
            "id": "rmslot_north",
            "place": "plc_studio",
            "room": "B",
            "start": "2026-03-07T10:00",
            "end": "2026-03-07T12:00",
            "price": 30,
            "features": ["lights"],
        }
    ],
    "flights": [
        {
            "id": "fl_dawn",
            "origin": "Ansel",
            "destination": "Oslo",
            "depart": "2026-03-20T06:00",
            "arrive": "2026-03-20T08:00",
            "price": 120,
            "airline": "Gull Air",
            "seats": 1,
        }
    ],
    "recipes": [
        {
            "id": "rec_soup",
            "name": "Leek soup",
            "ingredients": ["leeks"],
            "minutes": 30,
            "steps": ["Cook."],
            "tags": ["quick"],
        }
    ],
    "showtimes": [
        {
            "id": "show_sea",
            "cinema": "Gaslight",
            "film": "The Sea",
            "start": "2026-03-06T20:00",
            "price": 9.5,
            "seats": 5,
        }
    ],
    "exhibitions": [
        {"id": "exh_glass", "title": "Glass", "venue": "Museum", "from": "2026-03-01", "to": "2026-03-31", "price": 8}
    ],
    "transcode_services": [
        {
            "id": "svc_reel",
            "name": "Reelworks",
            "formats": ["ProRes", "MP4"],
            "max_minutes": 60,
            "price": 15,
            "turnaround": "a day",
        }
    ],
    "household": [{"id": "hh_rice", "name": "Rice", "quantity": 2, "unit": "kg", "place": "pantry"}],
    "hotels": [{"id": "hot_quay", "name": "Quay House", "city": "Oslo", "price": 90.5, "features": ["breakfast"]}],
}


@pytest.fixture(scope="session")
def pristine() -> World:
    """The small world as it starts; tests branch it and leave it alone."""
    return World.from_records(RECORDS, NOW)


@pytest.fixture
def world(pristine: World) -> World:
    """A working copy of the small world."""
    return pristine.branch()
