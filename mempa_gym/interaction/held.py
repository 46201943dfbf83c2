"""Held items: proposed actions that wait for the user (paper 000, E.3).

Approval has to mean one exact call. An item therefore freezes its arguments as canonical text: what runs after consent
is what was held, letter by letter, and a call that differs in anything is another item.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from mempa_gym.interaction.describe import describe
from mempa_gym.interaction.views import HeldNotice

__all__ = ["HeldItem", "HeldState", "call_key"]


class HeldState(StrEnum):
    """Where a held item stands."""

    HELD = "held"
    CONSENTED = "consented"
    RELEASED = "released"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class HeldItem:
    """One held call.

    Attributes:
        id: identifier within the session: h1, h2 and so on.
        tool: name of the world tool.
        key: the arguments as canonical JSON.
        action_class: class of the call when it was held.
        description: the call in words for the user.
        state: where it stands.
    """

    id: str
    tool: str
    key: str
    action_class: str
    description: str
    state: HeldState = HeldState.HELD

    @classmethod
    def of(cls, id: str, tool: str, arguments: Mapping[str, Any], key: str, action_class: str) -> HeldItem:
        """Returns a new item of a call; ``key`` is its `call_key`."""
        return cls(id, tool, key, action_class, describe(tool, arguments))

    @property
    def arguments(self) -> dict[str, Any]:
        """The frozen arguments, as a fresh object at each call."""
        value: dict[str, Any] = json.loads(self.key)
        return value

    @property
    def pending(self) -> bool:
        """Whether it can still come to run: neither released nor denied."""
        return self.state in (HeldState.HELD, HeldState.CONSENTED)

    def notice(self) -> HeldNotice:
        """Returns what the agent is shown of it."""
        return HeldNotice(self.id, self.tool, self.description)

    def with_state(self, state: HeldState) -> HeldItem:
        """Returns the same item in another state."""
        return replace(self, state=state)


def call_key(arguments: Mapping[str, Any]) -> str:
    """Returns arguments as canonical JSON: equal texts mean equal calls."""
    return json.dumps(dict(arguments), ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_as_json)


def _as_json(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"arguments hold a {type(value).__name__}, which is not JSON")
