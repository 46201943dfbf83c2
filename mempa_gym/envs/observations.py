"""Turns the views of the three roles into observations: numbers under ``observation``, words and masks beside it."""

from __future__ import annotations

import json
from functools import cache, lru_cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict

from mempa_gym.envs.actions import tool_mask, tool_names
from mempa_gym.envs.spaces import AnyText
from mempa_gym.interaction.views import MemoryQuery, PAView, PublicTurn, TurnRecord
from mempa_gym.taxonomy import attributes

__all__ = [
    "EMPTY_PA",
    "feature_names",
    "memory_observation",
    "memory_space",
    "pa_mask",
    "pa_observation",
    "pa_space",
    "transcript",
    "user_observation",
    "user_space",
]


@cache
def feature_names() -> tuple[str, ...]:
    """Returns the name of each entry of the PA's numeric features, in order."""
    return (
        "event_turn",
        "calls_this_turn",
        "turns_this_session",
        "items_held",
        "has_evidence",
        "reminded",
        "last_call_failed",
        *(f"offered/{item.id}" for item in attributes()),
        *(f"selected/{item.id}/{label}" for item in attributes() for label in item.labels),
    )


_PLAIN = 7  # how many features come before those of the interaction tools


@lru_cache(maxsize=256)
def _interactions(offered: tuple[str, ...], selected: tuple[tuple[str, str], ...]) -> np.ndarray[Any, Any]:
    features = np.zeros(len(feature_names()), dtype=np.float32)
    on = {f"offered/{attribute}" for attribute in offered}
    on.update(f"selected/{attribute}/{label}" for attribute, label in selected)
    features[[index for index, name in enumerate(feature_names()) if name in on]] = 1.0
    features.setflags(write=False)
    return features


_PA_WORDS = ("now", "user", "event", "evidence", "result", "transcript", "held", "reminder")
EMPTY_PA = dict.fromkeys(_PA_WORDS, "")


def pa_space() -> Dict:
    """Returns the observation space of ``pa_0``."""
    return Dict(
        {
            "observation": Box(0.0, 1.0, (len(feature_names()),), np.float32),
            "tool_mask": Box(0, 1, (len(tool_names()),), np.int8),
            **{name: AnyText() for name in _PA_WORDS},
        }
    )


def transcript(turns: tuple[PublicTurn, ...]) -> str:
    """Returns finished turns as lines of text: what was said, and which calls were made."""
    lines: list[str] = []
    for turn in turns:
        if turn.event is not None:
            lines.append(f"EVENT: {turn.event}")
        if turn.user:
            lines.append(f"USER: {turn.user}")
        lines.extend([f"CALL {step.tool}: {'ok' if step.ok else 'error'}" for step in turn.steps])
        lines.append(f"PA: {turn.reply}")
    return "\n".join(lines)


def pa_mask(view: PAView | None) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Returns the tool mask of a view; with None (nobody is to act) only tool 0 is left."""
    if view is not None:
        return tool_mask(view)
    mask = np.zeros(len(tool_names()), dtype=np.int8)
    mask[0] = 1
    return mask


def pa_observation(view: PAView | None, spoken: str | None = None) -> dict[str, Any]:
    """Returns the PA's observation; with None (the timeline has ended) the empty one.

    Args:
        view: what the PA may know.
        spoken: the `transcript` of the view's turns where it is known already.
    """
    if view is None:
        features = np.zeros(len(feature_names()), dtype=np.float32)
        return {"observation": features, "tool_mask": pa_mask(None), **EMPTY_PA}
    last = view.steps[-1] if view.steps else None
    features = _interactions(view.offered, tuple(view.selected.items())).copy()
    features[:_PLAIN] = (
        view.event is not None,
        min(len(view.steps) / 40.0, 1.0),
        min(len(view.turns) / 10.0, 1.0),
        min(len(view.held) / 4.0, 1.0),
        bool(view.evidence),
        view.reminder is not None,
        last is not None and not last.ok,
    )
    held = [{"item_id": item.item_id, "tool": item.tool, "description": item.description} for item in view.held]
    return {
        "observation": features,
        "tool_mask": tool_mask(view),
        "now": view.now,
        "user": view.user,
        "event": view.event or "",
        "evidence": view.evidence,
        "result": last.text if last is not None else "",
        "transcript": transcript(view.turns) if spoken is None else spoken,
        "held": json.dumps(held, ensure_ascii=False) if held else "",
        "reminder": view.reminder or "",
    }


_MEMORY_WORDS = ("now", "query", "record", "notebook")


def memory_space() -> Dict:
    """Returns the observation space of ``memory_0``; ``observation`` is (recalling, writing)."""
    return Dict({"observation": Box(0.0, 1.0, (2,), np.float32), **{name: AnyText() for name in _MEMORY_WORDS}})


def memory_observation(query: MemoryQuery | None, record: TurnRecord | None, notebook: str) -> dict[str, Any]:
    """Returns the memory's observation: what it is asked, or what it may keep, and what it has kept so far."""
    from mempa_gym.memory.render import render_record

    features = np.array([query is not None, record is not None], dtype=np.float32)
    return {
        "observation": features,
        "now": query.now if query else record.at if record else "",
        "query": query.text if query else "",
        "record": render_record(record) if record else "",
        "notebook": notebook,
    }


_USER_WORDS = ("brief", "suggestion", "heard")


def user_space() -> Dict:
    """Returns the observation space of ``user_0``; ``observation`` is (probe, event turn)."""
    return Dict({"observation": Box(0.0, 1.0, (2,), np.float32), **{name: AnyText() for name in _USER_WORDS}})


def user_observation(brief: str, suggestion: str, heard: str, *, probe: bool, event: bool) -> dict[str, Any]:
    """Returns the user's observation: her goal in this beat, the script's message, and the reply she answers."""
    features = np.array([probe, event], dtype=np.float32)
    return {"observation": features, "brief": brief, "suggestion": suggestion, "heard": heard}
