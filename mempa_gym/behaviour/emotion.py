"""Emotional Engagement (paper 000, Table 4): whether a reply names the user's feeling and answers it.

A feeling word alone acknowledges nothing ("hard drive", "happy to help"), so it must stand in a sentence that ties it
to the user or to what the user goes through. An apology for a fact of the task ("Sorry, it is sold out") acknowledges
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import Hit, load, words
from mempa_gym.behaviour.model import Reading, graded, need
from mempa_gym.behaviour.text import Doc, Sentence, has_key, joined, parse

__all__ = ["read"]

_OPENER = 3
_BARE = 8
_CLEAR = 0.75
_REAL = 0.5
_TASK_SENTENCE = 4
_LONG_SENTENCE = 14


@dataclass(frozen=True, slots=True)
class _Mark:
    """A sentence that acknowledges: how strongly (0 to 1), and the colour of the feeling (-1, 0, 1)."""

    place: int
    text: str
    strength: float
    colour: int


def read(exchange: Exchange) -> Reading:
    """Reads whether the decision turn's reply acknowledges a feeling, where, and whether task content follows."""
    doc = exchange.first.doc
    feeling = exchange.task.feeling
    marks = _marks(doc, feeling)
    strong = [mark for mark in marks if mark.strength >= _REAL]
    weak = tuple([mark.text for mark in marks if mark.strength < _REAL])
    # "Oh no." or "Hi Ana," before it does not move the acknowledgement out of the opening.
    opening = 1 if len(doc.sentences) > 1 and len(doc.sentences[0].words) <= _OPENER else 0
    first = [mark for mark in strong if mark.place <= opening]
    later = [mark.text for turn in exchange.turns[1:] for mark in _marks(turn.doc, feeling) if mark.strength >= _REAL]
    spans = tuple([mark.text for mark in strong])
    if not strong:
        lost = 0.85 if weak else 1.0
    elif not first:
        lost = 0.45
    else:
        lost = 0.0 if max(mark.strength for mark in first) >= _CLEAR else 0.25
    mismatch = bool(first) and _user_colour(exchange) * first[0].colour < 0
    related = (
        need("opens with a sentence that names the feeling and responds to it", lost, 1.0, *spans),
        need("answers the feeling the user has", 0.5 * mismatch, 0.5, first[0].text if mismatch else ""),
        need("then does the task", 0.5 * (bool(strong) and not _does_task(exchange, strong)), 0.5),
    )
    named = graded(sum(mark.strength for mark in strong), ((0.0, 0.2 * bool(weak)), (1.0, 0.5), (2.0, 0.7)), 0.9)
    focused = (
        need("opens with task content", 0.4 * bool(first), 0.4, *(mark.text for mark in first)),
        need("acknowledges no feeling anywhere", named, 0.7, *spans, *weak),
        need("keeps to it in later turns", 0.3 * bool(later), 0.3, *later),
    )
    return Reading(
        {"Task-focused": focused, "Relationship-focused": related}, shows=bool(doc), why_not="the reply is empty"
    )


def _marks(doc: Doc, feeling: tuple[str, ...]) -> list[_Mark]:
    marks = []
    for i, sentence in enumerate(doc.sentences):
        strength, colour = _strength(sentence, feeling)
        if strength > 0:
            marks.append(_Mark(i, sentence.text, strength, colour))
    return marks


def _strength(sentence: Sentence, feeling: tuple[str, ...]) -> tuple[float, int]:
    spoken = sentence.words
    hits = load("emotion").find(spoken)
    known = bool(feeling) and has_key(joined(spoken), feeling)
    if not hits:
        return (1.0, 0) if known and "you" in spoken else (0.0, 0)
    masks = [hit for hit in hits if hit.kind == "not_feeling"]
    felt = {hit.kind for hit in hits if hit.kind in ("negative", "positive") and not _inside(hit, masks)}
    colour = -1 if "negative" in felt else 1 if felt else 0
    kinds = {hit.kind for hit in hits}
    named = bool(felt) or known
    if named and "frame" in kinds:
        return 1.0, colour
    if "strong" in kinds and (named or not words("whom_it_touches").isdisjoint(spoken)):
        return (1.0 if len(spoken) >= 6 else 0.7), colour
    if "comfort" in kinds:
        return (0.8 if named else 0.6), colour
    if len(spoken) <= _BARE and "bare" in kinds:
        # "I hear you." and "No wonder." respond to a feeling that they leave unnamed.
        return 0.6, 0
    return (0.25, colour) if "warmth" in kinds else (0.0, 0)


def _inside(hit: Hit, others: list[Hit]) -> bool:
    return any(other.start <= hit.start and hit.end <= other.end for other in others)


def _does_task(exchange: Exchange, strong: list[_Mark]) -> bool:
    places = {mark.place for mark in strong}
    sentences = exchange.first.doc.sentences
    if any(i not in places and len(sentence.words) >= _TASK_SENTENCE for i, sentence in enumerate(sentences)):
        return True
    # The task may follow in the same sentence, or be done by a call.
    return any(len(s.words) >= _LONG_SENTENCE for s in sentences) or any(c.writes for c in exchange.first.executed)


def _user_colour(exchange: Exchange) -> int:
    lexicon = load("emotion")
    found = [lexicon.kinds_in(sentence.words) for sentence in parse(exchange.user_message).sentences]
    negative = any("negative" in kinds for kinds in found)
    positive = any("positive" in kinds for kinds in found)
    return 0 if negative == positive else -1 if negative else 1
