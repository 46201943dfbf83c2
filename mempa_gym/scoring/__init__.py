"""Scores of a run: how well preferences were selected and how well they were carried out."""

from __future__ import annotations

from mempa_gym.scoring.judge import Judgement, rule_judge

__all__ = ["Judgement", "rule_judge"]
