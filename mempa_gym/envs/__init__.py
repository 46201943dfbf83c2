"""PettingZoo and Gymnasium environments: thin covers over the engine."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_ENTRIES = ("timeline_v0",)


def __getattr__(name: str) -> Any:
    # The entry modules load what they need only when they are asked for.
    if name in _ENTRIES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
