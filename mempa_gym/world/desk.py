"""What a tool works on during one call: reading what is visible, and writing all or nothing.

A desk starts from a state and collects the next one. The world adopts that one only when the call succeeds, so a tool
may refuse at any point and nothing has been written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.base import Base
from mempa_gym.world.collections import COLLECTIONS, PREFIXES
from mempa_gym.world.entry import Entry, Record, make_entry, shown, tombstone_mark
from mempa_gym.world.log import Change
from mempa_gym.world.state import State, Unchanged

__all__ = ["Desk", "Handler"]

Handler = Callable[["Desk", dict[str, Any]], Any]
"""Carries out a call whose arguments are checked; raises ArgumentError to refuse it."""


class Desk:
    """Reads and writes of one call.

    Attributes:
        base: the records of the start.
        state: the changes so far, this call's included.
        now: story time of the call.
        changes: what this call changed.
    """

    __slots__ = ("base", "changes", "now", "state")

    def __init__(self, base: Base, state: State, now: str) -> None:
        self.base = base
        self.state = state
        self.now = now
        self.changes: list[Change] = []

    @property
    def today(self) -> str:
        """The day of the call."""
        return self.now[:10]

    # Reading

    def raw(self, collection: str, id: str) -> Entry | None:
        """Returns a record's entry whether it is visible or not."""
        found = self.state.get(collection, id)
        return self.base.tables[collection].entries.get(id) if isinstance(found, Unchanged) else found

    def record(self, collection: str, id: str) -> Record | None:
        """Returns a record whether it is visible or not; not to be handed out."""
        entry = self.raw(collection, id)
        return entry.record if entry else None

    def visible(self, collection: str, id: str) -> Entry | None:
        """Returns a record's entry if it has entered and, for a slot, is open."""
        entry = self.raw(collection, id)
        return entry if entry is not None and entry.enters <= self.now and not entry.taken else None

    def need(self, collection: str, id: str, field: str) -> Entry:
        """Returns a visible record's entry.

        Raises:
            ArgumentError: There is no such record, or not yet, which is not told apart.
        """
        entry = self.visible(collection, id)
        if entry is None:
            raise self._no_such(COLLECTIONS[collection].noun, id, field)
        return entry

    def need_one_of(self, collections: tuple[str, ...], id: str, field: str) -> tuple[str, Entry]:
        """Returns a visible record of one of several collections, with the collection's name.

        Raises:
            ArgumentError: None of them has it.
        """
        for collection in collections:
            entry = self.visible(collection, id)
            if entry is not None:
                return collection, entry
        raise self._no_such(" or ".join(COLLECTIONS[name].noun for name in collections), id, field)

    def collection_of(self, id: str) -> str | None:
        """Returns the collection that an id belongs to, whether the record is visible or not."""
        known = self.base.where.get(id)
        if known is None:
            prefix, separator, number = id.rpartition("_new_")
            if separator and number.isdigit():
                return PREFIXES.get(prefix)
        return known

    def all(self, collection: str) -> Iterator[Entry]:
        """Yields the visible records of a collection: those of the start in order, then those that were changed."""
        now = self.now
        touched = dict(self.state.changed(collection))
        for entry in self.base.tables[collection].ordered:
            if entry.enters <= now and entry.id not in touched:
                yield entry
        for id in sorted(touched):
            changed = touched[id]
            if changed is not None and changed.enters <= now and not changed.taken:
                yield changed

    def show(self, collection: str, entry: Entry) -> Record:
        """Returns a fresh copy of a record as it reads now."""
        return shown(COLLECTIONS[collection], entry, self.now)

    # Writing

    def add(self, collection: str, fields: Mapping[str, Any]) -> Entry:
        """Creates a record, visible from now on, with the next id of its collection.

        Args:
            collection: a collection with a prefix.
            fields: all fields of the record except `id`.
        """
        kind = COLLECTIONS[collection]
        id = f"{kind.prefix}_new_{self.state.created(collection) + 1:04d}"
        record = {"id": id} | {field: fields[field] for field in kind.fields}
        entry = make_entry(kind, record, self.record, enters=self.now)
        self._write(collection, id, None, entry, entry.mark, created=True)
        return entry

    def change(self, collection: str, entry: Entry, **fields: Any) -> Entry:
        """Changes fields of a record."""
        return self.replace(collection, entry, entry.record | fields)

    def replace(self, collection: str, entry: Entry, record: Record) -> Entry:
        """Puts a new version of a record in the place of the old one."""
        new = make_entry(COLLECTIONS[collection], record, self.record, enters=entry.enters, taken=entry.taken)
        self._write(collection, entry.id, entry, new, new.mark - entry.mark)
        return new

    def remove(self, collection: str, entry: Entry) -> None:
        """Deletes a record."""
        # A created id stays spent, or two different records could bear it in one world.
        spent = 0 if entry.id in self.base.where else tombstone_mark(collection, entry.id)
        self._write(collection, entry.id, entry, None, spent - entry.mark)

    def hold(self, collection: str, slot: Entry, holder: str) -> None:
        """Marks a slot as held by a booking; an empty holder opens it again."""
        kind = COLLECTIONS[collection]
        new = make_entry(kind, slot.record, self.record, enters=slot.enters, taken=holder)
        self._write(collection, slot.id, slot, new, new.mark - slot.mark)

    def held_by(self, collection: str, holder: str) -> Entry | None:
        """Returns the slot that a booking holds, if it was booked by a tool."""
        for _, entry in self.state.changed(collection):
            if entry is not None and entry.taken == holder:
                return entry
        return None

    def _write(
        self, collection: str, id: str, old: Entry | None, new: Entry | None, difference: int, *, created: bool = False
    ) -> None:
        self.state = self.state.with_record(collection, id, new, difference, created=created)
        self.changes.append(Change(collection, id, old, new))

    def _no_such(self, noun: str, id: str, field: str) -> ArgumentError:
        other = self.collection_of(id)
        if other is not None and self.visible(other, id) is not None:
            reason = f"this is the id of one of the {other.replace('_', ' ')}, not of {_article(noun)}"
        else:
            reason = f"there is no {noun} with this id"
        return ArgumentError(field, id, reason, "Search for the record and use its id")


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
