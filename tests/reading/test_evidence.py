"""Reading what memories return: every form, in any order, with the past weighed by context and by time."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.errors import UnknownNameError
from mempa_gym.interaction.views import Step, TurnRecord
from mempa_gym.memory.render import render_record
from mempa_gym.reading import read_evidence
from mempa_gym.reading.history import parts
from mempa_gym.taxonomy import attribute, attribute_ids

WORK = "My manager needs the quarterly figures for the branch, and the client meeting is at two."
HOME = "My landlord hasn't fixed the shower in the flat, and Mum is coming for the weekend."
LIKES_SHORT = "One line and I'm back on the ladder, perfect."
TOO_LONG = "That's far too long, I only needed one line, trim it down."
TOO_THIN = "That's a bit thin, tell me more, the background and the catches."


def session(at: str, opening: str, name: str, setting: str, *said: str) -> str:
    lines = [
        f"[{at}] USER: {opening}",
        f"[{at}] CALL calendar_event_search {json.dumps({'query': 'x'})} -> {json.dumps({'hits': []})}",
        f"[{at}] PA: I found it.",
        f"[{at}] USER: And the last step, please.",
        f"[{at}] CALL IX_{name} {json.dumps({'setting': setting})} -> ok",
        f"[{at}] PA: Done.",
    ]
    for text in said:
        lines += [f"[{at}] USER: {text}", f"[{at}] PA: All right."]
    return "\n".join(lines)


def best(evidence: str, now: str = WORK, name: str = "verbosity") -> str:
    shares = read_evidence(evidence, now, name)
    return max(shares, key=shares.__getitem__)


def even(shares: dict[str, float]) -> bool:
    return all(share == pytest.approx(1.0 / len(shares)) for share in shares.values())


def test_no_evidence_is_even() -> None:
    for evidence in (
        "",
        "\n\n",
        session("2026-02-03T09:00", WORK, "tone_formality", "Casual", "Ha, lovely, like a mate."),
    ):
        assert even(read_evidence(evidence, WORK, "verbosity"))


def test_acceptance_and_correction_are_read_with_what_was_selected() -> None:
    assert best(session("2026-02-03T09:00", WORK, "verbosity", "Terse", LIKES_SHORT)) == "Terse"
    assert best(session("2026-02-03T09:00", WORK, "verbosity", "Detailed", TOO_LONG)) == "Terse"
    assert best(session("2026-02-03T09:00", WORK, "verbosity", "Terse", TOO_THIN)) == "Detailed"


def test_the_two_sides_of_life_are_kept_apart() -> None:
    evidence = "\n\n".join(
        (
            session("2026-02-03T09:00", WORK, "verbosity", "Terse", LIKES_SHORT),
            session("2026-02-04T19:00", HOME, "verbosity", "Terse", TOO_THIN),
            session("2026-02-09T09:00", "The branch audit and the sales report.", "verbosity", "Detailed", TOO_LONG),
            session("2026-02-11T19:00", "Mum's birthday dinner at my flat.", "verbosity", "Terse", TOO_THIN),
        )
    )
    assert best(evidence, WORK) == "Terse"
    assert best(evidence, HOME) == "Detailed"


def test_names_tell_the_side_of_life_once_they_have_been_heard() -> None:
    work, home = [], []
    for day in range(1, 7):
        work.append(session(f"2026-02-{day:02}T09:00", f"{WORK} Zebulon asked.", "verbosity", "Terse", LIKES_SHORT))
        home.append(session(f"2026-02-{day:02}T19:00", f"{HOME} Quillon asked.", "verbosity", "Terse", TOO_THIN))
    evidence = "\n\n".join((*work, *home))
    assert best(evidence, "Zebulon wants to know by tonight.") == "Terse"
    assert best(evidence, "Quillon wants to know by tonight.") == "Detailed"


def test_a_later_correction_overrides_older_praise() -> None:
    old = [session(f"2026-02-{day:02}T09:00", WORK, "verbosity", "Terse", LIKES_SHORT) for day in (2, 9)]
    new = [session(f"2026-04-{day:02}T09:00", WORK, "verbosity", "Terse", TOO_THIN) for day in (2, 9, 16)]
    assert best("\n\n".join(old)) == "Terse"
    assert best("\n\n".join((*old, *new))) == "Detailed"
    # Retrieval returns things in any order: time decides, not place.
    assert best("\n\n".join((*new, *old))) == "Detailed"


def test_the_last_word_of_a_bad_experience_states_the_new_rule() -> None:
    evidence = session(
        "2026-03-02T09:00",
        WORK,
        "autonomy_level",
        "Autonomous",
        "Fine, what's next on the list?",
        "Hang on, the client just rang, he has a price from us that I never saw.",
        "That went out in my name and I hadn't approved it, so ask me before you write, move or send anything.",
    )
    shares = read_evidence(evidence, WORK, "autonomy_level")
    assert shares["Autonomous"] < 0.2
    assert shares["Reactive"] > shares["Autonomous"]


def test_retrieved_records_of_one_session_are_joined_by_their_time() -> None:
    chosen = '[2026-02-03T09:00] CALL IX_verbosity {"setting": "Detailed"} -> ok'
    selection = f"[2026-02-03T09:00] USER: The last step.\n{chosen}"
    reaction = f"[2026-02-03T09:00] USER: {TOO_LONG}\n[2026-02-03T09:00] PA: All right."
    assert best(f"{selection}\n\n{reaction}") == "Terse"
    assert best(f"{reaction}\n\n{selection}") == "Terse"


def test_lines_of_a_memory_file_are_read() -> None:
    line = (
        '- [2026-02-03] IX_verbosity Detailed | about: figures branch | user: "Too long, I only needed one line." '
        '| user: "Thanks, bye."'
    )
    assert best(f"# Memory\n\n{line}\n") == "Terse"
    quoted = '- [2026-02-03] IX_verbosity Terse | about: branch | user: "\\"That\'s it?\\" A bit thin | tell me more."'
    assert best(quoted) == "Detailed"


def test_an_oracle_is_believed() -> None:
    evidence = 'The user wants IX_topic_management set to "One-at-a-time": takes up a single matter.'
    shares = read_evidence(evidence, HOME, "topic_management")
    assert shares["One-at-a-time"] > 0.95
    assert even(read_evidence(evidence, HOME, "verbosity"))


def test_a_message_without_its_occasion_counts_a_little() -> None:
    loose = read_evidence(f"[2026-02-03T09:00] USER: {TOO_LONG}", WORK, "verbosity")
    known = read_evidence(session("2026-02-03T09:00", WORK, "verbosity", "Detailed", TOO_LONG), WORK, "verbosity")
    assert 0.5 < loose["Terse"] < known["Terse"]


def test_a_refused_selection_and_a_payload_are_no_selections() -> None:
    for call in (
        "IX_verbosity {} -> Error",
        'IX_verbosity {"payload": {}} -> ok',
        'IX_verbosity {"setting": "Terse"} -> Error',
    ):
        evidence = f"[2026-02-03T09:00] USER: Go on.\n[2026-02-03T09:00] CALL {call}\n[2026-02-03T09:00] USER: Thanks."
        assert [past.selections for past in parts(evidence)] == [()]


def test_an_answer_given_before_the_selection_counts() -> None:
    at = "2026-02-03T09:00"
    evidence = "\n".join(
        (
            f"[{at}] USER: {WORK}",
            f"[{at}] PA: How would you like me to answer, briefly or at length?",
            f"[{at}] USER: The one line I need and nothing hanging off it, I've a queue at the till.",
            f'[{at}] CALL IX_verbosity {{"setting": "Terse"}} -> ok',
            f"[{at}] PA: Done.",
        )
    )
    assert best(evidence) == "Terse"


def record(turn_id: str, user: str, steps: Sequence[Step], reply: str) -> TurnRecord:
    return TurnRecord(turn_id, "2026-02-03T09:00", user, None, tuple(steps), reply, turn_id == "1")


def test_what_memories_render_is_what_is_read() -> None:
    first = record(
        "1", WORK, [Step("IX_verbosity", {"setting": "Detailed"}, True, '{"status": "selected"}', False)], "Long."
    )
    second = record("2", TOO_LONG, [Step("note_read", {"id": "doc_x"}, True, "{}", True)], "Short.")
    evidence = f"{render_record(first)}\n{render_record(second)}"
    (past,) = parts(evidence)
    assert past.messages == (WORK, TOO_LONG)
    assert [(pick.attribute, pick.setting, pick.before) for pick in past.selections] == [("verbosity", "Detailed", 1)]
    assert best(evidence) == "Terse"


@given(st.text(max_size=400), st.text(max_size=100), st.sampled_from(attribute_ids()))
@settings(max_examples=100)
def test_any_text_gives_probabilities(evidence: str, now: str, name: str) -> None:
    shares = read_evidence(evidence, now, name)
    assert tuple(shares) == attribute(name).labels
    assert sum(shares.values()) == pytest.approx(1.0)


LINES = st.sampled_from(
    (
        f"[2026-02-03T09:00] USER: {TOO_LONG}",
        '[2026-02-03T09:00] CALL IX_verbosity {"setting": "Detailed"} -> ok',
        '[2026-02-03T09:00] CALL IX_verbosity {"setting": 7} -> ok',
        "[2026-02-03T09:00] CALL IX_verbosity {bad json} -> ok",
        "[2026-02-04T09:00] EVENT: The lift is out.",
        '- [2026-02-03] IX_verbosity Terse | about: x | user: "unclosed',
        "- [2026-02-03] IX_verbosity Loud | about: x",
        'The user wants IX_verbosity set to "Loud": no.',
        "",
        "# Notes",
        "She said something about letters once, a while ago.",
    )
)


@given(st.lists(LINES, max_size=12))
@settings(max_examples=100)
def test_broken_evidence_never_breaks_the_reader(lines: list[str]) -> None:
    shares = read_evidence("\n".join(lines), WORK, "verbosity")
    assert sum(shares.values()) == pytest.approx(1.0)


def test_the_attribute_is_checked() -> None:
    with pytest.raises(UnknownNameError):
        read_evidence("x", "y", "loudness")
