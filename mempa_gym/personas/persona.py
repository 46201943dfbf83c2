"""A persona: a profile, a preference matrix and the changes it goes through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np

from mempa_gym.errors import InvalidOptionError
from mempa_gym.frozen import FrozenDict
from mempa_gym.personas.matrix import PreferenceMatrix, Relabelling
from mempa_gym.taxonomy import Cell, attribute, check_cell

__all__ = ["COUNTERFACTUAL", "SOURCE_LABELS", "CellSource", "Change", "Persona"]

# From the best supported to the least (paper 000, Table 5).
SOURCE_LABELS: tuple[str, ...] = (
    "confirmed_high_confidence",
    "reviewed_kept",
    "set_by_reviewer",
    "specified_manually",
)
# The label of a cell whose setting was made up for a counterfactual and has no source.
COUNTERFACTUAL = "counterfactual"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of preference, brought about by a change event (paper 000, 3.3).

    Attributes:
        order: Place among the persona's changes, from 1.
        context: Context of the cell that changes.
        attribute: Attribute id of the cell that changes.
        before: Label that holds until the event.
        after: Label that holds from the event on.
    """

    order: int
    context: str
    attribute: str
    before: str
    after: str

    def __post_init__(self) -> None:
        check_cell(self.context, self.attribute)
        for label in (self.before, self.after):
            attribute(self.attribute).setting(label)
        if self.before == self.after:
            raise InvalidOptionError(
                f"the setting stays {self.before!r}",
                where=f"change {self.order} of {self.context}/{self.attribute}",
                remedy="Give two different settings",
            )

    @property
    def cell(self) -> Cell:
        """The cell that changes."""
        return Cell(self.context, self.attribute)


@dataclass(frozen=True, slots=True)
class CellSource:
    """Where the setting of a cell comes from.

    The packaged matrices are a reconstruction, and so are these labels: how many cells of a user carry each label is
    published (paper 000, Table 5), which cells do is not. Cells with the lowest agreement are given the weakest labels.

    Attributes:
        label: One of `SOURCE_LABELS`, or "counterfactual".
        confidence: Share from 0 to 1 of nearly equally good reconstructions that agree on the cell's final setting;
            None where the setting is a counterfactual.
        reconstructed: True for every packaged cell.
    """

    label: str
    confidence: float | None
    reconstructed: bool = True


@dataclass(frozen=True, slots=True)
class Persona:
    """A simulated user.

    Attributes:
        id: Identifier of the persona, which also names its world and scripts.
        name: Name of the user in the world.
        profile: Read-only facts about the user that reveal no setting; lists are tuples.
        initial: Preferences before the first change.
        changes: The changes in order; each cell changes at most once.
        source: Where each cell's setting comes from; empty for a persona built by hand.

    Raises:
        InvalidOptionError: The changes are not in order, contradict the matrix, or change a cell twice.
    """

    id: str
    name: str
    profile: Mapping[str, Any]
    initial: PreferenceMatrix
    changes: tuple[Change, ...] = ()
    source: Mapping[Cell, CellSource] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "profile", FrozenDict(self.profile))
        object.__setattr__(self, "changes", tuple(self.changes))
        object.__setattr__(self, "source", FrozenDict(self.source))
        changed: list[Cell] = []
        for place, change in enumerate(self.changes, start=1):
            problem = ""
            if change.order != place:
                problem = f"order is {change.order}, expected {place}"
            elif change.cell in changed:
                problem = "the cell changes a second time"
            elif self.initial[change.cell] != change.before:
                problem = f"before is {change.before!r}, but the matrix says {self.initial[change.cell]!r}"
            if problem:
                raise InvalidOptionError(
                    problem,
                    where=f"persona {self.id}, change {place} of {change.context}/{change.attribute}",
                    remedy="Number changes from 1, change a cell once, and start from its setting in the matrix",
                )
            changed.append(change.cell)

    @property
    def final(self) -> PreferenceMatrix:
        """Preferences after all changes."""
        return self.after(len(self.changes))

    def after(self, count: int) -> PreferenceMatrix:
        """Returns the preferences after the first `count` changes.

        Raises:
            InvalidOptionError: `count` is negative or greater than the number of changes.
        """
        if not 0 <= count <= len(self.changes):
            raise InvalidOptionError(
                f"cannot apply {count} changes",
                where=f"persona {self.id}",
                remedy=f"Give a number from 0 to {len(self.changes)}",
            )
        return reduce(
            lambda matrix, change: matrix.replace(change.cell, change.after), self.changes[:count], self.initial
        )

    def frozen(self, matrix: PreferenceMatrix) -> Persona:
        """Returns the same user with the given preferences and no changes."""
        settled = {cell: {self.initial[cell], label} for cell, label in self.final.items()}
        source = {
            cell: entry if matrix[cell] in settled[cell] else CellSource(COUNTERFACTUAL, None, reconstructed=False)
            for cell, entry in self.source.items()
        }
        return replace(self, initial=matrix, changes=(), source=source)

    def permuted(self, rng: np.random.Generator) -> Persona:
        """Returns a counterfactual of the user: same world and changing cells, settings redrawn.

        One random bijection for each attribute is applied to the matrix and to both sides of every change, so that the
        result stays consistent; with the same generator state it equals `initial.permuted`.
        """
        relabelling = Relabelling.drawn(rng)
        changes = tuple(
            replace(
                change,
                before=relabelling(change.attribute, change.before),
                after=relabelling(change.attribute, change.after),
            )
            for change in self.changes
        )
        source = {cell: CellSource(COUNTERFACTUAL, None, reconstructed=False) for cell in self.source}
        return replace(self, initial=self.initial.relabelled(relabelling), changes=changes, source=source)
