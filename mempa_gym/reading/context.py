"""Does a text belong to the user's work or to her private life?

A memory and a PA are never told. What can be told from words in general is learned from the train bank's openings;
what only this user's history can tell (that Odette is a colleague) is worked out in ``evidence``.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mempa_gym.reading.features import Features
from mempa_gym.reading.model import context_features, model, softmax
from mempa_gym.taxonomy import CONTEXTS

__all__ = ["logit_of_work", "read_context"]

_SURER_WITH_LENGTH = 2.0
_SENTENCE = 12


def read_context(text: str) -> dict[str, float]:
    """Returns how likely a text belongs to each context.

    Args:
        text: one or several messages of a session.

    Returns:
        Context to probability, work first; even for an empty text.
    """
    work = 1.0 / (1.0 + float(np.exp(-logit_of_work(text))))
    return dict(zip(CONTEXTS, (work, 1.0 - work), strict=True))


@lru_cache(maxsize=2048)
def logit_of_work(text: str) -> float:
    """Returns the log-odds of work against private life; longer texts are trusted more, up to a point."""
    features = context_features(text)
    if not features:
        return 0.0
    share = softmax(model().context.logits(features))
    length = min(_SURER_WITH_LENGTH, max(1.0, float(np.sqrt(_size(features) / _SENTENCE))))
    return float(np.log(share[0] / share[1])) * length


def _size(features: Features) -> float:
    return len(features) / 2  # words and pairs: about two features a word
