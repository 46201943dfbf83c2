"""How an offline PA chooses a setting: random, a backbone's habits, or what the memory's evidence says.

A selector sees what any PA may see at a decision point: the evidence text, the session's public turns, and which
interaction tool is offered. It is apart from the planned PA so that one body can be driven by many heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from mempa_gym import resources
from mempa_gym.errors import InvalidOptionError, unknown
from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.views import PAView
from mempa_gym.reading import read_evidence
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attributes

__all__ = [
    "BackboneSelector",
    "EpsilonGreedySelector",
    "FixedSelector",
    "RandomSelector",
    "ReaderSelector",
    "Selector",
    "backbone_shares",
    "backbones",
]


class Selector(Protocol):
    """Chooses one setting of an offered attribute."""

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns the label of the chosen setting."""
        ...


class RandomSelector:
    """Picks uniformly among the settings (paper 000, A.1: .452 on average)."""

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns a uniformly drawn label."""
        labels = get_attribute(attribute).labels
        return labels[int(rng.integers(len(labels)))]


@dataclass(frozen=True, slots=True)
class FixedSelector:
    """Always picks the same setting for an attribute, whatever is seen."""

    table: Mapping[str, str]

    def __post_init__(self) -> None:
        for attribute, label in self.table.items():
            get_attribute(attribute).setting(label)

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns the table's label."""
        return self.table[attribute]


@cache
def _shares() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    raw = resources.read_yaml("backbones.yaml")
    found: dict[str, Mapping[str, Mapping[str, float]]] = {}
    for name, rows in raw.items():
        table: dict[str, Mapping[str, float]] = {}
        for item in attributes():
            row = rows[item.id]
            share = row["picked"] / row["of"]
            others = [label for label in item.labels if label != item.setting(row["default"]).label]
            weights = [row["first_other"], 1.0 - row["first_other"]] if len(others) == 2 else [1.0]
            rest = dict(zip(others, weights, strict=True))
            table[item.id] = FrozenDict(
                {label: share if label not in rest else (1.0 - share) * rest[label] for label in item.labels}
            )
        found[name] = FrozenDict(table)
    return FrozenDict(found)


def backbones() -> tuple[str, ...]:
    """Returns the names of the published backbones."""
    return tuple(_shares())


def backbone_shares(name: str) -> Mapping[str, Mapping[str, float]]:
    """Returns attribute to setting to the share of a backbone's picks without memory (paper 000, Table 20).

    Raises:
        UnknownNameError: no such backbone; the message lists them.
    """
    table = _shares()
    if name not in table:
        raise unknown("backbone", name, table)
    return table[name]


class BackboneSelector:
    """Draws as a published backbone picks when it knows nothing of the user (paper 000, Table 20)."""

    def __init__(self, backbone: str) -> None:
        self.backbone = backbone
        self._table = {
            attribute: (tuple(row), np.cumsum(tuple(row.values())))
            for attribute, row in backbone_shares(backbone).items()
        }

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns a label drawn from the backbone's shares."""
        labels, edges = self._table[attribute]
        return labels[min(int(np.searchsorted(edges, rng.random(), side="right")), len(labels) - 1)]


class ReaderSelector:
    """Follows what the memory's evidence says; where it says nothing, falls back on a habit.

    The fallback is the most frequent pick of one backbone, so that without memory the reader scores what that
    backbone's defaults score and not more.

    Args:
        fallback: backbone whose defaults are used without evidence.
        threshold: how far the best setting's probability must exceed an even share before the evidence is followed.
    """

    def __init__(self, fallback: str = "deepseek-v4-flash", threshold: float = 0.02) -> None:
        shares = backbone_shares(fallback)
        self.defaults: Mapping[str, str] = FrozenDict(
            {attribute: max(row, key=lambda label: row[label]) for attribute, row in shares.items()}
        )
        self.threshold = threshold

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns the setting with the highest probability under the evidence, or the fallback."""
        if not view.evidence:
            return self.defaults[attribute]
        words = [text for turn in view.turns for text in (turn.user, turn.event or "", turn.reply)]
        session = "\n".join([*words, view.user, view.event or ""])
        found = read_evidence(view.evidence, session, attribute)
        best = max(found, key=lambda label: (found[label], label == self.defaults[attribute]))
        return best if found[best] - 1.0 / len(found) > self.threshold else self.defaults[attribute]


class EpsilonGreedySelector:
    """A bandit: for each attribute the setting that has been right most often, now and then another one.

    It knows neither contexts nor memory, so it shows what rewards alone can teach; it needs ``reward_mode="train"``.

    Args:
        epsilon: how often it explores.
    """

    def __init__(self, epsilon: float = 0.1) -> None:
        if not 0.0 <= epsilon <= 1.0:
            raise InvalidOptionError(f"epsilon must lie between 0 and 1, got {epsilon!r}", where="epsilon")
        self.epsilon = epsilon
        self._counts: dict[str, dict[str, list[int]]] = {}
        self._last: tuple[str, str] | None = None

    def _row(self, attribute: str) -> dict[str, list[int]]:
        return self._counts.setdefault(attribute, {label: [0, 0] for label in get_attribute(attribute).labels})

    def choose(self, view: PAView, attribute: str, rng: np.random.Generator) -> str:
        """Returns the best setting so far, or with probability epsilon any."""
        row = self._row(attribute)
        labels = list(row)
        if rng.random() < self.epsilon:
            label = labels[int(rng.integers(len(labels)))]
        else:
            label = self._best(row)
        self._last = (attribute, label)
        return label

    def learn(self, right: bool, *, ended: bool) -> None:
        """Takes note of a step's reward for the last choice; a choice that was not rewarded by the end was wrong."""
        if self._last is not None and (right or ended):
            attribute, label = self._last
            counts = self._row(attribute)[label]
            counts[0] += right
            counts[1] += 1
            self._last = None

    @staticmethod
    def _best(row: Mapping[str, list[int]]) -> str:
        # An untried setting counts as good, so that each is tried.
        return max(row, key=lambda label: (row[label][0] + 1) / (row[label][1] + 1))

    def best(self) -> dict[str, str]:
        """Returns the best setting of every attribute met so far."""
        return {attribute: self._best(row) for attribute, row in sorted(self._counts.items())}
