"""What updates have in common."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.desk import Desk
from mempa_gym.world.entry import Entry, Record

__all__ = ["is_status", "money", "updated"]


def updated(desk: Desk, collection: str, entry: Entry, record: Record, fields: list[str]) -> Any:
    """Writes a record's new version and answers which arguments were applied.

    Raises:
        ArgumentError: Nothing but the id was given.
    """
    if not fields:
        raise ArgumentError("arguments", entry.id, "nothing to change is given", "Give at least one new value")
    desk.replace(collection, entry, record)
    return {"id": entry.id, "updated": fields}


def is_status(record: Record, *statuses: str) -> bool:
    """Whether a record's status is one of these, without regard to case."""
    return record["status"].lower() in statuses


def money(amount: float) -> int | float:
    """Returns an amount in whole cents, as a whole number where it is one."""
    rounded = round(amount, 2)
    return int(rounded) if rounded == int(rounded) else rounded
