"""The rules by attribute: one table, in published order (paper 000, E.3).

A new attribute's rule is a class of its own (with its payload model, if it has one) and a line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mempa_gym.interaction.rules.base import Ran, Rendering, Rule, Turn, Verdict
from mempa_gym.interaction.rules.delivery_control import ProactiveOutreach, TopicManagement
from mempa_gym.interaction.rules.execution_control import AutonomyLevel, CapabilityBoundary
from mempa_gym.interaction.rules.information_elicitation import InformationElicitation
from mempa_gym.interaction.rules.selective_rendering import (
    ProcessVisibility,
    ReasoningVisibility,
    UncertaintyExpression,
)

__all__ = ["RULES", "Ran", "Rendering", "Rule", "Turn", "Verdict"]

_CLASSES: Mapping[str, type[Rule]] = {
    "tone_formality": Rule,
    "verbosity": Rule,
    "emotional_engagement": Rule,
    "guidance_level": Rule,
    "reasoning_visibility": ReasoningVisibility,
    "uncertainty_expression": UncertaintyExpression,
    "process_visibility": ProcessVisibility,
    "autonomy_level": AutonomyLevel,
    "proactive_outreach": ProactiveOutreach,
    "task_expansion": Rule,
    "solution_breadth": Rule,
    "capability_boundary": CapabilityBoundary,
    "information_elicitation": InformationElicitation,
    "topic_management": TopicManagement,
}

RULES: Mapping[str, Rule] = MappingProxyType({name: made(name) for name, made in _CLASSES.items()})
"""Attribute id to its rule."""
