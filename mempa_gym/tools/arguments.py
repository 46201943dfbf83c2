"""The argument types that the tools share, each with its format and its refusal in one place.

Paper 000, C.2 asks that the format of a value stands in the parameter's description and that any other format is refused
before the world is read. A type here therefore carries three things together: the description that a model reads, the
pattern in the JSON schema, and the check.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

__all__ = [
    "Amount",
    "Arguments",
    "Count",
    "Day",
    "DocumentPath",
    "Id",
    "Name",
    "People",
    "Query",
    "Stamp",
    "Text",
    "check_day",
    "check_path",
    "check_stamp",
]

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_STAMP = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Arguments(BaseModel):
    """Base of all argument models: nothing undeclared, nothing converted, a null counts as left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def check_day(value: str) -> str:
    """Returns a day of the form YYYY-MM-DD as it is; raises when it has another form or does not exist."""
    if not _DAY.fullmatch(value) or not _exists(value):
        raise _refusal("expected an existing day in the form YYYY-MM-DD")
    return value


def check_stamp(value: str) -> str:
    """Returns a story time of the form YYYY-MM-DDTHH:MM as it is; raises when it has another form or does not exist."""
    found = _STAMP.fullmatch(value)
    if not found or not _exists(found[1]):
        raise _refusal("expected an existing time in the form YYYY-MM-DDTHH:MM, 24-hour clock")
    return value


def check_path(value: str) -> str:
    """Returns a document path as it is; raises when it could name anything outside the user's documents.

    No file is ever opened by such a path. It is still kept as narrow as if one were, so that an agent that probes for a
    way out learns nothing and a later store on disk inherits no hole.
    """
    if unicodedata.normalize("NFKC", value) != value:
        raise _refusal("a path has no look-alike characters")
    if _CONTROL.search(value) or any(sign in value for sign in "\\%:*?\"<>|~"):
        raise _refusal("a path has letters, digits, spaces, '_', '-', '.' and '/' between folders, and no escapes")
    for part in value.split("/"):
        if not part:
            raise _refusal("a path is relative and has no empty folder name")
        if part[0] in ". " or part[-1] in ". ":
            raise _refusal("no part of a path starts or ends with a dot or a space")
    return value


def _exists(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _trimmed(value: str, what: str) -> str:
    if value != value.strip():
        raise _refusal(f"{what} has no spaces around it")
    if _CONTROL.search(value):
        raise _refusal(f"{what} has no control characters")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise _refusal("expected some text, got blanks only")
    return value


def _refusal(reason: str) -> PydanticCustomError:
    return PydanticCustomError("format", "{reason}", {"reason": reason})


Id = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(partial(_trimmed, what="an id"))]
"""Id of a record that exists and is visible."""

Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(partial(_trimmed, what="a name"))]
"""A short name, on one line."""

Text = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(_not_blank)]
"""Free text, kept verbatim."""

Query = Annotated[
    str | None,
    Field(max_length=500, description="Words to look for, in any order; each may be the start of a word. Leave out to list."),
]

Day = Annotated[str, AfterValidator(check_day), Field(json_schema_extra={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})]
"""A day, YYYY-MM-DD."""

Stamp = Annotated[
    str,
    AfterValidator(check_stamp),
    Field(json_schema_extra={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$"}),
]
"""A story time, YYYY-MM-DDTHH:MM."""

DocumentPath = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(check_path)]
"""A path inside the user's documents."""

People = Annotated[list[Id], Field(min_length=1, max_length=50)]
"""One or more contact ids."""

Count = Annotated[int, Field(ge=1, le=1_000)]
"""A whole number from 1."""

Amount = Annotated[int, Field(gt=0, le=1_000_000)] | Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
"""A positive amount, as a JSON number."""
