"""A record as the store holds it: the record itself and what lookups need, worked out once.

Entries and the records in them are never changed after they are made; a change makes a new entry. That is what allows
worlds, branches and logs to share them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mempa_gym.world.collections import COLLECTIONS, Collection
from mempa_gym.world.words import haystack

__all__ = ["Entry", "Finder", "Record", "document_hay", "fresh", "make_entry", "shown", "tombstone_mark"]

_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode

Record = dict[str, Any]
"""A record's fields, `id` first; without `enters`, which is the store's business."""

Finder = Callable[[str, str], Record | None]
"""Finds a record by collection and id, visible or not; used to name what a record refers to."""


class Entry(NamedTuple):
    """One record in the store.

    Attributes:
        time: the record's own time, by which results are ordered; empty when it has none.
        id: the record's id.
        record: the record; read only.
        hay: its text, folded for searching; None when it depends on the story time (a document with dated sections).
        enters: story time from which it is visible; empty for the start.
        taken: id of the booking that holds this slot; empty while it is open.
        mark: what the record adds to the hash of a state.
    """

    time: str
    id: str
    record: Record
    hay: str | None
    enters: str
    taken: str
    mark: int


def make_entry(kind: Collection, record: Record, find: Finder, *, enters: str | None = None, taken: str = "") -> Entry:
    """Builds the entry of a complete record, which from then on belongs to the store.

    Args:
        kind: the record's collection.
        record: the record with all fields.
        find: finds records that it refers to.
        enters: story time from which it is visible; None takes the collection's rule.
        taken: id of the booking that holds it, for slots.
    """
    time = record[kind.time] if kind.time else ""
    if enters is None:
        enters = time if kind.arrives else ""
    hay: str | None = None
    if kind.name != "documents" or not any(section["from"] for section in record["sections"]):
        hay = haystack(_texts(kind, record, find, kind.text))
    return Entry(time, record["id"], record, hay, enters, taken, _mark(kind.name, record, enters, taken))


def shown(kind: Collection, entry: Entry, now: str) -> Record:
    """Returns a fresh copy of a record as it reads at a story time."""
    if kind.name == "documents":
        return _shown_document(entry.record, now)
    return fresh(kind, entry.record)


def fresh(kind: Collection, record: Record) -> Record:
    """Returns a copy that shares nothing changeable with the store."""
    copy = record.copy()
    for field in kind.lists:
        value = copy[field]
        copy[field] = [dict(item) for item in value] if field == "sections" else value.copy()
    return copy


def document_hay(kind: Collection, record: Record, now: str, find: Finder) -> str:
    """Returns the searchable text of a document with dated sections, as far as it is written at a story time."""
    return haystack(_texts(kind, _shown_document(record, now), find, kind.text))


def tombstone_mark(collection: str, id: str) -> int:
    """Returns what a created and deleted record adds to the hash: its id is spent, which later ids show."""
    return _mark(collection, {"id": id}, "", "deleted")


def _shown_document(record: Record, now: str) -> Record:
    copy = record.copy()
    copy["shared_with"] = record["shared_with"].copy()
    copy["sections"] = [
        {"heading": section["heading"], "text": section["text"]}
        for section in record["sections"]
        if section["from"] <= now
    ]
    return copy


def _texts(kind: Collection, record: Mapping[str, Any], find: Finder, fields: tuple[str, ...]) -> list[str]:
    texts: list[str] = []
    for field in fields:
        value = record[field]
        if isinstance(value, list):
            texts.extend(value)
        else:
            texts.append(str(value))
    for section in record.get("sections", ()):
        texts += (section["heading"], section["text"])
    for field, target in kind.refs.items():
        value = record[field]
        for id in value if isinstance(value, list) else (value,):
            texts += _referred(target, id, find)
    return texts


def _referred(target: str, id: str, find: Finder) -> list[str]:
    texts = [text for collection in _NAMED_BY.get(target, (target,)) for text in _label(collection, id, find)]
    # A loose reference may be plain text that stands for itself.
    return texts or ([id] if target in _NAMED_BY and id != "me" else [])


_NAMED_BY = {"address": ("contacts",), "named": ("places", "contacts")}


def _label(collection: str, id: str, find: Finder) -> list[str]:
    record = find(collection, id)
    if record is None:
        return []
    kind = COLLECTIONS[collection]
    texts: list[str] = []
    for field in kind.label:
        target = kind.refs.get(field)
        texts += _referred(target, record[field], find) if target else [record[field]]
    return texts


def _mark(collection: str, record: Mapping[str, Any], enters: str, taken: str) -> int:
    text = _ENCODE([collection, record, enters, taken])
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=32).digest())
