"""A PA's view as the messages and tools of a chat-completions call.

What a chat model may read is exactly the view: story time, the memory's evidence and the held items in the system
message, the session's turns with their calls, the message or event of this turn, this turn's calls, a reminder if
there is one. Beside it stand at most the model's own words that no view keeps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mempa_gym.agents.chat_prompt import system_message
from mempa_gym.interaction.actions import turn_messages
from mempa_gym.interaction.tools import interaction_schemas
from mempa_gym.interaction.views import PAView, PublicTurn
from mempa_gym.tools import specs

__all__ = ["Asides", "chat_messages", "chat_tools"]


@dataclass(frozen=True, slots=True)
class Asides:
    """A model's own words of the session that a view does not hold, since nobody else reads them.

    Without them the messages are still complete; the model then does not see what it said in passing.

    Attributes:
        remarks: what it wrote beside a call, by turn and call within the turn, both counted from 0.
        reminded: how many calls of this turn came before the reminder; None puts the reminder last.
        draft: the answer that the reminder sent back.
    """

    remarks: Mapping[tuple[int, int], str] = field(default_factory=dict)
    reminded: int | None = None
    draft: str = ""


def chat_messages(view: PAView, system: str | None = None, asides: Asides | None = None) -> list[dict[str, Any]]:
    """Returns the messages of one call, in order.

    Args:
        view: what the PA sees.
        system: standing instructions in place of the packaged ones; story time, the memory's evidence and held items
            are appended.
        asides: the model's own words that the view does not hold.
    """
    own = asides or Asides()
    messages: list[dict[str, Any]] = [{"role": "system", "content": system_message(view, system)}]
    calls = 1
    for place, turn in enumerate(view.turns):
        messages.extend(_with_remarks(turn_messages(turn, calls), place, own.remarks))
        calls += len(turn.steps)
    so_far = PublicTurn(view.now, view.user, view.event, view.steps, "")
    now = _with_remarks(turn_messages(so_far, calls), len(view.turns), own.remarks)
    if view.reminder is not None:
        back: list[dict[str, Any]] = [{"role": "assistant", "content": own.draft}] if own.draft else []
        back.append({"role": "user", "content": f"[reminder] {view.reminder}"})
        # A reminder that stayed last would deny, after the call it asks for, that the call was made.
        later = 0 if own.reminded is None else 2 * (len(view.steps) - own.reminded)
        now[len(now) - later : len(now) - later] = back
    messages.extend(now)
    return messages


def chat_tools(view: PAView) -> list[dict[str, Any]]:
    """Returns the function schemas of this call: all world tools, and the interaction tools that make sense now."""
    interaction = interaction_schemas(view.offered, tuple(view.selected), bool(view.held))
    return [*(spec.schema() for spec in specs().values()), *interaction]


_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


def _with_remarks(
    messages: list[dict[str, Any]], turn: int, remarks: Mapping[tuple[int, int], str]
) -> list[dict[str, Any]]:
    """Puts a turn's remarks beside the calls they were made with, and makes every tool name one that servers take."""
    number = 0
    for message in messages:
        if "tool_calls" not in message:
            continue
        message["content"] = remarks.get((turn, number))
        number += 1
        for entry in message["tool_calls"]:
            # A name that a model made up may hold anything; servers refuse a whole conversation for one such name.
            entry["function"]["name"] = _NOT_IN_NAMES.sub("_", entry["function"]["name"])[:64] or "unnamed"
    return messages
