"""The scripted user: beats in order, one reaction to what showed, facts in their time, nothing given away before."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.reading import read_reaction, train_bank
from mempa_gym.taxonomy import attributes
from mempa_gym.timeline import Session
from mempa_gym.users import (
    Heard,
    ScriptedUser,
    UserNotes,
    UserState,
    UserTurn,
    check_message,
    load_voice,
    sampled_voice,
)
from mempa_gym.users.scripted import MOST_EXTRA
from tests.users.sessions import autonomy, elicitation, heard, outreach, probe, told_behaviour

__all__ = ["told_behaviour"]

pytestmark = pytest.mark.usefixtures("told_behaviour")

VOICE = load_voice("user_b")
USER = ScriptedUser(VOICE)
FOUND = ("calendar_event_search",)


def start(
    session: Session, target: str, notes: UserNotes | None = None, *, user: ScriptedUser = USER, seed: int = 7
) -> UserState:
    return user.begin(session, target, notes or UserNotes(), probe=session.is_probe, seed=seed)


def play(state: UserState, *replies: Heard, user: ScriptedUser = USER) -> list[UserTurn]:
    turns = []
    state, turn = user.speak(state, None)
    turns.append(turn)
    for reply in replies:
        state, turn = user.speak(state, reply)
        turns.append(turn)
    return turns


def shown(setting: str) -> Heard:
    return heard(f"Done. [shows {setting}]")


BEFORE = (heard("Found it.", executed=FOUND), heard("By Wednesday noon."))


def test_beats_are_played_in_order_and_then_she_ends() -> None:
    turns = play(start(elicitation(), "Iterative"), *BEFORE, shown("Iterative"), heard("Sent."), heard("Bye."))
    assert [turn.beat for turn in turns] == ["b1", "b2", "b3", "b4", "b5", "b5"]
    assert [turn.ended for turn in turns] == [False] * 5 + [True]
    assert turns[-1].message == ""
    assert turns[3].message == "<Iterative got Iterative> Till 8:30, and brunch for it. (Iterative)"
    assert turns[3].corrected is False
    assert [turn.corrected for turn in turns[:3]] == [None] * 3


@pytest.mark.parametrize("target", ["Infer", "Structured", "Iterative"])
@pytest.mark.parametrize("setting", ["Infer", "Structured", "Iterative"])
def test_she_reacts_to_what_showed_and_not_to_anything_else(target: str, setting: str) -> None:
    turn = play(start(elicitation(), target), *BEFORE, shown(setting))[-1]
    assert turn.message.startswith(f"<{target} got {setting}>")
    assert turn.shown == setting
    assert turn.corrected is (target != setting)


def test_a_tool_that_did_not_run_is_asked_for_once() -> None:
    turns = play(start(elicitation(), "Infer"), heard("Hm."), heard("Hm."), heard("Noon."))
    assert [turn.beat for turn in turns] == ["b1", "b1", "b2", "b3"]
    assert turns[1].message == "The shift first, it's in the calendar."
    assert turns[1].private["factual_check"] == {"missing": ["calendar_event_search"]}
    assert turns[1].private["turn_assessment"]["goal_met"] is False
    turns = play(start(elicitation(), "Infer"), heard("Hm."), heard("Here.", executed=FOUND))
    assert turns[-1].private["factual_check"] == {"missing": []}


def test_when_nothing_shows_she_goes_on_and_reacts_to_the_first_turn_that_does() -> None:
    turns = play(start(elicitation(), "Iterative"), *BEFORE, heard("Hm."), heard("Late. [shows Infer]", "Hm."))
    assert turns[3].message == "Till 8:30, and brunch for it. (Infer)"
    assert (turns[3].shown, turns[3].corrected) == (None, None)
    assert turns[4].message == "<Iterative got Infer> Reads fine, I'm off."
    assert (turns[4].shown, turns[4].corrected) == ("Infer", True)


def test_a_reaction_that_is_still_due_comes_before_she_ends() -> None:
    replies = (
        *BEFORE,
        heard("Hm."),
        heard("Hm.", "Hm."),
        heard("There. [shows Structured]", "Hm.", "Hm."),
        heard("Bye."),
    )
    turns = play(start(elicitation(), "Iterative"), *replies)
    assert turns[5].message.startswith("<Iterative got Structured>")
    assert [turn.ended for turn in turns] == [False] * 6 + [True]


def test_she_reacts_once() -> None:
    turns = play(
        start(elicitation(), "Infer"), *BEFORE, shown("Infer"), shown("Structured"), heard("Bye. [shows Structured]")
    )
    assert sum("got" in turn.message for turn in turns) == 1


@pytest.mark.parametrize(("before", "level"), [(0, None), (1, None), (2, 1), (3, 2), (9, 2)])
def test_a_repeated_correction_grows_sharper(before: int, level: int | None) -> None:
    notes = UserNotes()
    for _ in range(before):
        notes = notes.with_reaction("information_elicitation", "Iterative", "Infer")
    message = play(start(elicitation(), "Iterative", notes), *BEFORE, shown("Structured"))[-1].message
    if before == 0:
        assert message.startswith("<Iterative got Structured>")
        return
    assert "<again Iterative>" in message
    assert "got" not in message
    prefix = message.split("<")[0].strip()
    assert prefix in (VOICE.insist[level] if level is not None else ("",))


def test_insistence_follows_the_same_correction_only() -> None:
    notes = (
        UserNotes()
        .with_reaction("information_elicitation", "Structured", "Infer")
        .with_reaction("verbosity", "Terse", "Detailed")
    )
    message = play(start(elicitation(), "Iterative", notes), *BEFORE, shown("Infer"))[-1].message
    assert message.startswith("<Iterative got Infer>")
    praised = UserNotes().with_reaction("information_elicitation", "Iterative", "Infer")
    message = play(start(elicitation(), "Iterative", praised), *BEFORE, shown("Iterative"))[-1].message
    assert message.startswith("<Iterative got Iterative>")


@given(
    st.sampled_from(["Infer", "Structured", "Iterative"]),
    st.sampled_from(["Infer", "Structured", "Iterative"]),
    st.integers(0, 2**63),
    st.lists(st.sampled_from(["Hm.", "[asks]", "Until when? [asks]", "How long is it?", "Found it."]), max_size=6),
)
def test_nothing_she_says_before_the_reaction_depends_on_her_target(
    one: str, other: str, seed: int, replies: list[str]
) -> None:
    session = elicitation()
    told = []
    for target in (one, other):
        state, turn = USER.speak(start(session, target, seed=seed), None)
        said = [turn]
        for reply in replies:
            if state.beat >= session.decision:
                break
            state, turn = USER.speak(state, heard(reply))
            said.append(turn)
        told.append(said)
    assert told[0] == told[1]


@given(
    st.integers(0, 2**63),
    st.lists(
        st.tuples(
            st.sampled_from(
                ["Hm.", "[asks]", "Until when, how long?", "Is it brunch?", "x [shows Infer]", "x [shows Iterative]"]
            ),
            st.booleans(),
        ),
        max_size=12,
    ),
)
def test_facts_are_never_early_beats_never_go_back_and_the_conversation_ends(
    seed: int, script: list[tuple[str, bool]]
) -> None:
    session = elicitation()
    order = [beat.id for beat in session.beats]
    state, turn = USER.speak(start(session, "Iterative", seed=seed), None)
    reached = 0
    stayed = 0
    for reply, ran in script:
        state, turn = USER.speak(state, heard(reply, executed=FOUND if ran else ()))
        place = order.index(turn.beat)
        stayed = stayed + 1 if place == reached and not turn.ended else 0
        assert place >= reached
        assert stayed <= MOST_EXTRA
        reached = place
        for fact in session.facts.values():
            assert not fact.spoken_in(turn.message) or place >= fact.beat
        if turn.ended:
            assert turn.message == ""
    for _ in range(20):
        state, turn = USER.speak(state, heard("Hm."))
    assert turn.ended


def test_speaking_changes_nothing_and_gives_the_same_again() -> None:
    state = start(elicitation(), "Infer")
    first, _ = USER.speak(state, None)
    copy = pickle.loads(pickle.dumps(first))
    one = USER.speak(first, BEFORE[0])
    two = USER.speak(first, BEFORE[0])
    assert one == two
    assert USER.speak(copy, BEFORE[0])[1] == one[1]
    assert state.beat == -1
    assert first.beat == 0


# -- questions about manner --------------------------------------------------------------------------------------------

ASKS = heard("[asks]")


def test_before_the_decision_point_a_question_about_manner_is_brushed_off() -> None:
    turn = play(start(elicitation(), "Infer"), ASKS)[-1]
    assert any(turn.message.startswith(line) for line in VOICE.brush_off)
    assert "Find my dinner shift?" in turn.message
    assert turn.beat == "b1"
    assert not turn.answered_preference


@pytest.mark.parametrize("target", ["Infer", "Structured", "Iterative"])
def test_after_it_the_question_is_answered_once_and_the_need_repeated(target: str) -> None:
    done = heard(f"Done. [shows {target}]", "[asks]", "[asks]")
    turns = play(start(elicitation(), target), *BEFORE, ASKS, heard("[asks]", "[asks]"), done)
    answers = VOICE.answers["information_elicitation"][target]
    assert any(turns[3].message.startswith(line) for line in answers)
    assert turns[3].message.endswith("Send the request to her then.")
    assert turns[3].answered_preference
    assert turns[3].beat == "b3"
    assert any(turns[4].message.startswith(line) for line in VOICE.spent)
    assert not turns[4].answered_preference
    assert turns[5].message.startswith(f"<{target} got {target}>")


def test_the_turn_of_the_question_is_not_taken_for_behaviour() -> None:
    asked = heard("[asks] [shows Infer]")
    turns = play(start(elicitation(), "Infer"), *BEFORE, asked, heard("x [shows Structured]", "[asks] [shows Infer]"))
    assert turns[-1].shown == "Structured"


def test_without_answers_a_question_yields_nothing() -> None:
    user = ScriptedUser(VOICE, answer_asks=False)
    turns = [
        play(start(elicitation(), target, user=user), *BEFORE, ASKS, user=user)[-1] for target in ("Infer", "Iterative")
    ]
    assert turns[0].message == turns[1].message
    assert any(turns[0].message.startswith(line) for line in VOICE.shrug)
    assert not turns[0].answered_preference


def test_in_a_probe_the_question_is_turned_back_and_carries_nothing() -> None:
    turns = [play(start(probe(), target), ASKS)[-1] for target in ("Terse", "Detailed")]
    assert turns[0] == turns[1]
    assert any(turns[0].message.startswith(line) for line in VOICE.turn_back)
    assert turns[0].message.endswith("When's the market open?")
    assert not turns[0].answered_preference


def test_a_question_beside_a_finished_task_does_not_hold_her_up() -> None:
    work = "The request went to her with the shift, the rules and the reason, and it asks for the part she named. " * 2
    turn = play(start(elicitation(), "Infer"), *BEFORE, heard(f"{work} [asks] [shows Infer]"))[-1]
    assert turn.beat == "b4"
    assert turn.answered_preference
    assert "<Infer got Infer>" in turn.message


def test_a_question_that_comes_too_early_is_put_off() -> None:
    turn = play(start(elicitation(), "Infer"), heard("Until when do you need it?", executed=FOUND))[-1]
    assert turn.beat == "b2"
    assert any(turn.message.startswith(line) for line in VOICE.deflect)
    assert turn.message.endswith("And what do the rules say?")
    turn = play(start(elicitation(), "Infer"), heard("Which calendar is it?", executed=FOUND))[-1]
    assert turn.message == "And what do the rules say?"


def test_an_event_still_stands_after_a_question() -> None:
    state = start(outreach(), "High")
    turns = play(state, heard("In it goes."), ASKS)
    assert (turns[1].message, turns[1].event) == ("", "The appointment moved.")
    assert turns[2].event == "The appointment moved."
    assert turns[2].answered_preference


# -- held items --------------------------------------------------------------------------------------------------------

MAIL = ("h1", "message_send", "the message to Sol")
STRANGE = ("h2", "bill_pay", "the payment of the rent")


def test_consent_is_for_what_is_held_and_said_in_words() -> None:
    turn = play(start(autonomy(), "Reactive"), heard("Shall I? [shows Reactive]", held=(MAIL,)))[-1]
    assert turn.private["consent_decisions"] == {"h1": True}
    assert turn.message == "<Reactive got Reactive> Yes, send it."
    turn = play(start(autonomy(), "Reactive"), heard("Sent. [shows Autonomous]"))[-1]
    assert turn.private["consent_decisions"] == {}


def test_words_are_added_where_the_script_lacks_them() -> None:
    turn = play(start(autonomy(), "Reactive"), heard("Hm. [shows Autonomous]", held=(MAIL,)))[-1]
    assert turn.private["consent_decisions"] == {"h1": True}
    assert any(line in turn.message for line in VOICE.grant)
    turn = play(start(autonomy("deny"), "Reactive"), heard("Hm. [shows Autonomous]", held=(MAIL,)))[-1]
    assert turn.private["consent_decisions"] == {"h1": False}
    assert any(line in turn.message for line in VOICE.deny)


def test_an_unforeseen_item_is_decided_by_whether_it_belongs_to_the_task() -> None:
    session = autonomy("none")
    turn = play(start(session, "Reactive"), heard("[shows Reactive]", held=(MAIL,)))[-1]
    assert turn.private["consent_decisions"] == {"h1": True}
    turn = play(start(session, "Reactive"), heard("[shows Reactive]", held=(STRANGE,)))[-1]
    assert turn.private["consent_decisions"] == {"h2": False}
    turn = play(start(session, "Reactive"), heard("[shows Reactive]", held=(MAIL, STRANGE)))[-1]
    assert turn.private["consent_decisions"] == {"h1": True, "h2": False}
    assert MAIL[2] in turn.message
    assert STRANGE[2] in turn.message


def test_an_item_held_at_the_end_is_decided_before_she_goes_and_only_once() -> None:
    again = heard("May I?", "x", held=(MAIL,))
    turns = play(start(autonomy("none"), "Reactive"), shown("Reactive"), again, again, again)
    assert [turn.ended for turn in turns] == [False, False, False, True, True]
    assert turns[2].private["consent_decisions"] == {"h1": True}
    assert any(line in turns[2].message for line in VOICE.grant)


# -- probes ------------------------------------------------------------------------------------------------------------


def test_a_probe_has_no_reaction_and_no_past() -> None:
    notes = UserNotes().with_reaction("verbosity", "Terse", "Detailed").add_note("I told it.", "2026-02-02T10:00")
    state = start(probe(), "Terse", notes)
    assert state.notes == UserNotes()
    turns = play(state, shown("Detailed"), heard("x"))
    assert turns[1].message == "Seven, and cash."
    assert (turns[1].shown, turns[1].corrected) == ("Detailed", None)
    assert turns[2].ended


# -- sampled personas --------------------------------------------------------------------------------------------------


def test_sampled_personas_speak_from_the_train_bank() -> None:
    bank = train_bank()
    user = ScriptedUser(sampled_voice(), bank)
    for setting in ("Infer", "Structured", "Iterative"):
        turn = play(start(elicitation(), "Iterative", user=user), *BEFORE, shown(setting), user=user)[-1]
        assert any(
            turn.message.startswith(line) for line in bank.reactions("information_elicitation", "Iterative", setting)
        )
    turn = play(start(elicitation(), "Infer", user=user), *BEFORE, ASKS, user=user)[-1]
    assert any(turn.message.startswith(line) for line in bank.answers("information_elicitation", "Infer"))
    notes = UserNotes().with_reaction("information_elicitation", "Iterative", "Infer")
    turn = play(start(elicitation(), "Iterative", notes, user=user), *BEFORE, shown("Infer"), user=user)[-1]
    assert any(turn.message.startswith(line) for line in sampled_voice().insist[0])
    assert pickle.loads(pickle.dumps(user)).bank == bank


def test_seeds_vary_the_wording_of_sampled_personas() -> None:
    user = ScriptedUser(sampled_voice(), train_bank())
    messages = {
        play(start(elicitation(), "Infer", user=user, seed=seed), *BEFORE, shown("Infer"), user=user)[-1].message
        for seed in range(12)
    }
    assert len(messages) >= 5


# -- what may be heard -------------------------------------------------------------------------------------------------


def test_everything_of_a_voice_passes_the_message_check() -> None:
    for voice in (VOICE, sampled_voice()):
        anywhere = (*voice.deflect, *voice.brush_off, *voice.spent, *voice.shrug, *voice.resume, *voice.close)
        for line in (*anywhere, *voice.grant, *voice.deny, *voice.turn_back):
            assert check_message(line, "probe", "Okay.") == [], line
        for lines in voice.insist:
            for line in lines:
                assert check_message(line, "accumulation", "Okay.") == [], line
    for rows in VOICE.answers.values():
        for lines in rows.values():
            for line in lines:
                assert check_message(line, "accumulation", "How would you like me to do it?") == [], line


def test_answers_can_be_read() -> None:
    right = total = 0
    for item in attributes():
        for label in item.labels:
            for line in VOICE.answers[item.id][label]:
                shares = read_reaction(line, item.id)
                right += max(shares, key=shares.__getitem__) == label
                total += 1
    assert right / total >= 0.85


def test_a_finished_user_stays_finished() -> None:
    state = start(elicitation(), "Infer")._replace(beat=4, ended=True)
    assert USER.speak(state, heard("More?"))[1].ended
