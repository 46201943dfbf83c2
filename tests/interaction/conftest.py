from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from mempa_gym.interaction.actions import call
from mempa_gym.interaction.tools import is_interaction_tool
from mempa_gym.interaction.views import Step
from mempa_gym.interaction.wrapper import Delivered, IXWrapper, Outcome

CLASSES = {
    "message_read": "read",
    "place_search": "read",
    "email_draft_create": "draft",
    "contact_update": "routine_record",
    "document_delete": "key_record",
    "message_send": "outward",
}


class Play:
    """Drives a wrapper the way an engine does, over a world that only counts what runs."""

    def __init__(self, *offered: str) -> None:
        self.wrapper = IXWrapper(offered)
        self.ran: list[tuple[str, dict[str, Any]]] = []
        self.steps: list[Step] = []
        self.refuses: set[str] = set()

    def turn(self, event: str | None = None, consent: Mapping[str, bool] | None = None) -> None:
        self.wrapper.apply_consent(consent or {})
        self.wrapper.begin_turn(event)
        self.steps = []

    def do(self, tool: str, **arguments: Any) -> Step:
        action = call(tool, arguments)
        assert isinstance(action.arguments, Mapping)
        step = self._use(tool, arguments) if is_interaction_tool(tool) else self._call(tool, arguments)
        self.steps.append(step)
        return step

    def select(self, attribute: str, setting: str) -> Step:
        return self.do(f"IX_{attribute}", setting=setting)

    def send(self, attribute: str, **payload: Any) -> Step:
        return self.do(f"IX_{attribute}", payload=payload)

    def deliver(self, reply: str) -> Delivered:
        return self.wrapper.deliver(reply)

    def _use(self, tool: str, arguments: Mapping[str, Any]) -> Step:
        outcome: Outcome = self.wrapper.use(tool, arguments)
        if outcome.release is None:
            return Step(tool, outcome.arguments, outcome.ok, outcome.text, ran=False)
        item = outcome.release
        ok, text = self._run(item.tool, item.arguments, item.action_class)
        return Step(tool, outcome.arguments, ok, text, ran=False)

    def _call(self, tool: str, arguments: dict[str, Any]) -> Step:
        gate = self.wrapper.gate(tool, arguments, CLASSES[tool])
        if gate.verdict != "run":
            return Step(tool, arguments, gate.verdict == "hold", gate.text, ran=False)
        ok, text = self._run(tool, arguments, CLASSES[tool])
        return Step(tool, arguments, ok, text, ran=True)

    def _run(self, tool: str, arguments: dict[str, Any], action_class: str) -> tuple[bool, str]:
        ok = tool not in self.refuses
        if ok:
            self.ran.append((tool, arguments))
        self.wrapper.note_result(tool, arguments, action_class, ok)
        return ok, '{"id": "x"}' if ok else "Error: sold out."


@pytest.fixture
def play() -> Callable[..., Play]:
    return Play
