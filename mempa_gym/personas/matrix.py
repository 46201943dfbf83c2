"""A preference matrix: one setting for each cell, and the counterfactual matrices made from it.

Scores on four fixed users could be had by knowing them. A counterfactual gives the same scripts other preferences:
within each attribute the settings trade places, in both contexts alike, so that the pattern of pairs that differ
survives while the settings themselves are redrawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from mempa_gym.errors import InvalidOptionError
from mempa_gym.frozen import FrozenDict
from mempa_gym.taxonomy import CONTEXTS, Cell, attribute, attribute_ids, attributes, cells, check_cell

__all__ = ["PreferenceMatrix", "Relabelling"]


class Relabelling:
    """For each attribute a bijection from its settings to its settings.

    Args:
        table: Attribute id to the mapping of old to new labels; an attribute left out keeps its settings.

    Raises:
        UnknownNameError: An attribute does not exist.
        InvalidOptionError: A mapping does not take every label of its attribute to another one.
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        checked: dict[str, FrozenDict[str, str]] = {}
        for attribute_id, pairs in table.items():
            labels = attribute(attribute_id).labels
            if sorted(pairs) != sorted(labels) or sorted(pairs.values()) != sorted(labels):
                raise InvalidOptionError(
                    f"{dict(pairs)!r} is not a bijection",
                    where=f"relabelling of {attribute_id}",
                    remedy=f"Use each of {', '.join(labels)} once on either side",
                )
            checked[attribute_id] = FrozenDict(pairs)
        self._table = FrozenDict(checked)

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Relabelling:
        """Draws a uniformly random bijection for each attribute, in published order."""
        table = {}
        for entry in attributes():
            order = rng.permutation(len(entry.labels))
            table[entry.id] = {
                label: entry.labels[int(place)] for label, place in zip(entry.labels, order, strict=True)
            }
        return cls(table)

    def __call__(self, attribute_id: str, label: str) -> str:
        """Returns the label that takes the place of `label`."""
        pairs = self._table.get(attribute_id)
        return label if pairs is None else pairs[label]

    def __eq__(self, other: object) -> bool:
        return self._table == other._table if isinstance(other, Relabelling) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._table)

    def __repr__(self) -> str:
        return f"Relabelling({ {key: dict(pairs) for key, pairs in self._table.items()}!r})"


class PreferenceMatrix:
    """An immutable mapping from every cell to the label of the preferred setting.

    Keys are `Cell` values in published order, work first; `dict(matrix)` works. `get` takes a context and an attribute
    instead of a key and a default: no cell is ever missing.

    Args:
        settings: The label of each of the 28 cells.

    Raises:
        UnknownNameError: A cell or a label does not exist.
        InvalidOptionError: A cell is missing.
    """

    __slots__ = ("_labels",)
    _labels: tuple[str, ...]

    def __init__(self, settings: Mapping[Cell, str] | Mapping[tuple[str, str], str]) -> None:
        given = {check_cell(*cell): label for cell, label in settings.items()}
        labels = []
        for cell in cells():
            if cell not in given:
                raise InvalidOptionError(
                    "the cell has no setting",
                    where=f"preference matrix, {cell.context}/{cell.attribute}",
                    remedy="Give a setting for every context and attribute",
                )
            labels.append(attribute(cell.attribute).setting(given[cell]).label)
        object.__setattr__(self, "_labels", tuple(labels))

    @classmethod
    def _of(cls, labels: tuple[str, ...]) -> PreferenceMatrix:
        # Labels that are already checked: matrices are remade in loops over thousands of episodes.
        matrix = cls.__new__(cls)
        object.__setattr__(matrix, "_labels", labels)
        return matrix

    @classmethod
    def from_contexts(cls, table: Mapping[str, Mapping[str, str]]) -> PreferenceMatrix:
        """Makes a matrix from {context: {attribute id: label}}, the form of `as_contexts`."""
        return cls({Cell(context, key): label for context, row in table.items() for key, label in row.items()})

    def as_contexts(self) -> dict[str, dict[str, str]]:
        """Returns the matrix as {context: {attribute id: label}}, ready for JSON."""
        return {context: {key: self.get(context, key) for key in attribute_ids()} for context in CONTEXTS}

    def get(self, context: str, attribute_id: str) -> str:
        """Returns the label of a cell.

        Raises:
            UnknownNameError: The context or the attribute does not exist.
        """
        return self[Cell(context, attribute_id)]

    def replace(self, cell: Cell, label: str) -> PreferenceMatrix:
        """Returns a matrix that differs in one cell.

        Raises:
            UnknownNameError: The cell or the label does not exist.
        """
        place = _place(cell)
        label = attribute(cell[1]).setting(label).label
        return self._of((*self._labels[:place], label, *self._labels[place + 1 :]))

    def relabelled(self, relabelling: Relabelling) -> PreferenceMatrix:
        """Returns the matrix with every label replaced as the relabelling says."""
        return self._of(tuple(relabelling(cell.attribute, label) for cell, label in self.items()))

    def permuted(self, rng: np.random.Generator) -> PreferenceMatrix:
        """Returns a counterfactual matrix: settings trade places within each attribute, alike in both contexts."""
        return self.relabelled(Relabelling.drawn(rng))

    def differing(self) -> tuple[tuple[Cell, Cell], ...]:
        """Returns the (work cell, personal cell) pairs whose settings differ, in published order."""
        pairs = ((Cell("work", key), Cell("personal", key)) for key in attribute_ids())
        return tuple(pair for pair in pairs if self[pair[0]] != self[pair[1]])

    def keys(self) -> tuple[Cell, ...]:
        """Returns all cells in published order."""
        return cells()

    def values(self) -> tuple[str, ...]:
        """Returns the labels in the order of the cells."""
        return self._labels

    def items(self) -> tuple[tuple[Cell, str], ...]:
        """Returns (cell, label) pairs in published order."""
        return tuple(zip(cells(), self._labels, strict=True))

    def __getitem__(self, cell: Cell | tuple[str, str]) -> str:
        return self._labels[_place(cell)]

    def __iter__(self) -> Iterator[Cell]:
        return iter(cells())

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, cell: object) -> bool:
        return cell in cells()

    def __eq__(self, other: object) -> bool:
        return self._labels == other._labels if isinstance(other, PreferenceMatrix) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._labels)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a PreferenceMatrix cannot be changed; replace() makes another")

    def __reduce__(self) -> tuple[Any, ...]:
        return PreferenceMatrix.from_contexts, (self.as_contexts(),)

    def __repr__(self) -> str:
        return f"PreferenceMatrix.from_contexts({self.as_contexts()!r})"


@cache
def _places() -> Mapping[object, int]:
    return MappingProxyType({cell: place for place, cell in enumerate(cells())})


def _place(cell: Cell | tuple[str, str]) -> int:
    place = _places().get(cell)
    # The check names what is unknown, the context or the attribute.
    return _places()[check_cell(*cell)] if place is None else place
