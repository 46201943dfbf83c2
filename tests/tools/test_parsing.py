"""Arguments are read strictly; each refusal names the field."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.errors import ArgumentError
from mempa_gym.tools import spec, specs


def refused(tool: str, arguments: Any) -> ArgumentError:
    with pytest.raises(ArgumentError) as caught:
        spec(tool).parse(arguments)
    return caught.value


def test_defaults_are_filled_in_and_left_out_ones_absent() -> None:
    parsed = spec("shopping_order_create").parse({"product_id": "pr_x", "address_id": None})
    assert parsed == {"product_id": "pr_x", "quantity": 1}


def test_text_and_object_mean_the_same() -> None:
    arguments = {"to": ["con_a"], "subject": "Zoë", "body": " two  blanks kept \n"}
    assert spec("email_draft_create").parse(json.dumps(arguments)) == arguments
    assert spec("email_draft_create").parse(arguments) == arguments


def test_parsed_arguments_share_nothing_with_the_given_ones() -> None:
    given_list = ["con_a"]
    parsed = spec("email_draft_create").parse({"to": given_list, "subject": "s", "body": "b"})
    given_list.append("con_b")
    assert parsed["to"] == ["con_a"]


def test_a_frozen_plans_tuples_are_lists() -> None:
    assert spec("email_draft_create").parse({"to": ("con_a",), "subject": "s", "body": "b"})["to"] == ["con_a"]


@pytest.mark.parametrize(
    ("tool", "arguments", "field", "reason"),
    [
        ("contact_read", {"contact": "con_a"}, "contact", "no such argument"),
        ("contact_read", {}, "contact_id", "required"),
        ("contact_read", {"contact_id": " con_a"}, "contact_id", "spaces"),
        ("contact_read", {"contact_id": "con_a\n"}, "contact_id", "spaces"),
        ("contact_read", {"contact_id": "con\x00a"}, "contact_id", "control"),
        ("contact_read", {"contact_id": ""}, "contact_id", "at least 1"),
        ("contact_read", {"contact_id": 7}, "contact_id", "string"),
        ("shopping_order_create", {"product_id": "p", "quantity": "2"}, "quantity", "integer"),
        ("shopping_order_create", {"product_id": "p", "quantity": 2.0}, "quantity", "integer"),
        ("shopping_order_create", {"product_id": "p", "quantity": True}, "quantity", "integer"),
        ("shopping_order_create", {"product_id": "p", "quantity": 0}, "quantity", "greater than or equal to 1"),
        ("bill_payment_create", {"bill_id": "b", "method_id": "m", "amount": "5"}, "amount", "JSON number"),
        ("bill_payment_create", {"bill_id": "b", "method_id": "m", "amount": math.nan}, "amount", "JSON number"),
        ("bill_payment_create", {"bill_id": "b", "method_id": "m", "amount": math.inf}, "amount", "JSON number"),
        ("bill_payment_create", {"bill_id": "b", "method_id": "m", "amount": True}, "amount", "JSON number"),
        ("calendar_event_search", {"date": "2026-02-30"}, "date", "YYYY-MM-DD"),
        ("calendar_event_search", {"date": "2026-2-3"}, "date", "YYYY-MM-DD"),
        ("calendar_event_search", {"date": "03.02.2026"}, "date", "YYYY-MM-DD"),
        ("calendar_event_search", {"date": "２０２６-02-03"}, "date", "YYYY-MM-DD"),
        ("email_message_search", {"folder": "trash"}, "folder", "expected 'inbox'"),
        ("message_send", {"to": "con_a", "text": " \n"}, "text", "blanks"),
        ("email_draft_create", {"to": "con_a", "subject": "s", "body": "b"}, "to", "list"),
        ("email_draft_create", {"to": [], "subject": "s", "body": "b"}, "to", "at least 1"),
        ("email_draft_create", {"to": [3], "subject": "s", "body": "b"}, "to.0", "string"),
        ("email_message_send", {"to": ["con_a"], "draft_id": "d"}, "arguments", "either"),
        ("email_message_send", {}, "arguments", "either"),
    ],
)
def test_refusals_name_the_field_and_why(tool: str, arguments: Any, field: str, reason: str) -> None:
    error = refused(tool, arguments)
    assert error.field == field
    assert reason in str(error)


@pytest.mark.parametrize(
    "time", ["2026-03-04 09:00", "2026-03-04T24:00", "2026-03-04T09:00:00", "2026-02-29T09:00", "9:00"]
)
def test_times_have_one_form(time: str) -> None:
    error = refused("calendar_event_create", {"title": "t", "start": time, "end": "2026-03-04T10:00"})
    assert error.field == "start"
    assert "YYYY-MM-DDTHH:MM" in str(error)


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        ('{"contact_id": "a", "contact_id": "a"}', "contact_id", "twice"),
        ('{"contact_id": "\\ud800"}', "contact_id", "surrogate"),
        ('{"\\udfff": "a"}', "\\udfff", "surrogate"),
        ('{"contact_id": NaN}', "arguments", "not a JSON number"),
        ('{"contact_id": -Infinity}', "arguments", "not a JSON number"),
        ('{"contact_id": "a"', "arguments", "not a JSON object"),
        ('{"contact_id": "a"} x', "arguments", "not a JSON object"),
        ("{'contact_id': 'a'}", "arguments", "not a JSON object"),
        ("", "arguments", "not a JSON object"),
        ("null", "arguments", "expected a JSON object"),
        ('["con_a"]', "arguments", "expected a JSON object"),
        ('{"contact_id": ' + "9" * 5000 + "}", "arguments", "not a JSON object"),
        ("[" * 100_000, "arguments", "nested too deeply"),
        ('{"contact_id":' * 500 + "1" + "}" * 500, "contact_id", "string"),
    ],
)
def test_json_edge_cases(text: str, field: str, reason: str) -> None:
    error = refused("contact_read", text)
    assert error.field == field
    assert reason in str(error)


def test_a_nested_duplicate_key_is_refused_too() -> None:
    assert refused("email_draft_create", '{"to": [{"a": 1, "a": 2}], "subject": "s", "body": "b"}').field == "a"


def test_surrogates_inside_lists_are_refused() -> None:
    assert refused("email_draft_create", {"to": ["\ud83d"], "subject": "s", "body": "b"}).field == "to"


def test_a_whole_surrogate_pair_is_a_character() -> None:
    parsed = spec("message_send").parse('{"to": "con_a", "text": "\\ud83d\\ude00"}')
    assert parsed["text"] == "\U0001f600"


def test_a_deep_python_value_is_refused_without_blowing_up() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert refused("contact_read", {"contact_id": deep}).field == "contact_id"


@pytest.mark.parametrize("arguments", [None, 3, [("contact_id", "a")], b"{}"])
def test_other_types_are_refused(arguments: Any) -> None:
    assert refused("contact_read", arguments).field == "arguments"


@pytest.mark.parametrize(
    "path",
    [
        "../secrets.md",
        "drafts/../../x",
        "/etc/hosts",
        "drafts//x",
        "drafts/",
        "drafts\\x",
        "..\\x",
        "%2e%2e/x",
        "drafts/%2e%2e/x",
        "drafts./x",
        "drafts/x.",
        "drafts/x ",
        " drafts/x",
        ".hidden/x",
        "./x",
        "C:/x",
        "~/x",
        "file:x",
        "．．/x",
        "drafts／x",
        "drafts/x\x00.md",
        "drafts/x\n",
        "",
    ],
)
@pytest.mark.parametrize("tool", ["document_read", "document_create", "document_update", "document_delete"])
def test_paths_are_confined(tool: str, path: str) -> None:
    others: dict[str, dict[str, str]] = {
        "document_create": {"title": "t", "text": "x"},
        "document_update": {"heading": "h", "text": "x"},
    }
    assert refused(tool, {"path": path} | others.get(tool, {})).field == "path"


@pytest.mark.parametrize("path", ["notes.md", "a/b c/d_e-f.v2.md", "café/plan.md", "doc_swap_rules"])
def test_ordinary_paths_pass(path: str) -> None:
    assert spec("document_read").parse({"path": path}) == {"path": path}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(
    tool=st.sampled_from(list(specs())),
    data=st.data(),
)
def test_parsing_either_refuses_or_gives_plain_declared_values(tool: str, data: st.DataObject) -> None:
    declared = list(spec(tool).arguments.model_fields)
    names = st.sampled_from(declared) | st.text(max_size=5)
    arguments = data.draw(st.dictionaries(names, _JSON, max_size=4))
    try:
        parsed = spec(tool).parse(arguments)
    except ArgumentError:
        return
    assert set(parsed) <= set(declared)
    assert None not in parsed.values()
    assert spec(tool).parse(json.dumps(parsed)) == parsed


@given(st.text())
def test_a_text_is_an_object_or_refused(text: str) -> None:
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if isinstance(given, dict) and set(given) <= {"query"}:
        return
    with pytest.raises(ArgumentError):
        spec("contact_search").parse(text)
