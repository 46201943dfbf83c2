"""The note a scripted user writes for herself when a conversation is over (paper 000, D.3)."""

from __future__ import annotations

from mempa_gym.users.notes import UserNotes
from mempa_gym.users.protocol import UserState
from mempa_gym.users.voice import Voice, pick

__all__ = ["impressions", "write_note"]

_HABIT = 2


def write_note(voice: Voice, state: UserState, notes: UserNotes, at: str) -> UserNotes:
    """Returns the notes with two to four sentences more, and the impressions updated.

    They hold what she asked for in general words, how it was handled, what she made of it and what is open: no task
    detail.
    """
    session = state.session
    key = (state.seed, session.id, "note")
    lines = voice.notes
    asked = lines.asked.get(session.scenario) or lines.asked_else.get(session.context)
    sentences = [pick(asked, *key, "asked")] if asked else []
    if state.shown is None:
        sentences.append(pick(lines.plain, *key, "plain"))
    else:
        handled = lines.handled[session.attribute][state.shown]
        sentences.append(pick(lines.did, *key, "did").format(handled=handled))
    if state.corrected is not None:
        sentences.append(_judged(voice, state, notes, key))
    elif state.answered:
        sentences.append(pick(lines.asked_me, *key, "asked me"))
    sentences.append(pick(lines.open if state.missed else lines.closed, *key, "end"))
    if state.corrected is not None and state.shown is not None:
        notes = notes.with_reaction(session.attribute, state.target, state.shown)
    return notes.add_note(" ".join(sentences), at)


def _judged(voice: Voice, state: UserState, notes: UserNotes, key: tuple[object, ...]) -> str:
    lines = voice.notes
    if not state.corrected:
        return pick(lines.accepted, *key, "accepted")
    before = notes.corrections(state.session.attribute, state.target)
    return pick(lines.insisted if before else lines.corrected, *key, "corrected")


def impressions(voice: Voice, notes: UserNotes) -> tuple[str, ...]:
    """Returns her lasting impressions of the assistant in words: what came up more than once."""
    found: list[str] = []
    for item in notes.impressions:
        handled = voice.notes.handled[item.attribute]
        if item.corrected >= _HABIT and item.last is not None:
            found.append(voice.stubborn.format(handled=handled[item.last]))
        elif item.followed >= _HABIT:
            found.append(voice.learned.format(handled=handled[item.direction]))
    return tuple(found)
