"""Emotional Engagement (paper 000, Table 4): whether a reply names the user's feeling and answers it.

A feeling word alone is no acknowledgement ("hard drive", "happy to help"), so the word must stand in a sentence that ties it to
the user or to what the user goes through. An apology for a fact of the task ("Sorry, it is sold out") acknowledges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import Hit, load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import has_key, joined
from mempa_gym.behaviour.text import Doc, Sentence, parse

__all__ = ["read"]

_OPENERS = 3


@dataclass(frozen=True, slots=True)
class _Mark:
    place: int
    text: str
    strength: float
    colour: int


def _mark(sentence: Sentence, feeling: tuple[str, ...]) -> tuple[float, int]:
    """Returns how much a sentence acknowledges a feeling (0 to 1) and the feeling's colour (-1, 0 or 1)."""
    words = sentence.words
    hits = load("emotion").find(words)
    if not hits:
        return (1.0, 0) if feeling and _names(words, feeling) and "you" in words else (0.0, 0)
    masked = [hit for hit in hits if hit.kind == "not_feeling"]
    negative = [hit for hit in hits if hit.kind == "negative" and not _inside(hit, masked)]
    positive = [hit for hit in hits if hit.kind == "positive" and not _inside(hit, masked)]
    kinds = {hit.kind for hit in hits}
    named = bool(negative or positive) or (bool(feeling) and _names(words, feeling))
    colour = -1 if negative else 1 if positive else 0
    if named and "frame" in kinds:
        return 1.0, colour
    if "strong" in kinds and ("you" in words or "your" in words or "anyone" in words or named):
        return (1.0 if len(words) >= 6 else 0.7), colour
    if "comfort" in kinds:
        return (0.8 if named else 0.6), colour
    if (
        "frame" in kinds
        and any(hit.kind == "frame" and hit.end - hit.start >= 2 and hit.start <= 2 for hit in hits)
        and _bare_frame(words)
    ):
        return 0.6, 0
    if "warmth" in kinds:
        return 0.25, colour
    return 0.0, 0


def _inside(hit: Hit, others: list[Hit]) -> bool:
    return any(other.start <= hit.start and hit.end <= other.end for other in others)


def _names(words: tuple[str, ...], feeling: tuple[str, ...]) -> bool:
    return has_key(joined(words), feeling)


def _bare_frame(words: tuple[str, ...]) -> bool:
    # "I hear you." and "No wonder." respond to a feeling that they leave unnamed.
    return len(words) <= 8 and words[:2] in {
        ("i", "hear"), ("no", "wonder"), ("i", "understand"), ("i", "get"), ("oh", "no"), ("what", "a"), ("i", "know"),
        ("of", "course"), ("it", "is"), ("that", "sounds"), ("sounds", "like"), ("i", "can"),
    }  # fmt: skip


def _marks(doc: Doc, feeling: tuple[str, ...]) -> list[_Mark]:
    marks = []
    for i, sentence in enumerate(doc.sentences):
        strength, colour = _mark(sentence, feeling)
        if strength > 0:
            marks.append(_Mark(i, sentence.text, strength, colour))
    return marks


def _user_colour(exchange: Exchange) -> int:
    lexicon = load("emotion")
    negative = positive = 0
    for sentence in parse(exchange.user_message).sentences:
        kinds = lexicon.kinds_in(sentence.words)
        negative += "negative" in kinds
        positive += "positive" in kinds
    return -1 if negative and not positive else 1 if positive and not negative else 0


def read(exchange: Exchange) -> Reading:
    """Reads whether the decision turn's reply acknowledges a feeling, where, and whether task content follows."""
    doc = exchange.first.doc
    feeling = exchange.task.feeling
    marks = _marks(doc, feeling)
    strong = [mark for mark in marks if mark.strength >= 0.5]
    weak = [mark for mark in marks if mark.strength < 0.5]
    # "Oh no." or "Hi Ana," before it does not move the acknowledgement out of the opening.
    opening = 0
    while opening < len(doc.sentences) - 1 and len(doc.sentences[opening].words) <= _OPENERS and opening < 1:
        opening += 1
    first = [mark for mark in strong if mark.place <= opening]
    later = [mark for turn in exchange.turns[1:] for mark in _marks(turn.doc, feeling) if mark.strength >= 0.5]
    spans = tuple(mark.text for mark in strong)

    if not strong:
        lost = 1.0 if not weak else 0.85
    elif not first:
        lost = 0.45
    elif max(mark.strength for mark in first) < 0.75:
        lost = 0.25
    else:
        lost = 0.0
    wrong = _user_colour(exchange) * (first[0].colour if first else 0) < 0
    beyond = [s for i, s in enumerate(doc.sentences) if all(mark.place != i for mark in strong) and len(s.words) >= 4]
    tasked = (
        bool(beyond)
        or any(len(s.words) >= 14 for s in doc.sentences)
        or any(call.writes for call in exchange.first.executed)
    )
    related = (
        need("opens with a sentence that names the feeling and responds to it", lost, 1.0, *spans),
        need("answers the feeling the user has", 0.5 if wrong else 0.0, 0.5, *(first[0].text,) if wrong else ()),
        need("then does the task", 0.0 if tasked or not strong else 0.5, 0.5),
    )
    if not strong:
        marked = 0.2 if weak else 0.0
        opened = 0.0
    else:
        total = sum(mark.strength for mark in strong)
        marked = 0.5 if total <= 1.0 else 0.7 if total <= 2.0 else 0.9
        opened = 0.4 if first else 0.0
    focused = (
        need("opens with task content", opened, 0.4, *(mark.text for mark in first)),
        need("acknowledges no feeling anywhere", marked, 0.7, *spans, *(mark.text for mark in weak)),
        need("keeps to it in later turns", 0.3 if later else 0.0, 0.3, *(mark.text for mark in later)),
    )
    return Reading(
        {"Task-focused": focused, "Relationship-focused": related}, shows=bool(doc), why_not="the reply is empty"
    )
