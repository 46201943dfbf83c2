from __future__ import annotations

import json
from typing import Any

import pytest

from mempa_gym.errors import ArgumentError, UnknownNameError
from mempa_gym.interaction import tools
from mempa_gym.interaction.payloads import QuestionsPayload, Statement
from mempa_gym.interaction.rules import RULES
from mempa_gym.taxonomy import attribute, attribute_ids, attributes

GOOD: dict[str, dict[str, Any]] = {
    "reasoning_visibility": {"rationale": "The record says so."},
    "uncertainty_expression": {"statements": [{"claim": "It rains.", "confidence": "low"}]},
    "process_visibility": {"opening": "A.", "notices": ["B."], "closing": "C."},
    "autonomy_level": {"confirm": "Shall I send it?"},
    "proactive_outreach": {"decision": "send", "text": "The train is off."},
    "capability_boundary": {"limit": "It is sold out.", "next_step": None},
    "information_elicitation": {"questions": ["When?"]},
    "topic_management": {"topics": [{"label": "Rent", "text": "Due Friday."}]},
}


def test_the_table_of_rules_is_the_taxonomy() -> None:
    assert tuple(RULES) == attribute_ids()
    for entry in attributes():
        rule = RULES[entry.id]
        assert rule.attribute == entry.id
        if rule.by_setting:
            assert set(rule.by_setting) == set(entry.labels)
        assert (rule.payload is None) == (entry.mechanisms == ("pass-through",))
        assert rule.controls == ("execution control" in entry.mechanisms)
    assert set(GOOD) == {name for name, rule in RULES.items() if rule.payload is not None}


@pytest.mark.parametrize("name", attribute_ids())
def test_a_selection_is_read_from_an_object_and_from_text(name: str) -> None:
    label = attribute(name).labels[-1]
    assert tools.parse_call(name, {"setting": label})[0] == label
    assert tools.parse_call(name, json.dumps({"setting": label}))[0] == label
    assert tools.attribute_of(tools.tool_name(name)) == name


@pytest.mark.parametrize("name", sorted(GOOD))
def test_a_payload_is_read_from_an_object_and_from_text(name: str) -> None:
    model = RULES[name].payload
    assert model is not None
    from_object, given = tools.parse_call(name, {"payload": GOOD[name]})
    from_text, _ = tools.parse_call(name, json.dumps({"payload": GOOD[name]}))
    assert isinstance(from_object, model)
    assert from_object == from_text
    assert json.loads(json.dumps(given)) == {"payload": json.loads(json.dumps(GOOD[name]))}
    assert tools.parse_call(name, json.dumps({"payload": GOOD[name]}))[1] == given


@pytest.mark.parametrize("name", sorted(GOOD))
def test_an_undeclared_field_is_refused_by_name(name: str) -> None:
    with pytest.raises(ArgumentError, match="surprise"):
        tools.parse_call(name, {"payload": {**GOOD[name], "surprise": "x"}})


@pytest.mark.parametrize("name", sorted(GOOD))
@pytest.mark.parametrize("other", sorted(GOOD))
def test_the_payload_of_another_attribute_is_refused_and_named(name: str, other: str) -> None:
    if name == other:
        return
    with pytest.raises(ArgumentError, match=f"IX_{other}"):
        tools.parse_call(name, {"payload": GOOD[other]})


@pytest.mark.parametrize("name", sorted(set(attribute_ids()) - set(GOOD)))
def test_pass_through_attributes_take_no_payload(name: str) -> None:
    with pytest.raises(ArgumentError, match="takes no payload"):
        tools.parse_call(name, {"payload": {}})


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ('{"setting": "Show"', "not a JSON object"),
        ("Show", "not a JSON object"),
        ('["Show"]', "expected an object"),
        ('{"setting": "Show", "setting": "Hide"}', "given twice"),
        ('{"payload": {"rationale": "a", "rationale": "b"}}', "given twice"),
        ('{"payload": {"rationale": "\\ud800"}}', "surrogate"),
        ({"payload": {"rationale": "\ud800"}}, "surrogate"),
        ({"\ud800": 1}, "surrogate"),
        ('{"payload": {"rationale": NaN}}', "not a JSON number"),
        ({"payload": {"rationale": float("inf")}}, "not a JSON number"),
        ({"payload": {"rationale": 5}}, "payload.rationale"),
        ({"payload": {"rationale": None}}, "payload.rationale"),
        ({"payload": {}}, "required"),
        ({"payload": "because"}, "payload"),
        ({"payload": None}, "payload"),
        ({"setting": 3}, "label of a setting"),
        ({"setting": None}, "label of a setting"),
        ({}, "either setting"),
        ({"rationale": "a"}, "either setting"),
        ({"setting": "Show", "payload": {"rationale": "a"}}, "either setting"),
        ({"payload": {"rationale": {1, 2}}}, "not a JSON value"),
        ({"payload": {1: "a"}}, "names in an object"),
        ("[" * 100_000, "nested too deeply|not a JSON object"),
        ({"payload": {"rationale": [[[[[[[[[["a"]]]]]]]]]]}}, "nested too deeply"),
    ],
)
def test_a_malformed_call_names_what_is_wrong(arguments: Any, match: str) -> None:
    with pytest.raises(ArgumentError, match=match):
        tools.parse_call("reasoning_visibility", arguments)


