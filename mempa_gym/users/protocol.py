"""What the engine and a simulated user say to each other: one Protocol for scripted users and for model-played ones.

A user is a function: state in, state and turn out. All that she knows of a conversation is in her state, so a
checkpoint is a reference and a branch costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from mempa_gym.timeline import Session
from mempa_gym.users.notes import UserNotes

__all__ = ["Heard", "HeldItem", "UserSimulator", "UserState", "UserTurn"]

HeldItem = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Heard:
    """What reaches a user of the assistant's turn (paper 000, E.4): never a selection, never anything withheld.

    Attributes:
        reply: the delivered reply.
        exchange: the exchange from the decision turn on, or the last turn before it.
        executed: names of the tools that ran without an error in the last turn.
        held: items that wait for her answer: item id, tool, description.
    """

    reply: str
    exchange: Mapping[str, Any]
    executed: tuple[str, ...]
    held: tuple[HeldItem, ...]


@dataclass(frozen=True, slots=True)
class UserTurn:
    """A turn of the user: one visible message and her private blocks (paper 000, D.4).

    Attributes:
        message: what she says; empty on an event turn and when she has ended.
        event: text of the world event that opens the turn, or None.
        beat: id of the beat the turn belongs to.
        ended: she has nothing more to say, and no turn follows.
        private: ``factual_check``, ``turn_assessment`` and ``consent_decisions`` (item id to yes or no). Never shown.
        shown: label of the setting that she took as shown, or None.
        answered_preference: she answered a direct question about manner in this turn.
        corrected: in the turn of her reaction whether she corrected, else None.
    """

    message: str
    event: str | None
    beat: str
    ended: bool
    private: Mapping[str, Any]
    shown: str | None = None
    answered_preference: bool = False
    corrected: bool | None = None


class UserState(NamedTuple):
    """All that a user keeps within a conversation.

    Attributes:
        session: the script she plays.
        target: label of her current setting of the tested attribute in this context.
        notes: her notes from before; empty in a probe.
        probe: whether it is a probe.
        seed: root of her choices of wording.
        beat: index of the beat she spoke last, -1 before the first.
        turns: how many turns she has taken.
        extra: turns taken on this beat beyond its first.
        nudged: whether she has nudged on this beat.
        executed: tools that ran since the beat began.
        skipped: turns of the exchange in which the assistant asked about manner instead of acting.
        shown: what she took as shown, or None.
        corrected: whether she corrected it; None before her reaction.
        answered: whether she has answered a question about manner.
        asked: how often she was asked about manner.
        missed: whether a tool she needed never ran.
        decided: ids of the held items she has decided on.
        ended: whether she has ended the conversation.
    """

    session: Session
    target: str
    notes: UserNotes
    probe: bool
    seed: int
    beat: int = -1
    turns: int = 0
    extra: int = 0
    nudged: bool = False
    executed: frozenset[str] = frozenset()
    skipped: int = 0
    shown: str | None = None
    corrected: bool | None = None
    answered: bool = False
    asked: int = 0
    missed: bool = False
    decided: frozenset[str] = frozenset()
    ended: bool = False


class UserSimulator(Protocol):
    """A simulated user."""

    def begin(self, session: Session, target: str, notes: UserNotes, *, probe: bool, seed: int) -> UserState:
        """Returns the state at the start of a session or probe."""
        ...

    def speak(self, state: UserState, heard: Heard | None) -> tuple[UserState, UserTurn]:
        """Returns the next state and turn; ``heard`` is None before the first reply. ``state`` stays as it is."""
        ...

    def close(self, state: UserState, notes: UserNotes, at: str) -> UserNotes:
        """Returns the notes with an entry on the finished conversation."""
        ...
