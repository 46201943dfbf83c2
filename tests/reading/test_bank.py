"""The train bank: complete, varied, and never calling a preference by its name."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from mempa_gym.errors import DataError, UnknownNameError
from mempa_gym.reading.bank import BANK_FILE, read_bank, train_bank
from mempa_gym.resources import read_yaml
from mempa_gym.taxonomy import CONTEXTS, attributes
from mempa_gym.users import check_message

BANK = train_bank()

# A reply that gives rise to any remark: an announcement in the bank always follows something the assistant did.
TRIGGER = (
    "I've sent the message to the council and moved your appointment, because the first letter was late. It is "
    "probably right. I also added a reminder. There are two options: the early one or the late one. Shall I go on? "
    "I could not reach the garage, so I tried the next. First, the form, which means the declaration; then the stamp. "
    "I am sorry about it."
)


def test_every_setting_has_enough_of_everything() -> None:
    for item in attributes():
        for label in item.labels:
            manner = BANK.manners[item.id][label]
            assert len(manner.accept) >= 10
            assert set(manner.correct) == set(item.labels) - {label}
            assert all(len(texts) >= 8 for texts in manner.correct.values())
            assert len(manner.answer) >= 2
            assert len(manner.rule) >= 2
            assert len(manner.did) >= 3
    assert len(BANK.neutral) >= 80
    assert all(len(BANK.openings[context]) >= 80 for context in CONTEXTS)


def test_no_line_occurs_twice() -> None:
    texts = [text.lower() for text in BANK.texts()]
    assert len(texts) == len(set(texts))


def test_no_spoken_line_names_a_setting_an_attribute_or_the_benchmark() -> None:
    found = {
        text: violations
        for text in BANK.texts()
        if (violations := check_message(text, "accumulation", TRIGGER))
        and any(violation.kind != "announced_preference" for violation in violations)
    }
    assert found == {}


def test_no_task_line_can_be_taken_for_a_preference_or_a_memory() -> None:
    plain = (*BANK.neutral, *BANK.openings["work"], *BANK.openings["personal"])
    for text in plain:
        assert check_message(text, "accumulation", "") == [], text
        assert check_message(text, "probe", "") == [], text


def test_reactions_are_found_by_what_was_shown() -> None:
    assert BANK.reactions("verbosity", "Terse", "Terse") == BANK.manners["verbosity"]["Terse"].accept
    assert BANK.reactions("verbosity", "Terse", "Detailed") == BANK.manners["verbosity"]["Terse"].correct["Detailed"]
    with pytest.raises(UnknownNameError):
        BANK.reactions("verbosity", "Terse", "Loud")
    with pytest.raises(UnknownNameError):
        BANK.answers("verbosity", "Loud")


def test_the_bank_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(BANK)) == BANK


def damaged(change: str) -> Any:
    raw = copy.deepcopy(read_yaml(BANK_FILE))
    manner = raw["attributes"]["verbosity"]["Terse"]
    if change == "missing":
        del manner["answer"]
    elif change == "unknown":
        manner["acept"] = manner.pop("accept")
    elif change == "own correction":
        manner["correct"]["Terse"] = ["Hm."]
    elif change == "not text":
        manner["rule"] = [3]
    elif change == "twice":
        raw["neutral"].append(raw["neutral"][0])
    elif change == "no list":
        raw["openings"]["work"] = "none"
    else:
        raw["attributes"] = []
    return raw


@pytest.mark.parametrize(
    "change", ["missing", "unknown", "own correction", "not text", "twice", "no list", "no mapping"]
)
def test_a_damaged_bank_is_refused_with_its_place(change: str) -> None:
    with pytest.raises(DataError) as caught:
        read_bank(damaged(change), "bank.yaml")
    assert caught.value.file == "bank.yaml"
