"""The tools as published: names, domains, kinds, order, schemas."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mempa_gym.errors import UnknownNameError
from mempa_gym.tools import ToolResult, spec, specs

# Paper 000, Table 7: tools per domain, in order.
DOMAINS = {
    "Email": 6,
    "Messages": 3,
    "Calendar": 4,
    "Documents": 6,
    "Contacts": 4,
    "Phone": 2,
    "Maps and places": 3,
    "Weather": 1,
    "Shopping": 6,
    "Shipping": 3,
    "Finance": 5,
    "Appointments": 4,
    "Restaurants": 4,
    "Room booking": 4,
    "Hotels": 4,
    "Reimbursement": 2,
    "Conference registration": 2,
    "Grade submission": 2,
    "Flights": 4,
    "Scholarly papers": 2,
    "Recipes": 1,
    "Comic store": 1,
    "Cinema": 3,
    "Exhibitions": 3,
    "Media transcoding": 3,
    "Household": 1,
}

# The undaggered writes: they change the user's own records.
OWN_WRITES = {
    "email_draft_create",
    "calendar_event_create",
    "calendar_event_update",
    "document_create",
    "document_update",
    "document_delete",
    "contact_create",
    "contact_update",
}


def test_domains_and_their_order_are_the_published_ones() -> None:
    assert Counter(tool.domain for tool in specs().values()) == DOMAINS
    assert list(dict.fromkeys(tool.domain for tool in specs().values())) == list(DOMAINS)


def test_kinds_have_the_published_counts() -> None:
    writes = [tool for tool in specs().values() if tool.kind == "write"]
    assert len(specs()) == 83
    assert len(writes) == 32
    assert sum(tool.outward for tool in writes) == 24
    assert not any(tool.outward for tool in specs().values() if tool.kind == "read")
    assert {tool.name for tool in writes if not tool.outward} == OWN_WRITES


def test_published_order_within_domains() -> None:
    names = list(specs())
    assert names[:6] == [
        "email_message_search",
        "email_message_read",
        "email_draft_read",
        "email_sent_read",
        "email_draft_create",
        "email_message_send",
    ]
    assert names[13:19] == [
        "copier_entitlement_read",
        "document_read",
        "corporate_reporting_submit",
        "document_create",
        "document_update",
        "document_delete",
    ]
    assert names[-1] == "household_inventory_search"


@pytest.mark.parametrize("name", list(specs()))
def test_schema_is_a_plain_closed_function_schema(name: str) -> None:
    schema = spec(name).schema()
    function = schema["function"]
    assert schema["type"] == "function"
    assert function["name"] == name
    assert function["description"].endswith(".")
    parameters = function["parameters"]
    assert parameters["additionalProperties"] is False
    assert set(parameters["required"]) <= set(parameters["properties"])
    for argument, node in parameters["properties"].items():
        assert node.get("description"), f"{name}.{argument} has no description"
        assert "null" not in json.dumps(node)
        assert node["type"] in {"string", "array", "integer", "number"}
        if "pattern" in node:
            form = "YYYY-MM-DDTHH:MM" if "T" in node["pattern"] else "YYYY-MM-DD"
            assert form in node["description"], f"{name}.{argument} does not state its format"


def test_a_schema_is_the_callers_own() -> None:
    spec("contact_read").schema()["function"]["parameters"]["properties"].clear()
    assert spec("contact_read").schema()["function"]["parameters"]["properties"]


def test_unknown_tool_suggests_a_name() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'calendar_event_read'"):
        spec("calendar_event_reed")


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        specs()["x"] = spec("contact_read")  # type: ignore[index]


def test_result_text() -> None:
    assert ToolResult(True, {"name": "Zoë"}).text() == '{"name": "Zoë"}'
    assert ToolResult(False, None, "Error: no").text() == "Error: no"
