"""Writes domain by domain: their effect, what they refuse, and the trace they leave."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.tools import ToolResult
from mempa_gym.world import World


def done(result: ToolResult) -> dict[str, Any]:
    assert result.ok, result.error
    value: dict[str, Any] = result.value
    return value


def record(world: World, id: str) -> dict[str, Any]:
    found = world.record(id)
    assert found is not None
    return found


def refused(world: World, tool: str, arguments: dict[str, Any], field: str, reason: str) -> None:
    before = world.state_hash()
    result = world.call(tool, arguments)
    assert not result.ok
    assert result.error is not None
    assert f"argument {field}" in result.error
    assert reason in result.error
    assert world.state_hash() == before
    assert world.log[-1].changes == ()


# Correspondence


def test_a_draft_is_written_and_sent(world: World) -> None:
    draft = done(world.call("email_draft_create", {"to": ["con_ada"], "subject": "Hi", "body": " kept  verbatim\n"}))
    assert draft == {"id": "email_new_0001"}
    assert record(world, "email_new_0001")["folder"] == "draft"
    world.now = "2026-03-04T09:30"
    done(world.call("email_message_send", {"draft_id": "email_new_0001"}))
    sent = done(world.call("email_sent_read", {"email_id": "email_new_0001"}))
    assert (sent["body"], sent["at"], sent["from"]) == (" kept  verbatim\n", "2026-03-04T09:30", "me")
    refused(world, "email_message_send", {"draft_id": "email_new_0001"}, "draft_id", "not a draft")


def test_an_email_goes_to_contacts_and_known_addresses(world: World) -> None:
    done(world.call("email_message_send", {"to": ["con_ben", "NIL@far.example"], "subject": "s", "body": "b"}))
    assert record(world, "email_new_0001")["to"] == ["con_ben", "NIL@far.example"]
    content = {"subject": "s", "body": "b"}
    refused(world, "email_message_send", {"to": ["who@where.example"], **content}, "to", "address")
    refused(world, "email_message_send", {"to": ["con_late"], **content}, "to", "no contact")
    refused(world, "email_draft_create", {"to": ["con_mute"], **content}, "to", "no e-mail address")


def test_a_message_joins_the_thread(world: World) -> None:
    done(world.call("message_send", {"to": "con_ada", "text": "On my way"}))
    hits = done(world.call("message_search", {"contact_id": "con_ada"}))["hits"]
    assert hits[0] == {
        "id": "message_new_0001",
        "with": "con_ada",
        "sender": "me",
        "text": "On my way",
        "at": "2026-03-04T09:00",
    }
    refused(world, "message_send", {"to": "con_mute", "text": "x"}, "to", "no phone")
    refused(world, "message_send", {"to": "Ada Brandt", "text": "x"}, "to", "no contact")


def test_a_call_is_recorded(world: World) -> None:
    done(world.call("phone_call_dial", {"contact_id": "con_ada", "message": "Supper at eight"}))
    assert record(world, "call_new_0001")["direction"] == "out"
    refused(world, "phone_call_dial", {"contact_id": "con_mute", "message": "x"}, "contact_id", "no phone")


# The user's own records


def test_events_are_created_changed_and_cancelled(world: World) -> None:
    arguments = {"title": "Lunch", "start": "2026-03-05T11:00", "end": "2026-03-05T12:30", "attendees": ["con_ben"]}
    event = done(world.call("calendar_event_create", arguments | {"status": "tentative"}))["id"]
    assert record(world, event)["shared"] is True
    answer = done(
        world.call("calendar_event_update", {"event_id": event, "start": "2026-03-05T11:30", "notes": "late"})
    )
    assert answer == {"id": event, "updated": ["start", "notes"]}
    changed = record(world, event)
    assert (changed["start"], changed["end"], changed["status"]) == (
        "2026-03-05T11:30",
        "2026-03-05T12:30",
        "tentative",
    )
    done(world.call("calendar_event_update", {"event_id": event, "status": "cancelled"}))
    assert record(world, event)["status"] == "cancelled"


def test_event_refusals(world: World) -> None:
    times = {"start": "2026-03-05T11:00", "end": "2026-03-05T11:00"}
    refused(world, "calendar_event_create", {"title": "x", **times}, "end", "later than the start")
    refused(world, "calendar_event_update", {"event_id": "ev_soon", "end": "2026-03-05T09:00"}, "end", "later than")
    refused(world, "calendar_event_update", {"event_id": "ev_soon"}, "arguments", "nothing to change")
    refused(world, "calendar_event_update", {"event_id": "ev_hidden", "notes": "x"}, "event_id", "no event")
    refused(world, "calendar_event_update", {"event_id": "ev_soon", "attendees": ["con_x"]}, "attendees", "no contact")


def test_documents_are_created_written_and_deleted(world: World) -> None:
    answer = done(world.call("document_create", {"path": "drafts/note.md", "title": "Note", "text": "one"}))
    assert answer == {"id": "document_new_0001", "path": "drafts/note.md"}
    done(world.call("document_update", {"path": "drafts/note.md", "heading": "Note", "text": "two", "mode": "append"}))
    done(world.call("document_update", {"path": "document_new_0001", "heading": "More", "text": "three"}))
    done(world.call("document_update", {"path": "drafts/note.md", "heading": "More", "text": "four"}))
    assert done(world.call("document_read", {"path": "drafts/note.md"}))["sections"] == [
        {"heading": "Note", "text": "one\ntwo"},
        {"heading": "More", "text": "four"},
    ]
    create = {"path": "drafts/note.md", "title": "Note", "text": "x"}
    refused(world, "document_create", create, "path", "already")
    done(world.call("document_delete", {"path": "drafts/note.md"}))
    refused(world, "document_delete", {"path": "drafts/note.md"}, "path", "no document")
    assert done(world.call("document_create", create))["id"] == "document_new_0002"


def test_a_hidden_document_does_not_show_by_its_path(world: World) -> None:
    done(world.call("document_create", {"path": "plans/later.md", "title": "Mine", "text": "x"}))
    assert record(world, "plans/later.md")["title"] == "Mine"
    refused(world, "document_delete", {"path": "doc_hidden"}, "path", "no document")


def test_a_section_that_is_not_written_yet_is_not_overwritten(world: World) -> None:
    done(world.call("document_update", {"path": "doc_rules", "heading": "When", "text": "mine"}))
    assert [s["text"] for s in record(world, "doc_rules")["sections"]] == ["Anyone.", "mine"]
    world.now = "2026-03-10T08:00"
    assert [s["text"] for s in record(world, "doc_rules")["sections"]] == ["Anyone.", "Before the zebra noon.", "mine"]


def test_contacts(world: World) -> None:
    id = done(world.call("contact_create", {"name": "Dora Quill", "phone": "555-9"}))["id"]
    done(world.call("contact_update", {"contact_id": id, "email": "dora@mill.example"}))
    assert record(world, id)["relation"] == ""
    done(world.call("email_message_send", {"to": ["dora@mill.example"], "subject": "s", "body": "b"}))
    assert [hit["id"] for hit in done(world.call("contact_search", {"query": "quill"}))["hits"]] == [id]


# Shopping and finance


def test_an_order_takes_stock_and_gives_it_back(world: World) -> None:
    answer = done(
        world.call("shopping_order_create", {"product_id": "pr_lamp", "quantity": 2, "method_id": "pm_debit"})
    )
    assert answer == {"id": "order_new_0001", "total": 39.8}
    assert record(world, "pr_lamp")["stock"] == 1
    assert record(world, "order_new_0001")["address"] == "addr_home"
    refused(world, "shopping_order_create", {"product_id": "pr_lamp", "quantity": 2}, "quantity", "only 1 more")
    done(world.call("shopping_order_update", {"order_id": "order_new_0001", "quantity": 3, "address_id": "addr_cabin"}))
    assert (record(world, "order_new_0001")["total"], record(world, "pr_lamp")["stock"]) == (59.7, 0)
    done(world.call("shopping_order_update", {"order_id": "order_new_0001", "status": "cancelled"}))
    assert record(world, "pr_lamp")["stock"] == 3
    refused(world, "shopping_order_update", {"order_id": "order_new_0001", "quantity": 1}, "order_id", "cancelled")
    refused(world, "shopping_order_update", {"order_id": "ord_gone", "status": "cancelled"}, "order_id", "shipped")
    refused(world, "shopping_order_update", {"order_id": "ord_lamp"}, "arguments", "nothing to change")


def test_returns_keep_their_deadline(world: World) -> None:
    done(
        world.call("shopping_return_case_update", {"case_id": "ret_open", "status": "requested", "reason": "too dark"})
    )
    assert record(world, "ret_open")["reason"] == "too dark"
    refused(world, "shopping_return_case_update", {"case_id": "ret_over", "status": "shipped"}, "case_id", "deadline")
    done(world.call("shopping_return_case_update", {"case_id": "ret_over", "status": "withdrawn"}))


def test_a_bill_is_paid_in_parts(world: World) -> None:
    pay = {"bill_id": "bill_power", "method_id": "pm_debit"}
    refused(world, "bill_payment_create", {**pay, "amount": 61}, "amount", "60.5")
    refused(world, "bill_payment_create", {**pay, "date": "2026-03-03"}, "date", "before today")
    part = done(world.call("bill_payment_create", {**pay, "amount": 20}))
    assert part == {"id": "bill_payment_new_0001", "amount": 20, "bill_status": "partly paid"}
    rest = done(world.call("bill_payment_create", pay))
    assert (rest["amount"], rest["bill_status"]) == (40.5, "paid")
    refused(world, "bill_payment_create", pay, "bill_id", "nothing is owed")
    assert len(done(world.call("bill_payment_read", {"query": "volt"}))["hits"]) == 2


def test_a_later_payment_is_scheduled(world: World) -> None:
    pay = {"bill_id": "bill_power", "method_id": "pm_debit", "date": "2026-03-15"}
    assert done(world.call("bill_payment_create", pay))["bill_status"] == "scheduled"
    assert record(world, "bill_payment_new_0001")["date"] == "2026-03-15"


def test_an_account_changes_its_holder(world: World) -> None:
    done(world.call("utility_account_holder_update", {"account_id": "acct_power", "holder": "Ben Öhler"}))
    assert record(world, "acct_power")["holder"] == "Ben Öhler"


# Bookings


def test_a_booking_takes_its_slot_and_cancelling_frees_it(world: World) -> None:
    answer = done(world.call("appointment_create", {"slot_id": "slot_teeth", "notes": "left side"}))
    assert answer == {"id": "appointment_new_0001", "start": "2026-03-11T10:00"}
    assert world.record("slot_teeth") is None
    refused(world, "appointment_create", {"slot_id": "slot_teeth"}, "slot_id", "no open slot")
    refused(world, "appointment_create", {"slot_id": "slot_teeth_gone"}, "slot_id", "started")
    moved = done(world.call("appointment_update", {"appointment_id": answer["id"], "slot_id": "slot_teeth_late"}))
    assert moved["updated"] == ["slot_id"]
    assert record(world, answer["id"])["start"] == "2026-03-18T10:00"
    assert world.record("slot_teeth") is not None
    assert world.record("slot_teeth_late") is None
    done(world.call("appointment_update", {"appointment_id": answer["id"], "status": "cancelled"}))
    assert world.record("slot_teeth_late") is not None
    refused(world, "appointment_update", {"appointment_id": answer["id"], "notes": "x"}, "appointment_id", "cancelled")


def test_a_booking_that_was_there_from_the_start_can_move(world: World) -> None:
    done(world.call("appointment_update", {"appointment_id": "appt_teeth", "slot_id": "slot_teeth"}))
    assert record(world, "appt_teeth")["start"] == "2026-03-11T10:00"
    move = {"appointment_id": "appt_teeth", "slot_id": "slot_teeth_late", "status": "cancelled"}
    refused(world, "appointment_update", move, "slot_id", "not both")


def test_a_booking_that_has_begun_only_takes_notes(world: World) -> None:
    world.now = "2026-03-09T10:00"
    refused(
        world, "appointment_update", {"appointment_id": "appt_teeth", "status": "cancelled"}, "appointment_id", "begun"
    )
    done(world.call("appointment_update", {"appointment_id": "appt_teeth", "notes": "it hurt"}))


def test_tables_hold_their_number_of_guests(world: World) -> None:
    refused(world, "restaurant_reservation_create", {"slot_id": "rslot_mill", "party": 5}, "party", "at most 4")
    id = done(world.call("restaurant_reservation_create", {"slot_id": "rslot_mill", "party": 4, "name": "Brandt"}))[
        "id"
    ]
    refused(world, "restaurant_reservation_update", {"reservation_id": id, "party": 6}, "party", "at most 4")
    done(world.call("restaurant_reservation_update", {"reservation_id": id, "party": 3}))
    assert record(world, id)["party"] == 3
    assert record(world, id)["restaurant"] == "The Old Mill"


def test_a_room(world: World) -> None:
    id = done(world.call("room_booking_create", {"slot_id": "rmslot_north", "purpose": "tape"}))["id"]
    assert record(world, id)["room"] == "B"
    done(world.call("room_booking_update", {"booking_id": id, "purpose": "second tape"}))
    hits = done(world.call("room_booking_search", {"query": "second north"}))["hits"]
    assert [(hit["id"], hit["kind"]) for hit in hits] == [(id, "booking")]


# Travel and culture


def test_a_hotel(world: World) -> None:
    book = {"hotel_id": "hot_quay", "start": "2026-03-20", "end": "2026-03-22"}
    assert done(world.call("hotel_book", book)) == {"id": "hotel_booking_new_0001", "total": 181}
    refused(world, "hotel_book", book | {"end": "2026-03-20"}, "end", "later than the arrival")
    refused(world, "hotel_book", book | {"start": "2026-03-01"}, "start", "before today")
    done(world.call("hotel_booking_update", {"booking_id": "hotel_booking_new_0001", "end": "2026-03-23"}))
    refused(
        world,
        "hotel_booking_update",
        {"booking_id": "hotel_booking_new_0001", "end": "2026-03-20"},
        "end",
        "later than",
    )
    done(world.call("hotel_booking_update", {"booking_id": "hotel_booking_new_0001", "status": "cancelled"}))
    refused(
        world,
        "hotel_booking_update",
        {"booking_id": "hotel_booking_new_0001", "end": "2026-03-25"},
        "booking_id",
        "cancel",
    )


def test_the_last_seat_of_a_flight(world: World) -> None:
    book = {"flight_id": "fl_dawn", "passenger": "Ada Brandt"}
    assert done(world.call("flight_book", book))["price"] == 120
    refused(world, "flight_book", book, "flight_id", "no seat")
    world.now = "2026-03-20T06:00"
    refused(world, "flight_book", book, "flight_id", "departed")


def test_tickets(world: World) -> None:
    assert done(world.call("cinema_ticket_purchase", {"showtime_id": "show_sea", "seats": 4}))["total"] == 38
    refused(world, "cinema_ticket_purchase", {"showtime_id": "show_sea", "seats": 2}, "seats", "only 1")
    visit = {"exhibition_id": "exh_glass", "date": "2026-03-07", "quantity": 2}
    assert done(world.call("exhibition_ticket_purchase", visit))["total"] == 16
    refused(world, "exhibition_ticket_purchase", visit | {"date": "2026-04-07"}, "date", "open from")
    refused(world, "exhibition_ticket_purchase", visit | {"date": "2026-03-03"}, "date", "before today")
    world.now = "2026-03-06T20:00"
    refused(world, "cinema_ticket_purchase", {"showtime_id": "show_sea"}, "showtime_id", "started")


def test_a_transcoding_job(world: World) -> None:
    job = {"service_id": "svc_reel", "source": "media/reel v3.mov", "target_format": "prores"}
    assert done(world.call("media_transcode_job_create", job)) == {"id": "transcode_job_new_0001", "price": 15}
    assert record(world, "transcode_job_new_0001")["target_format"] == "ProRes"
    refused(world, "media_transcode_job_create", job | {"target_format": "wav"}, "target_format", "ProRes, MP4")
    refused(world, "media_transcode_job_create", job | {"source": "../x.mov"}, "source", "dot")


# The log


def test_every_change_is_traced_to_its_call(world: World) -> None:
    done(world.call("shopping_order_create", '{"product_id": "pr_bulb", "quantity": 10}'))
    entry = world.log[-1]
    assert (entry.tool, entry.ok, entry.error) == ("shopping_order_create", True, None)
    assert entry.arguments == {"product_id": "pr_bulb", "quantity": 10}
    stock, order = entry.changes
    assert (stock.collection, stock.id) == ("products", "pr_bulb")
    assert stock.before is not None
    assert stock.after is not None
    assert (stock.before["stock"], stock.after["stock"]) == (100, 90)
    assert (order.collection, order.id, order.before) == ("orders", "order_new_0001", None)
    assert order.after is not None
    assert order.after["enters"] == "2026-03-04T09:00"
    order.after["total"] = 0
    assert record(world, "order_new_0001")["total"] == 20


def test_a_deleted_document_stays_in_the_log(world: World) -> None:
    done(world.call("document_delete", {"path": "doc_rules"}))
    (change,) = world.log[-1].changes
    assert change.after is None
    assert change.before is not None
    assert change.before["sections"][1]["from"] == "2026-03-10T08:00"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ('{"contact_id": 1, "contact_id": 2}', '{"contact_id": 1, "contact_id": 2}'),
        ({"contact_id": 3}, {"contact_id": 3}),
        ({"contact_id": {1, 2}}, "<dict that is no JSON>"),
        ({"contact_id": float("nan")}, "<dict that is no JSON>"),
        (None, "null"),
    ],
)
def test_arguments_that_cannot_be_read_are_logged_as_given(world: World, given: Any, kept: Any) -> None:
    assert not world.call("contact_read", given).ok
    assert world.log[-1].arguments == kept
