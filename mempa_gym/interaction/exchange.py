"""The public exchange: all that behaviour detection, the simulated user and the judge read of a session.

It is built from what was shown and what was carried out, and from nothing else (paper 000, E.4 and F.2): no selection,
no payload, no call that did not run. Everything is JSON-able data that nobody can change, so that it can be shared and
what was read of it can be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mempa_gym.frozen import FrozenDict, frozen
from mempa_gym.interaction.describe import args_summary
from mempa_gym.interaction.held import HeldItem

__all__ = ["build_exchange", "exchange_turn", "executed_call"]


def executed_call(tool: str, action_class: str, arguments: Mapping[str, Any], ok: bool) -> Mapping[str, Any]:
    """Returns an executed world call as the exchange shows it.

    Only calls that the world carried out or refused belong here, a released item among them under its own tool; held
    calls and calls that the wrapper refused do not.
    """
    return FrozenDict(tool=tool, kind=action_class, args_summary=args_summary(arguments), ok=ok)


def exchange_turn(
    reply: str,
    executed: Iterable[Mapping[str, Any]] = (),
    held: Iterable[HeldItem] = (),
    user_next: str | None = None,
) -> Mapping[str, Any]:
    """Returns one turn of an exchange.

    Args:
        reply: the text as delivered.
        executed: calls made by `executed_call`, in call order.
        held: items held in this turn.
        user_next: what the user said next, None when the session ended or has not gone on yet.
    """
    return FrozenDict(
        reply=reply,
        executed=tuple(map(frozen, executed)),
        held=tuple([item.description for item in held]),
        user_next=user_next,
    )


def build_exchange(
    user_message: str,
    event: str | None,
    task: Mapping[str, Any] | None,
    turns: Iterable[Mapping[str, Any]],
) -> Mapping[str, Any]:
    """Returns the exchange from the decision turn on.

    Args:
        user_message: the message that opened the decision turn; empty when an event did.
        event: text of that event, else None.
        task: what may be known of the task, None when nothing is.
        turns: turns made by `exchange_turn`, the decision turn first. The user's reaction is to the decision turn
        alone.
    """
    return FrozenDict(user_message=user_message, event=event, task=frozen(task), turns=tuple(map(frozen, turns)))
