"""Comic store: one tool; no packaged world holds such records yet."""

from __future__ import annotations

from mempa_gym.tools.arguments import Arguments, Query
from mempa_gym.tools.catalogue._common import reading

__all__ = ["TOOLS"]


class InventoryRead(Arguments):
    query: Query = None


TOOLS = (
    reading("Comic store")(
        "comic_store_inventory_read", "Reads what a comic store has in stock.", InventoryRead, available=False
    ),
)
