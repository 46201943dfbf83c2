"""Maps, places, weather, recipes and household: the domains that are only read."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.entry import Entry, Record
from mempa_gym.world.search import LIMIT, Filter, Keep, find, hit, names_of, require_known, searching
from mempa_gym.world.words import fold

__all__ = ["HANDLERS"]

_ENDS = (("routes", "origin"), ("routes", "destination"), ("places", "name"))


def _routes(desk: Desk, arguments: dict[str, Any]) -> Any:
    origin = names_of(desk, arguments["origin"])
    destination = names_of(desk, arguments["destination"])
    mode = arguments.get("mode")
    way = fold(mode) if mode is not None else None

    def between(start: frozenset[str], end: frozenset[str]) -> Keep:
        def keep(record: Record) -> bool:
            return (
                fold(record["origin"]) in start
                and fold(record["destination"]) in end
                and (way is None or fold(record["mode"]) == way)
            )

        return keep

    found = find(desk, "routes", None, keep=between(origin, destination))
    if not found:
        # A way that is recorded in the other direction only is better than none.
        found = find(desk, "routes", None, keep=between(destination, origin))
    if not found:
        require_known(desk, "origin", arguments["origin"], origin, _ENDS)
        require_known(desk, "destination", arguments["destination"], destination, _ENDS)
        if mode is not None:
            require_known(desk, "mode", mode, frozenset({fold(mode)}), [("routes", "mode")])
    return {"hits": [hit(COLLECTIONS["routes"], entry) for entry in found]}


def _forecast(desk: Desk, arguments: dict[str, Any]) -> Any:
    city = fold(arguments["city"])
    wanted = arguments.get("date")
    # A later forecast of the same day replaces the earlier one.
    days: dict[str, Entry] = {}
    for entry in desk.all("weather"):
        if fold(entry.record["city"]) == city and (entry.time == wanted if wanted else entry.time >= desk.today):
            known = days.get(entry.time)
            if known is None or (known.enters, known.id) < (entry.enters, entry.id):
                days[entry.time] = entry
    if not days:
        require_known(desk, "city", arguments["city"], frozenset({city}), [("weather", "city")])
    if wanted is None:
        return {"hits": [desk.show("weather", days[day]) for day in sorted(days)[:LIMIT]]}
    if wanted not in days:
        raise ArgumentError("date", wanted, "there is no forecast of this city for this day", "Leave the date out")
    return desk.show("weather", days[wanted])


HANDLERS: dict[str, Handler] = {
    "map_route_search": _routes,
    "place_search": searching("places", kind=Filter("kind", "name"), city=Filter("city", "name")),
    "weather_forecast_read": _forecast,
    "recipe_search": searching("recipes", max_minutes=Filter("minutes", "most")),
    "household_inventory_search": searching("household", place=Filter("place", "name")),
}
