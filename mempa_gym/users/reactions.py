"""The position a user takes on what the assistant did, and how insistent she is about it.

Paper 000, D.2: an acceptance says what she takes from it, a correction what she would have had instead; wording and
heat follow the persona and her own memory of earlier conversations. Two sources of wording share these rules: the
script at hand, for the packaged users, and the train bank, for sampled personas.
"""

from __future__ import annotations

from typing import Literal

from mempa_gym.errors import DataError
from mempa_gym.reading import TrainBank
from mempa_gym.timeline import Session
from mempa_gym.users.protocol import UserState
from mempa_gym.users.voice import Voice, pick

__all__ = ["Bank", "answer", "reaction"]

Bank = TrainBank | Literal["script"]

# From this many earlier corrections on she says so before she corrects again: the script's sharper line comes first.
_SAYS_SO = 2


def reaction(voice: Voice, bank: Bank, state: UserState, shown: str) -> str:
    """Returns what a user says to the setting she took as shown.

    Raises:
        DataError: The script at hand has no reaction to it.
    """
    session, target = state.session, state.target
    before = state.notes.corrections(session.attribute, target) if shown != target else 0
    if bank != "script":
        line = pick(bank.reactions(session.attribute, target, shown), state.seed, session.id, "reaction")
        return f"{_insistence(voice, state, before)} {line}" if before else line
    row = _row(session, target)
    if shown not in row:
        raise DataError(session.id, "beats", f"no reaction of a user who wants {target!r} to {shown!r}")
    if not before:
        return row[shown]
    sharper = next((beat.again[target] for beat in session.beats if target in beat.again), None)
    if sharper is None:
        return f"{_insistence(voice, state, before)} {row[shown]}"
    return f"{_insistence(voice, state, before)} {sharper}" if before >= _SAYS_SO else sharper


def answer(voice: Voice, bank: Bank, state: UserState) -> str:
    """Returns her answer to a direct question about manner, in task terms."""
    attribute, target = state.session.attribute, state.target
    lines = voice.answers[attribute][target] if bank == "script" else bank.answers(attribute, target)
    return pick(lines, state.seed, state.session.id, "answer")


def _insistence(voice: Voice, state: UserState, before: int) -> str:
    level = min(before, len(voice.insist)) - 1
    return pick(voice.insist[level], state.seed, state.session.id, "insist")


def _row(session: Session, target: str) -> dict[str, str]:
    for beat in session.beats:
        if target in beat.react:
            return dict(beat.react[target])
    raise DataError(session.id, "beats", f"no reactions of a user who wants {target!r}")
