"""Looking things up in the taxonomy; the table is read once and never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from mempa_gym.errors import DataError, unknown
from mempa_gym.resources import read_yaml, validated
from mempa_gym.taxonomy.model import CONTEXTS, Attribute, Cell, Group, Setting

__all__ = [
    "attribute",
    "attribute_ids",
    "attributes",
    "cells",
    "check_cell",
    "dimensions",
    "mean_random_accuracy",
]

_FILE = "taxonomy.yaml"


@cache
def attributes() -> tuple[Attribute, ...]:
    """Returns all attributes in published order (paper 000, Table 4)."""
    # Pydantic costs a tenth of a second to import: only reading the file needs it.
    from mempa_gym.taxonomy.schema import TaxonomyFile

    file = f"data/{_FILE}"
    rows = validated(TaxonomyFile, read_yaml(_FILE), file).attributes
    _require_unique((row.id for row in rows), file, "attributes")
    for row in rows:
        _require_unique((setting.label for setting in row.settings), file, f"attributes.{row.id}.settings")
    return tuple(
        Attribute(
            id=row.id,
            name=row.name,
            dimension=row.dimension,
            question=row.question,
            settings=tuple(Setting(setting.label, setting.behaviour) for setting in row.settings),
            mechanisms=row.mechanisms,
            write_lock=row.write_lock,
            group=row.group,
        )
        for row in rows
    )


@cache
def attribute_ids() -> tuple[str, ...]:
    """Returns the ids of all attributes in published order."""
    return tuple(entry.id for entry in attributes())


def attribute(id: str) -> Attribute:
    """Returns one attribute.

    Raises:
        UnknownNameError: There is no attribute with this id.
    """
    try:
        return _by_id()[id]
    except (KeyError, TypeError):  # TypeError: a value from outside that cannot be hashed
        raise unknown("attribute", id, attribute_ids()) from None


@cache
def dimensions() -> tuple[str, ...]:
    """Returns the dimensions in published order."""
    return tuple(dict.fromkeys(entry.dimension for entry in attributes()))


@cache
def cells() -> tuple[Cell, ...]:
    """Returns the cells of a preference matrix: every attribute at work, then every attribute in personal life."""
    return tuple(Cell(context, id) for context in CONTEXTS for id in attribute_ids())


def check_cell(context: str, attribute_id: str) -> Cell:
    """Returns the cell of a context and an attribute id.

    Raises:
        UnknownNameError: The context or the attribute does not exist.
    """
    if context not in CONTEXTS:
        raise unknown("context", context, CONTEXTS)
    return Cell(context, attribute(attribute_id).id)


def mean_random_accuracy(group: Group | None = None) -> float:
    """Returns the selection accuracy expected from picking a setting uniformly at random, averaged over attributes.

    Args:
        group: Only the attributes of this group; all of them when left out.

    Returns:
        A share from 0 to 1 (paper 000 gives 45.2 % for all attributes and 44.4 % for those on actions).

    Raises:
        UnknownNameError: There is no such group.
    """
    if group not in (None, "action", "reply"):
        raise unknown("attribute group", group, ("action", "reply"))
    chances = [1 / len(entry.settings) for entry in attributes() if group in (None, entry.group)]
    return sum(chances) / len(chances)


@cache
def _by_id() -> Mapping[str, Attribute]:
    return MappingProxyType({entry.id: entry for entry in attributes()})


def _require_unique(names: Iterable[str], file: str, key: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(file, key, f"{name!r} occurs twice")
        seen.add(name)
