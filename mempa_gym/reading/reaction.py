"""Which setting does a user's reaction point to?

Two sources are weighed. The words alone often name what she would have had ("one line will do"). And where it is
known what the assistant had done, an acceptance points to that and a correction away from it, so that even "no, no,
not like that" is read. A message that says nothing on manner leaves every setting as likely as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mempa_gym.errors import require_text
from mempa_gym.frozen import FrozenDict
from mempa_gym.reading.model import (
    ACCEPT,
    CORRECT,
    NEUTRAL,
    STATED,
    Model,
    Parsed,
    attitude,
    model,
    parse,
    polarity,
    softmax,
    wanted,
)
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = ["Reading", "read_message", "read_reaction", "shown_in"]

# How often what an assistant selected is also what it did: the rest are slips.
_FOLLOWED = 0.94
_FLOOR = 1e-4

Array = NDArray[np.float64]


class Reading:
    """What one message says on one attribute.

    Attributes:
        shares: setting to probability.
        attitude: probabilities of accepting, correcting, stating what holds, and saying nothing on manner.
    """

    __slots__ = ("attitude", "shares")

    def __init__(self, shares: Mapping[str, float], attitude: Array) -> None:
        self.shares = shares
        self.attitude = attitude

    @property
    def silent(self) -> float:
        """Probability that the message says nothing on manner."""
        return float(self.attitude[NEUTRAL])

    @property
    def accepts(self) -> float:
        """Probability that the message accepts what was shown."""
        return float(self.attitude[ACCEPT])

    @property
    def stated(self) -> float:
        """Probability that the message states what holds, whatever was shown."""
        return float(self.attitude[STATED])


def read_reaction(
    message: str, attribute: str, pa_behaviour: str | None = None, selected: str | None = None
) -> dict[str, float]:
    """Returns how likely each setting is the one the user wants, given what she says to what the assistant did.

    Args:
        message: the user's message; remarks on the task around the reaction do not matter.
        attribute: attribute id.
        pa_behaviour: what the assistant did, in prose, if known.
        selected: label of the setting the assistant had selected, if known; it outweighs ``pa_behaviour``.

    Returns:
        Setting label to probability, in published order; about equal when the message says nothing on manner.

    Raises:
        UnknownNameError: The attribute does not exist, or ``selected`` is none of its settings.
        ArgumentError: The message or the description is no text.
    """
    require_text("message", message)
    if pa_behaviour is not None:
        require_text("pa_behaviour", pa_behaviour)
    item = get_attribute(attribute)
    if selected is not None:
        item.setting(selected)
    return dict(read_message(message, attribute, pa_behaviour, selected).shares)


@lru_cache(maxsize=4096)
def read_message(message: str, attribute: str, pa_behaviour: str | None = None, selected: str | None = None) -> Reading:
    """Returns a message read for an attribute; as `read_reaction`, with the attitude beside it. Results are shared."""
    labels = get_attribute(attribute).labels
    if selected is not None:
        rest = (1.0 - _FOLLOWED) / (len(labels) - 1)
        shown: Array | None = np.array([_FOLLOWED if label == selected else rest for label in labels])
    elif pa_behaviour:
        shown = shown_in(pa_behaviour, attribute)
    else:
        shown = None
    shares, stance = weigh(model(), message, attribute, shown)
    # Python floats that add up to one, whatever the rounding.
    total = float(shares.sum())
    rows = {label: float(share) / total for label, share in zip(labels, shares, strict=True)}
    return Reading(FrozenDict(rows), stance)


def weigh(fitted: Model, message: str, attribute: str, shown: Array | None) -> tuple[Array, Array]:
    """Returns the probability of each setting, and the attitude, under a given model.

    Args:
        fitted: the model.
        message: the user's message.
        attribute: attribute id.
        shown: probability of each setting having been shown, or None when nothing is known.
    """
    count = len(get_attribute(attribute).labels)
    even = np.full(count, 1.0 / count)
    stance, weights, parsed = _attitude(fitted, message)
    if not parsed.sentences:
        return even, stance
    said = wanted(fitted, attribute, parsed, weights, polarity(stance))
    plain = softmax(said)
    silent = float(stance[NEUTRAL])
    if shown is None:
        spoken = plain
    else:
        total = stance[ACCEPT] + stance[CORRECT] + 1e-9
        accepts, corrects = stance[ACCEPT] / total, stance[CORRECT] / total
        fits = shown * accepts + (1.0 - shown) / (count - 1) * corrects
        reacting = softmax(said + np.log(fits + 1e-9))
        stated = float(stance[STATED]) / (float(stance[STATED]) + float(total))
        spoken = stated * plain + (1.0 - stated) * reacting
    mixed: Array = (1.0 - silent) * spoken + silent * even
    return np.maximum(mixed, _FLOOR), stance


def shown_in(prose: str, attribute: str) -> Array:
    """Returns how likely each setting is the one that a description of the assistant's behaviour speaks of."""
    parsed = parse(prose)
    count = len(get_attribute(attribute).labels)
    if not parsed.sentences:
        return np.full(count, 1.0 / count)
    share = softmax(1.5 * wanted(model(), attribute, parsed, (1.0,) * len(parsed.sentences), 1.0))
    found: Array = 0.9 * share + 0.1 / count
    return found


def _attitude(fitted: Model, message: str) -> tuple[Array, tuple[float, ...], Parsed]:
    parsed = parse(message)
    if not parsed.sentences:
        return np.array([0.0, 0.0, 0.0, 1.0]), (), parsed
    stance, weights = attitude(fitted.attitude, parsed)
    return stance, weights, parsed
