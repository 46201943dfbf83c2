"""The mutable part of a turn and of a session while they are played.

Two small classes instead of loose fields on the engine: a checkpoint copies exactly these, and a new field cannot be
forgotten in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mempa_gym.interaction.views import PublicTurn, Step
from mempa_gym.interaction.wrapper import IXWrapper
from mempa_gym.timeline import Session
from mempa_gym.tools.plan import PlanView
from mempa_gym.users import UserState
from mempa_gym.world import World

__all__ = ["SessionState", "TurnState"]


@dataclass(slots=True)
class TurnState:
    """One user turn in progress. Inner values are immutable, so a shallow copy is a full one."""

    user: str
    event: str | None
    plan: PlanView | None
    decision: bool
    evidence: str = ""
    steps: tuple[Step, ...] = ()
    executed: tuple[Mapping[str, Any], ...] = ()
    reminder: str | None = None
    reminded: bool = False
    calls: int = 0

    def copy(self) -> TurnState:
        """Returns an independent copy."""
        return replace(self)


@dataclass(slots=True)
class SessionState:
    """One session or probe in progress: the working copy, the wrapper, the user, and what has been shown so far."""

    session: Session
    target: str
    final: bool
    repeat: int
    attempt: int
    world: World
    wrapper: IXWrapper
    user: UserState
    memory_before: Any
    turns: tuple[PublicTurn, ...] = ()
    judged_turns: tuple[Mapping[str, Any], ...] = ()
    judged_user: str = ""
    judged_event: str | None = None
    decided_at: int = -1
    spoken: frozenset[str] = frozenset()
    asked: int = 0
    deferred: bool = False
    put_off: bool = False
    shown: str | None = None
    decision_evidence: str = ""
    private: tuple[Mapping[str, Any], ...] = ()
    rejected: int = 0

    def copy(self) -> SessionState:
        """Returns an independent copy; the working copy of the world is branched."""
        return replace(self, world=self.world.copy(), wrapper=self.wrapper.copy())
