"""Telling work from private life by words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.reading import read_context

WORK = (
    "The kitchen porter's off and the head chef wants two more on the pass tonight.",
    "A client wants the revised offer before the meeting, and my manager hasn't signed it.",
    "I need the room at the institute for the group meeting, the projector too.",
    "The regional director's coming to the branch, so I need last week's hire figures.",
    "A patient rang reception and wants another therapist.",
    "The orchestra moved the dress rehearsal and the director wants my dates.",
    "Payroll left out my overtime for the Sunday shift.",
    "My trainee can't log in to the till and the customers are queuing.",
)
PERSONAL = (
    "My sister's baby shower is on Sunday and I haven't got a present.",
    "The landlord still hasn't fixed the heating in my flat.",
    "My cat has to go to the vet, he's limping.",
    "I'd like to take my girlfriend to the sea for the weekend.",
    "Mum's visiting and there's nothing in the fridge.",
    "My dentist wants me back about the tooth.",
    "The kids' swimming lesson is on the same day as the birthday party.",
    "My neighbour's dog barks all night and I can't sleep.",
)


def test_unseen_messages_are_told_apart() -> None:
    right = sum(read_context(text)["work"] > 0.5 for text in WORK)
    right += sum(read_context(text)["personal"] > 0.5 for text in PERSONAL)
    assert right >= 14


def test_more_words_make_it_surer() -> None:
    one = read_context(WORK[1])["work"]
    both = read_context(f"{WORK[1]} {WORK[3]}")["work"]
    assert both > min(one, read_context(WORK[3])["work"])


@given(st.text(max_size=200))
def test_any_text_gives_probabilities(text: str) -> None:
    found = read_context(text)
    assert list(found) == ["work", "personal"]
    assert sum(found.values()) == pytest.approx(1.0)
    assert all(0.0 < share < 1.0 for share in found.values())


def test_nothing_said_is_even() -> None:
    assert read_context("")["work"] == pytest.approx(0.5)
