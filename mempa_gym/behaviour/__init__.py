"""Which setting's visible behaviour does an exchange show?

The users of the simulation react to what they see, and the rule judge scores what was delivered. Both need the same
answer to the same question, and neither may know what was selected or preferred when it is asked. So detection stands
here alone: it reads the public replies and the executed calls, and knows no target, no selection and no persona.
"""

from __future__ import annotations

from mempa_gym.behaviour.detect import criteria, observe, read
from mempa_gym.behaviour.exchange import read_exchange
from mempa_gym.behaviour.manner import asks_preference, manner_question
from mempa_gym.behaviour.model import Criterion, Reading, Shown

__all__ = [
    "Criterion",
    "Reading",
    "Shown",
    "asks_preference",
    "criteria",
    "manner_question",
    "observe",
    "read",
    "read_exchange",
]