@pytest.mark.parametrize("wrong", ["Showw", "show", " Show", ""])
def test_an_unknown_label_is_refused_with_the_valid_ones(wrong: str) -> None:
    with pytest.raises(UnknownNameError, match="'Show', 'Hide'"):
        tools.parse_call("reasoning_visibility", {"setting": wrong})
    with pytest.raises(UnknownNameError, match="Did you mean 'Show'"):
        tools.parse_call("reasoning_visibility", {"setting": "Showw"})


@pytest.mark.parametrize("wrong", ["IX_autonomy", "ix_autonomy_level", "IX_Autonomy_Level", "autonomy_level", ""])
def test_an_unknown_tool_is_refused_with_a_near_one(wrong: str) -> None:
    with pytest.raises(UnknownNameError, match="IX_autonomy_level"):
        tools.attribute_of(wrong)


def test_a_send_decision_needs_a_text() -> None:
    with pytest.raises(ArgumentError, match="needs a text"):
        tools.parse_call("proactive_outreach", {"payload": {"decision": "send"}})
    with pytest.raises(ArgumentError, match="decision"):
        tools.parse_call("proactive_outreach", {"payload": {"decision": "later"}})
    assert tools.parse_call("proactive_outreach", {"payload": {"decision": "suppress"}})


def test_what_is_parsed_keeps_nothing_of_the_caller() -> None:
    questions = ["When?"]
    payload, given = tools.parse_call("information_elicitation", {"payload": {"questions": questions}})
    questions.append("Where?")
    assert isinstance(payload, QuestionsPayload)
    assert payload.questions == ("When?",)
    assert given == {"payload": {"questions": ("When?",)}}


def test_frozen_plans_may_hold_tuples() -> None:
    payload, _ = tools.parse_call("information_elicitation", {"payload": {"questions": ("When?", "Where?")}})
    assert isinstance(payload, QuestionsPayload)
    assert payload.questions == ("When?", "Where?")


@pytest.mark.parametrize(
    "arguments", ['{"item_id": "h1"', {"item": "h1"}, {"item_id": 1}, {}, {"item_id": "h1", "x": 1}]
)
def test_a_malformed_release_is_refused(arguments: Any) -> None:
    with pytest.raises(ArgumentError):
        tools.parse_release(arguments)


@pytest.mark.parametrize("name", attribute_ids())
def test_schemas_tell_what_each_setting_looks_like(name: str) -> None:
    entry = attribute(name)
    schema = tools.tool_schema(name, "select")["function"]
    assert schema["name"] == f"IX_{name}"
    assert schema["parameters"]["properties"]["setting"]["enum"] == list(entry.labels)
    assert schema["parameters"]["required"] == ["setting"]
    assert entry.question in schema["description"]
    for setting in entry.settings:
        assert setting.label in schema["description"]
        assert setting.behaviour in schema["description"]


@pytest.mark.parametrize("name", sorted(GOOD))
def test_payload_schemas_are_whole_and_without_references(name: str) -> None:
    schema = tools.tool_schema(name, "payload")
    payload = schema["function"]["parameters"]["properties"]["payload"]
    assert set(payload["properties"]) == set(RULES[name].payload.model_fields)  # type: ignore[union-attr]
    assert payload["additionalProperties"] is False
    text = json.dumps(schema)
    assert "$ref" not in text
    assert '"title"' not in text
    assert '"null"' not in text
    both = tools.tool_schema(name)["function"]["parameters"]
    assert set(both["properties"]) == {"setting", "payload"}
    assert both["required"] == []


def test_nested_payload_schemas_keep_their_fields() -> None:
    schema = tools.tool_schema("uncertainty_expression", "payload")
    row = schema["function"]["parameters"]["properties"]["payload"]["properties"]["statements"]["items"]
    assert set(row["properties"]) == set(Statement.model_fields)
    assert row["properties"]["confidence"]["enum"] == ["high", "medium", "low"]


def test_schemas_are_the_callers_own() -> None:
    tools.tool_schema("verbosity")["function"]["name"] = "changed"
    assert tools.tool_schema("verbosity")["function"]["name"] == "IX_verbosity"


def test_a_pass_through_tool_has_no_payload_schema() -> None:
    with pytest.raises(ArgumentError, match="no payload"):
        tools.tool_schema("verbosity", "payload")
    with pytest.raises(UnknownNameError, match="phase"):
        tools.tool_schema("verbosity", "later")  # type: ignore[arg-type]


def test_the_tools_of_a_moment_are_those_that_can_be_called() -> None:
    names = [
        (row["function"]["name"], list(row["function"]["parameters"]["properties"]))
        for row in tools.interaction_schemas(["verbosity"], ["tone_formality", "autonomy_level"], held=True)
    ]
    assert names == [("IX_verbosity", ["setting"]), ("IX_autonomy_level", ["payload"]), ("IX_release", ["item_id"])]
    assert tools.interaction_schemas([], [], held=False) == []
