"""Ways in which a personal agent's own output breaks the interaction-tool contract (paper 000, F.2).

A floored probe scores as a wrong selection whatever was selected, so the cause is kept: it separates an agent that
chose wrongly from one that chose rightly and then left the contract.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["FloorCause"]


class FloorCause(StrEnum):
    """Why a probe is floored."""

    SELECTION_MISSING = "selection_missing"
    """An offered interaction tool was never called."""

    PAYLOAD_MISSING = "payload_missing"
    """A selection was made, the payload that the turn needs was not sent."""

    HELD_UNASKED = "held_unasked"
    """An action was held and the user was not asked to confirm it."""

    NO_OUTREACH_DECISION = "no_outreach_decision"
    """A world event was neither passed on nor kept back by a decision."""

    INTERACTION_TEXT = "interaction_text"
    """Interaction-tool text in a task tool's arguments, which would show the selection to a blind judge."""

    @property
    def rerun(self) -> bool:
        """Whether the probe is run again before it is floored."""
        return self in _RERUN


_RERUN = frozenset({FloorCause.SELECTION_MISSING, FloorCause.PAYLOAD_MISSING, FloorCause.HELD_UNASKED})
