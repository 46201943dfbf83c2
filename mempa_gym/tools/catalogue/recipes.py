"""Recipes: one tool."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Count, Query
from mempa_gym.tools.catalogue._common import reading, says

__all__ = ["TOOLS"]


class RecipeSearch(Arguments):
    query: Query = None
    max_minutes: Annotated[Count | None, says("Only recipes that take up to so many minutes.")] = None


TOOLS = (reading("Recipes")("recipe_search", "Searches recipes, with ingredients and steps.", RecipeSearch),)
