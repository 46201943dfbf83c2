"""The script's plan as a planned PA sees it: a documented, privileged channel.

A plan lets an offline PA carry out a script's task without a language model, so that a whole timeline plays in about a
second and every wrong score is a wrong choice. It is privileged because a real PA has no plan, yet it cannot help a
policy to choose: it carries the same steps for every setting of the offered attribute, no target and no label of the
cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["PlanView", "PlannedCall", "Realisation"]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A task call of the plan. ``fails`` marks a call that the world is expected to refuse (a blocked route)."""

    tool: str
    arguments: Mapping[str, Any]
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Realisation:
    """What to do and say in one turn under one setting.

    Attributes:
        calls: task calls in order.
        reply: the PA's own words; the wrapper adds what a payload renders.
        payload: payload of the interaction tool for this turn, or None.
        release: release every item the user consented to before anything else.
    """

    calls: tuple[PlannedCall, ...]
    reply: str
    payload: Mapping[str, Any] | None = None
    release: bool = False


@dataclass(frozen=True, slots=True)
class PlanView:
    """The plan of one turn.

    Attributes:
        attribute: attribute whose realisations are given, or None on a turn without any.
        before: calls to run before the selection (or before the reply, where nothing is selected).
        common: what to do when the turn does not depend on a setting.
        by_setting: setting label to its realisation; for every setting of ``attribute`` or for none.
    """

    attribute: str | None
    before: tuple[PlannedCall, ...]
    common: Realisation | None
    by_setting: Mapping[str, Realisation]
