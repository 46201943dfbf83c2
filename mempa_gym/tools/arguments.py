"""The argument types that the tools share, each with its format and its refusal in one place.

Paper 000, C.2 asks that the format of a value stands in the parameter's description and that any other format is
refused before the world is read. A type here therefore carries three things together: the description that a model
reads, the pattern in the JSON schema, and the check.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from mempa_gym.tools.formats import (
    MOST,
    check_amount,
    check_day,
    check_id,
    check_name,
    check_path,
    check_stamp,
    check_text,
)

__all__ = ["Amount", "Arguments", "Count", "Day", "DocumentPath", "Id", "Name", "People", "Query", "Stamp", "Text"]


class Arguments(BaseModel):
    """Base of all argument models: nothing undeclared, nothing converted, a null counts as left out."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Id = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(check_id)]
"""Id of a record that exists and is visible."""

Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(check_name)]
"""A short name, on one line."""

Text = Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(check_text)]
"""Free text, kept verbatim."""

Query = Annotated[
    str | None,
    Field(
        max_length=500,
        description="Words to look for, in any order; each may be the start of a word. Leave out to list.",
    ),
]
"""Words that a search looks for."""

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

Amount = Annotated[
    int | float,
    PlainValidator(check_amount),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": MOST}),
]
"""A positive amount, as a JSON number."""
