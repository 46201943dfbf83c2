"""Searching and reading: what is found, in which order, and what stays hidden."""

from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.tools import ToolResult, specs
from mempa_gym.world import World
from mempa_gym.world.handlers import HANDLERS

LATE = "2026-03-10T08:00"


def ids(result: ToolResult) -> list[str]:
    assert result.ok, result.error
    return [hit["id"] for hit in result.value["hits"]]


def refusal(result: ToolResult) -> str:
    assert not result.ok
    assert result.value is None
    assert result.error is not None
    assert result.error.startswith("Error: ")
    assert result.text() == result.error
    return result.error


def test_every_available_tool_has_a_handler_and_no_other() -> None:
    assert set(HANDLERS) == {tool.name for tool in specs().values() if tool.available}


@pytest.mark.parametrize("name", [tool.name for tool in specs().values() if not tool.available])
def test_tools_without_records_say_so(world: World, name: str) -> None:
    samples: dict[str, Any] = {"number": 5, "string": "2026-03-04"}
    parameters = specs()[name].schema()["function"]["parameters"]
    arguments = {key: samples[parameters["properties"][key]["type"]] for key in parameters["required"]}
    error = refusal(world.call(name, arguments))
    assert name in error
    assert "not available" in error
    assert world.log[-1].ok is False


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("email_message_search", {"query": "garden"}, ["em_stranger", "em_sent", "em_plan"]),
        ("email_message_search", {"query": "GARD plan"}, ["em_sent", "em_plan"]),
        ("email_message_search", {"query": "arden"}, []),
        ("email_message_search", {"query": "ada brandt", "folder": "inbox"}, ["em_plan"]),
        ("email_message_search", {"query": "nil@far.example"}, ["em_stranger"]),
        ("email_message_search", {"after": "2026-02-21", "before": "2026-02-21"}, ["em_stranger"]),
        ("email_draft_read", {}, ["em_draft"]),
        ("email_sent_read", {"query": "re"}, ["em_sent"]),
        ("message_search", {"query": "ben"}, ["msg_two"]),
        ("message_search", {"query": "ohler"}, ["msg_two"]),
        ("message_search", {"contact_id": "con_ada"}, ["msg_one"]),
        ("message_search", {"query": "!?"}, []),
        ("calendar_event_search", {"query": "rehearsal"}, ["ev_soon", "ev_far", "ev_past"]),
        ("calendar_event_search", {"query": "ada"}, ["ev_soon"]),
        ("calendar_event_search", {"date": "2026-03-05"}, ["ev_soon"]),
        ("calendar_event_search", {"date": "2026-03-05", "before": "2026-03-04"}, []),
        ("document_read", {"query": "cafe"}, ["doc_list"]),
        ("document_read", {}, ["doc_list", "doc_rules"]),
        ("contact_search", {"query": "sister"}, ["con_ada"]),
        ("phone_call_read", {"contact_id": "con_ada"}, ["call_ada"]),
        ("map_route_search", {"origin": "home", "destination": "plc_mill"}, ["rt_mill"]),
        ("map_route_search", {"origin": "The Old Mill", "destination": "Home", "mode": "Walk"}, ["rt_mill"]),
        ("map_route_search", {"origin": "Home", "destination": "Studio North"}, []),
        ("place_search", {"kind": "Studio", "city": "ansel"}, ["plc_studio"]),
        ("shopping_product_search", {"max_price": 10}, ["pr_bulb"]),
        ("shopping_product_search", {"query": "lumen dimmable"}, ["pr_lamp"]),
        ("shopping_order_read", {"query": "bulb"}, ["ord_gone"]),
        ("shopping_return_case_read", {}, ["ret_open", "ret_over"]),
        ("delivery_address_read", {"query": "mill"}, ["addr_home"]),
        ("package_tracking_read", {}, ["pkg_bulb"]),
        ("utility_bill_read", {"query": "volt"}, ["bill_power"]),
        ("payment_method_read", {}, ["pm_debit"]),
        ("bill_payment_read", {}, []),
        ("appointment_search", {"provider": "dr. amari"}, ["appt_teeth", "slot_teeth", "slot_teeth_late"]),
        ("appointment_search", {"date": "2026-03-11"}, ["slot_teeth"]),
        ("restaurant_reservation_search", {"restaurant": "plc_mill", "party": 4}, ["res_mill", "rslot_mill"]),
        ("restaurant_reservation_search", {"party": 5}, ["res_mill"]),
        ("room_booking_search", {"place": "Studio North"}, ["room_north", "rmslot_north"]),
        ("room_booking_search", {"max_price": 20}, ["room_north"]),
        ("hotel_search", {"city": "Oslo", "max_price": 91}, ["hot_quay"]),
        ("hotel_booking_read", {}, []),
        ("flight_search", {"origin": "ansel", "destination": "Oslo", "date": "2026-03-20"}, ["fl_dawn"]),
        ("flight_search", {"max_price": 100}, []),
        ("recipe_search", {"query": "leek", "max_minutes": 30}, ["rec_soup"]),
        ("cinema_showtime_search", {"cinema": "gaslight"}, ["show_sea"]),
        ("exhibition_search", {"date": "2026-03-31"}, ["exh_glass"]),
        ("exhibition_search", {"date": "2026-04-01"}, []),
        ("media_transcode_service_search", {"format": "prores"}, ["svc_reel"]),
        ("media_transcode_service_search", {"format": "wav"}, []),
        ("household_inventory_search", {"place": "Pantry"}, ["hh_rice"]),
        ("weather_forecast_read", {"city": "ansel"}, ["wx_today", "wx_new"]),
    ],
)
def test_hits(world: World, tool: str, arguments: dict[str, Any], expected: list[str]) -> None:
    before = world.state_hash()
    assert ids(world.call(tool, arguments)) == expected
    assert world.state_hash() == before
    assert world.log[-1].changes == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("place_search", {"city": "Atlantis"}, "city"),
        ("weather_forecast_read", {"city": "Atlantis"}, "city"),
        ("weather_forecast_read", {"city": "Ansel", "date": "2026-07-01"}, "date"),
        ("map_route_search", {"origin": "Nowhere", "destination": "Home"}, "origin"),
        ("map_route_search", {"origin": "Home", "destination": "Nowhere"}, "destination"),
        ("map_route_search", {"origin": "Home", "destination": "The Old Mill", "mode": "camel"}, "mode"),
        ("shopping_product_search", {"store": "Nope"}, "store"),
        ("appointment_search", {"provider": "Nobody"}, "provider"),
        ("cinema_showtime_search", {"cinema": "Nope"}, "cinema"),
        ("message_search", {"contact_id": "con_none"}, "contact_id"),
        ("message_search", {"contact_id": "con_late"}, "contact_id"),
        ("contact_read", {"contact_id": "con_late"}, "contact_id"),
        ("email_message_read", {"email_id": "em_future"}, "email_id"),
        ("email_draft_read", {"email_id": "em_plan"}, "email_id"),
        ("email_sent_read", {"email_id": "em_draft"}, "email_id"),
        ("document_read", {"path": "plans/later.md"}, "path"),
        ("document_read", {"path": "rules"}, "path"),
        ("appointment_read", {"appointment_id": "res_mill"}, "appointment_id"),
    ],
)
def test_values_that_name_nothing_are_refused(world: World, tool: str, arguments: dict[str, Any], field: str) -> None:
    error = refusal(world.call(tool, arguments))
    assert f"argument {field}" in error
    assert str(arguments[field]) in error


