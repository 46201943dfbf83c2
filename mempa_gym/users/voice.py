"""A voice: everything a user says that her scripts do not hold.

Scripts carry the task and the reactions to it. Around them a user needs lines that fit any task: an impatient
prefix when she repeats herself, a way to put off a question that comes too early, an answer when she is asked
straight out how she wants it. They are hand-written data, one file a persona.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

from mempa_gym.errors import DataError
from mempa_gym.frozen import FrozenDict
from mempa_gym.resources import read_yaml, validated
from mempa_gym.taxonomy import attributes

__all__ = ["NoteLines", "Voice", "load_voice", "pick", "sampled_voice"]

T = TypeVar("T")
Lines = tuple[str, ...]
Table = Mapping[str, Mapping[str, Lines]]


@dataclass(frozen=True, slots=True)
class NoteLines:
    """Templates of a user's own notes (paper 000, D.3).

    Attributes:
        asked: scenario type to sentences on what she asked for, in general words.
        asked_else: context to the same, for other scenario types.
        handled: attribute id to setting to what the assistant did, as a clause without its subject.
        did: sentences around such a clause, which stands for ``{handled}``.
        plain: what she notes when nothing of the manner showed.
        accepted: that she accepted it.
        corrected: that she corrected it.
        insisted: that she corrected it again.
        asked_me: that she was asked directly.
        open: that something is left.
        closed: that nothing is left.
    """

    asked: Mapping[str, Lines]
    asked_else: Mapping[str, Lines]
    handled: Mapping[str, Mapping[str, str]]
    did: Lines
    plain: Lines
    accepted: Lines
    corrected: Lines
    insisted: Lines
    asked_me: Lines
    open: Lines
    closed: Lines


@dataclass(frozen=True, slots=True)
class Voice:
    """How a user talks around her scripts. No line holds a fact, a name, a number or a date.

    Attributes:
        persona: persona id, or ``sampled``.
        insist: three levels of lines before a correction she has made once, twice, or more often.
        deflect: puts off a question for a fact that comes later.
        brush_off: to a question about manner before the decision point.
        spent: to a second question about manner.
        turn_back: to a question about manner in a probe; carries nothing.
        shrug: to a question about manner when asking yields nothing.
        resume: leads back to what she needs.
        grant: allows a held item.
        deny: refuses a held item.
        mixed: allows some and refuses others; ``{granted}`` and ``{denied}`` stand for descriptions.
        close: ends a conversation.
        answers: attribute id to setting to answers to a direct question, in task terms.
        notes: templates of her own notes.
        learned: a lasting impression of something the assistant does right.
        stubborn: a lasting impression of something it keeps doing wrong.
    """

    persona: str
    insist: tuple[Lines, Lines, Lines]
    deflect: Lines
    brush_off: Lines
    spent: Lines
    turn_back: Lines
    shrug: Lines
    resume: Lines
    grant: Lines
    deny: Lines
    mixed: Lines
    close: Lines
    answers: Table
    notes: NoteLines
    learned: str
    stubborn: str


def pick(lines: Lines, *key: object) -> str:
    """Returns one of several lines; a function of the key alone, the same in every process."""
    if len(lines) == 1:
        return lines[0]
    digest = blake2b("|".join(map(str, key)).encode(), digest_size=8).digest()
    return lines[int.from_bytes(digest, "big") % len(lines)]


@lru_cache(maxsize=32)
def load_voice(persona: str) -> Voice:
    """Returns a packaged persona's voice.

    Raises:
        DataError: The persona has no voice file, or the file does not have the documented shape.
    """
    return _load(f"personas/{persona}/voice.yaml", answers=True)


@lru_cache(maxsize=1)
def sampled_voice() -> Voice:
    """Returns the plain voice of sampled personas, whose answers come from the train bank."""
    return _load("banks/voice.yaml", answers=False)


def _load(path: str, *, answers: bool) -> Voice:
    from mempa_gym.users.schema import VoiceFile

    file = f"data/{path}"
    raw = validated(VoiceFile, read_yaml(path), file)
    _require_all(raw.notes.handled, file, "notes.handled")
    if answers:
        _require_all(raw.answers, file, "answers")
    notes = NoteLines(
        asked=FrozenDict(raw.notes.asked),
        asked_else=FrozenDict(raw.notes.asked_else),
        handled=_frozen(raw.notes.handled),
        did=raw.notes.did,
        plain=raw.notes.plain,
        accepted=raw.notes.accepted,
        corrected=raw.notes.corrected,
        insisted=raw.notes.insisted,
        asked_me=raw.notes.asked_me,
        open=raw.notes.open,
        closed=raw.notes.closed,
    )
    return Voice(
        persona=raw.persona,
        insist=(raw.insist.once, raw.insist.twice, raw.insist.often),
        deflect=raw.deflect,
        brush_off=raw.brush_off,
        spent=raw.spent,
        turn_back=raw.turn_back,
        shrug=raw.shrug,
        resume=raw.resume,
        grant=raw.grant,
        deny=raw.deny,
        mixed=raw.mixed,
        close=raw.close,
        answers=_frozen(raw.answers),
        notes=notes,
        learned=raw.impressions.learned,
        stubborn=raw.impressions.stubborn,
    )


def _frozen(table: Mapping[str, Mapping[str, T]]) -> Mapping[str, Mapping[str, T]]:
    return FrozenDict({name: FrozenDict(dict(row)) for name, row in table.items()})


def _require_all(table: Mapping[str, Mapping[str, object]], file: str, key: str) -> None:
    for item in attributes():
        row = table.get(item.id)
        if row is None or set(row) != set(item.labels):
            raise DataError(file, f"{key}.{item.id}", f"exactly the settings {list(item.labels)} are expected")
