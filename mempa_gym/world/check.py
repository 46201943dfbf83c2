"""Faults of a packaged world that its schema cannot see: dangling references, impossible times, telling ids.

Used by the validator of packaged data. Nothing here runs while a world is played.
"""

from __future__ import annotations

from collections.abc import Iterator

from mempa_gym.errors import DataError
from mempa_gym.taxonomy import attributes
from mempa_gym.world.base import Base, load_base
from mempa_gym.world.collections import Collection
from mempa_gym.world.entry import Entry
from mempa_gym.world.words import fold

__all__ = ["check_base", "check_fixtures"]

# Words that would tell an agent what a record was made for.
_TELLING = frozenset({"work", "personal", "probe", "session", "setting", "attribute", "context", "cell", "beat", "acc"})

# Settings' labels that are also everyday words: as such they name nothing.
_EVERYDAY = frozenset(
    {
        "high",
        "low",
        "show",
        "hide",
        "express",
        "silent",
        "formal",
        "casual",
        "detailed",
        "assumed",
        "guided",
        "organize",
    }
)

_ID_PREFIXES = {"con_": "contacts", "plc_": "places"}

_PAIRS = (("start", "end"), ("depart", "arrive"), ("from", "to"))


def check_fixtures(persona: str) -> list[str]:
    """Returns the faults of a persona's packaged world, one line each; an empty list when it is sound.

    Raises:
        UnknownNameError: No persona of this name has a packaged world.
    """
    try:
        base = load_base(persona)
    except DataError as error:
        return [str(error)]
    return check_base(base)


def check_base(base: Base) -> list[str]:
    """Returns the faults of a world's records, one line each."""
    problems: list[str] = []
    telling = _telling_words()
    for name, table in base.tables.items():
        for entry in sorted(table.entries.values(), key=lambda each: each.id):
            faults = [
                *_telling(entry, telling),
                *_references(base, table.kind, entry),
                *_times(table.kind, entry),
                *_numbers(entry),
                *_correspondence(name, entry),
            ]
            problems += [f"{name} {entry.id}: {fault}" for fault in faults]
    return problems + _double_paths(base)


def _telling_words() -> tuple[str, ...]:
    labels = {fold(setting.label).replace("-", "_").replace(" ", "_") for a in attributes() for setting in a.settings}
    return tuple(sorted(_TELLING | {a.id for a in attributes()} | (labels - _EVERYDAY)))


def _telling(entry: Entry, words: tuple[str, ...]) -> Iterator[str]:
    padded = f"_{entry.id}_"
    for word in words:
        if f"_{word}_" in padded:
            yield f"the id tells what the record is for: {word!r}"


def _references(base: Base, kind: Collection, entry: Entry) -> Iterator[str]:
    for field, target in kind.refs.items():
        value = entry.record[field]
        for id in value if isinstance(value, list) else (value,):
            if not id or (target == "address" and (id == "me" or "@" in id)):
                continue
            collection = "contacts" if target == "address" else target
            if target == "named":
                collection = next((name for prefix, name in _ID_PREFIXES.items() if id.startswith(prefix)), "")
                if not collection:
                    continue
            found = base.tables[collection].entries.get(id)
            if found is None:
                yield f"{field} refers to {id!r}, which is no id of the {collection}"
            elif found.enters > entry.enters and (entry.enters or not base.tables[collection].kind.arrives):
                yield f"{field} refers to {id!r}, which enters later, at {found.enters}"


def _times(kind: Collection, entry: Entry) -> Iterator[str]:
    record = entry.record
    for first, last in _PAIRS:
        if first in kind.fields and last in kind.fields and kind.fields[first] in {"stamp", "day"}:
            start, end = record[first], record[last]
            if end < start or (end == start and first == "start"):
                yield f"{last} {end} is not later than {first} {start}"
    if kind.arrives and entry.enters[: len(entry.time)] < entry.time and record.get("folder") != "draft":
        yield f"it enters at {entry.enters}, before its own time {entry.time}"
    if kind.name.endswith("_slots") and entry.enters >= entry.time:
        yield f"it enters at {entry.enters}, when it has started already"


def _numbers(entry: Entry) -> Iterator[str]:
    for field in ("quantity", "stock", "seats", "minutes", "party", "max_party", "max_minutes", "rain_pct"):
        value = entry.record.get(field)
        if isinstance(value, int | float) and value < 0:
            yield f"{field} is negative"


def _correspondence(name: str, entry: Entry) -> Iterator[str]:
    record = entry.record
    if name == "messages" and record["sender"] not in {"me", record["with"]}:
        yield f"sender {record['sender']!r} is neither 'me' nor the contact of the thread, {record['with']!r}"
    if name == "emails":
        if record["folder"] != "inbox" and record["from"] != "me":
            yield f"it is in folder {record['folder']} but not from 'me'"
        if record["folder"] != "draft" and not record["to"]:
            yield "it has no recipient"


def _double_paths(base: Base) -> list[str]:
    seen: dict[str, str] = {}
    problems: list[str] = []
    for entry in base.tables["documents"].ordered:
        path = fold(entry.record["path"])
        if path in seen:
            problems.append(f"documents {entry.id}: path {entry.record['path']!r} is also that of {seen[path]}")
        seen.setdefault(path, entry.id)
    return problems
