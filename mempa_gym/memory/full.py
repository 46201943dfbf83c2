"""The whole history in the prompt: a further bound.

It shows what could be known from the sessions if nothing were forgotten. Its history is its memory, so a probe keeps
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.views import MemoryQuery, TurnRecord
from mempa_gym.memory.ids import IdSet, contains, with_id
from mempa_gym.memory.render import render_record, require_story_time
from mempa_gym.memory.saving import pack, require_kind, unpack

__all__ = ["FullMemory"]


@dataclass(frozen=True, slots=True)
class _FullState:
    """Texts of finished sessions and of the turns of the session that is being played, oldest first."""

    sessions: tuple[str, ...] = ()
    current: tuple[str, ...] = ()
    turns: int = 0
    seen: IdSet = ()


_EMPTY = _FullState()


class FullMemory:
    """Returns every earlier session, word for word; see `render` for the form."""

    name = "full"
    accumulates = True
    options: Mapping[str, Any] = FrozenDict()

    def __init__(self) -> None:
        self._state = _EMPTY
        self._joined: tuple[tuple[str, ...], str] = ((), "")

    def recall(self, query: MemoryQuery) -> str:
        """Returns all earlier sessions, oldest first."""
        sessions = self._state.sessions
        if self._joined[0] is not sessions:
            self._joined = (sessions, "\n\n".join(sessions))
        return self._joined[1]

    def write(self, record: TurnRecord) -> None:
        """Stores a turn once."""
        if contains(self._state.seen, record.turn_id):
            return
        text = render_record(record)
        if record.new_session:
            self._close()
        state = self._state
        self._state = replace(
            state,
            current=(*state.current, text) if text else state.current,
            turns=state.turns + 1,
            seen=with_id(state.seen, record.turn_id),
        )

    def end_session(self, now: str) -> None:
        """Makes the session that was played part of the history."""
        require_story_time(now, "now")
        self._close()

    def prepare_checkpoint(self, now: str) -> None:
        """Does nothing: nothing waits."""
        require_story_time(now, "now")

    def without_conversation(self) -> None:
        """Keeps everything: here the conversation is the memory."""

    def get_state(self) -> object:
        """Returns the state."""
        return self._state

    def set_state(self, state: object) -> None:
        """Takes back a state.

        Raises:
            RunError: It is no state of this memory.
        """
        self._state = require_kind(self.name, state, _FullState)

    def dump(self, state: object) -> dict[str, Any]:
        """Returns a state as JSON-able data."""
        checked = require_kind(self.name, state, _FullState)
        return pack(
            self.name,
            self.options,
            {
                "sessions": list(checked.sessions),
                "current": list(checked.current),
                "turns": checked.turns,
                "seen": [sorted(part) for part in checked.seen],
            },
        )

    def load(self, data: object) -> object:
        """Returns the state of a `dump`.

        Raises:
            DataError: The data is damaged.
            RunError: It belongs to another memory.
        """
        return unpack(self.name, self.options, data, _FullState)

    def reset(self) -> None:
        """Forgets everything."""
        self._state = _EMPTY
        self._joined = ((), "")

    def stats(self) -> Mapping[str, int | str]:
        """Returns the number of turns stored."""
        return {"turns": self._state.turns}

    def _close(self) -> None:
        state = self._state
        if state.current:
            self._state = replace(state, sessions=(*state.sessions, "\n".join(state.current)), current=())
