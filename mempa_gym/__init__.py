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


def __getattr__(name: str) -> Any:
    try:
        module = _LAZY[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


_register()
