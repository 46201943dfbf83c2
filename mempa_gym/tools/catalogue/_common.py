"""What the specifications share: short constructors, and arguments that mean the same in every domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import BaseModel, Field

from mempa_gym.tools.arguments import Day
from mempa_gym.tools.spec import ToolSpec

__all__ = ["After", "Before", "OnDay", "acting", "reading", "says", "writing"]

OnDay = Annotated[Day | None, Field(description="Only on this day, YYYY-MM-DD.")]
After = Annotated[Day | None, Field(description="Only on or after this day, YYYY-MM-DD.")]
Before = Annotated[Day | None, Field(description="Only on or before this day, YYYY-MM-DD.")]

_Maker = Callable[..., ToolSpec]


def reading(domain: str) -> _Maker:
    """Returns a constructor for the domain's read tools."""

    def make(name: str, description: str, arguments: type[BaseModel], *, available: bool = True) -> ToolSpec:
        return ToolSpec(name, domain, "read", False, description, arguments, available)

    return make


def writing(domain: str) -> _Maker:
    """Returns a constructor for write tools that change the user's own records."""

    def make(name: str, description: str, arguments: type[BaseModel], *, available: bool = True) -> ToolSpec:
        return ToolSpec(name, domain, "write", False, description, arguments, available)

    return make


def acting(domain: str) -> _Maker:
    """Returns a constructor for write tools that act toward other people or services."""

    def make(name: str, description: str, arguments: type[BaseModel], *, available: bool = True) -> ToolSpec:
        return ToolSpec(name, domain, "write", True, description, arguments, available)

    return make


def says(description: str) -> object:
    """Returns the annotation that gives an argument its description."""
    return Field(description=description)
