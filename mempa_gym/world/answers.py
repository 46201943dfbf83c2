"""Calls that were made before: the same call on the same records at the same time comes to the same.

A story is played many times, each probe several times from one checkpoint, so most calls have been answered already.
What a call came to is kept as values that nobody can change: the text an agent reads, and the next state, which is
persistent and shared anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mempa_gym.world.log import Change
from mempa_gym.world.state import State

__all__ = ["Answer", "Answers"]

_MOST = 4096

Key = tuple[Any, ...]


class Answer(NamedTuple):
    """What a call came to.

    Attributes:
        ok: False when it was refused.
        text: the answer as JSON, or the refusal's text.
        state: the records after it; those before it when it was refused or changed nothing.
        changes: what it changed, in order.
    """

    ok: bool
    text: str
    state: State
    changes: tuple[Change, ...]


class Answers:
    """Tool, arguments, story time and state of the records, to what the call came to.

    Shared by all worlds of one base; when it is full the oldest answer goes.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Key, Answer] = {}

    @staticmethod
    def key(tool: str, arguments: Mapping[str, Any], now: str, state: State) -> Key:
        """Returns the key of a call; ``arguments`` are checked ones, values and lists of texts."""
        # With their types: True would pass for 1.
        given = [
            (name, type(value), tuple(value) if isinstance(value, list) else value) for name, value in arguments.items()
        ]
        return (tool, now, state.total, state.path, *given)

    def get(self, key: Key) -> Answer | None:
        """Returns what the call came to, None when it is not known."""
        return self._known.get(key)

    def put(self, key: Key, answer: Answer) -> None:
        """Keeps what a call came to."""
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[key] = answer
