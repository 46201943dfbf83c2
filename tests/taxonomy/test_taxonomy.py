from __future__ import annotations

import dataclasses
import pickle
import re

import pytest

from mempa_gym.errors import UnknownNameError
from mempa_gym.taxonomy import (
    CONTEXTS,
    MECHANISMS,
    Attribute,
    Cell,
    attribute,
    attribute_ids,
    attributes,
    cells,
    check_cell,
    dimensions,
    mean_random_accuracy,
)

# id, published name, published labels in published order, group
PUBLISHED: dict[str, list[tuple[str, str, list[str], str]]] = {
    "Expression Style": [
        ("tone_formality", "Tone & Formality", ["Casual", "Consultative", "Formal"], "reply"),
        ("verbosity", "Verbosity", ["Terse", "Detailed"], "reply"),
        ("emotional_engagement", "Emotional Engagement", ["Task-focused", "Relationship-focused"], "reply"),
        ("guidance_level", "Guidance Level", ["Assumed", "Guided"], "reply"),
    ],
    "Disclosure": [
        ("reasoning_visibility", "Reasoning Visibility", ["Show", "Hide"], "reply"),
        ("uncertainty_expression", "Uncertainty Expression", ["Express", "Hide"], "reply"),
        ("process_visibility", "Process Visibility", ["Silent", "Bookend", "Full narration"], "reply"),
    ],
    "Initiative & Autonomy": [
        ("autonomy_level", "Autonomy Level", ["Reactive", "Self-directed", "Autonomous"], "action"),
        ("proactive_outreach", "Proactive Outreach", ["Low", "High"], "action"),
        ("task_expansion", "Task Expansion", ["Low", "High"], "action"),
        ("solution_breadth", "Solution Breadth", ["Low", "High"], "reply"),
        ("capability_boundary", "Capability Boundary", ["Suggest alternatives", "Find and hand off"], "action"),
    ],
    "Information Flow": [
        ("information_elicitation", "Information Elicitation", ["Infer", "Structured", "Iterative"], "action"),
        ("topic_management", "Topic Management", ["Organize", "One-at-a-time"], "action"),
    ],
}


def test_names_labels_order_and_groups_are_the_published_ones() -> None:
    found: dict[str, list[tuple[str, str, list[str], str]]] = {}
    for entry in attributes():
        found.setdefault(entry.dimension, []).append((entry.id, entry.name, list(entry.labels), entry.group))
    assert found == PUBLISHED
    assert list(found) == list(PUBLISHED) == list(dimensions())


def test_published_counts() -> None:
    assert len(attributes()) == 14
    assert len(dimensions()) == 4
    assert sum(len(entry.settings) for entry in attributes()) == 32
    assert len(cells()) == 28


def test_cells_are_work_first_and_in_published_order() -> None:
    ids = [row[0] for rows in PUBLISHED.values() for row in rows]
    assert list(attribute_ids()) == ids
    assert list(cells()) == [(context, id) for context in ("work", "personal") for id in ids]
    assert cells()[0] == Cell(context="work", attribute="tone_formality")


def test_mean_random_accuracy_is_the_published_one() -> None:
    assert round(mean_random_accuracy(), 3) == 0.452
    assert round(mean_random_accuracy("action"), 3) == 0.444
    assert round(mean_random_accuracy("reply"), 3) == 0.458
    with pytest.raises(UnknownNameError, match="Did you mean 'action'"):
        mean_random_accuracy("actions")  # type: ignore[arg-type]


def test_mechanisms_follow_the_wrapper() -> None:
    by_mechanism = {name: [entry.id for entry in attributes() if name in entry.mechanisms] for name in MECHANISMS}
    assert by_mechanism == {
        "pass-through": [
            "tone_formality",
            "verbosity",
            "emotional_engagement",
            "guidance_level",
            "task_expansion",
            "solution_breadth",
        ],
        "selective rendering": ["reasoning_visibility", "uncertainty_expression", "process_visibility"],
        "delivery control": ["proactive_outreach", "information_elicitation", "topic_management"],
        "execution control": ["autonomy_level", "capability_boundary", "information_elicitation"],
    }


def test_write_locks() -> None:
    assert {entry.id for entry in attributes() if entry.write_lock} == {
        "reasoning_visibility",
        "process_visibility",
        "autonomy_level",
        "information_elicitation",
        "topic_management",
    }


@pytest.mark.parametrize("entry", attributes(), ids=attribute_ids())
def test_lookup_by_id_and_label(entry: Attribute) -> None:
    assert attribute(entry.id) is entry
    for place, setting in enumerate(entry.settings):
        assert entry.index(setting.label) == place
        assert entry.setting(setting.label) is setting


@pytest.mark.parametrize("entry", attributes(), ids=attribute_ids())
def test_wording_tells_settings_apart(entry: Attribute) -> None:
    assert entry.question.endswith("?")
    behaviours = [setting.behaviour for setting in entry.settings]
    assert len(set(behaviours)) == len(behaviours)
    for behaviour in behaviours:
        assert behaviour.endswith(".")
        assert not re.search(r"\s\s|\n", behaviour)


@pytest.mark.parametrize("name", ["verbosty", "Verbosity", "", None, 3, ["verbosity"]], ids=repr)
def test_unknown_attribute(name: str) -> None:
    with pytest.raises(UnknownNameError, match="Valid names: 'tone_formality'"):
        attribute(name)


@pytest.mark.parametrize("label", ["terse", "Terse ", "Casual", "", None], ids=repr)
def test_labels_are_exact_and_belong_to_their_attribute(label: str) -> None:
    with pytest.raises(UnknownNameError, match="unknown setting of verbosity .*Valid names: 'Terse', 'Detailed'"):
        attribute("verbosity").setting(label)


def test_check_cell() -> None:
    assert check_cell("personal", "verbosity") == Cell("personal", "verbosity")
    with pytest.raises(UnknownNameError, match="unknown context 'home'.*'work', 'personal'"):
        check_cell("home", "verbosity")
    with pytest.raises(UnknownNameError, match="unknown attribute"):
        check_cell("work", "mood")


def test_values_cannot_be_changed() -> None:
    entry = attribute("verbosity")
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.name = "other"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.settings[0].label = "other"  # type: ignore[misc]


def test_values_survive_pickling() -> None:
    copy = pickle.loads(pickle.dumps(attributes()))
    assert copy == attributes()
    assert [entry.labels for entry in copy] == [entry.labels for entry in attributes()]
    assert hash(copy) == hash(attributes())


def test_contexts() -> None:
    assert CONTEXTS == ("work", "personal")
