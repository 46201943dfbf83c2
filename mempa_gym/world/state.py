"""What has changed since the start, as a persistent value.

A state is never changed: a write makes a new state that shares all but one bucket with the old one. A branch, a
checkpoint and a rollback are therefore one assignment, whatever the size or the age of the world, and no layer ever
has to be merged. The hash is kept up to date with each write as a sum over records, which does not depend on the
order of writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

from mempa_gym.world.entry import Entry

__all__ = ["EMPTY", "UNCHANGED", "Changes", "State", "Unchanged"]

_BUCKETS = 32
_MODULUS = 1 << 256


class Unchanged:
    """Type of the mark for a record that no write has touched."""


UNCHANGED: Final = Unchanged()


@dataclass(frozen=True, slots=True)
class Changes:
    """The changed records of one collection; a deleted one is None.

    Attributes:
        buckets: the changed records, spread by a hash of their ids that is the same in every process.
        created: number of records that tools ever created.
    """

    buckets: tuple[dict[str, Entry | None], ...] = ({},) * _BUCKETS
    created: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """All changes since the start.

    Attributes:
        changes: collection to its changes; collections without any are absent.
        total: sum of the marks of changed records minus those of the records that they replace.
        path: a number for the writes in their order. What a search finds can depend on the order: a message is found
            by the name its sender had when it was written.
    """

    changes: dict[str, Changes]
    total: int = 0
    path: int = field(default=0, compare=False)

    def get(self, collection: str, id: str) -> Entry | Unchanged | None:
        """Returns the changed record, None when it was deleted, UNCHANGED when no write touched it."""
        changes = self.changes.get(collection)
        if changes is None:
            return UNCHANGED
        return changes.buckets[crc32(id.encode()) % _BUCKETS].get(id, UNCHANGED)

    def created(self, collection: str) -> int:
        """Returns how many records of a collection tools ever created."""
        changes = self.changes.get(collection)
        return changes.created if changes else 0

    def changed(self, collection: str) -> Iterator[tuple[str, Entry | None]]:
        """Yields the changed records of a collection in no particular order."""
        changes = self.changes.get(collection)
        if changes is not None:
            for bucket in changes.buckets:
                yield from bucket.items()

    def with_record(
        self, collection: str, id: str, entry: Entry | None, difference: int, *, created: bool = False
    ) -> State:
        """Returns the state after one record was written or deleted.

        Args:
            collection: the record's collection.
            id: its id.
            entry: the new entry, None to delete.
            difference: mark of the new entry minus that of the one it replaces.
            created: the record is a new one.
        """
        old = self.changes.get(collection) or Changes()
        index = crc32(id.encode()) % _BUCKETS
        buckets = list(old.buckets)
        buckets[index] = {**buckets[index], id: entry}
        changes = self.changes.copy()
        changes[collection] = Changes(tuple(buckets), old.created + created)
        return State(changes, (self.total + difference) % _MODULUS, hash((self.path, difference, created)))

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self


EMPTY: Final = State({})
