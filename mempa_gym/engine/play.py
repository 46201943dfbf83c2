"""Plays a timeline with policies until it waits for a role that nobody here plays."""

from __future__ import annotations

from collections.abc import Callable

from mempa_gym.engine.timeline_engine import Phase, TimelineEngine
from mempa_gym.interaction.policies import PAPolicy

__all__ = ["play", "play_out"]


def play(
    engine: TimelineEngine,
    policy: PAPolicy | None,
    *,
    stop: Callable[[TimelineEngine], bool] | None = None,
    after: Callable[[TimelineEngine], None] | None = None,
    started: tuple[int, int, int] | None = None,
) -> tuple[int, int, int] | None:
    """Lets the built-in user and memory, and ``policy`` as PA, act until ``stop`` says so or the timeline ends.

    Args:
        engine: the game.
        policy: the PA; with None play stops where the PA is to act.
        stop: asked before every action.
        after: called after every action.
        started: the session the policy has last been told of, as returned by an earlier call.

    Returns:
        The session the policy has last been told of.
    """
    while engine.phase is not Phase.DONE:
        if stop is not None and stop(engine):
            break
        phase = engine.phase
        if phase is Phase.SPEAK:
            engine.do_user()
        elif phase is Phase.RECALL:
            engine.do_recall()
        elif phase is Phase.WRITE:
            engine.do_write()
        elif policy is None:
            break
        else:
            if engine.session_key != started:
                started = engine.session_key
                policy.begin_session(engine.pa_generator())
            engine.do_pa(policy.act(engine.pa_view(with_plan=policy.uses_plan)))
        if after is not None:
            after(engine)
    return started


def play_out(engine: TimelineEngine, policy: PAPolicy) -> TimelineEngine:
    """Plays a timeline to its end and returns it."""
    play(engine, policy)
    return engine
