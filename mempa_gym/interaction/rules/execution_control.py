"""Execution control: whether a proposed action runs (paper 000, E.3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import cast

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.payloads import CapabilityPayload, ConfirmPayload, Payload
from mempa_gym.interaction.rules.base import HOLD, RUN, Rendering, Rule, Turn, Verdict, refuse

__all__ = ["AutonomyLevel", "CapabilityBoundary"]


class AutonomyLevel(Rule):
    """Actions of the classes that the setting reserves for the user are held until the user consents.

    An action that the user named in so many words is held like any other.
    """

    payload = ConfirmPayload
    controls = True
    # The classes that wait for approval.
    by_setting = MappingProxyType(
        {
            "Reactive": frozenset({"draft", "routine_record", "key_record", "outward"}),
            "Self-directed": frozenset({"key_record", "outward"}),
            "Autonomous": frozenset[str](),
        }
    )
    note = (
        "Calls that need approval will be held and get an item_id; then send, in the same turn, a payload that asks "
        "the user to approve them, and call IX_release once the user has."
    )

    def gate(self, setting: str, turn: Turn, tool: str, action_class: str) -> Verdict:
        """Holds the classes that wait for approval."""
        return HOLD if action_class in self.by_setting[setting] else RUN

    def objection(self, setting: str, turn: Turn, payload: Payload) -> str | None:
        """Refuses to ask where nothing waits."""
        if not self.by_setting[setting]:
            return "under the setting you selected nothing waits for approval: act, then report the outcome"
        return None

    def missing(self, setting: str, turn: Turn) -> FloorCause | None:
        """Asks for the question whenever something was newly held."""
        if turn.held and self.attribute not in turn.payloads:
            return FloorCause.HELD_UNASKED
        return None

    def render(self, setting: str, payload: Payload) -> Rendering:
        """The question, behind the reply."""
        confirm = cast(ConfirmPayload, payload).confirm
        return Rendering(after=(confirm,), delivered={"confirm": confirm})


_HANDED_OFF = refuse(
    "the direct way is barred and you selected to hand the matter back, so no other way is tried in this turn. Say "
    "what failed, why, and what the user can do next."
)


class CapabilityBoundary(Rule):
    """The limit is stated under both settings; a way round it is tried under one of them only."""

    payload = CapabilityPayload
    due = True
    controls = True
    # Whether other ways may be tried in the turn in which a call was refused.
    by_setting = MappingProxyType({"Suggest alternatives": True, "Find and hand off": False})
    note = "Send the limit and the next step as payload in this turn, whatever the setting."

    def gate(self, setting: str, turn: Turn, tool: str, action_class: str) -> Verdict:
        """After a refused call, keeps back searches and whatever carries the task out; nothing is left to release."""
        if self.by_setting[setting] or (action_class == "read" and not tool.endswith("_search")):
            return RUN
        return RUN if all(call.ok for call in turn.ran) else _HANDED_OFF

    def render(self, setting: str, payload: Payload) -> Rendering:
        """The limit ahead of the reply, the next step behind it, under both settings."""
        given = cast(CapabilityPayload, payload)
        if not given.next_step:
            return Rendering(before=(given.limit,), delivered={"limit": given.limit})
        return Rendering(
            before=(given.limit,),
            after=(given.next_step,),
            delivered={"limit": given.limit, "next_step": given.next_step},
        )
