from __future__ import annotations

import json
from typing import Any

import pytest

from mempa_gym.memory import ConsolidationFailure, ConsolidationResult, answer_schema, checked_result, parse_answer
from mempa_gym.memory.answers import HISTORY_FIELD, LONGEST_TEXT, MEMORY_FIELD, REASON_FIELD

OLD = "# Notes\n" + "- something worth knowing\n" * 20


def answer(memory: object = OLD, history: object = "What happened.", **more: object) -> dict[str, object]:
    return {HISTORY_FIELD: history, MEMORY_FIELD: memory, **more}


def kind(outcome: object) -> str:
    return outcome.kind if isinstance(outcome, ConsolidationFailure) else "ok"


def test_a_sound_answer_is_taken_as_it_is() -> None:
    expected = ConsolidationResult("What happened.", OLD + "- more")
    assert parse_answer(answer(OLD + "- more"), "tool_calls", OLD) == expected
    assert parse_answer(json.dumps(answer(OLD + "- more")), None, OLD) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1}, "not text"),
        (["a"], "not text"),
        (3.5, "not text"),
        (True, "not text"),
        (None, "not text"),
        ("", "empty"),
        (" \n ", "empty"),
        ("x" * 2_000_000, "too long"),
        ("x" * (LONGEST_TEXT + 1), "too long"),
        ("- short", "shrunk"),
    ],
)
def test_a_memory_of_the_wrong_kind_is_a_failure(value: object, expected: str) -> None:
    assert kind(parse_answer(answer(value), "tool_calls", OLD)) == expected
    assert kind(parse_answer(json.dumps(answer(value)), "stop", OLD)) == expected


@pytest.mark.parametrize("value", [{"a": 1}, [], 7, None, "", "\n"])
def test_a_history_entry_must_be_text_that_says_something(value: object) -> None:
    assert kind(parse_answer(answer(history=value), "stop", OLD)) in ("not text", "empty")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, "no answer"),
        ("", "no answer"),
        ("I would say {nothing}", "not an object"),
        ('{"history_entry": "x", "memory_up', "not an object"),
        ("[" * 100_000, "not an object"),
        ("[]", "not an object"),
        ([answer()], "not an object"),
        (7, "not an object"),
        ("null", "not an object"),
        ("{}", "not text"),
        ({"history": "x", "memory": OLD}, "not text"),
        (" " * (4 * LONGEST_TEXT + 1), "too long"),
    ],
)
def test_an_answer_of_another_form_is_a_failure(raw: object, expected: str) -> None:
    assert kind(parse_answer(raw, "stop", OLD)) == expected


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_was_cut_off_is_never_used(reason: str) -> None:
    assert kind(parse_answer(answer(OLD + "- more"), reason, OLD)) == "cut off"
    assert kind(parse_answer(answer("- short", **{REASON_FIELD: "tidied"}), reason, OLD)) == "cut off"


def test_a_much_shorter_memory_needs_a_reason() -> None:
    assert kind(parse_answer(answer("- short"), "stop", OLD)) == "shrunk"
    assert kind(parse_answer(answer("- short", **{REASON_FIELD: " "}), "stop", OLD)) == "shrunk"
    assert kind(parse_answer(answer("- short", **{REASON_FIELD: 3}), "stop", OLD)) == "not text"
    assert kind(parse_answer(answer("- short", **{REASON_FIELD: "all settled"}), "stop", OLD)) == "ok"
    assert kind(parse_answer(answer(OLD[: len(OLD) // 4]), "stop", OLD)) == "ok"


def test_even_a_reason_does_not_erase_a_memory() -> None:
    assert kind(parse_answer(answer("", **{REASON_FIELD: "nothing left"}), "stop", OLD)) == "empty"
    assert kind(parse_answer(answer(""), "stop", "")) == "ok"


@pytest.mark.parametrize("result", [None, "text", {}, answer(), ["a"], 0])
def test_a_consolidator_must_return_one_of_two_kinds(result: object) -> None:
    assert kind(checked_result(result, OLD)) == "not an object"


def test_a_result_is_checked_like_an_answer() -> None:
    failure = ConsolidationFailure("error", "no network")
    bad: Any = ConsolidationResult("x", 3)  # type: ignore[arg-type]
    assert checked_result(failure, OLD) is failure
    assert kind(checked_result(bad, OLD)) == "not text"
    assert kind(checked_result(ConsolidationResult("x", "y"), OLD)) == "shrunk"
    assert kind(checked_result(ConsolidationResult(" ", OLD), OLD)) == "empty"


def test_text_that_cannot_be_written_is_repaired() -> None:
    outcome = parse_answer(answer("caf\ud800é", history="a\udfffb"), "stop", "")
    assert outcome == ConsolidationResult("a?b", "caf?é")


def test_schema_and_parser_speak_of_the_same_fields() -> None:
    schema = answer_schema()
    assert set(schema["properties"]) == {HISTORY_FIELD, MEMORY_FIELD, REASON_FIELD}
    assert schema["required"] == [HISTORY_FIELD, MEMORY_FIELD]
    for field in schema["required"]:
        whole = answer(OLD)
        del whole[field]
        assert kind(parse_answer(whole, "stop", OLD)) == "not text"
