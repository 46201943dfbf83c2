"""Information Elicitation, the one attribute under two mechanisms: questions are scheduled, task calls wait.

A task call is one that carries the task out; reads that inform a question are free. Under the asking settings the agent
declares in every turn what it still asks (an empty list when nothing), so that a turn either asks or acts.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import cast

from mempa_gym.interaction.payloads import Payload, QuestionsPayload
from mempa_gym.interaction.rules.base import RUN, Rendering, Rule, Turn, Verdict, refuse

__all__ = ["InformationElicitation"]

_UNDECLARED = refuse(
    "before a task call, send the payload that says what you still ask the user; an empty list when nothing is missing."
)
_ASKING = refuse("this turn asks the user for something, so task calls wait for a turn that asks nothing.")


class InformationElicitation(Rule):
    """Ask nothing, ask everything in one turn, or ask one thing a turn."""

    payload = QuestionsPayload
    due = True
    controls = True
    # How many questions a turn may ask; None for all of them.
    by_setting = MappingProxyType({"Infer": 0, "Structured": None, "Iterative": 1})
    note = (
        "Send your questions as payload in this turn, an empty list when you ask nothing; when you ask, do so again in "
        "every later turn before a task call. Put no question in your reply."
    )

    def gate(self, setting: str, turn: Turn, tool: str, action_class: str) -> Verdict:
        """Keeps a task call back in a turn that asks, or that has not said yet whether it asks."""
        if action_class == "read" or self.by_setting[setting] == 0:
            return RUN
        payload = turn.payloads.get(self.attribute)
        if payload is None:
            return _UNDECLARED
        return _ASKING if cast(QuestionsPayload, payload).questions else RUN

    def objection(self, setting: str, turn: Turn, payload: Payload) -> str | None:
        """Refuses a question in a turn that has carried a task call out since the selection."""
        if self.by_setting[setting] == 0 or not cast(QuestionsPayload, payload).questions:
            return None
        since = turn.selected_at.get(self.attribute, 0)
        if any(call.ok and call.action_class != "read" for call in turn.ran[since:]):
            return "a task call has run in this turn, so it can ask nothing any more; ask in a later turn"
        return None

    def render(self, setting: str, payload: Payload) -> Rendering:
        """The questions behind the reply: none, the first, or all of them, numbered when there are several."""
        questions = cast(QuestionsPayload, payload).questions
        most: int | None = self.by_setting[setting]
        asked = questions[:most]
        rows = asked if len(asked) < 2 else tuple(f"{place}. {text}" for place, text in enumerate(asked, 1))
        return Rendering(
            after=("\n".join(rows),) if rows else (),
            delivered={"questions": list(asked)},
            withheld=tuple(("question", text) for text in questions[len(asked) :]),
        )
