"""What does a memory's evidence say about a setting, for the session at hand?

Every earlier session in which the attribute came up is an observation: what the assistant had selected and what the
user said to it. An observation counts as far as its session belongs to the same side of her life as the present
one, which is inferred from words. Observations are taken in the order of time by a filter that allows for change,
so that a later correction, or the last word of a bad experience, overrides what was learned before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mempa_gym.reading.history import HASHED, Past, Said, oracle_setting, parts, terms
from mempa_gym.reading.model import model, parse, softmax
from mempa_gym.reading.reaction import read_message
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attribute_ids

__all__ = ["read_evidence"]

_ORACLE = 0.99
_CHANGE = 0.04  # how likely a preference has changed between two observations
_OTHER_CONTEXT = 0.12  # how far an observation from the other side of life counts
_LOOSE = 0.6  # how far a message counts whose occasion is unknown
_RULES_EVEN = 0.1  # five of a user's 99 sessions are change events (paper 000, 3.3); words alone suggest one in two
_OWN_WORDS = 2.0  # how far a user's own names and words count towards the context
_SEEN = 3.0  # how often a word is taken to have occurred before, on both sides alike
_RARE = 6.0  # a word seen this often counts half
_ROUNDS = 2
_TEMPER = 0.5  # one user talks in her own way, so the general model is less sure than it says
_RULE = 0.8  # how likely a preference has changed when the last message of a session lays down a rule
_MOST_LOOSE = 40

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Observed:
    """One session that bears on an attribute: when, what it says, is it work, does its end lay down a rule."""

    at: str
    says: Array
    work: float
    ruled: float


def read_evidence(evidence: str, session_text: str, attribute: str) -> dict[str, float]:
    """Returns how likely each setting is the one the user wants now, from what a memory returned.

    Args:
        evidence: the memory's text (forms in ``history``); may be empty.
        session_text: what has been said in the present session.
        attribute: attribute id.

    Returns:
        Setting label to probability, in published order; even without evidence on this attribute.

    Raises:
        UnknownNameError: The attribute does not exist.
    """
    return dict(_read(evidence, session_text, attribute))


@lru_cache(maxsize=256)
def _read(evidence: str, session_text: str, attribute: str) -> dict[str, float]:
    # A probe is played several times from one checkpoint.
    labels = get_attribute(attribute).labels
    belief = np.full(len(labels), 1.0 / len(labels))
    if not evidence.strip():
        return _named(labels, belief)
    known = oracle_setting(evidence, attribute)
    if known in labels:
        rest = (1.0 - _ORACLE) / (len(labels) - 1)
        return _named(labels, np.array([_ORACLE if label == known else rest for label in labels]))
    found, own = _history(evidence)
    now = own.work(terms(session_text))
    even = belief.copy()
    observed = _episodes(found, attribute, labels, own)
    for item in sorted(observed, key=lambda item: item.at):
        same = now * item.work + (1.0 - now) * (1.0 - item.work)
        counts = same + (1.0 - same) * _OTHER_CONTEXT
        change = min(0.9, _CHANGE + _RULE * item.ruled * same)
        says = item.says
        belief = (1.0 - change) * belief + change * even
        belief = belief * (counts * says + (1.0 - counts) * even)
        belief = belief / belief.sum()
    return _named(labels, belief)


@lru_cache(maxsize=4)
def _history(evidence: str) -> tuple[tuple[Past, ...], _OwnWords]:
    # Many probes start from one checkpoint, and a memory that returns everything returns the same text to all of them.
    found = tuple(parts(evidence))
    return found, _OwnWords(found)


def _episodes(found: Sequence[Past], attribute: str, labels: tuple[str, ...], own: _OwnWords) -> list[_Observed]:
    by_time: dict[str, list[int]] = {}
    for index, past in enumerate(found):
        if past.at and not past.loose:
            by_time.setdefault(past.at, []).append(index)
    observed: list[_Observed] = []
    loose: list[tuple[str, str, float]] = []
    for at, indices in by_time.items():
        group = [found[index] for index in indices]
        picks = [(number, pick) for number, past in enumerate(group) for pick in past.selections]
        mine = [(number, pick) for number, pick in picks if pick.attribute == attribute and pick.setting in labels]
        if not picks:
            for index in indices:
                work = own.work_of(index)
                loose.extend((at, message, work) for message in found[index].messages)
        if not mine:
            continue
        number, pick = mine[0]
        messages: list[str] = []
        for other, past in enumerate(group):
            messages.extend(past.messages[pick.before :] if other == number else past.messages)
        answer = ""
        if pick.asked and pick.before:
            answer = group[number].messages[pick.before - 1]
        says, ruled = _episode(messages, answer, attribute, pick.setting, len(labels))
        observed.append(_Observed(at, says, float(np.mean([own.work_of(index) for index in indices])), ruled))
    for past in found:
        if past.loose:
            loose.extend((past.at, message, 0.5) for message in past.messages)
    observed.extend(_loose(loose[-_MOST_LOOSE:], attribute, len(labels)))
    return observed


def _episode(messages: Sequence[str], answer: str, attribute: str, setting: str, count: int) -> tuple[Array, float]:
    belief = np.full(count, 1.0 / count)
    ruled = 0.0
    if answer:
        reading = read_message(answer, attribute)
        if reading.stated > 0.5:
            belief = np.array(list(reading.shares.values()))
    # A user takes a position once, in the first message after a selection, and goes on with the task; what a bad
    # experience taught her stands in the last one (paper 000, D.2 and C.4). What lies between is about the task.
    for message in dict.fromkeys([*messages[:1], *messages[-1:]]):
        reading = read_message(message, attribute, None, setting)
        says = np.array(list(reading.shares.values()))
        trust = 1.0
        if message is not messages[0]:
            # Praise at the end is about the task. A rule there overrides the first position, but rules are rare.
            trust = ruled = _rule_share(1.0 - reading.silent - reading.accepts)
            belief = belief ** (1.0 - trust)
            ruled *= (float(says.max()) * count - 1.0) / (count - 1.0)
        belief = belief * says**trust
        belief = belief / belief.sum()
    return belief, ruled


def _rule_share(share: float) -> float:
    """Returns how likely a last message lays down a rule, given what its words alone suggest and how rare rules are."""
    odds = share / max(1.0 - share, 1e-6) * _RULES_EVEN / (1.0 - _RULES_EVEN)
    return odds / (1.0 + odds)


def _loose(items: Sequence[tuple[str, str, float]], attribute: str, count: int) -> list[_Observed]:
    even = np.full(count, 1.0 / count)
    number = attribute_ids().index(attribute)
    about = model().about
    observed = []
    for at, message, work in items:
        reading = read_message(message, attribute)
        if reading.silent > 0.6:
            continue
        features: dict[int, float] = {}
        for said in parse(message).said:
            for key, value in said.items():
                features[key] = features.get(key, 0.0) + value
        share = float(softmax(about.logits(features))[number])
        weight = _LOOSE * share * (1.0 - reading.silent)
        says = weight * np.array(list(reading.shares.values())) + (1.0 - weight) * even
        observed.append(_Observed(at, says, work, 0.0))
    return observed


class _OwnWords:
    """What a user's own history tells about the context of words: names and places keep to one side of her life.

    The general model's opinion of every part is spread over the parts' words, and from the words back to the parts,
    a few times over. A part never counts towards its own words.
    """

    __slots__ = ("_base", "_counts", "_shares", "_works")

    def __init__(self, found: Sequence[Past]) -> None:
        sizes = [past.said.own.size for past in found]
        places = np.concatenate([past.said.own for past in found]) if found else np.zeros(0, dtype=np.intp)
        rows = np.repeat(np.arange(len(found)), sizes)
        # A note of unknown origin may have words of both sides, so it tells nothing about either.
        general = _TEMPER * np.array([0.0 if past.loose else past.said.work for past in found])
        self._counts = np.bincount(places, minlength=HASHED).astype(np.float64)
        self._shares = _logistic(general)
        for left in range(_ROUNDS, -1, -1):
            self._works = np.bincount(places, weights=self._shares[rows], minlength=HASHED)
            self._base = float(np.clip(self._shares.mean(), 0.05, 0.95)) if found else 0.5
            if left:
                leans = self._leans(places, self._shares[rows], 1.0)
                spread = np.bincount(rows, weights=leans, minlength=len(found))
                self._shares = _logistic(general + _OWN_WORDS * spread)

    def work_of(self, index: int) -> float:
        """Returns the probability that a part belongs to work, from its words and all the other parts."""
        return float(self._shares[index])

    def work(self, said: Said) -> float:
        """Returns the probability that further words belong to work."""
        leans = self._leans(said.own, np.zeros(said.own.size), 0.0)
        return float(_logistic(np.array(_TEMPER * said.work + _OWN_WORDS * float(leans.sum()))))

    def _leans(self, places: NDArray[np.intp], own: Array, count: float) -> Array:
        """Returns how far each word speaks for work: ``own`` and ``count`` are what a part itself adds to its words."""
        seen = self._counts[places] - count
        work = self._works[places] - own
        odds = np.log((work + _SEEN * self._base) / (seen - work + _SEEN * (1.0 - self._base)))
        odds -= np.log(self._base / (1.0 - self._base))
        leans: Array = odds * seen / (seen + _RARE)
        return leans


def _logistic(logits: Array) -> Array:
    share: Array = 1.0 / (1.0 + np.exp(-np.clip(logits, -6.0, 6.0)))
    return share


def _named(labels: tuple[str, ...], belief: Array) -> dict[str, float]:
    total = float(belief.sum())
    return {label: float(share) / total for label, share in zip(labels, belief, strict=True)}
