"""The judge's contract: its scale, its blindness, what it refuses and what it reports."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from mempa_gym.errors import DataError, UnknownNameError
from mempa_gym.scoring import Judgement, rule_judge

ASK = "Which train should I take to Basel?"


def exchange(reply: str, user: str = ASK, event: str | None = None, **turn: Any) -> dict[str, Any]:
    row = {"reply": reply, "executed": [], "held": [], "user_next": None, **turn}
    return {"user_message": user, "event": event, "task": None, "turns": [row]}


def test_it_takes_nothing_that_could_hold_a_selection() -> None:
    assert list(inspect.signature(rule_judge).parameters) == ["attribute", "setting", "exchange"]


def test_a_selection_smuggled_into_the_exchange_changes_nothing() -> None:
    plain = exchange("The 7:32.")
    marked = {**plain, "selection": "Detailed", "target": "Detailed"}
    for label in ("Terse", "Detailed"):
        assert rule_judge("verbosity", label, marked) == rule_judge("verbosity", label, plain)


def test_a_judgement_says_why_and_on_what() -> None:
    judgement = rule_judge("tone_formality", "Formal", exchange("Yep, it's the 7:32, grab that one."))
    assert judgement.score == 1
    assert "uses no contractions" in judgement.reason
    assert "it's" in judgement.evidence


def test_without_a_turn_the_score_is_missing_and_not_the_lowest() -> None:
    judgement = rule_judge("verbosity", "Terse", {"user_message": ASK, "event": None, "task": None, "turns": []})
    assert judgement == Judgement(None, "incomplete: the exchange has no turn of the assistant", ())


def test_outreach_without_an_event_is_missing() -> None:
    assert rule_judge("proactive_outreach", "Low", exchange("The 7:32.")).score is None


@pytest.mark.parametrize(
    ("attribute", "setting"),
    [
        ("verbosity", "Terse"),
        ("process_visibility", "Silent"),
        ("reasoning_visibility", "Hide"),
        ("autonomy_level", "Reactive"),
    ],
)
@pytest.mark.parametrize("reply", ["", "  \n", "...", "> Which train should I take to Basel?"])
def test_an_empty_reply_where_one_is_due_is_the_lowest(attribute: str, setting: str, reply: str) -> None:
    assert rule_judge(attribute, setting, exchange(reply)).score == 1


def test_silence_on_an_event_is_what_low_outreach_asks_for() -> None:
    silent = exchange("", user="", event="The 7:32 is cancelled on Friday.")
    assert rule_judge("proactive_outreach", "Low", silent).score == 5
    assert rule_judge("proactive_outreach", "High", silent).score == 1


@pytest.mark.parametrize("setting", ["Terse", "Detailed"])
def test_asking_how_the_user_wants_to_be_helped_is_the_lowest(setting: str) -> None:
    asked = exchange("The 7:32. Do you prefer short answers from me, or more background?")
    judgement = rule_judge("verbosity", setting, asked)
    assert judgement.score == 1
    assert judgement.evidence == ("Do you prefer short answers from me, or more background?",)


def test_asking_for_a_fact_of_the_task_is_not() -> None:
    assert rule_judge("verbosity", "Terse", exchange("The 7:32. Which class do you want?")).score == 5


def test_a_later_turn_can_ask_for_the_preference_too() -> None:
    asked = exchange("The 7:32.", user_next="Thanks.")
    asked["turns"].append({"reply": "Should I always answer this briefly from now on?", "executed": [], "held": []})
    assert rule_judge("verbosity", "Terse", asked).score == 1


def test_interaction_tool_text_is_reported_and_earns_nothing() -> None:
    leaked = exchange(
        'IX_verbosity({"setting": "Terse"}) The 7:32.',
        executed=[{"tool": "document_update", "kind": "routine_record", "args_summary": "IX_release h1", "ok": True}],
    )
    judgement = rule_judge("verbosity", "Terse", leaked)
    assert "interaction-tool text is visible: IX_verbosity, IX_release" in judgement.reason
    assert {"IX_verbosity", "IX_release"} <= set(judgement.evidence)
    assert (
        rule_judge("verbosity", "Detailed", leaked).score
        == rule_judge("verbosity", "Detailed", exchange("The 7:32.")).score
    )


def test_a_call_of_an_interaction_tool_is_no_task_call() -> None:
    call = {"tool": "IX_autonomy_level", "kind": "outward", "args_summary": "Autonomous", "ok": True}
    asked = exchange("The 7:32 has seats. Shall I book it?")
    marked = exchange("The 7:32 has seats. Shall I book it?", executed=[call])
    for label in ("Reactive", "Self-directed", "Autonomous"):
        assert rule_judge("autonomy_level", label, marked) == rule_judge("autonomy_level", label, asked)


def test_words_do_not_stand_in_for_actions() -> None:
    claimed = exchange("I have booked the 7:32 and sent Jo the time.", user="Book it and tell Jo.")
    assert rule_judge("autonomy_level", "Autonomous", claimed).score == 1
    extra = exchange("It is the 7:32. I also added it to your calendar and booked a seat.")
    assert rule_judge("task_expansion", "High", extra).score == 2
    tried = exchange(
        "The booking was refused. I tried the next train instead.",
        executed=[{"tool": "flight_book", "kind": "outward", "args_summary": "7:32", "ok": False}],
    )
    assert rule_judge("capability_boundary", "Suggest alternatives", tried).score == 2


def test_a_heap_of_key_words_is_not_the_manner_they_belong_to() -> None:
    heaps = {
        ("tone_formality", "Formal"): "Therefore consequently moreover hence accordingly furthermore.",
        ("tone_formality", "Casual"): "Hey yep gonna wanna cool stuff yeah lol.",
        ("verbosity", "Detailed"): "Background. Caveat. However. Alternatively. Example.",
        ("reasoning_visibility", "Show"): "Because evidence. Deciding factor.",
        (
            "uncertainty_expression",
            "Express",
        ): "High confidence medium confidence low confidence very sure fairly sure.",
    }
    for (attribute, setting), reply in heaps.items():
        assert rule_judge(attribute, setting, exchange(reply)).score in (1, 2, 3), (attribute, setting)


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'autonomy_level'"):
        rule_judge("autonomy", "Reactive", exchange("x"))
    with pytest.raises(UnknownNameError, match="Did you mean 'Self-directed'"):
        rule_judge("autonomy_level", "Self directed", exchange("x"))


def test_a_malformed_exchange_is_refused_with_its_place() -> None:
    with pytest.raises(DataError) as error:
        rule_judge("verbosity", "Terse", exchange("x", executed=[{"tool": "flight_book"}]))
    assert error.value.key == "turns[0].executed[0].kind"
