from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.errors import DataError, InvalidOptionError, UnknownNameError
from mempa_gym.personas import Change, Persona, load_persona, persona_ids
from mempa_gym.personas.persona import COUNTERFACTUAL, SOURCE_LABELS
from mempa_gym.personas.schema import Profile
from mempa_gym.resources import validated
from mempa_gym.taxonomy import Cell, attribute, cells

IDS = ("user_a", "user_b", "user_c", "user_d")
PERSONAS = [load_persona(id) for id in IDS]

# Paper 000, Table 5: cells per source label, best supported first.
SOURCE_COUNTS = {
    "user_a": (27, 0, 1, 0),
    "user_b": (16, 8, 4, 0),
    "user_c": (5, 10, 12, 1),
    "user_d": (5, 16, 6, 1),
}
# Paper 000, Table 20: change events per attribute over the four users.
EVENTS = {
    "tone_formality": 3,
    "emotional_engagement": 1,
    "guidance_level": 1,
    "uncertainty_expression": 1,
    "process_visibility": 3,
    "autonomy_level": 4,
    "solution_breadth": 3,
    "information_elicitation": 2,
    "topic_management": 2,
}


def test_the_packaged_personas() -> None:
    assert persona_ids() == IDS
    assert [persona.id for persona in PERSONAS] == list(IDS)
    assert len({persona.name for persona in PERSONAS}) == 4
    assert load_persona("user_b") is load_persona("user_b")


@pytest.mark.parametrize("name", ["user_e", "User_B", "b", "", None, ["user_b"]], ids=repr)
def test_an_unknown_persona_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownNameError, match="'user_a', 'user_b', 'user_c', 'user_d'"):
        load_persona(name)


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'user_b'"):
        load_persona("userb")


def test_published_totals_of_the_matrices() -> None:
    assert sum(len(persona.initial.differing()) for persona in PERSONAS) == 18
    assert sum(len(persona.final.differing()) for persona in PERSONAS) == 18
    used = {
        (cell.attribute, matrix[cell])
        for persona in PERSONAS
        for matrix in (persona.initial, persona.final)
        for cell in cells()
    }
    assert len(used) == 30


def test_published_totals_of_the_changes() -> None:
    assert Counter(change.attribute for persona in PERSONAS for change in persona.changes) == EVENTS
    for persona in PERSONAS:
        assert [change.context for change in persona.changes] == ["work"] * 3 + ["personal"] * 2


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
def test_changes_lead_from_initial_to_final(persona: Persona) -> None:
    changed = {change.cell: change for change in persona.changes}
    assert len(changed) == 5
    for cell in cells():
        if cell in changed:
            assert persona.initial[cell] == changed[cell].before
            assert persona.final[cell] == changed[cell].after != changed[cell].before
        else:
            assert persona.initial[cell] == persona.final[cell]
    for count in range(6):
        seen = {change.cell for change in persona.changes[:count]}
        assert all(
            persona.after(count)[cell] == (persona.final if cell in seen else persona.initial)[cell] for cell in cells()
        )
    with pytest.raises(InvalidOptionError, match="from 0 to 5"):
        persona.after(6)
    with pytest.raises(InvalidOptionError, match="from 0 to 5"):
        persona.after(-1)


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
def test_sources_are_reconstructed_and_match_the_published_counts(persona: Persona) -> None:
    assert tuple(persona.source) == cells()
    assert all(entry.reconstructed for entry in persona.source.values())
    counts = Counter(entry.label for entry in persona.source.values())
    assert tuple(counts[label] for label in SOURCE_LABELS) == SOURCE_COUNTS[persona.id]
    ranked = sorted(persona.source.values(), key=lambda entry: SOURCE_LABELS.index(entry.label))
    for label, weaker in pairwise(SOURCE_LABELS):
        strong = [entry.confidence for entry in ranked if entry.label == label and entry.confidence is not None]
        weak = [entry.confidence for entry in ranked if entry.label == weaker and entry.confidence is not None]
        assert not strong or not weak or min(strong) >= max(weak)


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
def test_a_profile_names_no_setting_and_no_attribute(persona: Persona) -> None:
    text = " ".join(str(value) for value in persona.profile.values()).casefold()
    several_words = [
        label for cell in cells() for label in attribute(cell.attribute).labels if "-" in label or " " in label
    ]
    names = [attribute(cell.attribute).name for cell in cells()]
    assert [phrase for phrase in {*several_words, *names} if phrase.casefold() in text] == []
    assert persona.profile["id"] == persona.id
    assert persona.profile["name"] == persona.name


