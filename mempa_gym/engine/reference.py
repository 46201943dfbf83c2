"""The worlds that No Memory and Oracle are measured in (paper 000, section 4, Reference Condition Runs).

Both conditions skip accumulation: each of their probes starts from the checkpoint that a File-memory run of the same
user, agent and seed has at that point, with the memory cleared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mempa_gym.engine.play import play
from mempa_gym.engine.timeline_engine import Phase, TimelineEngine
from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.policies import PAPolicy
from mempa_gym.timeline import SlotKind
from mempa_gym.world import World

__all__ = ["checkpoint_worlds"]


def checkpoint_worlds(
    engine: TimelineEngine, policy: PAPolicy, *, after: Callable[[TimelineEngine], None] | None = None
) -> Mapping[int, World]:
    """Plays the accumulation of ``engine`` and returns the world at each probe's slot; the probes are passed over.

    Args:
        engine: the game.
        policy: the PA.
        after: called after every action.
    """
    worlds: dict[int, World] = {}
    told: tuple[int, int, int] | None = None
    while engine.phase is not Phase.DONE:
        slot = engine.slot
        if slot is not None and slot.kind is SlotKind.PROBE:
            worlds.setdefault(engine.session_key[0], engine.world.branch())
            engine.skip()
            continue
        told = play(engine, policy, stop=_at_probe, after=after, started=told)
    return FrozenDict(worlds)


def _at_probe(engine: TimelineEngine) -> bool:
    return engine.slot is not None and engine.slot.kind is SlotKind.PROBE
