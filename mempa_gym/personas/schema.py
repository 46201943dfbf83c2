"""What the data files on personas may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["MatricesFile", "Profile", "UserRow"]

Line = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Lines = Annotated[tuple[Line, ...], Field(min_length=1)]
Count = Annotated[int, Field(ge=0)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Profile(_Row):
    """Facts about a user that say nothing about a preferred setting; the file is `personas/<id>/profile.yaml`."""

    id: Line
    name: Line
    age: Annotated[int, Field(ge=18, le=120)]
    occupation: Line
    workplace: Line
    city: Line
    household: Line
    relationships: Lines
    routines: Lines
    hobbies: Lines
    personality: Lines
    speech_style: Lines


class CellRow(_Row):
    """One cell before the changes."""

    setting: Line
    agreement: Annotated[float, Field(ge=0, le=1)]


class ChangeRow(_Row):
    """One change event's effect."""

    order: Annotated[int, Field(ge=1)]
    context: Literal["work", "personal"]
    attribute: Line
    before: Line
    after: Line


class SourceCounts(_Row):
    """How many of the 28 cells carry each source label (paper 000, Table 5), the best supported first."""

    confirmed_high_confidence: Count
    reviewed_kept: Count
    set_by_reviewer: Count
    specified_manually: Count


class MatrixRow(_Row):
    """The cells of both contexts, by attribute id."""

    work: dict[Line, CellRow]
    personal: dict[Line, CellRow]


class UserRow(_Row):
    """Everything known about one user's preferences."""

    source_counts: SourceCounts
    matrix: MatrixRow
    changes: tuple[ChangeRow, ...]


class MatricesFile(_Row):
    """The file `matrices.yaml`."""

    note: Line
    users: dict[Line, UserRow]
