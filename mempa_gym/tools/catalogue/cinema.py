"""Cinema: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Count, Id, Name, Query
from mempa_gym.tools.catalogue._common import After, Before, OnDay, acting, reading, says

__all__ = ["TOOLS"]


class ShowtimeSearch(Arguments):
    query: Query = None
    cinema: Annotated[Name | None, says("Only this cinema.")] = None
    date: OnDay = None
    after: After = None
    before: Before = None


class CinemaTicketRead(Arguments):
    ticket_id: Annotated[Id | None, says("Id of the ticket. Leave out to list tickets.")] = None
    query: Query = None


class CinemaTicketPurchase(Arguments):
    showtime_id: Annotated[Id, says("Id of the showtime.")]
    seats: Annotated[Count, says("Number of seats.")] = 1


_read, _act = reading("Cinema"), acting("Cinema")

TOOLS = (
    _read("cinema_showtime_search", "Searches showtimes of films.", ShowtimeSearch),
    _read("cinema_ticket_read", "Reads one of the user's cinema tickets, or lists them.", CinemaTicketRead),
    _act("cinema_ticket_purchase", "Buys cinema tickets.", CinemaTicketPurchase),
)
