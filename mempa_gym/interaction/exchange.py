"""The public exchange: all that behaviour detection, the simulated user and the judge read of a session.

It is built from what was shown and what was carried out, and from nothing else (paper 000, E.4 and F.2): no selection,
no payload, no call that did not run. Everything is plain JSON-able data, freshly made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mempa_gym.interaction.describe import args_summary
from mempa_gym.interaction.held import HeldItem

__all__ = ["build_exchange", "exchange_turn", "executed_call"]


def executed_call(tool: str, action_class: str, arguments: Mapping[str, Any], ok: bool) -> dict[str, Any]:
    """Returns an executed world call as the exchange shows it.

    Only calls that the world carried out or refused belong here, a released item among them under its own tool; held
    calls and calls that the wrapper refused do not.
    """
    return {"tool": tool, "kind": action_class, "args_summary": args_summary(arguments), "ok": ok}


def exchange_turn(
    reply: str,
    executed: Iterable[Mapping[str, Any]] = (),
    held: Iterable[HeldItem] = (),
    user_next: str | None = None,
) -> dict[str, Any]:
    """Returns one turn of an exchange.

    Args:
        reply: the text as delivered.
        executed: calls made by `executed_call`, in call order.
        held: items held in this turn.
        user_next: what the user said next, None when the session ended or has not gone on yet.
    """
    return {
        "reply": reply,
        "executed": [dict(call) for call in executed],
        "held": [item.description for item in held],
        "user_next": user_next,
    }


def build_exchange(
    user_message: str,
    event: str | None,
    task: Mapping[str, Any] | None,
    turns: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    """Returns the exchange from the decision turn on.

    Args:
        user_message: the message that opened the decision turn; empty when an event did.
        event: text of that event, else None.
        task: what may be known of the task, None when nothing is.
        turns: turns made by `exchange_turn`, the decision turn first. The user's reaction is to the decision turn
        alone.
    """
    return {
        "user_message": user_message,
        "event": event,
        "task": None if task is None else _plain(task),
        "turns": [_plain(turn) for turn in turns],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
