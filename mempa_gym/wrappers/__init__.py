"""Wrappers around environments: recorders and what plays their records back."""

from __future__ import annotations

from mempa_gym.wrappers.recorder import AECRecorder, Recorder
from mempa_gym.wrappers.recording import Recording, read_recording
from mempa_gym.wrappers.replay import ReplayAEC, ReplayDifference, ReplayEnv, replay_against

__all__ = [
    "AECRecorder",
    "Recorder",
    "Recording",
    "ReplayAEC",
    "ReplayDifference",
    "ReplayEnv",
    "read_recording",
    "replay_against",
]
