"""A session in play as plain text, for ``render``."""

from __future__ import annotations

import warnings

from mempa_gym.engine import TimelineEngine

__all__ = ["RENDER_MODES", "check_render_mode", "render", "render_turns"]

RENDER_MODES = ("ansi", "human")


def check_render_mode(mode: str | None) -> str | None:
    """Returns the mode; warns of one that does not exist, as environments of both libraries do."""
    if mode is not None and mode not in RENDER_MODES:
        warnings.warn(f"render mode {mode!r} is not one of {', '.join(RENDER_MODES)}", stacklevel=3)
    return mode


def render(engine: TimelineEngine | None, mode: str | None) -> str | None:
    """Returns (ansi) or prints (human) the session in play; does nothing without a mode."""
    if mode is None:
        return None
    text = render_turns(engine)
    if mode == "ansi":
        return text
    print(text)
    return None


def render_turns(engine: TimelineEngine | None) -> str:
    """Returns the public turns of the session in play, and the turn that is being taken."""
    if engine is None:
        return "(not reset yet)"
    session = engine.session
    if session is None:
        return "(the timeline has ended)" if engine.done else "(a change event is being replayed)"
    lines = [f"[{session.world.now}]"]
    for turn in session.turns:
        if turn.event:
            lines.append(f"  event: {turn.event}")
        if turn.user:
            lines.append(f"  user:  {turn.user}")
        lines.extend(f"  call:  {step.tool}{'' if step.ok else '  (error)'}" for step in turn.steps)
        lines.append(f"  pa:    {turn.reply}")
    current = engine.turn
    if current is not None:
        if current.event:
            lines.append(f"  event: {current.event}")
        if current.user:
            lines.append(f"  user:  {current.user}")
        lines.extend(f"  call:  {step.tool}{'' if step.ok else '  (error)'}" for step in current.steps)
    return "\n".join(lines)
