"""Documents: named by path or id, read as far as they are written by the time of the session."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.entry import Entry, Record
from mempa_gym.world.search import find, hit

__all__ = ["HANDLERS", "by_path"]

_KIND = COLLECTIONS["documents"]


def by_path(desk: Desk, path: str) -> Entry | None:
    """Returns the visible document with this path or id; of several, the one that entered last."""
    entry = desk.visible("documents", path)
    if entry is not None:
        return entry
    ids = {*desk.base.paths.get(path, ()), *(id for id, _ in desk.state.changed("documents"))}
    found = [entry for id in ids if (entry := desk.visible("documents", id)) and entry.record["path"] == path]
    return max(found, key=lambda entry: (entry.enters, entry.id), default=None)


def _need(desk: Desk, path: str) -> Entry:
    entry = by_path(desk, path)
    if entry is None:
        raise ArgumentError("path", path, "there is no document with this path or id", "List the documents first")
    return entry


def _read(desk: Desk, arguments: dict[str, Any]) -> Any:
    path = arguments.get("path")
    if path is not None:
        return desk.show("documents", _need(desk, path))
    return {"hits": [hit(_KIND, entry) for entry in find(desk, "documents", arguments.get("query"))]}


def _create(desk: Desk, arguments: dict[str, Any]) -> Any:
    path = arguments["path"]
    if by_path(desk, path) is not None:
        raise ArgumentError("path", path, "there is a document with this path already", "Update it or use another path")
    shared = list(arguments.get("shared_with", ()))
    for id in shared:
        desk.need("contacts", id, "shared_with")
    title = arguments["title"]
    section = {"heading": arguments.get("heading", title), "text": arguments["text"], "from": ""}
    entry = desk.add("documents", {"path": path, "title": title, "shared_with": shared, "sections": [section]})
    return {"id": entry.id, "path": path}


def _update(desk: Desk, arguments: dict[str, Any]) -> Any:
    entry = _need(desk, arguments["path"])
    heading, text = arguments["heading"], arguments["text"]
    sections: list[Record] = list(entry.record["sections"])
    for index, section in enumerate(sections):
        # A section that is not written yet does not exist for this call.
        if section["heading"] == heading and section["from"] <= desk.now:
            if arguments["mode"] == "append" and section["text"]:
                text = f"{section['text']}\n{text}"
            sections[index] = section | {"text": text}
            break
    else:
        sections.append({"heading": heading, "text": text, "from": ""})
    desk.change("documents", entry, sections=sections)
    return {"id": entry.id, "heading": heading, "updated": True}


def _delete(desk: Desk, arguments: dict[str, Any]) -> Any:
    entry = _need(desk, arguments["path"])
    desk.remove("documents", entry)
    return {"id": entry.id, "deleted": True}


HANDLERS: dict[str, Handler] = {
    "document_read": _read,
    "document_create": _create,
    "document_update": _update,
    "document_delete": _delete,
}