def test_a_wrong_kind_of_id_is_explained(world: World) -> None:
    assert "one of the contacts, not of a message" in refusal(world.call("message_read", {"message_id": "con_ada"}))


def test_hidden_and_missing_records_read_the_same(world: World) -> None:
    hidden = refusal(world.call("contact_read", {"contact_id": "con_late"}))
    missing = refusal(world.call("contact_read", {"contact_id": "con_nope"}))
    assert hidden.replace("con_late", "con_nope") == missing


def test_an_unknown_name_shows_names_that_exist(world: World) -> None:
    assert "'Ansel'" in refusal(world.call("place_search", {"city": "Ansl"}))


def test_time_opens_records_at_their_minute(world: World) -> None:
    world.now = "2026-03-10T07:59"
    assert world.record("em_future") is None
    world.now = LATE
    assert world.record("em_future") is not None
    assert ids(world.call("email_message_search", {"query": "garden"}))[0] == "em_future"
    assert ids(world.call("calendar_event_search", {"query": "extra"})) == ["ev_hidden"]


def test_document_sections_open_by_time(world: World) -> None:
    early = world.call("document_read", {"path": "rules/swaps.md"}).value
    assert [section["heading"] for section in early["sections"]] == ["Who"]
    assert ids(world.call("document_read", {"query": "zebra"})) == []
    world.now = LATE
    late = world.call("document_read", {"path": "doc_rules"}).value
    assert late["sections"][1] == {"heading": "When", "text": "Before the zebra noon."}
    assert ids(world.call("document_read", {"query": "zebra"})) == ["doc_rules"]


