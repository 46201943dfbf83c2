"""Who sees what: one frozen view per component, built here and nowhere else.

Paper 000, Table 9 lists what each component of the harness may read. A component that is handed a whole engine could
read more than that by accident, so each one gets a view that simply does not contain the rest: a PA's view has no
target field to leak, and a memory's record has no place for held content.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mempa_gym.tools.plan import PlanView

__all__ = ["HeldNotice", "MemoryQuery", "PAView", "PublicTurn", "Step", "TurnRecord"]


@dataclass(frozen=True, slots=True)
class Step:
    """One call of the PA as the PA saw it: a world tool or an interaction tool, with the result it got back.

    Attributes:
        tool: name of the tool, for example ``calendar_event_search`` or ``IX_verbosity``.
        arguments: the checked arguments; for an interaction tool what the PA sent.
        ok: False when the result is an error.
        text: the result as the PA read it (JSON or a text that begins with "Error").
        ran: True when the world carried the call out; False for held, refused and interaction calls.
    """

    tool: str
    arguments: Mapping[str, Any]
    ok: bool
    text: str
    ran: bool


@dataclass(frozen=True, slots=True)
class HeldNotice:
    """A held item as its PA sees it (paper 000, E.4: runtime feedback on held items)."""

    item_id: str
    tool: str
    description: str


@dataclass(frozen=True, slots=True)
class PublicTurn:
    """A finished turn of the current session: what the user said, what the PA called, what the user was shown."""

    at: str
    user: str
    event: str | None
    steps: tuple[Step, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class PAView:
    """All that a PA policy may know when it makes its next model call (paper 000, Table 9, row PA).

    It holds no context label, no cell, no target, no session number and nothing that tells a probe from a live session.

    Attributes:
        now: story time, ``YYYY-MM-DDTHH:MM``.
        turns: finished turns of this session, oldest first.
        user: the user's message of this turn; empty on an event turn.
        event: text of the world event that opened this turn, else None.
        evidence: what the memory returned for this turn; empty without memory.
        offered: attribute ids whose interaction tool is offered and not yet used, in the order they activated.
        selected: attribute id to the setting that this PA selected in this session.
        steps: the calls of this turn so far.
        held: items held and not yet released or denied.
        reminder: the harness's reminder about a missing interaction call, else None.
        plan: the script's plan for this turn, only for policies that declare ``uses_plan`` (a privileged channel).
    """

    now: str
    turns: tuple[PublicTurn, ...]
    user: str
    event: str | None
    evidence: str
    offered: tuple[str, ...]
    selected: Mapping[str, str]
    steps: tuple[Step, ...]
    held: tuple[HeldNotice, ...]
    reminder: str | None
    plan: PlanView | None = None


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What a memory is asked with: the user's message, or the event's text on an event turn."""

    now: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """What a memory is given after each turn (paper 000, 3.4 and E.4): the turn as the PA saw it.

    Calls with results, the interaction tool's call without what the wrapper withheld, and the delivered reply.
    Evidence is never part of it, so that a recalled memory is not stored again as a new one.
    """

    turn_id: str
    at: str
    user: str
    event: str | None
    steps: tuple[Step, ...]
    reply: str
    new_session: bool = field(default=False)
