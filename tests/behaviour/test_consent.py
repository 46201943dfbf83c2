from __future__ import annotations

import pytest

from mempa_gym.behaviour.consent import agrees, refuses


@pytest.mark.parametrize(
    ("message", "agreed"),
    [
        ("Yes, send it.", True),
        ("Go ahead, and what's my Friday?", True),
        ("No. Don't send it.", False),
        ("No, come on, this is the note I keep giving. Yes, send it to her.", True),
        ("No, come on. You could have simply sent it. Fine, send it to Renee.", True),
        ("Ugh, no, and I'm too tired for this. Yes, go ahead and send it.", True),
        ("No, wait. Yes, it is late, but don't send it.", False),
    ],
)
def test_what_is_said_last_counts(message: str, agreed: bool) -> None:
    assert agrees(message) is agreed
    assert refuses(message) is not agreed


@pytest.mark.parametrize("message", [None, "", "It rains."])
def test_nothing_said_is_neither(message: str | None) -> None:
    assert not agrees(message)
    assert not refuses(message)
