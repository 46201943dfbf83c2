"""The records a world starts from: read and indexed once, never changed, shared by every world of a persona."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from mempa_gym.errors import DataError, unknown
from mempa_gym.resources import data_path, parse_yaml
from mempa_gym.world.answers import Answers
from mempa_gym.world.collections import COLLECTIONS, Collection
from mempa_gym.world.entry import Entry, Record, make_entry
from mempa_gym.world.words import fold

__all__ = ["Base", "Table", "build_base", "load_base", "world_personas"]

_RawRecords = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Table:
    """The records of one collection.

    Attributes:
        kind: the collection.
        entries: id to entry.
        ordered: all entries, ascending by time and id (or by id alone).
        times: the entries' times in the same order.
    """

    kind: Collection
    entries: Mapping[str, Entry]
    ordered: tuple[Entry, ...]
    times: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """All records of a persona's world before anything happens.

    Attributes:
        name: the persona's id, or a name for records that come from elsewhere.
        packaged: whether the records are the packaged ones of that persona.
        tables: collection name to table, for every collection.
        where: record id to collection name.
        total: sum of the marks of all records.
        bearers: folded name to the ids of the places and contacts that bear it.
        paths: path to the ids of the documents that have it.
        raw: what the base was built from when it is not packaged; needed to pickle it.
        answers: what reads of its worlds were answered.
    """

    name: str
    packaged: bool
    tables: Mapping[str, Table]
    where: Mapping[str, str]
    total: int
    bearers: Mapping[str, tuple[str, ...]]
    paths: Mapping[str, tuple[str, ...]]
    raw: _RawRecords | None = field(repr=False)
    answers: Answers = field(default_factory=Answers, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # Packaged records are read again where they are needed: a pickled world holds only what changed.
        return (load_base, (self.name,)) if self.packaged else (build_base, (self.raw, self.name))

    def __copy__(self) -> Base:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Base:
        return self


@cache
def world_personas() -> tuple[str, ...]:
    """Returns the ids of the personas that have a packaged world, in alphabetical order."""
    folder = data_path("personas")
    if not folder.is_dir():
        return ()
    names = (entry.name for entry in folder.iterdir() if entry.is_dir() and any(_files(entry.name)))
    return tuple(sorted(names))


@cache
def load_base(persona: str) -> Base:
    """Returns the packaged records of a persona.

    Raises:
        UnknownNameError: No persona of this name has a packaged world.
        DataError: A file does not follow the schema.
    """
    if persona not in world_personas():
        raise unknown("persona with a world", persona, world_personas())
    return _build(persona, True, _read(persona), None)


def build_base(records: _RawRecords, name: str) -> Base:
    """Builds a base from records given in the form of a fixture file.

    Raises:
        DataError: A record does not follow the schema.
    """
    copy = {
        collection: [dict(record) if isinstance(record, Mapping) else record for record in rows]
        for collection, rows in records.items()
    }
    return _build(name, False, _rows(copy, "records"), copy)


def _files(persona: str) -> Iterator[str]:
    folder = data_path(f"personas/{persona}/world")
    if folder.is_dir():
        yield from sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def _read(persona: str) -> Iterator[tuple[str, str, str, Any]]:
    for name in _files(persona):
        file = f"data/personas/{persona}/world/{name}"
        text = data_path(f"personas/{persona}/world/{name}").read_text(encoding="utf-8")
        yield from _rows(parse_yaml(text, file), file)


def _rows(content: Any, file: str) -> Iterator[tuple[str, str, str, Any]]:
    if not isinstance(content, Mapping):
        raise DataError(file, "", "expected a mapping of collections to lists of records")
    for collection, rows in content.items():
        if collection not in COLLECTIONS:
            raise DataError(file, collection, str(unknown("collection", collection, COLLECTIONS)))
        if not isinstance(rows, list):
            raise DataError(file, collection, "expected a list of records")
        for index, raw in enumerate(rows):
            yield file, collection, f"{collection}[{index}]", raw


def _build(name: str, packaged: bool, rows: Iterable[tuple[str, str, str, Any]], raw: _RawRecords | None) -> Base:
    from mempa_gym.world.schema import checked_record

    records: dict[str, dict[str, tuple[Record, str | None]]] = {collection: {} for collection in COLLECTIONS}
    where: dict[str, str] = {}
    for file, collection, key, given in rows:
        record, enters = checked_record(COLLECTIONS[collection], given, file, key)
        if record["id"] in where:
            raise DataError(file, f"{key} ({record['id']})", f"the id is given twice, also in {where[record['id']]}")
        where[record["id"]] = collection
        records[collection][record["id"]] = (record, enters)

    def find(collection: str, id: str) -> Record | None:
        found = records[collection].get(id)
        return found[0] if found else None

    tables = {
        collection: _table(
            kind,
            [make_entry(kind, record, find, enters=enters) for record, enters in records[collection].values()],
        )
        for collection, kind in COLLECTIONS.items()
    }
    bearers: dict[str, list[str]] = {}
    for collection in ("places", "contacts"):
        for id in sorted(records[collection]):
            bearers.setdefault(fold(records[collection][id][0]["name"]), []).append(id)
    paths: dict[str, list[str]] = {}
    for id in sorted(records["documents"]):
        paths.setdefault(records["documents"][id][0]["path"], []).append(id)
    return Base(
        name=name,
        packaged=packaged,
        tables=tables,
        where=where,
        total=sum(entry.mark for table in tables.values() for entry in table.ordered),
        bearers={key: tuple(ids) for key, ids in bearers.items()},
        paths={key: tuple(ids) for key, ids in paths.items()},
        raw=raw,
    )


def _table(kind: Collection, entries: list[Entry]) -> Table:
    entries.sort(key=(lambda entry: entry.id) if kind.order == "id" else (lambda entry: (entry.time, entry.id)))
    return Table(kind, {entry.id: entry for entry in entries}, tuple(entries), tuple(entry.time for entry in entries))