def test_records_by_id_and_path(world: World) -> None:
    by_id, by_path = world.record("doc_rules"), world.record("rules/swaps.md")
    assert by_id is not None
    assert by_id == by_path
    assert by_id["shared_with"] == ["con_ben"]
    assert "enters" not in by_id
    assert world.record("nothing") is None
    assert world.record("event_new_0001") is None


def test_a_later_forecast_replaces_the_earlier(world: World) -> None:
    assert world.call("weather_forecast_read", {"city": "Ansel", "date": "2026-03-05"}).value["summary"] == "Dry"
    world.now = "2026-03-03T09:00"
    assert world.call("weather_forecast_read", {"city": "Ansel", "date": "2026-03-05"}).value["summary"] == "Rain"


def test_package_proof_is_read_by_its_own_tool(world: World) -> None:
    tracked = world.call("package_tracking_read", {"package_id": "pkg_bulb"}).value
    assert "proof" not in tracked
    assert tracked["history"] == ["left"]
    assert world.call("package_delivery_proof_read", {"package_id": "pkg_bulb"}).value["proof"] == "none yet"


def test_at_most_ten_hits_and_new_ones_among_them(world: World) -> None:
    for number in range(12):
        assert world.call("message_send", {"to": "con_ada", "text": f"ladder {number}"}).ok
    found = ids(world.call("message_search", {"query": "ladder"}))
    assert found == [f"message_new_{number:04d}" for number in range(12, 2, -1)]


def test_results_are_the_callers_own(world: World) -> None:
    before = world.state_hash()
    for _ in range(2):
        result = world.call("document_read", {"path": "doc_rules"})
        assert result.value["sections"][0]["text"] == "Anyone."
        assert result.value["shared_with"] == ["con_ben"]
        result.value["sections"][0]["text"] = "changed"
        result.value["shared_with"].append("x")
        hits = world.call("email_message_search", {"query": "plan"})
        assert hits.value["hits"][0]["to"] == ["con_ada"]
        hits.value["hits"][0]["to"].append("x")
        record = world.record("ev_soon")
        assert record is not None
        assert record["attendees"] == ["con_ada"]
        record["attendees"].clear()
    assert world.state_hash() == before


@pytest.mark.parametrize(
    "name",
    ["calendar_event_reed", "Calendar_Event_Read", "mcp_state_calendar_event_read", "", "x" * 500, None, 7, "\ud800"],
)
def test_unknown_tools_are_errors_on_record(world: World, name: Any) -> None:
    before = world.state_hash()
    error = refusal(world.call(name, {"event_id": "ev_soon"}))
    assert "no tool" in error
    error.encode()
    assert world.state_hash() == before
    assert (world.log[-1].ok, world.log[-1].error) == (False, error)


def test_near_tool_names_are_suggested(world: World) -> None:
    assert "Did you mean 'calendar_event_read'" in refusal(world.call("mcp_state_calendar_event_read", {}))
