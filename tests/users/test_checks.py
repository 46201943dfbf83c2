"""What a user's message may not hold, and how much ordinary English it may."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.errors import MempaGymError
from mempa_gym.reading import train_bank
from mempa_gym.taxonomy import attributes
from mempa_gym.users import check_message
from mempa_gym.users.checks import KINDS

LONG = (
    "The inspection is due on the 24th and the garage has three slots left, one on Tuesday at nine, one on Thursday at "
    "two and one on Friday at four. Bring the papers, the last report and the key. If the light is out they fix it "
    "on the spot for eighteen. I also looked at the insurance, which runs until June, and nothing changes there."
)
SHORT = "The bus leaves at 9:40."
SENT = "I've sent the message to the manager and moved your shift."
ASKED = "Which day is it, how many people are coming, and should I book the terrace?"

LEAKS = [
    # private blocks
    ("Yes. <factual_check>wrong price</factual_check>", "accumulation", SHORT, "private_block"),
    ("<message>Hello</message>", "accumulation", "", "private_block"),
    ("Good.\n[consent_decisions]: h1 yes", "accumulation", SENT, "private_block"),
    ("Okay then </turn_assessment>", "probe", SHORT, "private_block"),
    ("turn_assessment says go on", "accumulation", SHORT, "private_block"),
    # the benchmark's words
    ("That fits my target setting.", "accumulation", SHORT, "vocabulary"),
    ("As this is a benchmark, please hurry.", "accumulation", "", "vocabulary"),
    ("The probe polarity is negative.", "probe", "", "vocabulary"),
    ("I'm only the simulator here.", "accumulation", "", "vocabulary"),
    ("My script says I should be cross now.", "accumulation", SHORT, "vocabulary"),
    ("We've reached the decision point.", "accumulation", SHORT, "vocabulary"),
    ("My persona card says I'm a waitress.", "accumulation", "", "vocabulary"),
    ("Release the held item, please.", "accumulation", SENT, "vocabulary"),
    # identifiers
    ("That was b2, on to the next.", "accumulation", SHORT, "beat_id"),
    ("Beat 5 is done.", "accumulation", SHORT, "beat_id"),
    ("Compare that with acc_031.", "accumulation", SHORT, "beat_id"),
    ("Call IX_release for it.", "accumulation", SENT, "interaction_tool"),
    # names of attributes
    ("It's a question of uncertainty expression.", "accumulation", SHORT, "attribute_name"),
    ("Less proactive outreach, please.", "accumulation", SENT, "attribute_name"),
    ("Your tone and formality are off.", "accumulation", SHORT, "attribute_name"),
    ("I want less verbosity.", "accumulation", LONG, "attribute_name"),
    ("Check my autonomy_level.", "accumulation", SHORT, "attribute_name"),
    # labels of settings
    ("Give me Full narration from here.", "accumulation", SHORT, "setting_label"),
    ("Be Self-directed with these.", "accumulation", SENT, "setting_label"),
    ("Go one-at-a-time, will you.", "accumulation", LONG, "setting_label"),
    ("I'd like you to be more consultative.", "accumulation", SHORT, "setting_label"),
    ("Please stay terse.", "accumulation", LONG, "setting_label"),
    ("Terse is just what I wanted, that works.", "accumulation", SHORT, "setting_label"),
    ("Iterative works for me.", "accumulation", ASKED, "setting_label"),
    ("You are too formal.", "accumulation", SHORT, "setting_label"),
    ("That was far too casual for me.", "accumulation", SHORT, "setting_label"),
    ("Use the Hide setting for that.", "accumulation", LONG, "setting_label"),
    ("Make your answers structured, please.", "accumulation", ASKED, "setting_label"),
    # announcements without a trigger
    ("I prefer it short. When's the next bus?", "accumulation", "", "announced_preference"),
    ("I prefer brief replies, so: when's the next bus?", "accumulation", "", "announced_preference"),
    ("I like it when you explain your reasons.", "accumulation", "", "announced_preference"),
    ("In future ask me first before you send things.", "accumulation", SHORT, "announced_preference"),
    ("Always tell me how confident you are.", "probe", "", "announced_preference"),
    ("Next time write in more detail.", "accumulation", LONG, "announced_preference"),
    ("From now on answer in one line.", "accumulation", SHORT, "announced_preference"),
    ("I'm the kind of person who wants detailed explanations.", "probe", "", "announced_preference"),
    ("Going forward, give me several options.", "accumulation", SENT, "announced_preference"),
    # an earlier conversation, in a probe
    ("Two seats, like last time.", "probe", "", "earlier_session"),
    ("As usual, by the window.", "probe", "", "earlier_session"),
    ("How nice, you remembered.", "probe", SHORT, "earlier_session"),
    ("Could you do that again like before?", "probe", SHORT, "earlier_session"),
    ("You know how I like it.", "probe", "", "earlier_session"),
    ("We've talked about this.", "probe", SHORT, "earlier_session"),
    ("You sent it without me last week.", "probe", "", "earlier_session"),
    ("Remember what I told you about the dentist?", "probe", "", "earlier_session"),
]

FINE = [
    # feedback on what was just done, also as a general request
    ("Wait, that went out? From now on check with me before you send anything.", "accumulation", SENT),
    ("Check with me before anything goes out next time.", "accumulation", SENT),
    ("That's an essay. Next time one line will do.", "accumulation", LONG),
    ("Next time keep it to a line.", "accumulation", LONG),
    ("You asked me three things at once, in future one question will do.", "accumulation", ASKED),
    ("From now on ask me one question.", "accumulation", ASKED),
    ("I like that you told me the reasons.", "accumulation", "Take the later train, because the first is full."),
    ("I'd rather have heard why.", "accumulation", SHORT),
    ("One at a time, please, my head's spinning.", "accumulation", LONG),
    ("You've told me this twice, like last time.", "accumulation", LONG),
    # ordinary English
    ("Hide the cake and show me the low chairs, the high ones wobble.", "accumulation", ""),
    ("Turn the heating to low before I'm home.", "accumulation", ""),
    ("I need express delivery for the tapes.", "accumulation", ""),
    ("I assumed the rent was due today.", "accumulation", ""),
    ("She wants a casual lunch and a formal dinner.", "accumulation", ""),
    ("Write to the owner, keep it formal, he signs the cheques.", "accumulation", ""),
    ("Make the note to Ines casual.", "accumulation", ""),
    ("I'd like a guided tour of the vineyard.", "accumulation", ""),
    ("I like silent films.", "accumulation", ""),
    ("It was a very detailed contract.", "accumulation", ""),
    ("The director's note was terse.", "accumulation", ""),
    ("Can you organize the receipts by month?", "accumulation", ""),
    ("What options do we have for the room?", "accumulation", ""),
    ("I prefer the later train.", "accumulation", ""),
    ("I prefer red wine with that, says Ines.", "accumulation", ""),
    ("I always forget the deposit, so put it in the notes.", "accumulation", ""),
    ("He never asks before he books.", "accumulation", ""),
    ("Next time it rains the roof goes.", "accumulation", ""),
    ("Whenever the boss comes I hide.", "accumulation", ""),
    ("The script's four pages, the first scene is mine, and I miss a beat before the kiss.", "accumulation", ""),
    ("Row B3, seat 12.", "accumulation", ""),
    ("Take the b4 to the station.", "accumulation", ""),
    ("Vitamin b6 and bread, please.", "accumulation", ""),
    ("Mark in the calendar that the session with the coach moved.", "accumulation", ""),
    ("Put the thermometer probe on the list for chef.", "accumulation", ""),
    ("My phone's on silent mode.", "accumulation", ""),
    ("Tell me when Marco answers.", "accumulation", ""),
    ("Ask Renee before you change the rota, she keeps a list.", "accumulation", ""),
    # the past, in a probe
    ("Last time it rained, the cellar flooded.", "probe", ""),
    ("The last time the car was checked it cost ninety.", "probe", ""),
    ("Bex is asleep, as usual.", "probe", ""),
    ("It's cold, as always in March.", "probe", ""),
    ("I can't remember her surname.", "probe", ""),
    ("Remember that the shop shuts at six.", "probe", ""),
    ("The lift's broken again.", "probe", ""),
    ("I told my brother last week that I'd come.", "probe", ""),
    ("Before that I've got class.", "probe", ""),
]


@pytest.mark.parametrize(("message", "phase", "pa_last", "kind"), LEAKS)
def test_leaks_are_found(message: str, phase: str, pa_last: str, kind: str) -> None:
    found = check_message(message, phase, pa_last)  # type: ignore[arg-type]
    assert kind in [violation.kind for violation in found]
    for violation in found:
        assert violation.kind in KINDS
        assert violation.span
        assert violation.span in message
        assert violation.why


@pytest.mark.parametrize(("message", "phase", "pa_last"), FINE)
def test_feedback_and_ordinary_english_pass(message: str, phase: str, pa_last: str) -> None:
    assert check_message(message, phase, pa_last) == []  # type: ignore[arg-type]


def test_an_earlier_conversation_may_be_mentioned_outside_probes() -> None:
    message = "Two seats, like last time."
    assert check_message(message, "accumulation", "") == []
    assert [violation.kind for violation in check_message(message, "probe", "")] == ["earlier_session"]


def test_the_same_request_is_a_reaction_or_a_leak_by_what_came_before() -> None:
    message = "From now on always ask me before sending anything."
    assert check_message(message, "accumulation", SENT) == []
    for pa_last in ("", SHORT):
        assert [violation.kind for violation in check_message(message, "accumulation", pa_last)] == [
            "announced_preference"
        ]


def test_every_attribute_name_and_id_is_found() -> None:
    for item in attributes():
        for name in (item.id, item.name, item.name.lower()):
            kinds = [violation.kind for violation in check_message(f"So about {name}.", "accumulation", SHORT)]
            assert "attribute_name" in kinds, name


def test_typographic_quotes_do_not_hide_anything() -> None:
    kinds = [violation.kind for violation in check_message("I’d rather you stay terse.", "accumulation", LONG)]
    assert kinds == ["setting_label"]


def test_an_unknown_phase_is_refused() -> None:
    with pytest.raises(MempaGymError, match="accumulation"):
        check_message("Hi.", "training", "")  # type: ignore[arg-type]


PLAIN = [*train_bank().neutral, *(text for texts in train_bank().openings.values() for text in texts)]


@given(
    st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4),
    st.sampled_from(["accumulation", "probe"]),
    st.sampled_from(["", SHORT, LONG, SENT]),
)
def test_plain_task_talk_is_never_flagged(lines: list[str], phase: str, pa_last: str) -> None:
    assert check_message(" ".join(lines), phase, pa_last) == []  # type: ignore[arg-type]


@given(st.text(max_size=300), st.text(max_size=200))
def test_any_text_can_be_checked(message: str, pa_last: str) -> None:
    for violation in check_message(message, "probe", pa_last):
        assert violation.kind in KINDS


@pytest.mark.parametrize(("message", "last"), [(1.5, ""), (None, ""), ("hello", -1), (["hello"], "")])
def test_what_is_no_text_is_an_error_of_ours(message: object, last: object) -> None:
    with pytest.raises(MempaGymError, match="text"):
        check_message(message, "probe", last)  # type: ignore[arg-type]
