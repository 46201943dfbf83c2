"""PSA, CS, PET, BRS and carry-over from probe outcomes (paper 000, 3.5, F.2 and F.3).

All functions take the outcomes of one or more users and pool them within each repeat. A floored probe stays in the
denominator with nothing scored; an incomplete one leaves it and is counted beside the score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mempa_gym.engine import SlotResult
from mempa_gym.scoring.figures import Figure, figure
from mempa_gym.taxonomy import CONTEXTS, Cell, attribute, attributes, dimensions

__all__ = [
    "Outcome",
    "brs",
    "by_dimension",
    "by_group",
    "carry_over",
    "context_sensitivity",
    "defaults",
    "evolution_tracking",
    "psa",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One probe as played.

    Attributes:
        user: persona id; outcomes of several users may be pooled.
        cell: the probed cell.
        final: a final probe, else a pre-event one.
        repeat: from 0.
        target: the user's setting.
        selection: the PA's, or None.
        correct: exact match and not floored.
        floor: cause of the floor, or None.
        invalid: why the probe has no score at all, or None.
        realization: BRS 1 to 5, or None where not judged.
        history: which accumulation of this user, where several are pooled; a pair is always of one history.
    """

    user: str
    cell: Cell
    final: bool
    repeat: int
    target: str
    selection: str | None
    correct: bool
    floor: str | None = None
    invalid: str | None = None
    realization: float | None = None
    history: int = 0

    @classmethod
    def of(cls, user: str, result: SlotResult) -> Outcome:
        """Returns the outcome of a probe that was just played."""
        return cls(
            user=user,
            cell=result.cell,
            final=result.final,
            repeat=result.repeat,
            target=result.target,
            selection=result.selection,
            correct=result.correct,
            floor=result.floor,
            invalid=result.invalid,
            realization=result.realization,
        )


_Life: TypeAlias = tuple[str, int]


def _repeats(outcomes: Iterable[Outcome]) -> range:
    return range(1 + max((item.repeat for item in outcomes), default=-1))


def _share(passed: Sequence[bool]) -> float | None:
    return 100.0 * sum(passed) / len(passed) if passed else None


def psa(outcomes: Sequence[Outcome]) -> Figure:
    """Returns Preference Selection Accuracy in percent over the complete final probes."""
    rows = [
        [o.correct for o in outcomes if o.final and o.invalid is None and o.repeat == r] for r in _repeats(outcomes)
    ]
    return figure([_share(row) for row in rows], sum(map(len, rows)), "no complete final probe")


def brs(outcomes: Sequence[Outcome]) -> Figure:
    """Returns the mean Behavioral Realization Score, 1 to 5, over the judged final probes."""
    rows = [
        [o.realization for o in outcomes if o.final and o.repeat == r and o.realization is not None]
        for r in _repeats(outcomes)
    ]
    return figure(
        [sum(row) / len(row) if row else None for row in rows], sum(map(len, rows)), "no final probe was judged"
    )


def _table(outcomes: Sequence[Outcome], repeat: int, final: bool) -> dict[tuple[_Life, Cell], Outcome]:
    return {((o.user, o.history), o.cell): o for o in outcomes if o.final is final and o.repeat == repeat}


def _pairs(outcomes: Sequence[Outcome], repeat: int) -> list[tuple[Outcome, Outcome]]:
    """Returns the complete pairs of final probes whose targets differ between the contexts."""
    table = _table(outcomes, repeat, final=True)
    found = []
    for life in sorted({life for life, _ in table}):
        for item in attributes():
            first, second = (table.get((life, Cell(context, item.id))) for context in CONTEXTS)
            if first is None or second is None or first.invalid is not None or second.invalid is not None:
                continue
            if first.target != second.target:
                found.append((first, second))
    return found


def context_sensitivity(outcomes: Sequence[Outcome]) -> Figure:
    """Returns CS in percent: pairs with differing targets that are right in both contexts."""
    rows = [[a.correct and b.correct for a, b in _pairs(outcomes, repeat)] for repeat in _repeats(outcomes)]
    return figure(
        [_share(row) for row in rows], sum(map(len, rows)), "no attribute has differing targets in both contexts"
    )


def evolution_tracking(outcomes: Sequence[Outcome]) -> Figure:
    """Returns PET in percent: changed cells that are right before and after their change, in the same repeat."""
    rows = []
    for repeat in _repeats(outcomes):
        final = _table(outcomes, repeat, final=True)
        row = []
        for key, before in _table(outcomes, repeat, final=False).items():
            after = final.get(key)
            if after is not None and before.invalid is None and after.invalid is None:
                row.append(before.correct and after.correct)
        rows.append(row)
    return figure([_share(row) for row in rows], sum(map(len, rows)), "no cell has a probe before and after a change")


def defaults(none: Sequence[Outcome]) -> Mapping[str, str]:
    """Returns each attribute's most frequent selection without memory (paper 000, G.3).

    Final and pre-event probes count. Ties go to the setting that comes first in the taxonomy.
    """
    found = {}
    for item in attributes():
        counts = Counter(o.selection for o in none if o.cell.attribute == item.id and o.selection is not None)
        if counts:
            found[item.id] = max(item.labels, key=lambda label: (counts[label], -item.labels.index(label)))
    return found


def carry_over(outcomes: Sequence[Outcome], none: Sequence[Outcome]) -> Figure:
    """Returns carry-over in percent (paper 000, F.3).

    The share of CS pairs in which the PA selects the same setting in both contexts, where that setting is the target
    of one context and not the PA's default without memory.
    """
    habit = defaults(none)
    rows = []
    for repeat in _repeats(outcomes):
        row = []
        for first, second in _pairs(outcomes, repeat):
            same = first.selection is not None and first.selection == second.selection
            row.append(
                same
                and first.selection in (first.target, second.target)
                and first.selection != habit.get(first.cell.attribute)
            )
        rows.append(row)
    return figure(
        [_share(row) for row in rows], sum(map(len, rows)), "no attribute has differing targets in both contexts"
    )


def _split(
    outcomes: Sequence[Outcome],
    names: Iterable[str],
    key: Callable[[str], str],
    metric: Callable[[Sequence[Outcome]], Figure],
) -> dict[str, Figure]:
    return {name: metric([o for o in outcomes if key(o.cell.attribute) == name]) for name in names}


def by_dimension(outcomes: Sequence[Outcome], metric: Callable[[Sequence[Outcome]], Figure]) -> dict[str, Figure]:
    """Returns a metric for each of the four dimensions."""
    return _split(outcomes, dimensions(), lambda name: attribute(name).dimension, metric)


def by_group(outcomes: Sequence[Outcome], metric: Callable[[Sequence[Outcome]], Figure]) -> dict[str, Figure]:
    """Returns a metric for preferences on actions and on the reply."""
    return _split(outcomes, ("action", "reply"), lambda name: attribute(name).group, metric)
