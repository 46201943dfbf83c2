"""A wrapper's copy is another session's state: nothing that happens to one shows in the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from mempa_gym.interaction.wrapper import IXWrapper


def restored(wrapper: IXWrapper) -> IXWrapper:
    other = IXWrapper()
    other.set_state(wrapper.get_state())
    return other


@pytest.mark.parametrize(
    "copied",
    [IXWrapper.copy, copy.copy, copy.deepcopy, restored, lambda wrapper: pickle.loads(pickle.dumps(wrapper))],
    ids=["copy", "shallow", "deep", "state", "pickle"],
)
def test_copies_evolve_on_their_own(play: Any, copied: Callable[[IXWrapper], IXWrapper]) -> None:
    game = play("autonomy_level", "reasoning_visibility")
    game.select("autonomy_level", "Reactive")
    game.do("message_send", to="con_x", text="one")
    game.send("autonomy_level", confirm="Shall I?")
    frozen = game.wrapper.get_state()
    other = copied(game.wrapper)
    assert other.get_state() == frozen
    assert other.deliver("R") == game.deliver("R")

    game.select("reasoning_visibility", "Show")
    game.send("reasoning_visibility", rationale="Because.")
    game.do("contact_update", contact_id="c")
    game.turn(consent={"h1": True})
    game.do("IX_release", item_id="h1")

    if copied is not copy.copy:
        assert other.get_state() == frozen
    assert dict(other.selected) == {"autonomy_level": "Reactive"}
    assert [item.id for item in other.held] == ["h1"]
    assert other.offered == ("reasoning_visibility",)
    assert not other.use("IX_release", {"item_id": "h1"}).ok

    for _ in range(2):
        game.wrapper.set_state(frozen)
        assert game.wrapper.get_state() == frozen
        game.select("reasoning_visibility", "Show")
        game.send("reasoning_visibility", rationale="Because.")
    game.wrapper.set_state(frozen)
    assert game.deliver("R").text == "R\n\nShall I?"


def test_what_is_handed_out_cannot_change_the_state(play: Any) -> None:
    game = play("verbosity")
    game.select("verbosity", "Terse")
    with pytest.raises(TypeError):
        game.wrapper.selected["verbosity"] = "Detailed"
