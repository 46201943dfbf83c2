"""The flat list of what a text PA can do in one call, and the bridge between an action dict and a PA action.

Index 0 delivers the reply and ends the turn; then come the world tools in published order, the fourteen interaction
tools in taxonomy order, and IX_release.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete

from mempa_gym.envs.spaces import AnyText, JsonText
from mempa_gym.errors import InvalidActionError, unknown
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute_ids
from mempa_gym.tools import specs

__all__ = ["DELIVER", "action_space", "decode", "encode", "tool_index", "tool_mask", "tool_names"]

DELIVER = "deliver"
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


@cache
def tool_names() -> tuple[str, ...]:
    """Returns the name of each index of the ``tool`` field."""
    return (DELIVER, *specs(), *(f"IX_{name}" for name in attribute_ids()), "IX_release")


@cache
def _indices() -> dict[str, int]:
    return {name: index for index, name in enumerate(tool_names())}


def tool_index(name: str) -> int:
    """Returns the index of a tool's name, or raises UnknownNameError with the closest names."""
    found = _indices().get(name)
    if found is None:
        raise unknown("tool", name, tool_names())
    return found


def action_space() -> Dict:
    """Returns a new action space of ``pa_0``: tool index, its arguments as JSON text, and the reply."""
    return Dict({"tool": Discrete(len(tool_names())), "arguments": JsonText(), "reply": AnyText()})


def encode(action: PAAction) -> dict[str, Any]:
    """Returns the action dict for a PA action."""
    if isinstance(action, Reply):
        return {"tool": 0, "arguments": "{}", "reply": action.text}
    return {"tool": tool_index(action.tool), "arguments": _json(action.arguments), "reply": ""}


def _json(arguments: Mapping[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else _ENCODE(dict(arguments))


def decode(action: Any) -> PAAction:
    """Returns the PA action for an action dict; a PA action passes as it is.

    Raises:
        InvalidActionError: not a dict of that form, or a tool index out of range.
    """
    if isinstance(action, Reply | ToolUse):
        return action
    if not isinstance(action, dict | Mapping):
        raise InvalidActionError(
            f"an action is a dict with tool, arguments and reply, got {type(action).__name__}", where="step(action)"
        )
    try:
        index, arguments, reply = action["tool"], action["arguments"], action["reply"]
    except KeyError:
        missing = [key for key in ("tool", "arguments", "reply") if key not in action]
        raise InvalidActionError(f"the action lacks {', '.join(missing)}", where="step(action)") from None
    if isinstance(index, bool) or not isinstance(index, int | np.integer) or not 0 <= index < len(tool_names()):
        raise InvalidActionError(
            f"tool must be an index from 0 to {len(tool_names()) - 1}, got {index!r}", where="step(action)"
        )
    if not isinstance(arguments, str) or not isinstance(reply, str):
        raise InvalidActionError("arguments and reply must be strings", where="step(action)")
    if index == 0:
        return Reply(reply)
    return ToolUse(tool_names()[int(index)], arguments)


def tool_mask(view: PAView) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Returns which tools make sense now: interaction tools only once offered, releases only while something is held.

    Shape (len(tool_names()),), int8. A masked tool is still a legal action; its call is answered with an error result.
    """
    return _mask((*view.offered, *view.selected), bool(view.held)).copy()


@lru_cache(maxsize=256)
def _mask(attributes: tuple[str, ...], held: bool) -> np.ndarray[Any, np.dtype[np.int8]]:
    mask = np.ones(len(tool_names()), dtype=np.int8)
    mask[1 + len(specs()) :] = 0
    for attribute in attributes:
        mask[_indices()[f"IX_{attribute}"]] = 1
    if held:
        mask[-1] = 1
    mask.setflags(write=False)
    return mask
