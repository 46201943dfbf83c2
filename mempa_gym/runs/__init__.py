"""Runs: played, stored, continued and scored."""

from __future__ import annotations

from mempa_gym.runs.config import RunConfig, data_hash, identity
from mempa_gym.runs.export import canonical_lines, chat_lines
from mempa_gym.runs.health import Health, health_of
from mempa_gym.runs.replay import ReplayReport, check_replay
from mempa_gym.runs.runner import References, play_run, prepare
from mempa_gym.runs.scored import load_outcomes, score_run
from mempa_gym.runs.store import RunStore

__all__ = [
    "Health",
    "References",
    "ReplayReport",
    "RunConfig",
    "RunStore",
    "canonical_lines",
    "chat_lines",
    "check_replay",
    "data_hash",
    "health_of",
    "identity",
    "load_outcomes",
    "play_run",
    "prepare",
    "score_run",
]
