"""A growing set of turn ids that can be shared between checkpoints.

A plain set would have to be copied for every checkpoint, or a branch would see the ids of another. This one is a
short tuple of frozen sets whose sizes are powers of two: adding merges the small ones, so a long history costs a
dozen look-ups and nothing is ever changed in place.
"""

from __future__ import annotations

__all__ = ["IdSet", "contains", "with_id"]

IdSet = tuple[frozenset[str], ...]


def contains(ids: IdSet, value: str) -> bool:
    """Returns whether an id is in the set."""
    return any(value in part for part in ids)


def with_id(ids: IdSet, value: str) -> IdSet:
    """Returns the set with one more id, which must not be in it yet."""
    last = frozenset((value,))
    kept = len(ids)
    while kept and len(ids[kept - 1]) == len(last):
        last |= ids[kept - 1]
        kept -= 1
    return (*ids[:kept], last)
