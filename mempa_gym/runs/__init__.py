"""Runs: played, stored, continued and scored."""

from __future__ import annotations

from mempa_gym.runs.config import RunConfig, data_hash, identity
from mempa_gym.runs.runner import References, play_run, prepare
from mempa_gym.runs.scored import load_outcomes, score_run
from mempa_gym.runs.store import RunStore

__all__ = [
    "References",
    "RunConfig",
    "RunStore",
    "data_hash",
    "identity",
    "load_outcomes",
    "play_run",
    "prepare",
    "score_run",
]
