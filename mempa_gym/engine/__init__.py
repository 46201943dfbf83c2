"""One timeline played turn by turn, with checkpoints and branches. Knows nothing of gymnasium or PettingZoo."""

from __future__ import annotations

from mempa_gym.engine.config import EngineConfig
from mempa_gym.engine.play import play, play_out
from mempa_gym.engine.records import EndReason, Occurrence, SlotResult, Term
from mempa_gym.engine.reference import checkpoint_worlds
from mempa_gym.engine.timeline_engine import Checkpoint, Judge, Phase, TimelineEngine, lay_out

__all__ = [
    "Checkpoint",
    "EndReason",
    "EngineConfig",
    "Judge",
    "Occurrence",
    "Phase",
    "SlotResult",
    "Term",
    "TimelineEngine",
    "checkpoint_worlds",
    "lay_out",
    "play",
    "play_out",
]
