"""Cinema, exhibitions and media transcoding."""

from __future__ import annotations

from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.world.collections import COLLECTIONS
from mempa_gym.world.desk import Desk, Handler
from mempa_gym.world.domains.common import money
from mempa_gym.world.search import Filter, find, hit, listing, searching
from mempa_gym.world.words import fold

__all__ = ["HANDLERS"]


def _buy_seats(desk: Desk, arguments: dict[str, Any]) -> Any:
    show = desk.need("showtimes", arguments["showtime_id"], "showtime_id")
    seats = arguments["seats"]
    if show.record["start"] <= desk.now:
        raise ArgumentError("showtime_id", show.id, f"this film started at {show.record['start']}")
    if show.record["seats"] < seats:
        raise ArgumentError("seats", seats, f"only {show.record['seats']} seats are left")
    desk.change("showtimes", show, seats=show.record["seats"] - seats)
    total = money(show.record["price"] * seats)
    entry = desk.add("cinema_tickets", {"showtime": show.id, "seats": seats, "total": total})
    return {"id": entry.id, "total": total}


def _exhibitions(desk: Desk, arguments: dict[str, Any]) -> Any:
    day = arguments.get("date")
    keep = None if day is None else (lambda record: bool(record["from"] <= day <= record["to"]))
    kind = COLLECTIONS["exhibitions"]
    return {"hits": [hit(kind, entry) for entry in find(desk, kind.name, arguments.get("query"), keep=keep)]}


def _buy_visit(desk: Desk, arguments: dict[str, Any]) -> Any:
    exhibition = desk.need("exhibitions", arguments["exhibition_id"], "exhibition_id")
    day, quantity = arguments["date"], arguments["quantity"]
    first, last = exhibition.record["from"], exhibition.record["to"]
    if not first <= day <= last:
        raise ArgumentError("date", day, f"this exhibition is open from {first} to {last}")
    if day < desk.today:
        raise ArgumentError("date", day, f"a visit cannot be before today, {desk.today}")
    entry = desk.add("exhibition_tickets", {"exhibition": exhibition.id, "date": day, "quantity": quantity})
    return {"id": entry.id, "total": money(exhibition.record["price"] * quantity)}


def _transcode(desk: Desk, arguments: dict[str, Any]) -> Any:
    service = desk.need("transcode_services", arguments["service_id"], "service_id")
    wanted = fold(arguments["target_format"])
    target = next((name for name in service.record["formats"] if fold(name) == wanted), None)
    if target is None:
        formats = ", ".join(service.record["formats"])
        raise ArgumentError("target_format", arguments["target_format"], f"this service delivers {formats}")
    fields = {
        "service": service.id,
        "source": arguments["source"],
        "target_format": target,
        "status": "queued",
        "ready": "",
    }
    return {"id": desk.add("transcode_jobs", fields).id, "price": service.record["price"]}


HANDLERS: dict[str, Handler] = {
    "cinema_showtime_search": searching("showtimes", cinema=Filter("cinema", "name")),
    "cinema_ticket_read": listing("cinema_tickets", "ticket_id"),
    "cinema_ticket_purchase": _buy_seats,
    "exhibition_search": _exhibitions,
    "exhibition_ticket_read": listing("exhibition_tickets", "ticket_id"),
    "exhibition_ticket_purchase": _buy_visit,
    "media_transcode_service_search": searching(
        "transcode_services", format=Filter("formats", "among"), max_price=Filter("price", "most")
    ),
    "media_transcode_job_read": listing("transcode_jobs", "job_id"),
    "media_transcode_job_create": _transcode,
}
