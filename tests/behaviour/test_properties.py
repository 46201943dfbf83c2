"""What holds for any reply: no crash, the same answer twice, and no weight on the user's own words."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym import taxonomy
from mempa_gym.behaviour import asks_preference, observe
from mempa_gym.behaviour.exchange import KINDS
from mempa_gym.scoring.judge import rule_judge
from tests.behaviour.cases import exchange_of, load_cases

ATTRIBUTES = taxonomy.attribute_ids()
FILES = ("cases_expression.yaml", "cases_disclosure.yaml", "cases_initiative.yaml", "cases_flow.yaml")
CASES = [case for name in FILES for case in load_cases(name)]
SPOKEN = [case for case in CASES if (case.get("turns") or [case])[0].get("reply", "").strip()]

PIECES = (
    "I'll check.", "- item one", "**Bold:** x", "> quote", "because", '"you said so"', "1) Which day?", "80% sure",
    "(the word for it)", "Shall I send it?", "Dear Ana,", "Kind regards", "", "```", "# Head", "Either a or b.",
    "Casual:", ":", "Still waiting: a, b.", "Done.", "| a | b |", "'quoted'", "...", "7 p.m.", "e.g.",
    "sorry to hear that", "n't", "IX_verbosity()",
)  # fmt: skip
TEXT = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=12).map("\n".join))
CALLS = st.lists(
    st.builds(
        lambda tool, kind, ok: {"tool": tool, "kind": kind, "args_summary": "x", "ok": ok},
        st.sampled_from(["message_send", "flight_search", "document_update", "odd", ""]),
        st.sampled_from(KINDS),
        st.booleans(),
    ),
    max_size=4,
)
EXCHANGES = st.builds(
    lambda user, event, turns: {"user_message": user, "event": event, "task": None, "turns": turns},
    TEXT,
    st.none() | TEXT,
    st.lists(
        st.builds(
            lambda reply, calls, held, said: {"reply": reply, "executed": calls, "held": held, "user_next": said},
            TEXT,
            CALLS,
            st.lists(TEXT, max_size=2),
            st.none() | TEXT,
        ),
        max_size=3,
    ),
)


@settings(max_examples=60)
@given(exchange=EXCHANGES)
def test_any_exchange_is_read_and_judged_without_a_crash_and_alike_each_time(exchange: dict[str, Any]) -> None:
    kept = copy.deepcopy(exchange)
    for attribute in ATTRIBUTES:
        labels = taxonomy.attribute(attribute).labels
        shown = observe(attribute, exchange)
        assert shown.setting is None or shown.setting in labels
        assert tuple(shown.scores) == labels
        assert all(0 <= score <= 1 for score in shown.scores.values())
        for label in labels:
            judgement = rule_judge(attribute, label, exchange)
            assert judgement.score is None or judgement.score in range(1, 6)
            assert judgement.reason
            assert judgement == rule_judge(attribute, label, copy.deepcopy(exchange))
    assert exchange == kept


@given(reply=TEXT)
def test_asking_for_the_preference_is_decided_for_any_text(reply: str) -> None:
    span = asks_preference(reply)
    assert span is None or span


QUOTATIONS = ("> {}", 'You wrote: "{}"', "You said: “{}”", 'Your message was "{}"')
USER = (
    "I'm so stressed, because the evidence says therefore I'd rather have options: first this, then that, dear Sir. "
    "Shall I send it now? It might probably be high confidence, alternatively not."
)


@pytest.mark.parametrize("case", SPOKEN, ids=lambda case: str(case["id"]))
def test_quoting_the_user_changes_no_verdict(case: dict[str, Any]) -> None:
    plain = exchange_of(case)
    plain["user_message"] = f"{plain['user_message']} {USER}"
    quoted = copy.deepcopy(plain)
    reply = quoted["turns"][0]["reply"]
    form = QUOTATIONS[len(case["id"]) % len(QUOTATIONS)]
    quoted["turns"][0]["reply"] = f"{form.format(USER)}\n\n{reply}\n\n{form.format(USER)}"
    attribute = case["attribute"]
    assert observe(attribute, quoted) == observe(attribute, plain)
    for label in taxonomy.attribute(attribute).labels:
        assert rule_judge(attribute, label, quoted) == rule_judge(attribute, label, plain)


@pytest.mark.parametrize("case", SPOKEN, ids=lambda case: str(case["id"]))
def test_naming_a_setting_in_the_reply_earns_nothing(case: dict[str, Any]) -> None:
    attribute = taxonomy.attribute(case["attribute"])
    plain = exchange_of(case)
    for label in attribute.labels:
        named = copy.deepcopy(plain)
        named["turns"][0]["reply"] = f"{label}: {plain['turns'][0]['reply']}"
        before, after = rule_judge(attribute.id, label, plain), rule_judge(attribute.id, label, named)
        assert after.score is None or before.score is None or after.score <= before.score, (label, before, after)
