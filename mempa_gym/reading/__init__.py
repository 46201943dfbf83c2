"""Reading: which setting a user's reaction or a memory's evidence points to, and which side of life a text belongs to.

Learned from the train bank alone (``bank``), so that what reads and what speaks do not come from the same lines.
Used by offline agents and memories; it knows no target, no script and no world.
"""

from __future__ import annotations

from mempa_gym.reading.bank import TrainBank, train_bank
from mempa_gym.reading.context import read_context
from mempa_gym.reading.evidence import read_evidence
from mempa_gym.reading.model import reader_hash
from mempa_gym.reading.reaction import read_reaction

__all__ = ["TrainBank", "read_context", "read_evidence", "read_reaction", "reader_hash", "train_bank"]
