"""What detection hands out: criteria, and the setting they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mempa_gym.frozen import FrozenDict

__all__ = ["Criterion", "Reading", "Shown", "empty", "graded", "need", "score_of"]

# A setting counts as shown when about half of it is there.
_LEAST = 0.39
_TIE = 0.02


@dataclass(frozen=True, slots=True)
class Criterion:
    """One visible requirement of a setting (paper 000, Table 4, with the project's readings).

    Attributes:
        name: The requirement in words.
        met: Whether the exchange fulfils it.
        weight: Share of the setting that is lost when it is not met, from 0 to 1; of a requirement that can be missed
            by degrees, the share lost in this exchange.
        evidence: What in the exchange decides on it; may be empty.
    """

    name: str
    met: bool
    weight: float
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """What an exchange shows of one attribute.

    Attributes:
        setting: Label of the setting whose behaviour is visible; None when nothing of the attribute shows, or when two
            settings fit equally well.
        scores: Label to how much of the setting is there, from 0 to 1.
        spans: Words of the exchange that the finding rests on.
    """

    setting: str | None
    scores: Mapping[str, float]
    spans: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """An exchange read for one attribute: for every setting its criteria.

    ``shows`` is False when the exchange holds nothing that bears on the attribute; ``why_not`` then says so in words.
    """

    criteria: Mapping[str, tuple[Criterion, ...]]
    shows: bool = True
    why_not: str = ""

    def shown(self) -> Shown:
        """Returns the setting that fits best."""
        scores = {label: score_of(rows) for label, rows in self.criteria.items()}
        spans = tuple(dict.fromkeys(span for rows in self.criteria.values() for row in rows for span in row.evidence))
        best: str | None = None
        if self.shows:
            ranked = sorted(scores.items(), key=lambda item: -item[1])
            if ranked[0][1] >= _LEAST and ranked[0][1] - ranked[1][1] > _TIE:
                best = ranked[0][0]
        return Shown(best, FrozenDict(scores), spans)


def score_of(criteria: tuple[Criterion, ...]) -> float:
    """Returns how much of a setting is there: 1 less the weights of what is not met, and never below 0."""
    lost = sum(row.weight for row in criteria if not row.met)
    return max(0.0, 1.0 - lost)


def need(name: str, lost: float, full: float, *evidence: str) -> Criterion:
    """Returns a criterion of which ``lost`` is missed in this exchange; ``full`` is its weight when it is met."""
    return Criterion(name, lost <= 0.0, lost if lost > 0.0 else full, tuple(span for span in evidence if span))


def graded(value: float, steps: tuple[tuple[float, float], ...], beyond: float) -> float:
    """Returns what is lost at a value: the loss of the first step (limit, loss) that reaches it, else ``beyond``."""
    return next((lost for limit, lost in steps if value <= limit), beyond)


def empty(*labels: str) -> Reading:
    """Returns the reading of an exchange without any reply."""
    row = (need("replies", 1.0, 1.0),)
    return Reading(dict.fromkeys(labels, row), shows=False, why_not="the reply is empty")
