"""Reading reactions: how often it is right on what it has not seen, and that it says nothing where nothing is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.errors import MempaGymError, UnknownNameError
from mempa_gym.reading import read_reaction, train_bank
from mempa_gym.reading.model import Model, fit_model
from mempa_gym.reading.reaction import weigh
from mempa_gym.taxonomy import attribute, attribute_ids

UNSEEN = yaml.safe_load(Path(__file__).with_name("unseen.yaml").read_text(encoding="utf-8"))

# Task messages that are in no bank.
PLAIN = (
    "The number on the parcel is on the yellow sticker, and the courier's called Benno.",
    "Can you see which bus goes to the harbour after eight?",
    "Put the vaccination in for the sixteenth, the little one's with Gran that day.",
    "It's eleven people, one of them doesn't eat fish.",
    "Great, then I'll fetch the keys on my way home.",
    "Thanks, that's it for tonight, I'm off to bed.",
    "The client signs on Monday, so the plans have to be at the office by noon.",
    "My landlord wants the meter read before the first.",
    "Okay, and the second coat goes on when it's dry.",
    "Tell Ottmar I can take his early shift if he does my Sunday.",
)


def test_wording_that_is_in_no_bank_is_read() -> None:
    plain = told = 0
    for name, target, shown, text in UNSEEN:
        alone = read_reaction(text, name)
        plain += max(alone, key=alone.__getitem__) == target
        knowing = read_reaction(text, name, selected=shown)
        told += max(knowing, key=knowing.__getitem__) == target
    assert plain / len(UNSEEN) >= 0.82
    assert told / len(UNSEEN) >= 0.9


@pytest.fixture(scope="module")
def fold() -> tuple[Model, list[int], list[int]]:
    """A model that has not seen a fifth of the bank, and what it has not seen."""
    bank = train_bank()
    examples = list(bank.examples())
    neutral = [*bank.neutral, *(text for texts in bank.openings.values() for text in texts)]
    rng = np.random.default_rng(20)
    left_out = [int(i) for i in np.flatnonzero(rng.permutation(len(examples)) % 5 == 0)]
    silent = [int(i) for i in np.flatnonzero(rng.permutation(len(neutral)) % 5 == 0)]
    fitted = fit_model(
        bank,
        [example for i, example in enumerate(examples) if i not in set(left_out)],
        [text for i, text in enumerate(neutral) if i not in set(silent)],
    )
    return fitted, left_out, silent


def test_held_out_reactions_are_read(fold: tuple[Model, list[int], list[int]]) -> None:
    fitted, left_out, silent = fold
    examples = list(train_bank().examples())
    neutral = [*train_bank().neutral, *(text for texts in train_bank().openings.values() for text in texts)]
    rng = np.random.default_rng(21)
    plain: list[bool] = []
    told: list[bool] = []
    with_task: list[bool] = []
    for number in left_out:
        example = examples[number]
        item = attribute(example.attribute)
        place = item.index(example.target)
        shares, _ = weigh(fitted, example.text, example.attribute, None)
        plain.append(int(shares.argmax()) == place)
        if example.shown is None:
            continue
        rest = 0.06 / (len(item.labels) - 1)
        shown = np.array([0.94 if label == example.shown else rest for label in item.labels])
        shares, _ = weigh(fitted, example.text, example.attribute, shown)
        told.append(int(shares.argmax()) == place)
        task = " ".join(neutral[silent[int(rng.integers(len(silent)))]] for _ in range(2))
        shares, _ = weigh(fitted, f"{example.text} {task}", example.attribute, shown)
        with_task.append(int(shares.argmax()) == place)
    rates = [float(np.mean(hits)) for hits in (plain, told, with_task)]
    print(f"\nheld out: words alone {rates[0]:.3f}, shown known {rates[1]:.3f}, and a task after it {rates[2]:.3f}")
    assert np.mean(plain) >= 0.76
    assert np.mean(told) >= 0.84
    assert np.mean(with_task) >= 0.82


def test_held_out_task_messages_say_about_nothing(fold: tuple[Model, list[int], list[int]]) -> None:
    fitted, _, silent = fold
    neutral = [*train_bank().neutral, *(text for texts in train_bank().openings.values() for text in texts)]
    excess = []
    for number in silent:
        for name in ("verbosity", "autonomy_level", "capability_boundary"):
            count = len(attribute(name).labels)
            shares, _ = weigh(fitted, neutral[number], name, np.full(count, 1.0 / count))
            excess.append(float(shares.max() / shares.sum()) - 1.0 / count)
    assert float(np.mean(excess)) <= 0.12


@pytest.mark.parametrize("text", PLAIN)
def test_plain_task_messages_are_read_as_about_even(text: str) -> None:
    gaps = []
    for name in attribute_ids():
        shares = read_reaction(text, name)
        gaps.append(max(shares.values()) - 1.0 / len(shares))
    assert float(np.mean(gaps)) <= 0.2


@given(st.text(max_size=300), st.sampled_from(attribute_ids()), st.booleans())
@settings(max_examples=150)
def test_any_text_gives_probabilities(text: str, name: str, selected: bool) -> None:
    item = attribute(name)
    shares = read_reaction(text, name, selected=item.labels[0] if selected else None)
    assert tuple(shares) == item.labels
    assert all(0.0 < share < 1.0 for share in shares.values())
    assert sum(shares.values()) == pytest.approx(1.0)


def test_nothing_said_is_even() -> None:
    for text in ("", "   ", "...", "🎭"):
        assert list(read_reaction(text, "tone_formality").values()) == [pytest.approx(1 / 3)] * 3


def test_what_was_done_decides_a_bare_refusal() -> None:
    text = "No, no, not like that, I was hoping for the other thing entirely."
    for name, shown, other in (
        ("verbosity", "Terse", "Detailed"),
        ("reasoning_visibility", "Show", "Hide"),
        ("proactive_outreach", "High", "Low"),
    ):
        shares = read_reaction(text, name, selected=shown)
        assert shares[other] > shares[shown]


def test_a_description_of_what_was_done_counts_too() -> None:
    text = "Wait, no, why would you do it like that?"
    sent = read_reaction(text, "autonomy_level", "The assistant sent the message to the client without asking anyone.")
    asked = read_reaction(text, "autonomy_level", "The assistant asked for permission before writing even a draft.")
    assert sent["Autonomous"] < asked["Autonomous"]
    assert asked["Reactive"] < sent["Reactive"]


def test_what_was_selected_outweighs_a_description() -> None:
    text = "Lovely, just how I want it."
    shares = read_reaction(text, "verbosity", "The assistant wrote several long paragraphs.", selected="Terse")
    assert shares["Terse"] > shares["Detailed"]


def test_names_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="verbosity"):
        read_reaction("Hm.", "verbositi")
    with pytest.raises(UnknownNameError, match="Terse"):
        read_reaction("Hm.", "verbosity", selected="Ters")


def test_a_result_can_be_changed_without_changing_the_next() -> None:
    first = read_reaction("One line, that's the ticket.", "verbosity")
    first["Terse"] = -1.0
    assert read_reaction("One line, that's the ticket.", "verbosity")["Terse"] > 0.0


@pytest.mark.parametrize(("message", "behaviour"), [(None, None), (3, None), ("hello", {1, 2}), ("hello", 5)])
def test_what_is_no_text_is_an_error_of_ours(message: object, behaviour: object) -> None:
    with pytest.raises(MempaGymError, match="text"):
        read_reaction(message, "verbosity", behaviour)  # type: ignore[arg-type]
