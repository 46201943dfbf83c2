"""Exhibitions: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Count, Day, Id, Query
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class ExhibitionSearch(Arguments):
    query: Query = None
    date: Annotated[Day | None, says("Only exhibitions open on this day, YYYY-MM-DD.")] = None


class ExhibitionTicketRead(Arguments):
    ticket_id: Annotated[Id | None, says("Id of the ticket. Leave out to list tickets.")] = None
    query: Query = None


class ExhibitionTicketPurchase(Arguments):
    exhibition_id: Annotated[Id, says("Id of the exhibition.")]
    date: Annotated[Day, says("Day of the visit, YYYY-MM-DD.")]
    quantity: Annotated[Count, says("Number of tickets.")] = 1


_read, _act = reading("Exhibitions"), acting("Exhibitions")

TOOLS = (
    _read("exhibition_search", "Searches exhibitions.", ExhibitionSearch),
    _read("exhibition_ticket_read", "Reads one of the user's exhibition tickets, or lists them.", ExhibitionTicketRead),
    _act("exhibition_ticket_purchase", "Buys exhibition tickets.", ExhibitionTicketPurchase),
)
