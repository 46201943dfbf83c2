"""Simulated users: a scripted one, what they say and may not say, and what they remember.

A user sees her script, her own notes, the public reply and what actually ran (paper 000, Table 9); never a
selection, withheld text or a memory's evidence.
"""

from __future__ import annotations

from mempa_gym.users.checks import Violation, check_message
from mempa_gym.users.notes import Impression, Note, UserNotes
from mempa_gym.users.protocol import Heard, UserSimulator, UserState, UserTurn
from mempa_gym.users.scripted import ScriptedUser
from mempa_gym.users.skills import Skill, skill, skills
from mempa_gym.users.voice import Voice, load_voice, sampled_voice

__all__ = [
    "Heard",
    "Impression",
    "Note",
    "ScriptedUser",
    "Skill",
    "UserNotes",
    "UserSimulator",
    "UserState",
    "UserTurn",
    "Violation",
    "Voice",
    "check_message",
    "load_voice",
    "sampled_voice",
    "skill",
    "skills",
]
