"""Calls in words: what a user is shown of a held call, and what a judge is shown of an executed one.

Both are pure functions of tool and arguments, so that a replayed run reads the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["args_summary", "describe"]

_LONGEST_VALUE = 200
_LONGEST_SUMMARY = 800
_LONGEST_DESCRIPTION = 400
# Arguments that name people, and how the sentence goes on to them.
_PEOPLE = {"to": "to", "contact_id": "to", "attendees": "with", "shared_with": "with"}
# Arguments in the user's or the agent's own words: quoted, and not announced by the argument's name.
_WORDS = frozenset({"text", "message", "body", "subject", "title", "purpose", "reason", "notes"})


def describe(tool: str, arguments: Mapping[str, Any]) -> str:
    """Returns a call in plain words, for instance ``message_send to con_ana: 'See you at six'``."""
    head = tool
    details = []
    for name, value in arguments.items():
        if value is None:
            continue
        if name in _PEOPLE:
            head += f" {_PEOPLE[name]} {_value(value)}"
        elif name in _WORDS:
            details.append(f"'{_value(value)}'")
        else:
            details.append(f"{name.replace('_', ' ')} {_value(value)}")
    return _cut(f"{head}: {', '.join(details)}" if details else head, _LONGEST_DESCRIPTION)


def args_summary(arguments: Mapping[str, Any]) -> str:
    """Returns arguments as one short line, for instance ``to=con_ana; text=See you at six``."""
    line = "; ".join(f"{name}={_value(value)}" for name, value in arguments.items() if value is not None)
    return _cut(line, _LONGEST_SUMMARY)


def _value(value: object) -> str:
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, list | tuple):
        text = ", ".join(_value(item) for item in value)
    elif isinstance(value, Mapping):
        text = ", ".join(f"{key} {_value(item)}" for key, item in value.items())
    else:
        text = str(value)
    return _cut(" ".join(text.split()), _LONGEST_VALUE)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
