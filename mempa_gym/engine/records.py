"""What a played timeline leaves behind: one record a slot, and the occurrences that rewards are made of.

Records are plain frozen data. They hold what scoring needs and what replay compares; private parts (targets, the user's
blocks, withheld text) live here and in no view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from mempa_gym.interaction.views import PublicTurn
from mempa_gym.taxonomy import Cell

__all__ = ["EndReason", "Occurrence", "SlotResult", "Term"]


class EndReason(StrEnum):
    """Why an episode ended or is still going on."""

    RUNNING = "running"
    TIMELINE_ENDED = "timeline_ended"
    SESSION_ENDED = "session_ended"
    SESSION_FAILED = "session_failed"
    STEP_LIMIT = "step_limit"


class Term(StrEnum):
    """What can be paid or charged (the fields of a reward spec)."""

    SELECTION = "selection"
    REALIZATION = "realization"
    ASK = "ask_cost"
    WRITE = "write_cost"
    TOKENS = "token_cost"
    INVALID = "invalid_penalty"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One thing that a reward spec may price: how much of which term, in a live session or in a probe."""

    term: Term
    amount: float
    probe: bool


@dataclass(frozen=True, slots=True)
class SlotResult:
    """The outcome of one session, event or probe as played.

    Attributes:
        slot: the script's id.
        kind: accumulation, event or probe.
        final: whether a probe is a final one.
        cell: the tested cell.
        at: story time.
        repeat: which repeat of a probe, from 0.
        attempt: which run of this repeat counted, from 0.
        target: the user's setting at that time.
        selection: what the PA selected, or None.
        correct: exact match, and not floored (paper 000, F.2).
        floor: cause of a floor, or None.
        invalid: why the slot yields no score at all, or None; such a slot is incomplete, never a zero.
        asked: direct questions about manner.
        shown: the setting whose behaviour the user took as shown, or None.
        realization: judge's score 1 to 5, or None where nothing was judged.
        evidence: what memory returned on the decision turn.
        exchange: what the judge read (see ``interaction.exchange``), or None.
        turns: public turns.
        log: the calls of the slot with every change they made to the world.
        private: the user's private blocks and withheld text; never shown to a policy.
        state_hash: hash of the world after the slot.
    """

    slot: str
    kind: str
    final: bool
    cell: Cell
    at: str
    repeat: int
    attempt: int
    target: str
    selection: str | None
    correct: bool
    floor: str | None
    invalid: str | None
    asked: int
    shown: str | None
    realization: float | None
    evidence: str
    exchange: Mapping[str, Any] | None
    turns: tuple[PublicTurn, ...]
    private: tuple[Mapping[str, Any], ...]
    log: tuple[Any, ...]
    state_hash: str
