"""A session in play as plain text, for ``render``."""

from __future__ import annotations

from mempa_gym.engine import TimelineEngine

__all__ = ["render_turns"]


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
