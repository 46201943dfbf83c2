"""A memory that a policy fills: it stores what it is told to keep, and returns all of it.

For environments where ``memory_0`` is played from outside. The store lives in the game and not in the policy, so that
checkpoints, probes and branches treat it like any other memory and nothing leaks from a branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.views import MemoryQuery, TurnRecord
from mempa_gym.memory.render import require_story_time
from mempa_gym.memory.saving import pack, require_kind, unpack

__all__ = ["KeptMemory"]


@dataclass(frozen=True, slots=True)
class _KeptState:
    """Texts kept so far, oldest first."""

    notes: tuple[str, ...] = ()


class KeptMemory:
    """Keeps the texts given to ``keep``; turns themselves are not stored."""

    name = "kept"
    accumulates = True
    options: Mapping[str, Any] = FrozenDict()

    def __init__(self) -> None:
        self._state = _KeptState()

    @property
    def text(self) -> str:
        """Everything kept, one note a line."""
        return "\n".join(self._state.notes)

    def keep(self, text: str, at: str) -> None:
        """Keeps a text written at story time ``at``; an empty one keeps nothing."""
        require_story_time(at)
        if text:
            self._state = _KeptState((*self._state.notes, text))

    def recall(self, query: MemoryQuery) -> str:
        """Returns everything kept."""
        return self.text

    def write(self, record: TurnRecord) -> None:
        """Stores nothing: what is kept is the policy's choice."""

    def end_session(self, now: str) -> None:
        """Does nothing."""

    def prepare_checkpoint(self, now: str) -> None:
        """Does nothing."""

    def without_conversation(self) -> None:
        """Does nothing: what was kept is no raw conversation of the harness's."""

    def get_state(self) -> object:
        """Returns the state."""
        return self._state

    def set_state(self, state: object) -> None:
        """Takes back a state, or raises RunError when it is another memory's."""
        self._state = require_kind(self.name, state, _KeptState)

    def dump(self, state: object) -> dict[str, object]:
        """Returns a state as JSON-able data."""
        return pack(self.name, {}, {"notes": list(require_kind(self.name, state, _KeptState).notes)})

    def load(self, data: object) -> object:
        """Returns the state of a ``dump``; raises DataError or RunError when it is damaged or another memory's."""
        return unpack(self.name, {}, data, _KeptState)

    def reset(self) -> None:
        """Forgets everything."""
        self._state = _KeptState()

    def stats(self) -> Mapping[str, int | str]:
        """Returns how many notes are kept."""
        return {"notes": len(self._state.notes)}
