"""What a stored run can be taken out as: canonical JSON Lines, or conversations to train a chat model on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mempa_gym.agents.messages import chat_messages, chat_tools
from mempa_gym.engine import TimelineEngine
from mempa_gym.interaction.policies import PAAction, Reply
from mempa_gym.interaction.views import PAView
from mempa_gym.runs.codec import canonical
from mempa_gym.runs.replay import replay_run
from mempa_gym.runs.store import RunStore

__all__ = ["SCHEMA", "canonical_lines", "chat_lines"]

SCHEMA = "mempa_gym/run/2"


def canonical_lines(directory: Path) -> Iterator[str]:
    """Yields a run as JSON Lines with sorted keys and nothing of the clock on the wall.

    The first line holds schema, identity and places, each further one a slot: position, record, actions. Two runs of
    one configuration have the same lines, however often they were stopped.

    Raises:
        RunError: no run, or a damaged one.
    """
    with RunStore.open(directory) as store:
        yield canonical({"schema": SCHEMA, "identity": store.identity, "places": store.places})
        for row in store.sound_rows():
            yield canonical(
                {"position": row.position, "record": json.loads(row.record), "actions": json.loads(row.actions)}
            )


def chat_lines(directory: Path, *, only_right: bool = False) -> Iterator[str]:
    """Yields a conversation a line, in the chat form that supervised fine-tuning takes.

    Each line is ``{"messages": [...], "tools": [...]}``: one user turn as the PA saw it, its memory's evidence in the
    system message, closed by the PA's reply. Nothing in it holds a target, a score or a script's id.

    Args:
        directory: the run; it is replayed.
        only_right: only turns of sessions and probes in which the right setting was selected.

    Raises:
        RunError: no run, a damaged one, or one that does not replay.
    """
    lines: list[str] = []
    # The PA's last word in each turn of the session in play; an earlier one was sent back by a reminder.
    words: dict[int, tuple[PAView, str]] = {}
    state: dict[str, Any] = {"results": 0, "key": None}

    def watch(view: PAView, action: PAAction) -> None:
        if isinstance(action, Reply):
            words[len(view.turns)] = (view, action.text)

    def after(engine: TimelineEngine) -> None:
        if len(engine.results) > state["results"]:
            state["results"] = len(engine.results)
            if engine.results[-1].correct or not only_right:
                lines.extend(_line(*words[place]) for place in sorted(words))
        key = None if engine.done else engine.session_key
        if key != state["key"]:
            state["key"] = key
            words.clear()

    replay_run(directory, watch=watch, after=after)
    yield from lines


def _line(view: PAView, reply: str) -> str:
    messages = [*chat_messages(view), {"role": "assistant", "content": reply}]
    return json.dumps({"messages": messages, "tools": chat_tools(view)}, ensure_ascii=False)
