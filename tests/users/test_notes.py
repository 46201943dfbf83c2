"""A user's own notes: short, in the first person, without task detail, and counting what she keeps saying."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.taxonomy import attributes
from mempa_gym.users import Heard, ScriptedUser, UserNotes, UserState, load_voice, sampled_voice
from mempa_gym.users.diary import impressions
from tests.users.sessions import elicitation, heard, told_behaviour

__all__ = ["told_behaviour"]

pytestmark = pytest.mark.usefixtures("told_behaviour")

USER = ScriptedUser(load_voice("user_b"))
AT = "2026-04-14T15:10"


def finish(user: ScriptedUser, target: str, seed: int, notes: UserNotes, *replies: Heard) -> UserState:
    state = user.begin(elicitation(), target, notes, probe=False, seed=seed)
    state, _ = user.speak(state, None)
    for reply in replies:
        state, _ = user.speak(state, reply)
    return state


FOUND = heard("Found.", executed=("calendar_event_search",))


@given(
    st.integers(0, 2**63),
    st.sampled_from(["Infer", "Structured", "Iterative"]),
    st.sampled_from(["Infer", "Structured", "Iterative", "nothing"]),
    st.booleans(),
    st.booleans(),
)
def test_a_note_has_two_to_four_sentences_and_no_detail(
    seed: int, target: str, setting: str, ran: bool, plain: bool
) -> None:
    user = ScriptedUser(sampled_voice()) if plain else USER
    first = FOUND if ran else heard("Hm.")
    state = finish(
        user,
        target,
        seed,
        UserNotes(),
        first,
        FOUND,
        heard("Noon."),
        heard("x" if setting == "nothing" else f"x [shows {setting}]"),
        heard("x"),
    )
    notes = user.close(state, UserNotes(), AT)
    (entry,) = notes.entries
    assert entry.at == AT
    assert 2 <= len(re.findall(r"[.!?](?:\s|$)", entry.text)) <= 4
    assert not re.search(r"\d|/|\bcon_|Thursday|dinner|brunch|8:30", entry.text)
    assert re.search(r"\b(?:I|me|my)\b", entry.text)
    assert not any(label in entry.text for item in attributes() for label in item.labels if "-" in label)


def test_impressions_count_what_was_met_and_missed() -> None:
    notes = UserNotes()
    for setting in ("Infer", "Iterative", "Structured", "Structured"):
        state = finish(USER, "Iterative", 1, notes, FOUND, heard("Noon."), heard(f"x [shows {setting}]"))
        notes = USER.close(state, notes, AT)
    found = notes.impression("information_elicitation", "Iterative")
    assert (found.followed, found.corrected, found.last) == (1, 3, "Structured")
    assert notes.corrections("information_elicitation", "Iterative") == 3
    assert notes.corrections("information_elicitation", "Infer") == 0
    assert notes.corrections("verbosity", "Terse") == 0
    assert len(notes.entries) == 4


def test_a_repeated_correction_is_noted_as_one() -> None:
    before = UserNotes().with_reaction("information_elicitation", "Iterative", "Infer")
    state = finish(USER, "Iterative", 1, before, FOUND, heard("Noon."), heard("x [shows Infer]"))
    text = USER.close(state, before, AT).entries[-1].text
    assert any(line in text for line in USER.voice.notes.insisted)


def test_what_did_not_show_leaves_no_impression() -> None:
    state = finish(USER, "Iterative", 1, UserNotes(), FOUND, heard("Noon."), heard("x"))
    notes = USER.close(state, UserNotes(), AT)
    assert notes.impressions == ()
    assert any(line in notes.entries[0].text for line in USER.voice.notes.plain)


def test_a_tool_that_never_ran_leaves_something_open() -> None:
    state = finish(USER, "Iterative", 1, UserNotes(), heard("Hm."), heard("Hm."), heard("Noon."))
    text = USER.close(state, UserNotes(), AT).entries[0].text
    assert any(line in text for line in USER.voice.notes.open)


def test_notes_are_values() -> None:
    empty = UserNotes()
    one = empty.add_note("  It sent things without me. I want to be asked now. ", AT)
    assert empty.entries == ()
    assert one.entries[0].text == "It sent things without me. I want to be asked now."
    assert list(one.lines()) == [f"[{AT}] {one.entries[0].text}"]
    two = one.with_reaction("verbosity", "Terse", "Terse")
    assert one.impressions == ()
    assert pickle.loads(pickle.dumps(two)) == two


def test_lasting_impressions_speak_of_what_came_up_more_than_once() -> None:
    voice = load_voice("user_b")
    notes = UserNotes().with_reaction("verbosity", "Terse", "Detailed")
    assert impressions(voice, notes) == ()
    notes = notes.with_reaction("verbosity", "Terse", "Detailed").with_reaction("tone_formality", "Casual", "Casual")
    notes = notes.with_reaction("tone_formality", "Casual", "Casual")
    stubborn, learned = impressions(voice, notes)
    assert voice.notes.handled["verbosity"]["Detailed"] in stubborn
    assert voice.notes.handled["tone_formality"]["Casual"] in learned
