"""The stateful world: records with story time, tools at work on them, branches, locks, the log (paper 000, C.2)."""

from __future__ import annotations

from mempa_gym.world.base import world_personas
from mempa_gym.world.locks import Lock
from mempa_gym.world.log import CallEntry, Change
from mempa_gym.world.world import World
from mempa_gym.world.world import open_world as open

__all__ = ["CallEntry", "Change", "Lock", "World", "open", "world_personas"]
