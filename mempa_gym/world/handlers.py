"""Tool name to what carries it out, for every tool that is available."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mempa_gym.world.desk import Handler
from mempa_gym.world.domains import (
    bookings,
    calendar,
    culture,
    documents,
    finance,
    mail,
    people,
    shopping,
    surroundings,
    travel,
)

__all__ = ["HANDLERS"]

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    mail.HANDLERS
    | calendar.HANDLERS
    | documents.HANDLERS
    | people.HANDLERS
    | surroundings.HANDLERS
    | shopping.HANDLERS
    | finance.HANDLERS
    | bookings.HANDLERS
    | travel.HANDLERS
    | culture.HANDLERS
)
