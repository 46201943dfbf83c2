from __future__ import annotations

from typing import Any

import pytest

from mempa_gym.errors import RunError, UnknownNameError
from mempa_gym.interaction.views import MemoryQuery
from mempa_gym.memory import NoMemory, OracleMemory
from mempa_gym.taxonomy import attributes


def test_no_memory_returns_nothing_whatever_it_was_given(story: Any, ask: MemoryQuery) -> None:
    memory = NoMemory()
    assert story.play(memory, story.session("a")) == ["", ""]
    assert memory.recall(ask) == ""


def test_the_oracle_says_one_line_for_every_setting(ask: MemoryQuery) -> None:
    oracle = OracleMemory()
    assert oracle.recall(ask) == ""
    for attribute in attributes():
        for setting in attribute.settings:
            oracle.reveal(attribute.id, setting.label)
            expected = f'The user wants IX_{attribute.id} set to "{setting.label}": {setting.behaviour}'
            assert oracle.recall(ask) == expected
            assert len(expected.splitlines()) == 1


def test_the_oracle_forgets_with_the_branch(story: Any, ask: MemoryQuery) -> None:
    oracle = OracleMemory()
    before = oracle.get_state()
    oracle.reveal("verbosity", "Terse")
    story.play(oracle, story.session("a"))
    revealed = oracle.get_state()
    oracle.set_state(before)
    assert oracle.recall(ask) == ""
    oracle.set_state(revealed)
    assert "Terse" in oracle.recall(ask)
    oracle.reset()
    assert oracle.recall(ask) == ""


def test_the_oracle_refuses_what_the_taxonomy_does_not_know() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'verbosity'"):
        OracleMemory().reveal("verbositty", "Terse")
    with pytest.raises(UnknownNameError, match="'Terse', 'Detailed'"):
        OracleMemory().reveal("verbosity", "Short")


def test_only_the_references_go_without_sessions_and_none_cannot_be_told() -> None:
    assert not NoMemory.accumulates
    assert not OracleMemory.accumulates
    assert not hasattr(NoMemory(), "reveal")


def test_a_reference_takes_no_other_state() -> None:
    with pytest.raises(RunError, match="'none' cannot take a state of type str"):
        NoMemory().set_state("text")
