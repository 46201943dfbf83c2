"""Skills and voices: complete, in our own words, and never naming what they are about."""

from __future__ import annotations

import pytest

from mempa_gym.errors import DataError, UnknownNameError
from mempa_gym.reading import train_bank
from mempa_gym.reading.bank_checks import overlaps
from mempa_gym.taxonomy import attributes
from mempa_gym.users import load_voice, sampled_voice, skill, skills
from mempa_gym.users.voice import pick


def test_there_is_one_skill_for_every_setting() -> None:
    assert [(name, tuple(rows)) for name, rows in skills().items()] == [(item.id, item.labels) for item in attributes()]
    assert sum(len(rows) for rows in skills().values()) == 32
    for rows in skills().values():
        texts = [text for row in rows.values() for text in (row.production, row.follows, row.against, row.move)]
        assert len(set(texts)) == len(texts)


def test_a_skill_never_names_its_setting() -> None:
    for item in attributes():
        for label in item.labels:
            found = skill(item.id, label)
            text = " ".join((found.production, found.follows, found.against, found.move)).lower()
            if len(label) > 4:
                assert label.lower() not in text.split()
            assert item.name.lower() not in text


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        skill("verbosity", "Loud")


def test_a_voice_answers_every_question_in_two_ways() -> None:
    voice = load_voice("user_b")
    for item in attributes():
        assert set(voice.answers[item.id]) == set(item.labels)
        assert all(len(set(lines)) >= 2 for lines in voice.answers[item.id].values())
        assert set(sampled_voice().notes.handled[item.id]) == set(item.labels)
    assert len(voice.insist) == 3


def test_a_packaged_voice_shares_nothing_with_the_train_bank() -> None:
    voice = load_voice("user_b")
    lines = [text for rows in voice.answers.values() for texts in rows.values() for text in texts]
    lines += [text for texts in voice.insist for text in texts]
    assert overlaps(train_bank().texts(), lines) == []


def test_a_persona_without_a_voice_is_refused() -> None:
    with pytest.raises(DataError):
        load_voice("nobody")


def test_a_line_is_picked_by_its_key_alone() -> None:
    lines = tuple("abcdefgh")
    assert pick(lines, 7, "x") == pick(lines, 7, "x")
    assert len({pick(lines, seed, "x") for seed in range(60)}) == len(lines)
