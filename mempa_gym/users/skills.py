"""Preference skills: what each of the 32 settings means for a user's own turns and for how she takes a reply.

The scripted user has her reactions written out; the skills are what a user played by a language model is given, on
the beat where an attribute is active and on the beat after it (paper 000, D.2), and what the documentation shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mempa_gym.errors import DataError
from mempa_gym.frozen import FrozenDict
from mempa_gym.resources import read_yaml, validated
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attributes

__all__ = ["SKILLS_FILE", "Skill", "skill", "skills"]

SKILLS_FILE = "banks/skills.yaml"


@dataclass(frozen=True, slots=True)
class Skill:
    """One preference skill.

    Attributes:
        production: how a user with the setting writes and behaves herself.
        follows: what a reply that follows the setting looks like to her.
        against: what goes against it.
        move: what she does when a reply goes against it.
    """

    production: str
    follows: str
    against: str
    move: str


@cache
def skills() -> Mapping[str, Mapping[str, Skill]]:
    """Returns attribute id to setting label to skill, complete and in published order.

    Raises:
        DataError: The file does not have the documented shape.
    """
    from mempa_gym.users.schema import SkillsFile

    file = f"data/{SKILLS_FILE}"
    raw = validated(SkillsFile, {"skills": read_yaml(SKILLS_FILE)}, file).skills
    if list(raw) != [item.id for item in attributes()]:
        raise DataError(file, "", "the attributes are not the published ones in published order")
    table: dict[str, Mapping[str, Skill]] = {}
    for item in attributes():
        rows = raw[item.id]
        if tuple(rows) != item.labels:
            raise DataError(file, item.id, f"exactly the settings {list(item.labels)} are expected")
        table[item.id] = FrozenDict(
            {label: Skill(row.production, row.follows, row.against, row.move) for label, row in rows.items()}
        )
    return FrozenDict(table)


def skill(attribute: str, setting: str) -> Skill:
    """Returns the skill of a setting.

    Raises:
        UnknownNameError: The attribute or the setting does not exist.
    """
    return skills()[attribute][get_attribute(attribute).setting(setting).label]