def test_the_people_of_different_users_do_not_meet() -> None:
    def full_names(persona: Persona) -> set[str]:
        return {entry.split("(")[0].strip() for entry in persona.profile["relationships"]}

    for place, persona in enumerate(PERSONAS):
        for other in PERSONAS[place + 1 :]:
            assert not full_names(persona) & full_names(other)


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
@given(seed=st.integers(min_value=0, max_value=2**32 - 1))
def test_a_counterfactual_stays_consistent(persona: Persona, seed: int) -> None:
    other = persona.permuted(np.random.default_rng(seed))
    assert other == persona.permuted(np.random.default_rng(seed))
    assert (other.id, other.name, other.profile) == (persona.id, persona.name, persona.profile)
    assert other.initial == persona.initial.permuted(np.random.default_rng(seed))
    assert other.final == persona.final.permuted(np.random.default_rng(seed))
    assert [change.cell for change in other.changes] == [change.cell for change in persona.changes]
    assert {entry.label for entry in other.source.values()} == {COUNTERFACTUAL}
    assert {entry.confidence for entry in other.source.values()} == {None}


def test_a_counterfactual_differs() -> None:
    rng = np.random.default_rng(1)
    assert len({load_persona("user_b").permuted(rng).initial for _ in range(20)}) > 15


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
def test_a_frozen_persona_keeps_its_preferences(persona: Persona) -> None:
    still = persona.frozen(persona.final)
    assert still.changes == ()
    assert still.initial == still.final == persona.final
    assert dict(still.source) == dict(persona.source)


def test_a_frozen_persona_marks_settings_that_are_made_up() -> None:
    persona = load_persona("user_b")
    cell = Cell("work", "verbosity")
    still = persona.frozen(persona.initial.replace(cell, "Detailed"))
    assert [key for key, entry in still.source.items() if entry.label == COUNTERFACTUAL] == [cell]


@pytest.mark.parametrize("persona", PERSONAS, ids=IDS)
def test_personas_survive_pickling_and_cannot_be_changed(persona: Persona) -> None:
    copy = pickle.loads(pickle.dumps(persona))
    assert copy == persona
    assert hash(copy) == hash(persona)
    with pytest.raises(TypeError):
        persona.profile["name"] = "other"  # type: ignore[index]
    with pytest.raises(TypeError):
        persona.source[cells()[0]] = None  # type: ignore[index]


def _change(order: int, attribute_id: str, before: str, after: str) -> Change:
    return Change(order, "work", attribute_id, before, after)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([_change(2, "verbosity", "Terse", "Detailed")], "order is 2, expected 1"),
        ([_change(1, "verbosity", "Detailed", "Terse")], "before is 'Detailed', but the matrix says 'Terse'"),
        (
            [_change(1, "verbosity", "Terse", "Detailed"), _change(2, "verbosity", "Detailed", "Terse")],
            "changes a second time",
        ),
    ],
)
def test_contradictory_changes_are_refused(changes: list[Change], problem: str) -> None:
    matrix = load_persona("user_b").initial
    with pytest.raises(InvalidOptionError, match=problem):
        Persona("x", "X", {}, matrix, tuple(changes))


def test_a_change_is_checked_by_itself() -> None:
    with pytest.raises(InvalidOptionError, match="stays 'Terse'"):
        _change(1, "verbosity", "Terse", "Terse")
    with pytest.raises(UnknownNameError, match="unknown setting of verbosity"):
        _change(1, "verbosity", "Terse", "Casual")
    with pytest.raises(UnknownNameError, match="unknown context"):
        Change(1, "home", "verbosity", "Terse", "Detailed")


def test_a_profile_takes_no_unknown_key() -> None:
    raw = {**load_persona("user_a").profile, "mood": "good"}
    with pytest.raises(DataError, match="key mood"):
        validated(Profile, raw, "profile.yaml")
