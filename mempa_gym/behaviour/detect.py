"""The way in: attribute and exchange to what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from mempa_gym import taxonomy
from mempa_gym.behaviour import (
    autonomy,
    boundary,
    breadth,
    elicitation,
    emotion,
    expansion,
    guidance,
    outreach,
    process,
    reasoning,
    tone,
    topics,
    uncertainty,
    verbosity,
)
from mempa_gym.behaviour.exchange import Exchange, read_exchange
from mempa_gym.behaviour.model import Criterion, Reading, Shown
from mempa_gym.frozen import FrozenDict

__all__ = ["criteria", "observe", "read"]


@cache
def _readers() -> Mapping[str, Callable[[Exchange], Reading]]:
    return {
        "tone_formality": tone.read,
        "verbosity": verbosity.read,
        "emotional_engagement": emotion.read,
        "guidance_level": guidance.read,
        "reasoning_visibility": reasoning.read,
        "uncertainty_expression": uncertainty.read,
        "process_visibility": process.read,
        "autonomy_level": autonomy.read,
        "proactive_outreach": outreach.read,
        "task_expansion": expansion.read,
        "solution_breadth": breadth.read,
        "capability_boundary": boundary.read,
        "information_elicitation": elicitation.read,
        "topic_management": topics.read,
    }


def read(attribute: str, exchange: Exchange) -> Reading:
    """Reads a checked exchange for one attribute: for every setting its criteria.

    Args:
        attribute: An attribute id.
        exchange: A checked exchange with at least one turn.

    Raises:
        UnknownNameError: There is no such attribute.
    """
    reader = _readers().get(attribute)
    if reader is None:
        taxonomy.attribute(attribute)
        raise AssertionError(f"no reader for {attribute}")
    return reader(exchange)


def observe(attribute: str, exchange: Mapping[str, Any]) -> Shown:
    """Returns which setting's visible behaviour an exchange shows (paper 000, Table 4).

    Args:
        attribute: An attribute id.
        exchange: The exchange as plain data: user_message, event, task (optional), turns.

    Raises:
        UnknownNameError: There is no such attribute.
        DataError: The exchange is malformed.
    """
    return _seen(attribute, exchange) if isinstance(exchange, FrozenDict) else _observed(attribute, exchange)


@lru_cache(maxsize=1024)
def _seen(attribute: str, exchange: FrozenDict[str, Any]) -> Shown:
    # The same story is played many times, and what one exchange shows never changes.
    return _observed(attribute, exchange)


def _observed(attribute: str, exchange: Mapping[str, Any]) -> Shown:
    checked = read_exchange(exchange)
    if not checked.turns:
        return Shown(None, FrozenDict(dict.fromkeys(taxonomy.attribute(attribute).labels, 0.0)), ())
    return read(attribute, checked).shown()


def criteria(attribute: str, setting: str, exchange: Mapping[str, Any]) -> tuple[Criterion, ...]:
    """Returns the visible requirements of a setting and whether the exchange meets each.

    Args:
        attribute: An attribute id.
        setting: A label of one of its settings.
        exchange: The exchange as plain data.

    Raises:
        UnknownNameError: There is no such attribute or setting.
        DataError: The exchange is malformed.
    """
    label = taxonomy.attribute(attribute).setting(setting).label
    checked = read_exchange(exchange)
    if not checked.turns:
        return ()
    return read(attribute, checked).criteria[label]
