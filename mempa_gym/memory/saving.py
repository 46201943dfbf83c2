"""States on disk: plain data with the name and the options of the memory that wrote it.

A state read back under other options (another trigger, another consolidator) would give a run that no one configured,
and would do so late and without a word. So the options travel with the state and are compared when it is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from mempa_gym.errors import DataError, RunError

__all__ = ["pack", "require_kind", "unpack"]

_FORMAT = 1
_SOURCE = "saved memory state"

Value = TypeVar("Value")


def require_kind(name: str, state: object, kind: type[Value]) -> Value:
    """Returns a state after checking that it is of the kind its memory works with.

    Raises:
        RunError: It is not.
    """
    if not isinstance(state, kind):
        raise RunError(
            f"the memory {name!r} cannot take a state of type {type(state).__name__}",
            where="set_state",
            remedy="Set a state that get_state or load of the same kind of memory returned",
        )
    return state


def pack(name: str, options: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """Returns JSON-able data for one state."""
    return {"format": _FORMAT, "memory": name, "options": dict(options), "state": dict(state)}


def unpack(name: str, options: Mapping[str, Any], data: object, kind: type[Value]) -> Value:
    """Returns the state in data that `pack` made; `kind` is the state's dataclass.

    Raises:
        DataError: The data is not a packed state.
        RunError: It was made by another memory or under other options.
    """
    if not isinstance(data, Mapping) or set(data) != {"format", "memory", "options", "state"}:
        raise DataError(_SOURCE, "", "not a saved memory state", "Give back what dump returned")
    if data["format"] != _FORMAT:
        raise DataError(_SOURCE, "format", f"unknown format {data['format']!r}", "Save it with this version")
    for field, mine, theirs in _differences(name, options, data):
        raise RunError(
            f"the state was saved with {field} {theirs!r}, this memory has {mine!r}",
            where=_SOURCE,
            remedy="Build the memory with the options the state was saved with, or start a new run",
        )
    return _validated(kind, data["state"])


def _differences(name: str, options: Mapping[str, Any], data: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    theirs = data["options"] if isinstance(data["options"], Mapping) else {}
    pairs: list[tuple[str, Any, Any]] = [("memory", name, data["memory"])]
    pairs += [(key, options.get(key), theirs.get(key)) for key in dict.fromkeys((*options, *theirs))]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _validated(kind: type[Value], state: object) -> Value:
    # Pydantic costs a tenth of a second to import: only reading a saved state needs it.
    from pydantic import TypeAdapter, ValidationError

    names = sorted(field.name for field in fields(kind))  # type: ignore[arg-type]
    if not isinstance(state, Mapping) or sorted(state) != names:
        raise DataError(_SOURCE, "state", f"its keys must be {', '.join(names)}", "Give back what dump returned")
    try:
        return TypeAdapter(kind).validate_json(json.dumps(dict(state)), strict=True)
    except (ValidationError, TypeError) as error:
        key, reason = "state", str(error)
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            key, reason = ".".join(("state", *(str(part) for part in first["loc"]))), first["msg"]
        raise DataError(_SOURCE, key, reason, "Give back what dump returned") from None
