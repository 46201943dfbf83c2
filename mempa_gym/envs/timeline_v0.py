"""Entry module of the timeline environment, in PettingZoo's form: ``env`` and ``raw_env``.

The factories know names (personas, memories, policies) and stand above this room, so they are loaded when called: the
one exception to the one-way rule of imports, as the registries of both libraries need a module to point at.
"""

from __future__ import annotations

from typing import Any

__all__ = ["env", "raw_env"]


def env(**kwargs: Any) -> Any:
    """Returns the wrapped environment; see ``factories.timeline.TimelineArguments`` for the arguments."""
    from mempa_gym.factories.timeline import aec

    return aec(**kwargs)


def raw_env(**kwargs: Any) -> Any:
    """Returns the bare ``TimelineAEC``."""
    from mempa_gym.factories.timeline import raw_aec

    return raw_aec(**kwargs)
