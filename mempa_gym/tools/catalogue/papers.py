"""Scholarly papers: two tools; no packaged world holds such records yet."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Id, Query
from mempa_gym.tools.catalogue._common import reading, says

__all__ = ["TOOLS"]


class PaperSearch(Arguments):
    query: Query = None


class PaperRead(Arguments):
    paper_id: Annotated[Id, says("Id of the paper.")]


_read = reading("Scholarly papers")

TOOLS = (
    _read("scholarly_paper_search", "Searches scholarly papers.", PaperSearch, available=False),
    _read("scholarly_paper_read", "Reads one scholarly paper.", PaperRead, available=False),
)
