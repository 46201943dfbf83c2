"""Who the users are and what they prefer, over time.

A persona is data about a user: a profile anybody may read, and a preference matrix with its changes, which only the
simulated user, the scoring and the oracle may read. Rooms that must know no target take a profile or nothing.
"""

from __future__ import annotations

from mempa_gym.personas.library import load_persona, persona_ids
from mempa_gym.personas.matrix import PreferenceMatrix, Relabelling
from mempa_gym.personas.persona import CellSource, Change, Persona

__all__ = [
    "CellSource",
    "Change",
    "Persona",
    "PreferenceMatrix",
    "Relabelling",
    "load_persona",
    "persona_ids",
]
