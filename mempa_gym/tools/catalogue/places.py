"""Maps and places: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Name, Query
from mempa_gym.tools.catalogue._common import OnDay, reading, says

__all__ = ["TOOLS"]


class ClosureRead(Arguments):
    club: Annotated[Name, says("Name of the club.")]
    date: OnDay = None


class RouteSearch(Arguments):
    origin: Annotated[Name, says("Where the way starts: a place's name or id.")]
    destination: Annotated[Name, says("Where it ends: a place's name or id.")]
    mode: Annotated[Name | None, says("Only this way of travelling, for example walk, bus, train or car.")] = None


class PlaceSearch(Arguments):
    query: Query = None
    kind: Annotated[Name | None, says("Only places of this kind.")] = None
    city: Annotated[Name | None, says("Only places in this city.")] = None


_read = reading("Maps and places")

TOOLS = (
    _read("club_closure_calendar_read", "Reads on which days a club is closed.", ClosureRead, available=False),
    _read("map_route_search", "Finds ways between two places, with minutes and distance.", RouteSearch),
    _read("place_search", "Searches places, with address, hours and phone.", PlaceSearch),
)
