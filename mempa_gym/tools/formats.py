"""The formats of values: days, story times, paths and numbers, checked without any library.

Kept apart from the argument models so that the world can check a story time without loading pydantic. Each check
returns the value as it is, or raises a ValueError whose text is the reason for a refusal.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date

__all__ = ["MOST", "check_amount", "check_day", "check_id", "check_name", "check_path", "check_stamp", "check_text"]

MOST = 1_000_000
"""Largest amount that an argument may have."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_STAMP = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ESCAPES = frozenset('\\%:*?"<>|~')


def check_day(value: str) -> str:
    """Returns a day of the form YYYY-MM-DD; raises when it has another form or does not exist."""
    if not _DAY.fullmatch(value) or not _exists(value):
        raise ValueError("expected an existing day in the form YYYY-MM-DD")
    return value


def check_stamp(value: str) -> str:
    """Returns a story time of the form YYYY-MM-DDTHH:MM; raises when it has another form or does not exist."""
    found = _STAMP.fullmatch(value)
    if not found or not _exists(found[1]):
        raise ValueError("expected an existing time in the form YYYY-MM-DDTHH:MM, 24-hour clock")
    return value


def check_amount(value: object) -> int | float:
    """Returns a positive finite number; raises for anything else, text and truth values included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MOST:
        raise ValueError(f"expected a JSON number above 0 and up to {MOST}")
    return value


def check_id(value: str) -> str:
    """Returns an id; raises when spaces surround it or it holds control characters."""
    return _one_line(value, "an id")


def check_name(value: str) -> str:
    """Returns a short name; raises when spaces surround it or it holds control characters."""
    return _one_line(value, "a name")


def check_text(value: str) -> str:
    """Returns a text as it is; raises when it holds nothing but blanks."""
    if not value.strip():
        raise ValueError("expected some text, got blanks only")
    return value


def check_path(value: str) -> str:
    """Returns a document path; raises when it could name anything outside the user's documents.

    No file is ever opened by such a path. It is still kept as narrow as if one were, so that an agent that probes for a
    way out learns nothing and a later store on disk inherits no hole.
    """
    if unicodedata.normalize("NFKC", value) != value:
        raise ValueError("a path has no look-alike characters")
    if _CONTROL.search(value) or not _ESCAPES.isdisjoint(value):
        raise ValueError("a path has letters, digits, spaces, '_', '-', '.' and '/' between folders, and no escapes")
    for part in value.split("/"):
        if not part:
            raise ValueError("a path is relative and has no empty folder name")
        if part[0] == "." or part[-1] == "." or part != part.strip():
            raise ValueError("no part of a path starts or ends with a dot or a space")
    return value


def _exists(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _one_line(value: str, what: str) -> str:
    if value != value.strip():
        raise ValueError(f"{what} has no spaces around it")
    if _CONTROL.search(value):
        raise ValueError(f"{what} has no control characters")
    return value
