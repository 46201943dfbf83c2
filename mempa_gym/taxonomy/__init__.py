"""The one table of attributes, settings, dimensions, contexts and cells that every other room reads.

Nothing else in the package spells out a label or an attribute id as data: a second table would drift from the first.
The values are immutable and small, and carry no preference of any user.
"""

from __future__ import annotations

from mempa_gym.taxonomy.lookup import (
    attribute,
    attribute_ids,
    attributes,
    cells,
    check_cell,
    dimensions,
    mean_random_accuracy,
)
from mempa_gym.taxonomy.model import CONTEXTS, MECHANISMS, Attribute, Cell, Group, Setting

__all__ = [
    "CONTEXTS",
    "MECHANISMS",
    "Attribute",
    "Cell",
    "Group",
    "Setting",
    "attribute",
    "attribute_ids",
    "attributes",
    "cells",
    "check_cell",
    "dimensions",
    "mean_random_accuracy",
]
