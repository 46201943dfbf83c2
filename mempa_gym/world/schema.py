"""Pydantic models of the fixture records, made from the table of collections.

Imported only where fixtures are loaded, since pydantic is too heavy for a light import.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from mempa_gym.errors import DataError
from mempa_gym.tools.formats import check_day, check_path, check_stamp
from mempa_gym.world.collections import COLLECTIONS, Collection, FieldKind
from mempa_gym.world.entry import Record

__all__ = ["checked_record"]

_CREATED_ID = re.compile(r".*_new_\d+")
_RECORD_ID = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")


def checked_record(kind: Collection, raw: Any, file: str, key: str) -> tuple[Record, str | None]:
    """Checks one fixture record and fills in what may be left out.

    Args:
        kind: the record's collection.
        raw: the record as read from a file.
        file: the file, for messages.
        key: place of the record in the file, for messages.

    Returns:
        The complete record without `enters`, and `enters` or None.

    Raises:
        DataError: The record does not have the collection's form.
    """
    if isinstance(raw, dict) and isinstance(raw.get("id"), str):
        key = f"{key} ({raw['id']})"
    try:
        checked = _model(kind.name).model_validate(raw)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        at = ".".join((key, *(str(part) for part in problem["loc"])))
        raise DataError(
            file, at, f"{problem['msg'].removeprefix('Value error, ')}, got {problem['input']!r:.80}"
        ) from None
    record = dict(checked.__dict__)
    enters = record.pop("enters")
    if kind.name == "documents":
        record["sections"] = [dict(section.__dict__) for section in record["sections"]]
    return record, enters


def _id(value: str) -> str:
    if not _RECORD_ID.fullmatch(value):
        raise ValueError("an id has lower-case letters and digits, in words joined by '_'")
    if _CREATED_ID.fullmatch(value):
        raise ValueError("ids ending in _new_ and a number are kept for records that tools create")
    return value


def _or_empty(check: Callable[[str], str]) -> Callable[[str], str]:
    def checked(value: str) -> str:
        return check(value) if value else value

    return checked


def _day_or_stamp(value: str) -> str:
    return check_stamp(value) if "T" in value else check_day(value)


_Text = Annotated[str, Field(min_length=1)]
_Number = Annotated[int, Field(ge=0)] | Annotated[float, Field(ge=0, allow_inf_nan=False)]
_CONFIG = ConfigDict(extra="forbid", strict=True)


class _Section(BaseModel):
    model_config = _CONFIG

    heading: _Text
    text: str


# Made, not written: `from` cannot be spelt as a field in a class body.
_DatedSection = create_model(
    "Section",
    __base__=_Section,
    **{"from": (Annotated[str, AfterValidator(_or_empty(check_stamp))], "")},  # type: ignore[call-overload]
)

_FIELDS: dict[FieldKind, Any] = {
    "text": (_Text, ...),
    "note": (str, ""),
    "texts": (list[_Text], Field(default_factory=list)),
    "whole": (int, ...),
    "number": (_Number, ...),
    "flag": (bool, False),
    "stamp": (Annotated[str, AfterValidator(check_stamp)], ...),
    "day": (Annotated[str, AfterValidator(check_day)], ...),
    "day?": (Annotated[str, AfterValidator(_or_empty(check_day))], ""),
    "time?": (Annotated[str, AfterValidator(_or_empty(_day_or_stamp))], ""),
    "folder": (Literal["inbox", "sent", "draft"], ...),
    "direction": (Literal["in", "out"], ...),
    "status": (Literal["confirmed", "tentative", "cancelled"], "confirmed"),
    "sections": (list[_DatedSection], ...),
}


@cache
def _model(name: str) -> type[BaseModel]:
    kind = COLLECTIONS[name]
    fields = {field: _FIELDS[code] for field, code in kind.fields.items()}
    if name == "documents":
        fields["path"] = (Annotated[_Text, AfterValidator(check_path)], ...)
    enters = Annotated[str | None, AfterValidator(lambda value: value if value is None else check_stamp(value))]
    id_field = Annotated[str, AfterValidator(_id)]
    made: type[BaseModel] = create_model(
        name.title().replace("_", ""),
        __config__=_CONFIG,
        id=(id_field, ...),
        **fields,
        enters=(enters, None),
    )
    return made
