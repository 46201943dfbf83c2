"""The write lock: a final write whose content only the user can give waits until the user has given it.

Paper 000, C.3 keeps such writes impossible until the content was spoken. The refusal reads the same for every
attribute, so that it tells nothing about which one is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mempa_gym.errors import ArgumentError, unknown
from mempa_gym.tools import spec

__all__ = ["LOCKED", "Lock", "Locks"]

LOCKED = (
    "Error: this change needs content that only the user can give, and the user has not given it yet. "
    "Nothing was written."
)
"""The one refusal of a locked call."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A guarded write.

    Attributes:
        id: name by which the lock is opened.
        tool: the guarded tool.
        match: arguments that a guarded call has, compared with its checked arguments; others may come on top.
    """

    id: str
    tool: str
    match: Mapping[str, Any]

    def guards(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call with these checked arguments is guarded."""
        return tool == self.tool and all(
            name in arguments and _same(arguments[name], wanted) for name, wanted in self.match.items()
        )


@dataclass(frozen=True, slots=True)
class Locks:
    """The locks of a world and which of them are open; never changed, so that branches share it."""

    locks: tuple[Lock, ...] = ()
    opened: frozenset[str] = frozenset()

    @classmethod
    def of(cls, locks: Iterable[Lock]) -> Locks:
        """Returns these locks, all closed.

        Raises:
            UnknownNameError: A lock guards no tool.
            ArgumentError: A lock matches an argument that its tool does not have, or two locks share an id.
        """
        kept = tuple(locks)
        seen: set[str] = set()
        for lock in kept:
            declared = spec(lock.tool).arguments.model_fields
            for name, value in lock.match.items():
                if name not in declared:
                    raise ArgumentError(f"match.{name}", value, f"{lock.tool} has no such argument")
            if lock.id in seen:
                raise ArgumentError("id", lock.id, "two locks have this id")
            seen.add(lock.id)
        # A caller may go on changing the mapping that it handed in.
        return cls(tuple(replace(lock, match=dict(lock.match)) for lock in kept))

    def closed(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a closed lock guards a call."""
        return any(lock.id not in self.opened and lock.guards(tool, arguments) for lock in self.locks)

    def opening(self, id: str) -> Locks:
        """Returns the locks with one more open.

        Raises:
            UnknownNameError: There is no such lock.
        """
        if all(lock.id != id for lock in self.locks):
            raise unknown("lock", id, (lock.id for lock in self.locks))
        return Locks(self.locks, self.opened | {id})


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple):
        wanted = list(wanted)
    return bool(value == wanted)
