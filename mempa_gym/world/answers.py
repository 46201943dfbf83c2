"""Answers of reads that were given before: the same question to the same records has the same answer.

A story is played many times, each probe several times from one checkpoint, so most reads have been answered already.
An answer is kept as the text an agent reads: nobody can change it for the next one who asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["Answers"]

_MOST = 4096

Key = tuple[Any, ...]


class Answers:
    """Tool, arguments, story time and state of the records, to the answer's text and whether it is a refusal.

    Shared by all worlds of one base; when it is full the oldest answer goes.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Key, tuple[bool, str]] = {}

    @staticmethod
    def key(tool: str, arguments: Mapping[str, Any], now: str, state: tuple[int, int]) -> Key | None:
        """Returns the key of a read, None for one that is not remembered."""
        # With their types: True would pass for 1.
        key = (tool, now, state, *[(name, type(value), value) for name, value in arguments.items()])
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def get(self, key: Key) -> tuple[bool, str] | None:
        """Returns whether the read is answered, and the answer's or the refusal's text; None when it is not known."""
        return self._known.get(key)

    def put(self, key: Key, ok: bool, text: str) -> None:
        """Keeps an answer."""
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        self._known[key] = (ok, text)
