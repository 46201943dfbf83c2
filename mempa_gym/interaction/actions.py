"""Building a personal agent's actions, and turning them into chat messages and back.

A chat model's message is untrusted text. Whatever it holds becomes an action, and what is wrong with it shows as an
error result when the action is taken, never as an exception here: an agent has to see its mistake to mend it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.tools import RELEASE, tool_name
from mempa_gym.interaction.views import PublicTurn, Step

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = [
    "assistant_message",
    "call",
    "from_openai",
    "release",
    "reply",
    "select",
    "send_payload",
    "step_messages",
    "tool_message",
    "turn_messages",
]


def call(tool: str, arguments: Mapping[str, Any] | BaseModel | str | None = None, /, **named: Any) -> ToolUse:
    """Returns the action that calls a tool.

    Args:
        tool: name of a world tool or an interaction tool.
        arguments: an object, a pydantic model or JSON text; left out, the named arguments are taken.
        named: arguments by name, on top of ``arguments`` unless that is text.
    """
    if isinstance(arguments, str):
        return ToolUse(tool, arguments)
    return ToolUse(tool, {**_object(arguments), **named})


def select(attribute: str, setting: str) -> ToolUse:
    """Returns the action that selects a setting.

    Raises:
        UnknownNameError: There is no attribute with this id. The setting is checked when the action is taken.
    """
    return ToolUse(tool_name(attribute), {"setting": setting})


def send_payload(attribute: str, payload: Mapping[str, Any] | BaseModel) -> ToolUse:
    """Returns the action that sends a turn's payload.

    Raises:
        UnknownNameError: There is no attribute with this id. The payload is checked when the action is taken.
    """
    return ToolUse(tool_name(attribute), {"payload": _object(payload)})


def release(item_id: str) -> ToolUse:
    """Returns the action that releases a held item."""
    return ToolUse(RELEASE, {"item_id": item_id})


def reply(text: str) -> Reply:
    """Returns the action that ends the turn."""
    return Reply(text)


def from_openai(message: Any) -> tuple[PAAction, ...]:
    """Returns the actions of an assistant message, in order.

    Args:
        message: the message as a mapping, or as a client's object with ``model_dump``.

    Returns:
        One tool use for each tool call, else one reply with the message's text. Text beside tool calls is commentary
        that no user reads: it is dropped, since a turn ends with a reply. A call without a usable name is a call of the
        tool without a name, which any engine answers with an error.
    """
    body = _mapping(message)
    calls = body.get("tool_calls")
    if isinstance(calls, Sequence) and not isinstance(calls, str) and calls:
        return tuple(_tool_use(_mapping(entry)) for entry in calls)
    if body.get("function_call"):
        return (_tool_use({"function": body["function_call"]}),)
    return (Reply(_text(body.get("content")) or _text(body.get("refusal"))),)


def assistant_message(actions: PAAction | Iterable[PAAction], first: int = 1) -> dict[str, Any]:
    """Returns actions as one assistant message.

    Args:
        actions: tool uses, or one reply.
        first: number of the first call; ids are ``call_0001`` and so on, so that the same history gives the same text.
    """
    given = [actions] if isinstance(actions, ToolUse | Reply) else list(actions)
    texts = [action.text for action in given if isinstance(action, Reply)]
    uses = [action for action in given if isinstance(action, ToolUse)]
    message: dict[str, Any] = {"role": "assistant", "content": "\n\n".join(texts) if texts or not uses else None}
    if uses:
        message["tool_calls"] = [
            {
                "id": _call_id(number),
                "type": "function",
                "function": {"name": use.tool, "arguments": _json(use.arguments)},
            }
            for number, use in enumerate(uses, first)
        ]
    return message


def tool_message(number: int, text: str) -> dict[str, Any]:
    """Returns the result of the call with this number."""
    return {"role": "tool", "tool_call_id": _call_id(number), "content": text}


def step_messages(steps: Iterable[Step], first: int = 1) -> list[dict[str, Any]]:
    """Returns calls with their results: for each call one message that makes it and, right after it, its one result.

    A held call has the result that it is held; what came of it later is the result of the release call.
    """
    messages = []
    for number, step in enumerate(steps, first):
        messages.append(assistant_message(ToolUse(step.tool, step.arguments), number))
        messages.append(tool_message(number, step.text))
    return messages


def turn_messages(turn: PublicTurn, first: int = 1) -> list[dict[str, Any]]:
    """Returns a finished turn as messages: the user's, the calls with their results, the reply as delivered.

    An event turn opens with the event's text as a user message that is marked as such; a silent turn has no last
    message.
    """
    messages: list[dict[str, Any]] = []
    if turn.event is not None:
        messages.append({"role": "user", "content": f"[event] {turn.event}"})
    if turn.user:
        messages.append({"role": "user", "content": turn.user})
    messages.extend(step_messages(turn.steps, first))
    if turn.reply:
        messages.append({"role": "assistant", "content": turn.reply})
    return messages


def _call_id(number: int) -> str:
    return f"call_{number:04d}"


def _object(value: Mapping[str, Any] | BaseModel | None) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    return value.model_dump(exclude_none=True)


def _json(arguments: Mapping[str, Any] | str) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps(dict(arguments), ensure_ascii=False, default=dict)


def _mapping(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    dumped = dump() if callable(dump) else None
    return dumped if isinstance(dumped, Mapping) else {}


def _tool_use(entry: Mapping[str, Any]) -> ToolUse:
    function = _mapping(entry.get("function"))
    name, arguments = function.get("name"), function.get("arguments")
    tool = name if isinstance(name, str) else ""
    if arguments is None or arguments == "":
        return ToolUse(tool, {})
    if isinstance(arguments, str | Mapping):
        return ToolUse(tool, arguments)
    # Some servers hand out a decoded value; anything but an object is an error that the tool will report.
    return ToolUse(tool, json.dumps(arguments, default=str))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        parts = (_mapping(part).get("text") for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return ""
