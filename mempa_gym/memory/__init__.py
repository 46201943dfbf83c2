"""What a PA remembers between sessions: one protocol and every condition behind it.

Conditions: none, oracle, full and file (paper 000, section 4 and Appendix F.1). They receive the same record of each
turn and answer with text; `render` says how that text reads. They know nothing of targets, contexts or probes.
"""

from __future__ import annotations

from mempa_gym.memory.answers import (
    ConsolidationFailure,
    ConsolidationResult,
    Consolidator,
    answer_schema,
    checked_result,
    parse_answer,
)
from mempa_gym.memory.bounds import NoMemory, OracleMemory
from mempa_gym.memory.file import FileMemory
from mempa_gym.memory.full import FullMemory
from mempa_gym.memory.offline import OfflineConsolidator
from mempa_gym.memory.protocol import MemorySystem
from mempa_gym.memory.registry import build, memory_names
from mempa_gym.memory.render import render_record
from mempa_gym.memory.tokens import count_tokens

__all__ = [
    "ConsolidationFailure",
    "ConsolidationResult",
    "Consolidator",
    "FileMemory",
    "FullMemory",
    "MemorySystem",
    "NoMemory",
    "OfflineConsolidator",
    "OracleMemory",
    "answer_schema",
    "build",
    "checked_result",
    "count_tokens",
    "memory_names",
    "parse_answer",
    "render_record",
]
