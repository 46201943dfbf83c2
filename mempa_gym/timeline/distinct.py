"""How much alike a user's scripts are (paper 000, C.1: the sessions of a cell have different tasks).

A run of shared words finds copies (`viability.check_distinct`); this finds what is alike without being copied. Two
texts are compared by the words that tell them apart: what every script says counts little, a word of two scripts much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mempa_gym.reading.lexicon import EMPTY, stem, words
from mempa_gym.timeline.script import Beat, Session

__all__ = ["KINDS", "THRESHOLD", "Kind", "Pair", "nearest_pairs"]

Kind = Literal["opening", "decision", "reaction"]
KINDS: tuple[Kind, ...] = ("opening", "decision", "reaction")
THRESHOLD = 0.5
"""Cosine from which on two texts of different scripts are too much alike."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts of one kind from different scripts.

    Attributes:
        kind: opening, decision request or reaction.
        alike: cosine of their weighted words, 0 to 1.
        first: id of the first script.
        second: id of the second script.
        texts: both texts.
    """

    kind: Kind
    alike: float
    first: str
    second: str
    texts: tuple[str, str]


def nearest_pairs(sessions: Iterable[Session], kind: Kind, most: int = 10) -> list[Pair]:
    """Returns the pairs of texts of different scripts that are most alike, the nearest first.

    Args:
        sessions: a user's sessions and probes.
        kind: which texts.
        most: how many pairs.
    """
    owners: list[str] = []
    texts: list[str] = []
    for session in sessions:
        for text in dict.fromkeys(_texts(session, kind)):
            owners.append(session.id)
            texts.append(text)
    weights = _weights(texts)
    alike = weights @ weights.T
    number = {owner: index for index, owner in enumerate(dict.fromkeys(owners))}
    owned = np.array([number[owner] for owner in owners])
    alike[owned[:, None] >= owned[None, :]] = -1.0
    order = np.argsort(-alike, axis=None, kind="stable")[:most]
    found = []
    for place in order:
        row, column = divmod(int(place), len(texts))
        if alike[row, column] < 0.0:
            break
        pair = (texts[row], texts[column])
        found.append(Pair(kind, round(float(alike[row, column]), 3), owners[row], owners[column], pair))
    return found


def _texts(session: Session, kind: Kind) -> list[str]:
    if kind == "opening":
        return _said(session.beats[0])
    if kind == "decision":
        return _said(session.beats[session.decision])
    rows = [text for beat in session.beats for row in beat.react.values() for text in row.values()]
    return [*rows, *(text for beat in session.beats for text in beat.again.values())]


def _said(beat: Beat) -> list[str]:
    if beat.event is not None:
        return [beat.event]
    return [beat.say] if isinstance(beat.say, str) else list(beat.say.values())


def _weights(texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Returns unit rows of term frequency by inverse document frequency over folded content words."""
    bags = [[stem(word) for word in words(text) if word.isalpha() and word not in EMPTY] for text in texts]
    places = {word: index for index, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
    counts = np.zeros((len(texts), max(1, len(places))))
    for row, bag in enumerate(bags):
        for word in bag:
            counts[row, places[word]] += 1.0
    seen = np.count_nonzero(counts, axis=0)
    weighted = np.sqrt(counts) * np.log((1.0 + len(texts)) / (1.0 + seen))
    norms = np.linalg.norm(weighted, axis=1, keepdims=True)
    unit: np.ndarray[tuple[int, int], np.dtype[np.float64]] = weighted / np.where(norms > 0.0, norms, 1.0)
    return unit
