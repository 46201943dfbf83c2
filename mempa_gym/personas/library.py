"""The packaged personas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mempa_gym.errors import DataError, MempaGymError, unknown
from mempa_gym.personas.matrix import PreferenceMatrix
from mempa_gym.personas.persona import SOURCE_LABELS, CellSource, Change, Persona
from mempa_gym.resources import read_yaml, validated
from mempa_gym.taxonomy import Cell, cells

if TYPE_CHECKING:
    from mempa_gym.personas.schema import UserRow

__all__ = ["load_persona", "persona_ids"]

_MATRICES = "matrices.yaml"


def persona_ids() -> tuple[str, ...]:
    """Returns the ids of the packaged personas."""
    return tuple(_users())


def load_persona(id: str) -> Persona:
    """Returns a packaged persona.

    Its matrix is a reconstruction from published aggregates, see `CellSource`.

    Raises:
        UnknownNameError: There is no such persona.
        DataError: One of its files is missing, does not follow its schema, or contradicts itself.
    """
    if id not in persona_ids():
        raise unknown("persona", id, persona_ids())
    return _load(id)


@cache
def _load(id: str) -> Persona:
    row = _users()[id]
    profile = _profile(id)
    table = {"work": row.matrix.work, "personal": row.matrix.personal}
    try:
        initial = PreferenceMatrix.from_contexts(
            {context: {key: cell.setting for key, cell in part.items()} for context, part in table.items()}
        )
        agreement = {
            Cell(context, key): cell.agreement for context, part in table.items() for key, cell in part.items()
        }
        return Persona(
            id=id,
            name=str(profile["name"]),
            profile=profile,
            initial=initial,
            changes=tuple(Change(**change.model_dump()) for change in row.changes),
            source=_sources(agreement, row),
        )
    except DataError:
        raise
    except MempaGymError as error:
        raise DataError(f"data/{_MATRICES}", f"users.{id}", str(error).rstrip(".")) from None


def _sources(agreement: Mapping[Cell, float], row: UserRow) -> dict[Cell, CellSource]:
    counts = row.source_counts.model_dump()
    labels = [label for label in SOURCE_LABELS for _ in range(counts[label])]
    if len(labels) != len(cells()):
        raise DataError(
            f"data/{_MATRICES}", "source_counts", f"the counts add up to {len(labels)}, there are {len(cells())} cells"
        )
    # Sorting is stable: equal agreement keeps the published order of cells.
    ranked = sorted(cells(), key=lambda cell: -agreement[cell])
    given = dict(zip(ranked, labels, strict=True))
    return {cell: CellSource(given[cell], agreement[cell]) for cell in cells()}


def _profile(id: str) -> Mapping[str, Any]:
    from mempa_gym.personas.schema import Profile

    relative = f"personas/{id}/profile.yaml"
    profile = validated(Profile, read_yaml(relative), f"data/{relative}")
    if profile.id != id:
        raise DataError(f"data/{relative}", "id", f"is {profile.id!r}, but the folder is {id!r}")
    return profile.model_dump()


@cache
def _users() -> Mapping[str, UserRow]:
    # Pydantic costs a tenth of a second to import: only reading the files needs it.
    from mempa_gym.personas.schema import MatricesFile

    return MappingProxyType(validated(MatricesFile, read_yaml(_MATRICES), f"data/{_MATRICES}").users)
