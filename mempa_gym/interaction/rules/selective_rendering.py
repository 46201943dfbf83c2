"""Selective rendering: the user is shown the parts of a payload that the setting shows (paper 000, E.3).

What is withheld is the agent's own user-facing material. A provider's private reasoning never comes this way.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import cast

from mempa_gym.interaction.payloads import Payload, ProcessPayload, RationalePayload, StatementsPayload
from mempa_gym.interaction.rules.base import Rendering, Rule

__all__ = ["ProcessVisibility", "ReasoningVisibility", "UncertaintyExpression"]


class ReasoningVisibility(Rule):
    """The rationale stands ahead of the answer, or nowhere."""

    payload = RationalePayload
    due = True
    by_setting = MappingProxyType({"Show": True, "Hide": False})
    note = "Send the rationale as payload in this turn, whatever the setting; write the answer alone in your reply."

    def render(self, setting: str, payload: Payload) -> Rendering:
        """The rationale and a blank line ahead of the reply, or nothing."""
        rationale = cast(RationalePayload, payload).rationale
        if not rationale:
            return Rendering()
        if self.by_setting[setting]:
            return Rendering(before=(rationale,), delivered={"rationale": rationale})
        return Rendering(withheld=(("rationale", rationale),))


class UncertaintyExpression(Rule):
    """Each key claim with its confidence stands behind the answer, or nowhere."""

    payload = StatementsPayload
    due = True
    by_setting = MappingProxyType({"Express": True, "Hide": False})
    note = "Send your key claims as payload in this turn, whatever the setting; put no confidence level in your reply."

    def render(self, setting: str, payload: Payload) -> Rendering:
        """A line for each statement behind the reply, or nothing."""
        statements = cast(StatementsPayload, payload).statements
        if not statements:
            return Rendering()
        lines = tuple(f"- {row.claim} (confidence: {row.confidence})" for row in statements)
        if self.by_setting[setting]:
            rows = [{"claim": row.claim, "confidence": row.confidence} for row in statements]
            return Rendering(after=("\n".join(lines),), delivered={"statements": rows})
        return Rendering(withheld=tuple(("statement", line) for line in lines))


class ProcessVisibility(Rule):
    """The result alone, framed by two sentences, or told call by call."""

    payload = ProcessPayload
    due = True
    # The parts that a setting shows.
    by_setting = MappingProxyType(
        {
            "Silent": frozenset[str](),
            "Bookend": frozenset({"opening", "closing"}),
            "Full narration": frozenset({"notices", "closing"}),
        }
    )
    note = (
        "Send opening, notices (one sentence for each executed call, in call order) and closing as payload in this "
        "turn, whatever the setting; write the result alone in your reply."
    )

    def render(self, setting: str, payload: Payload) -> Rendering:
        """Opening or notices ahead of the reply and the closing behind it, as far as the setting shows them."""
        given = cast(ProcessPayload, payload)
        parts: dict[str, tuple[str, ...]] = {
            "opening": (given.opening,) if given.opening else (),
            "notices": given.notices,
            "closing": (given.closing,) if given.closing else (),
        }
        shown: frozenset[str] = self.by_setting[setting]
        delivered: dict[str, object] = {}
        withheld: list[tuple[str, str]] = []
        before: list[str] = []
        after: list[str] = []
        for name, texts in parts.items():
            if name not in shown:
                withheld.extend((name, text) for text in texts)
            elif texts:
                (after if name == "closing" else before).append("\n".join(texts))
                delivered[name] = list(texts) if name == "notices" else texts[0]
        return Rendering(tuple(before), tuple(after), delivered, tuple(withheld))
