"""The table of scores of one or more runs, pooled, in the form that ``score --json`` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mempa_gym.engine import SlotResult
from mempa_gym.scoring import metrics
from mempa_gym.scoring.figures import Figure, figure
from mempa_gym.scoring.metrics import Outcome

__all__ = ["SCHEMA", "Scores", "score_outcomes", "score_results"]

SCHEMA = "mempa_gym.scores/1"


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of the pooled runs; rates in percent, BRS and PRS from 1 to 5.

    Attributes:
        psa, cs, pet, brs: see ``scoring.metrics``.
        prs: the user's own rating; not scored yet.
        carry_over, normalised: need the none and oracle runs of the same user and agent; ``normalised`` is
            (PSA - none) / (oracle - none).
        floors: cause to count, over final and pre-event probes.
        incomplete: items without a score, as "user/slot cell repeat: reason".
        psa_by_dimension, psa_by_group, brs_by_dimension: splits.
    """

    psa: Figure
    cs: Figure
    pet: Figure
    brs: Figure
    prs: Figure
    carry_over: Figure
    normalised: Figure
    floors: Mapping[str, int]
    incomplete: tuple[str, ...]
    psa_by_dimension: Mapping[str, Figure]
    psa_by_group: Mapping[str, Figure]
    brs_by_dimension: Mapping[str, Figure]

    def to_json(self) -> dict[str, Any]:
        """Returns plain data with a ``schema`` field."""
        plain = {
            name: getattr(self, name).to_json()
            for name in ("psa", "cs", "pet", "brs", "prs", "carry_over", "normalised")
        }
        splits = {
            name: {key: value.to_json() for key, value in getattr(self, name).items()}
            for name in ("psa_by_dimension", "psa_by_group", "brs_by_dimension")
        }
        return {"schema": SCHEMA, **plain, "floors": dict(self.floors), "incomplete": list(self.incomplete), **splits}


def score_results(user: str, results: Iterable[SlotResult]) -> Scores:
    """Returns the scores of a timeline that was just played; there is no reference to compare with."""
    return score_outcomes([Outcome.of(user, result) for result in results if result.kind == "probe"])


def _normalised(own: Figure, none: Sequence[Outcome] | None, oracle: Sequence[Outcome] | None) -> Figure:
    if none is None or oracle is None:
        return figure((), 0, "needs the none and oracle runs of the same user and agent as reference")
    low, high = metrics.psa(none).mean, metrics.psa(oracle).mean
    if low is None or high is None or own.mean is None:
        return figure((), 0, "a run has no complete final probe")
    if high == low:
        return figure((), 0, "none and oracle score alike")
    return figure([None if v is None else (v - low) / (high - low) for v in own.per_repeat], own.n, "")


def score_outcomes(
    outcomes: Sequence[Outcome], *, none: Sequence[Outcome] | None = None, oracle: Sequence[Outcome] | None = None
) -> Scores:
    """Returns the scores of pooled outcomes; carry-over and the normalised score need the references."""
    psa = metrics.psa(outcomes)
    if none is None:
        carried = figure((), 0, "needs the none run of the same user and agent as reference")
    else:
        carried = metrics.carry_over(outcomes, none)
    floors = Counter(o.floor for o in outcomes if o.floor is not None)
    incomplete = tuple(
        f"{o.user} {'/'.join(o.cell)} {'final' if o.final else 'pre-event'} repeat {o.repeat}: {o.invalid}"
        for o in outcomes
        if o.invalid is not None
    )
    return Scores(
        psa=psa,
        cs=metrics.context_sensitivity(outcomes),
        pet=metrics.evolution_tracking(outcomes),
        brs=metrics.brs(outcomes),
        prs=figure((), 0, "no rating of the user was taken"),
        carry_over=carried,
        normalised=_normalised(psa, none, oracle),
        floors=dict(sorted(floors.items())),
        incomplete=incomplete,
        psa_by_dimension=metrics.by_dimension(outcomes, metrics.psa),
        psa_by_group=metrics.by_group(outcomes, metrics.psa),
        brs_by_dimension=metrics.by_dimension(outcomes, metrics.brs),
    )
