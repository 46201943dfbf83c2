"""What a rule is: how one attribute's settings are carried out (paper 000, E.3).

A rule sees a selected setting, a payload and what has happened in this turn, never a target. It keeps no state of its
own, so one instance serves every session and a copy of a wrapper shares nothing that could change. The base class is
the first of the four mechanisms: pass-through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.payloads import Payload

__all__ = ["HOLD", "RUN", "Ran", "Rendering", "Rule", "Turn", "Verdict", "refuse"]


class Ran(NamedTuple):
    """A world call that was carried out in this turn, or that the world refused (``ok`` False)."""

    tool: str
    action_class: str
    ok: bool


@dataclass(slots=True)
class Turn:
    """What has happened in the turn so far. Rules read it; only the wrapper changes it. Inner values are immutable.

    Attributes:
        event: text of the world event that opened the turn, else None.
        payloads: attribute id to the payload sent last in this turn.
        selected_at: attribute id to the number of calls that had run when it was selected; only this turn's selections.
        ran: calls in order.
        held: ids of the items that were held in this turn.
        releases: for each release call of this turn the id of the item it let run, or None when it let nothing run.
    """

    event: str | None = None
    payloads: Mapping[str, Payload] = field(default_factory=dict)
    selected_at: Mapping[str, int] = field(default_factory=dict)
    ran: tuple[Ran, ...] = ()
    held: tuple[str, ...] = ()
    releases: tuple[str | None, ...] = ()

    def copy(self) -> Turn:
        """Returns an independent copy."""
        return Turn(self.event, self.payloads, self.selected_at, self.ran, self.held, self.releases)


class Verdict(NamedTuple):
    """What a rule says of a world call; ``text`` is the error an agent reads when it is refused."""

    kind: Literal["run", "hold", "refuse"]
    text: str = ""


RUN = Verdict("run")
HOLD = Verdict("hold")


def refuse(text: str) -> Verdict:
    """Returns the verdict that a call is not run and not kept either."""
    return Verdict("refuse", f"Error: {text} Nothing was done.")


@dataclass(frozen=True, slots=True)
class Rendering:
    """What becomes of a payload.

    Attributes:
        before: paragraphs ahead of the agent's own words.
        after: paragraphs behind them.
        delivered: the part of the payload that the user was given.
        withheld: name and text of each part that the user was not given.
    """

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    delivered: Mapping[str, Any] = field(default_factory=dict)
    withheld: tuple[tuple[str, str], ...] = ()


class Rule:
    """Pass-through, and the base of every other rule.

    Attributes:
        attribute: id of the attribute.
        payload: model of the payload, None where there is none.
        due: whether the payload is required in the turn of the selection.
        controls: whether the rule wants to see world calls.
        by_setting: what the rule does under each setting, by label.
        note: what the agent is told about the payload once it has selected.
    """

    payload: ClassVar[type[Payload] | None] = None
    due: ClassVar[bool] = False
    controls: ClassVar[bool] = False
    by_setting: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    note: ClassVar[str] = ""

    def __init__(self, attribute: str) -> None:
        self.attribute = attribute

    def gate(self, setting: str, turn: Turn, tool: str, action_class: str) -> Verdict:
        """Returns whether a world call runs now."""
        return RUN

    def objection(self, setting: str, turn: Turn, payload: Payload) -> str | None:
        """Returns why this payload cannot be taken now, None when it can."""
        return None

    def missing(self, setting: str, turn: Turn) -> FloorCause | None:
        """Returns what is left out if the turn is delivered now, None when nothing is."""
        if self.due and self.attribute in turn.selected_at and self.attribute not in turn.payloads:
            return FloorCause.PAYLOAD_MISSING
        return None

    def render(self, setting: str, payload: Payload) -> Rendering:
        """Returns what becomes of a payload under a setting."""
        return Rendering()
