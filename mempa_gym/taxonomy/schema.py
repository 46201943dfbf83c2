"""What `data/taxonomy.yaml` may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ["TaxonomyFile"]

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]
Mechanism = Literal["pass-through", "selective rendering", "delivery control", "execution control"]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SettingRow(_Row):
    """One setting."""

    label: Text
    behaviour: Text


class AttributeRow(_Row):
    """One attribute with its settings in published order."""

    id: Identifier
    name: Text
    dimension: Text
    question: Text
    group: Literal["action", "reply"]
    mechanisms: Annotated[tuple[Mechanism, ...], Field(min_length=1)]
    write_lock: bool
    settings: Annotated[tuple[SettingRow, ...], Field(min_length=2)]


class TaxonomyFile(_Row):
    """The whole file."""

    contexts: tuple[Literal["work"], Literal["personal"]]
    attributes: Annotated[tuple[AttributeRow, ...], Field(min_length=1)]
