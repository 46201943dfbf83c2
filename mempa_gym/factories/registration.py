"""Registers the environments with Gymnasium and PettingZoo; called once when the package is imported.

Entry points are strings, so that nothing but the two registries is imported here. Order enforcement and the passive
checker are switched off because Gymnasium's wrappers would swallow ``reset(persona=...)``; the environments check the
same things themselves.
"""

from __future__ import annotations

__all__ = ["register_all"]


def register_all() -> None:
    """Registers every id; calling it again changes nothing."""
    import gymnasium
    import pettingzoo

    for name, creator in (("Timeline", "gym_timeline"), ("Session", "gym_session")):
        identifier = f"mempa/{name}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point=f"mempa_gym.factories.timeline:{creator}",
                order_enforce=False,
                disable_env_checker=True,
            )
    if "mempa/timeline-v0" not in pettingzoo.aec_registry:
        pettingzoo.register("aec", "mempa/timeline-v0", entry_point="mempa_gym.envs.timeline_v0:env")
