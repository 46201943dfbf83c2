"""Features of a taken-apart message, as numbers keyed by a stable hash of their name.

Two families: what is said (folded words, pairs, groups, how clauses are built), and the same words signed by what
their clause does with them. Names never hold an attribute, so one message is featurised once for every model that
reads it.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise

from mempa_gym.reading.lexicon import lexicon
from mempa_gym.reading.speech import STOP, Clause, Sentence

__all__ = ["ASPECT_FEATURES", "Features", "add", "aspects_of", "key", "plain", "signed"]

Features = dict[int, float]

ASPECT_FEATURES = 6
_LONGEST_PHRASE = 4


def key(name: str) -> int:
    """Returns the number of a feature; the same in every process."""
    return zlib.crc32(name.encode())


def add(into: Features, other: Features, weight: float) -> None:
    """Adds features in place, weighted."""
    for number, value in other.items():
        into[number] = into.get(number, 0.0) + weight * value


def plain(sentence: Sentence) -> tuple[Features, Features]:
    """Returns what a sentence says: its words, pairs and groups, and (apart) how its clauses are built."""
    said: dict[str, float] = {}
    built: dict[str, float] = {}
    groups = lexicon().groups
    before = "^"
    for number, clause in enumerate(sentence.clauses):
        kind = clause.kind
        for name, value in (
            (f"k {kind}", 1.0),
            (f"k{min(number, 1)} {kind}", 1.0),
            (f"kk {before} {kind}", 0.7),
        ):
            built[name] = built.get(name, 0.0) + value
        if clause.mark in ("?", "!"):
            built[f"k{clause.mark} {kind}"] = 1.0
        if clause.words[0] == "but":
            built["k but"] = 1.0
        before = kind
        stems = clause.stems
        for place, word in enumerate(clause.words):
            folded = stems[place]
            name = f"w {folded}"
            said[name] = said.get(name, 0.0) + 1.0
            negated = clause.negated[place]
            if negated and word not in STOP:
                name = f"n {folded}"
                said[name] = said.get(name, 0.0) + 0.7
            for group in groups.get(word, ()):
                name = f"g {group}"
                said[name] = said.get(name, 0.0) + 1.0
                if negated:
                    name = f"gn {group}"
                    said[name] = said.get(name, 0.0) + 1.0
                name = f"gk {kind} {group}"
                said[name] = said.get(name, 0.0) + 0.5
        for left, right in pairwise(stems):
            name = f"b {left} {right}"
            said[name] = said.get(name, 0.0) + 0.6
        for left, right in zip(stems, stems[2:], strict=False):
            name = f"s {left} {right}"
            said[name] = said.get(name, 0.0) + 0.3
    built[f"k$ {before}"] = 1.0
    return {key(name): value for name, value in said.items()}, {key(name): value for name, value in built.items()}


def signed(clauses: Sequence[Clause], polarity: float) -> Features:
    """Returns the words and groups of clauses, signed by what each clause does with them.

    Args:
        clauses: clauses of a sentence.
        polarity: how far the message accepts (1) or corrects (-1); the sign of plain statements.
    """
    said: dict[str, float] = {}
    groups = lexicon().groups
    for clause in clauses:
        stated = clause.valence is None
        valence = polarity if clause.valence is None else clause.valence
        stems = clause.stems
        for place, word in enumerate(clause.words):
            if word not in STOP:
                turned = -valence if stated and clause.negated[place] else valence
                name = f"+ {stems[place]}"
                said[name] = said.get(name, 0.0) + turned
            for group in groups.get(word, ()):
                name = f"+g {group}"
                said[name] = said.get(name, 0.0) + valence
        for left, right in pairwise(stems):
            name = f"+b {left} {right}"
            said[name] = said.get(name, 0.0) + 0.6 * valence
    return {key(name): value for name, value in said.items() if value}


def aspects_of(
    clauses: Sequence[Clause], attribute: str, labels: tuple[str, ...], polarity: float
) -> list[list[float]]:
    """Returns, for each setting, how a message speaks of its behaviour.

    Returns:
        A row of ``ASPECT_FEATURES`` numbers per setting: mentions in clauses that ask for it, in clauses that turn it
        down, in statements signed by polarity, in negated statements, in all statements, and negated ones anywhere.
    """
    phrases = lexicon().aspects[attribute]
    rows = [[0.0] * ASPECT_FEATURES for _ in labels]
    for clause in clauses:
        stems = clause.stems
        valence = clause.valence
        size = len(stems)
        place = 0
        while place < size:
            hit: tuple[str, ...] = ()
            step = 1
            for length in range(min(_LONGEST_PHRASE, size - place), 0, -1):
                hit = phrases.get(stems[place : place + length], ())
                if hit:
                    step = length
                    break
            if hit:
                weight = (1.0 if step == 1 else 1.4) / len(hit)
                negated = clause.negated[place]
                for label in hit:
                    row = rows[labels.index(label)]
                    if valence is not None:
                        row[0 if valence > 0 else 1] += weight
                    else:
                        row[2] += weight * (-polarity if negated else polarity)
                        if negated:
                            row[3] -= weight
                        row[4] += weight
                    if negated:
                        row[5] += weight
            place += step
    return rows
