"""The record of calls: every change of a world can be traced to the call that made it (paper 000, C.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.entry import Entry, Record, fresh

__all__ = ["CallEntry", "Change"]


@dataclass(frozen=True, slots=True)
class Change:
    """One record that a call changed.

    Attributes:
        collection: the record's collection.
        id: the record's id.
        old: the store's entry before, None when the record is new.
        new: the store's entry after, None when it was deleted.
    """

    collection: str
    id: str
    old: Entry | None = field(repr=False)
    new: Entry | None = field(repr=False)

    @property
    def before(self) -> Record | None:
        """The record before the call as a fresh dict, with `enters` and `taken` when set; None when it is new."""
        return _whole(self.collection, self.old)

    @property
    def after(self) -> Record | None:
        """The record after the call, in the same form; None when it was deleted."""
        return _whole(self.collection, self.new)


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One call, carried out or refused.

    Attributes:
        tool: name as called, which may be no tool's.
        given: the checked arguments, or what was given when they could not be checked.
        ok: False when it was refused.
        error: the refusal's text, else None.
        changes: what it changed, in order; empty when it was refused.
    """

    tool: str
    given: Mapping[str, Any] | str = field(repr=False)
    ok: bool
    error: str | None
    changes: tuple[Change, ...]

    @property
    def arguments(self) -> dict[str, Any] | str:
        """The arguments as a fresh dict; a text when they were no object or could not be written as JSON."""
        if isinstance(self.given, str):
            return self.given
        return {key: value.copy() if isinstance(value, list) else value for key, value in self.given.items()}


def _whole(collection: str, entry: Entry | None) -> Record | None:
    if entry is None:
        return None
    record = fresh(COLLECTIONS[collection], entry.record)
    if entry.enters:
        record["enters"] = entry.enters
    if entry.taken:
        record["taken"] = entry.taken
    return record
