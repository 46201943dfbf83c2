"""Policies that act on what an environment shows and on nothing else."""

from __future__ import annotations

from mempa_gym.agents.chat import ChatPA
from mempa_gym.agents.endpoint import EndpointError
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
    "ChatPA",
    "EndpointError",
    "EpsilonGreedySelector",
    "FixedSelector",
    "PlannedPA",
    "RandomSelector",
    "ReaderSelector",
    "Selector",
    "backbone_shares",
    "backbones",
]
