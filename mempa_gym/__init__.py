"""Environments for personal agents that must learn, remember and follow a user's interaction preferences.

Importing the package registers its ids with Gymnasium and PettingZoo and stays light otherwise: rooms load when one of
their names is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mempa_gym.runs import score_run

__all__ = ["__version__", "score_run"]

__version__ = "0.1.0"


def _register() -> None:
    from mempa_gym.factories.registration import register_all

    register_all()


# Public name -> the module that defines it (PEP 562).
_LAZY = {"score_run": "mempa_gym.runs"}


# Rooms that can be reached as attributes without an import of their own, for instance `mempa_gym.world.open`.
_ROOMS = frozenset(
    {"agents", "behaviour", "engine", "envs", "interaction", "memory", "personas", "reading", "runs", "scoring"}
    | {"taxonomy", "timeline", "tools", "users", "world"}
)


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    try:
        module = _LAZY[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_ROOMS})


_register()
