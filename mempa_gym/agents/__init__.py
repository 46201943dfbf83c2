"""Policies that act on what an environment shows and on nothing else."""

from __future__ import annotations

from mempa_gym.agents.planned import PlannedPA
from mempa_gym.agents.selectors import (
    BackboneSelector,
    EpsilonGreedySelector,
    FixedSelector,
    RandomSelector,
    ReaderSelector,
    Selector,
    backbone_shares,
    backbones,
)

__all__ = [
    "BackboneSelector",
    "EpsilonGreedySelector",
    "FixedSelector",
    "PlannedPA",
    "RandomSelector",
    "ReaderSelector",
    "Selector",
    "backbone_shares",
    "backbones",
]
