"""A PA's view as the messages and tools of a chat-completions call.

What a chat model may read is exactly the view: the memory's evidence and story time in the system message, the
session's turns with their calls, the message or event of this turn, this turn's calls, a reminder if there is one.
"""

from __future__ import annotations

from typing import Any

from mempa_gym.interaction.actions import step_messages, turn_messages
from mempa_gym.interaction.tools import interaction_schemas
from mempa_gym.interaction.views import PAView
from mempa_gym.tools import specs

__all__ = ["SYSTEM", "chat_messages", "chat_tools"]

SYSTEM = (
    "You are a personal agent of one user. Use the tools to do what the user asks, then answer. When an interaction "
    "tool (IX_...) is offered, call it once with the setting that fits this user best, judging by what your memory "
    "holds, and send the payload it asks for. Reply with text to end your turn."
)


def chat_messages(view: PAView, system: str = SYSTEM) -> list[dict[str, Any]]:
    """Returns the messages of one call, in order.

    Args:
        view: what the PA sees.
        system: the standing instructions; story time and the memory's evidence are appended.
    """
    head = f"{system}\n\nIt is {view.now.replace('T', ' ')}."
    if view.evidence:
        head += f"\n\n{view.evidence}"
    messages: list[dict[str, Any]] = [{"role": "system", "content": head}]
    calls = 1
    for turn in view.turns:
        messages.extend(turn_messages(turn, calls))
        calls += len(turn.steps)
    if view.event is not None:
        messages.append({"role": "user", "content": f"[event] {view.event}"})
    if view.user:
        messages.append({"role": "user", "content": view.user})
    messages.extend(step_messages(view.steps, calls))
    if view.reminder is not None:
        messages.append({"role": "user", "content": f"[reminder] {view.reminder}"})
    return messages


def chat_tools(view: PAView) -> list[dict[str, Any]]:
    """Returns the function schemas of this call: all world tools, and the interaction tools that make sense now."""
    interaction = interaction_schemas(view.offered, tuple(view.selected), bool(view.held))
    return [*(spec.schema() for spec in specs().values()), *interaction]
