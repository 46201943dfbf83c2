"""What the engine asks of a PA policy: one model call at a time, from a view, with no way back into the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from mempa_gym.interaction.views import PAView

__all__ = ["PAAction", "PAPolicy", "Reply", "ToolUse"]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """Call one tool. ``arguments`` is an object or its JSON text; text is checked as a client's would be."""

    tool: str
    arguments: Mapping[str, Any] | str


@dataclass(frozen=True, slots=True)
class Reply:
    """End the turn by delivering ``text`` to the user (an empty text stays silent)."""

    text: str


PAAction = ToolUse | Reply


@runtime_checkable
class PAPolicy(Protocol):
    """A personal agent.

    ``begin_session`` is called before the first turn of every session and probe with a generator of that session's
    own: a policy enters each with fresh state, and two branches of one checkpoint see the same draws. ``get_state``
    returns a value that ``set_state`` accepts and that later calls do not change.
    """

    name: str
    uses_plan: bool

    def begin_session(self, rng: np.random.Generator) -> None:
        """Starts a session with fresh state and a generator of its own."""
        ...

    def act(self, view: PAView) -> PAAction:
        """Returns the next model call."""
        ...

    def get_state(self) -> Any:
        """Returns what the policy remembers within the session."""
        ...

    def set_state(self, state: Any) -> None:
        """Puts the policy back to a state of `get_state`."""
        ...
