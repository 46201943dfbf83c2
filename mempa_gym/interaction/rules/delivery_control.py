"""Delivery control: what reaches the user now, what waits for a later turn, and what is never sent (paper 000, E.3)."""

from __future__ import annotations

from types import MappingProxyType
from typing import cast

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.payloads import OutreachPayload, Payload, TopicsPayload
from mempa_gym.interaction.rules.base import Rendering, Rule, Turn

__all__ = ["ProactiveOutreach", "TopicManagement"]


class TopicManagement(Rule):
    """All topics under headings in one reply, or the first alone with the others announced."""

    payload = TopicsPayload
    due = True
    by_setting = MappingProxyType({"Organize": True, "One-at-a-time": False})
    note = "Send the open topics as payload in this turn, the next one first, and what is left of them in later turns."

    def render(self, setting: str, payload: Payload) -> Rendering:
        """Labelled paragraphs behind the reply: all, or one with the labels that wait and the question to go on."""
        topics = cast(TopicsPayload, payload).topics
        if not topics:
            return Rendering()
        if self.by_setting[setting]:
            rows = [{"label": topic.label, "text": topic.text} for topic in topics]
            return Rendering(
                after=tuple(f"{topic.label}: {topic.text}" for topic in topics), delivered={"topics": rows}
            )
        now, waiting = topics[0], topics[1:]
        after = [f"{now.label}: {now.text}"]
        if waiting:
            labels = ", ".join(topic.label for topic in waiting)
            after.append(f"Still waiting: {labels}. Shall I go on with {waiting[0].label}?")
        return Rendering(
            after=tuple(after),
            delivered={"topics": [{"label": now.label, "text": now.text}], "waiting": [row.label for row in waiting]},
            withheld=tuple(("topic", f"{topic.label}: {topic.text}") for topic in waiting),
        )


class ProactiveOutreach(Rule):
    """The message about a world event goes out only under High, and only when the agent decides to send it."""

    payload = OutreachPayload
    by_setting = MappingProxyType({"Low": False, "High": True})
    note = "On a turn that a world event opened, send the decision 'send' or 'suppress' as payload in this turn."

    def objection(self, setting: str, turn: Turn, payload: Payload) -> str | None:
        """Refuses a decision where there is nothing to decide on."""
        if turn.event is None:
            return "no world event opened this turn, so there is nothing to decide on"
        return None

    def missing(self, setting: str, turn: Turn) -> FloorCause | None:
        """Asks for a decision on every event turn."""
        if turn.event is not None and self.attribute not in turn.payloads:
            return FloorCause.NO_OUTREACH_DECISION
        return None

    def render(self, setting: str, payload: Payload) -> Rendering:
        """The message, only when the setting lets it out and the agent sends it; the reply stays as it is."""
        given = cast(OutreachPayload, payload)
        text = given.text or ""
        if given.decision == "send" and self.by_setting[setting]:
            return Rendering(before=(text,), delivered={"decision": "send", "text": text})
        return Rendering(delivered={"decision": given.decision}, withheld=(("message", text),) if text else ())
