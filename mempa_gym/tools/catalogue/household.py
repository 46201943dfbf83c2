"""Household: one tool."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Name, Query
from mempa_gym.tools.catalogue._common import reading, says

__all__ = ["TOOLS"]


class InventorySearch(Arguments):
    query: Query = None
    place: Annotated[Name | None, says("Only what is kept in this place.")] = None


TOOLS = (
    reading("Household")("household_inventory_search", "Searches what the household has at home.", InventorySearch),
)
