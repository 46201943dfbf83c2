"""Searching, listing and reading: the part of the tools that is the same in every domain."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS, Collection
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.entry import Entry, Record, document_hay, fresh
from mempa_gym.world.words import fold, needles

__all__ = [
    "LIMIT",
    "Filter",
    "Keep",
    "bounds",
    "find",
    "hit",
    "listing",
    "names_of",
    "reading",
    "require_known",
    "searching",
]

LIMIT = 10
"""Most hits of a search."""

_LAST = "~"  # sorts after every time

Keep = Callable[[Record], bool]
"""Whether a record passes a call's filters."""


@dataclass(frozen=True, slots=True)
class Filter:
    """How one argument of a search narrows it.

    Attributes:
        field: the field that it looks at.
        how: "is": equal. "name": the same name, or name and id of the same place or contact; an unknown one is refused.
            "id": equal, and the id of a visible record of `target`, else refused. "most": at most. "among": one of the
            field's list.
        target: the collection that "id" refers to.
    """

    field: str
    how: Literal["is", "name", "id", "most", "among"]
    target: str = ""


def find(
    desk: Desk,
    collection: str,
    query: str | None,
    *,
    low: str = "",
    high: str = _LAST,
    keep: Keep | None = None,
    limit: int = LIMIT,
) -> list[Entry]:
    """Returns the visible records that match, in the collection's order.

    Args:
        desk: the call's desk.
        collection: where to look.
        query: words that must all occur; None or empty for any record.
        low: earliest time of the record.
        high: latest time of the record.
        keep: further condition on the record.
        limit: most records to return.
    """
    table = desk.base.tables[collection]
    kind = table.kind
    words = needles(query)
    if query and not words and query.strip():
        return []  # a query of signs only matches nothing
    touched = dict(desk.state.changed(collection))
    now = desk.now

    def matches(entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            time, _, record, hay, enters, taken, _ = entry
            if enters > now or taken or time < low or time > high:
                continue
            if words:
                if hay is None:
                    hay = document_hay(kind, record, now, desk.record)
                for word in words:
                    if word not in hay:
                        break
                else:
                    if keep is None or keep(record):
                        yield entry
            elif keep is None or keep(record):
                yield entry

    def untouched(entries: Iterable[Entry]) -> Iterator[Entry]:
        return (entry for entry in entries if entry.id not in touched) if touched else iter(entries)

    def first(entries: Iterable[Entry]) -> list[Entry]:
        found: list[Entry] = []
        for entry in matches(untouched(entries)):
            found.append(entry)
            if len(found) == limit:
                break
        return found

    fresh_ones = list(matches(entry for entry in touched.values() if entry is not None)) if touched else []
    ordered = table.ordered
    if kind.order == "id":
        return sorted(first(ordered) + fresh_ones, key=_by_id)[:limit]
    if kind.order == "newest":
        return sorted(first(reversed(ordered)) + fresh_ones, key=_by_time, reverse=True)[:limit]
    pivot = desk.today if kind.dated else now
    index = bisect_left(table.times, pivot)
    coming = first(ordered[index:]) + [entry for entry in fresh_ones if entry.time >= pivot]
    coming = sorted(coming, key=_by_time)[:limit]
    if len(coming) == limit:
        return coming
    past = first(ordered[index - 1 :: -1] if index else ()) + [entry for entry in fresh_ones if entry.time < pivot]
    return (coming + sorted(past, key=_by_time, reverse=True))[:limit]


def bounds(arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Returns the earliest and latest time that the arguments date, after and before allow."""
    day = arguments.get("date")
    low = max(day or "", arguments.get("after") or "")
    last = min(day or _LAST, arguments.get("before") or _LAST)
    return low, last + _LAST


def hit(kind: Collection, entry: Entry) -> Record:
    """Returns what a search shows of a record, as a fresh dict."""
    if kind.hit is None:
        return fresh(kind, entry.record)
    record = entry.record
    short: Record = {"id": entry.id}
    for field in kind.hit:
        value = record[field]
        short[field] = value.copy() if isinstance(value, list) else value
    return short


def names_of(desk: Desk, value: str) -> frozenset[str]:
    """Returns the folded spellings under which records may hold a place or a person: its name, and its id."""
    folded = fold(value)
    names = {folded, *desk.base.bearers.get(folded, ())}
    for collection in ("places", "contacts"):
        record = desk.record(collection, value)
        if record is not None:
            names.add(fold(record["name"]))
    return frozenset(names)


def require_known(
    desk: Desk, argument: str, value: str, names: frozenset[str], fields: Iterable[tuple[str, str]]
) -> None:
    """Refuses a name that no visible record bears.

    Args:
        desk: the call's desk.
        argument: the argument that holds the name.
        value: the name.
        names: its spellings.
        fields: collection and field of the records that may bear it.

    Raises:
        ArgumentError: No visible record bears it; the message shows names that some record does bear.
    """
    borne: dict[str, str] = {}
    for collection, field in fields:
        for entry in desk.all(collection):
            borne.setdefault(fold(entry.record[field]), entry.record[field])
    if names.isdisjoint(borne):
        near = difflib.get_close_matches(fold(value), borne, n=3, cutoff=0.3) or sorted(borne)[:3]
        shown = ", ".join(repr(borne[name]) for name in near)
        remedy = f"Names in the records are, for example, {shown}" if shown else "Search without it"
        raise ArgumentError(argument, value, f"no record has this {argument}", remedy)


def searching(collection: str, **filters: Filter) -> Handler:
    """Returns the handler of a search tool over one collection."""
    kind = COLLECTIONS[collection]

    def search(desk: Desk, arguments: dict[str, Any]) -> Any:
        found = _filtered(desk, collection, arguments, filters)
        return {"hits": [hit(kind, entry) for entry in found]}

    return search


def reading(collection: str, argument: str) -> Handler:
    """Returns the handler of a tool that reads one record by its id."""

    def read(desk: Desk, arguments: dict[str, Any]) -> Any:
        return desk.show(collection, desk.need(collection, arguments[argument], argument))

    return read


def listing(
    collection: str,
    argument: str,
    *,
    only: Keep | None = None,
    what: str = "",
    hide: tuple[str, ...] = (),
    **filters: Filter,
) -> Handler:
    """Returns the handler of a tool that reads one record by its id, or lists records when the id is left out.

    Args:
        collection: where to look.
        argument: the argument that holds the id.
        only: which records of the collection the tool is about.
        what: what those are called in a refusal.
        hide: fields that this tool does not show.
        **filters: further arguments of the list.
    """
    kind = COLLECTIONS[collection]

    def read(desk: Desk, arguments: dict[str, Any]) -> Any:
        id = arguments.get(argument)
        if id is None:
            found = _filtered(desk, collection, arguments, filters, only)
            return {"hits": [_without(hit(kind, entry), hide) for entry in found]}
        entry = desk.need(collection, id, argument)
        if only is not None and not only(entry.record):
            raise ArgumentError(argument, id, f"this {kind.noun} is not {what}")
        return _without(desk.show(collection, entry), hide)

    return read


def _filtered(
    desk: Desk,
    collection: str,
    arguments: Mapping[str, Any],
    filters: Mapping[str, Filter],
    only: Keep | None = None,
) -> list[Entry]:
    checks: list[Keep] = [only] if only is not None else []
    named: list[tuple[str, str, frozenset[str], str]] = []
    for argument, rule in filters.items():
        value = arguments.get(argument)
        if value is None:
            continue
        if rule.how == "id":
            desk.need(rule.target, value, argument)
        names = names_of(desk, value) if rule.how == "name" else frozenset()
        if rule.how == "name":
            named.append((argument, value, names, rule.field))
        checks.append(_check(rule, value, names))
    keep = (
        checks[0] if len(checks) == 1 else (lambda record: all(check(record) for check in checks)) if checks else None
    )
    low, high = bounds(arguments)
    found = find(desk, collection, arguments.get("query"), low=low, high=high, keep=keep)
    if not found:
        for argument, value, names, field in named:
            require_known(desk, argument, value, names, [(collection, field)])
    return found


def _check(rule: Filter, value: Any, names: frozenset[str]) -> Keep:
    field = rule.field
    match rule.how:
        case "name":
            return lambda record: fold(record[field]) in names
        case "most":
            return lambda record: bool(record[field] <= value)
        case "among":
            wanted = fold(value)
            return lambda record: any(fold(item) == wanted for item in record[field])
        case _:
            return lambda record: bool(record[field] == value)


def _without(record: Record, hide: tuple[str, ...]) -> Record:
    for field in hide:
        record.pop(field, None)
    return record


def _by_id(entry: Entry) -> str:
    return entry.id


def _by_time(entry: Entry) -> tuple[str, str]:
    return entry.time, entry.id
