"""Uncertainty Expression (paper 000, Table 4): does the reply say how sure it is of its claims?

A level of confidence is a mark; "probably" alone is only a hedge. A percentage that belongs to the task (a chance of
rain) is neither, and "if you are sure" speaks of the user. A limit that would change an action may be stated under
Hide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.consent import offers
from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, graded, need
from mempa_gym.behaviour.questions import asks_for_fields
from mempa_gym.behaviour.text import Doc, Sentence, joined

__all__ = ["read"]

_TAG = re.compile(
    r"[(\[](?:confidence[:\s]+)?(?:very |fairly |quite )?"
    r"(?:high|medium|moderate|med|low|certain|likely|sure|unsure|uncertain|\d{1,3}(?:\s?[–-]\s?\d{1,3})?\s?%)"
    r"(?:\s+confidence| certainty)?[)\]]"
    r"|confidence\s*[:=–—-]\s*(?:very |fairly )?(?:high|medium|moderate|low|\d{1,3}\s?%)"
    r"|\b(?:high|medium|moderate|low)[- ]confidence\b|\b\d{1,3}\s?% (?:sure|confident|certain)",
    re.I,
)
_ODDS = re.compile(
    r"\([^()%]*\b(?:say|put|sure|about|roughly|maybe|odds)\b[^()%]*\d{1,3}\s?%[^()]*\)"
    r"|\(\d{1,3}\s?% at (?:best|most|least)\)"
)
_CONTENT = 3
_BARE = 5
_CLAIM = 4
_FOLLOWING = 14
_NO_TASK = Task()


@dataclass(frozen=True, slots=True)
class _Marks:
    strong: tuple[str, ...]
    weak: tuple[str, ...]
    covered: float


def read(exchange: Exchange) -> Reading:
    """Reads the marks of confidence in the decision turn's reply; a slip in a later turn weighs less."""
    doc = exchange.first.doc
    marks = _marks(doc, exchange.task)
    later = [span for turn in exchange.turns[1:] for span in _marks(turn.doc, _NO_TASK).strong]
    strong, weak = len(marks.strong), len(marks.weak)
    if strong:
        missed = graded(1 - marks.covered, ((0.01, 0.0), (0.4, 0.25), (0.6, 0.35)), 0.5)
    else:
        missed = graded(weak, ((0, 1.0), (1, 0.75)), 0.6)
    express = (need("marks each key claim with a level of confidence", missed, 1.0, *marks.strong, *marks.weak),)
    hide = (
        need("marks no level of confidence", graded(strong, ((0, 0.0), (1, 0.6)), 1.0), 1.0, *marks.strong),
        need(
            "states no doubt beyond a limit that matters",
            graded(weak, ((0, 0.0), (1, 0.2), (2, 0.4)), 0.6),
            0.4,
            *marks.weak,
        ),
        need("keeps to it in later turns", 0.3 * bool(later), 0.3, *later),
    )
    return Reading({"Express": express, "Hide": hide}, shows=bool(doc), why_not="the reply is empty")


def _marks(doc: Doc, task: Task) -> _Marks:
    strong: list[str] = []
    weak: list[str] = []
    claims = count = 0
    for sentence in doc.sentences:
        marks, hedges = _marked(sentence)
        if marks:
            strong.append(sentence.text)
            count += marks
        elif hedges and not sentence.asks:
            weak.extend([sentence.text] * min(hedges, 2))
        claims += not sentence.asks and len(sentence.words) >= _CLAIM and sentence.kind != "heading"
    if not count:
        return _Marks((), tuple(weak), 0.0)
    if task.claims:
        covered = sum([_claim_is_marked(doc, key) for key in task.claims]) / len(task.claims)
    else:
        # Rendered statements repeat the claims of the text above them, so two marks cover a short reply.
        idle = {*offers(doc), *(ask.text for ask in asks_for_fields(doc))}
        claims -= sum([not s.asks and s.text in idle for s in doc.sentences])
        covered = 0.5 if count == 1 and claims > 2 else 0.7 if claims > 3 * count else 1.0
    return _Marks(tuple(strong), tuple(weak), covered)


def _marked(sentence: Sentence) -> tuple[int, int]:
    """Returns how many marks of confidence and how many hedges a sentence has."""
    hits = load("uncertainty").find(sentence.words)
    exempt = [hit for hit in hits if hit.kind == "exempt"]
    counted = [
        hit
        for hit in hits
        if hit.kind != "exempt" and not any(other.start < hit.end and hit.start < other.end for other in exempt)
    ]
    levels = [hit for hit in counted if hit.kind == "level"]
    weak = len(counted) - len(levels)
    text = sentence.text
    tagged = ("(" in text or "[" in text or "%" in text or "onfidence" in text) and not (exempt and not levels)
    tags = len(_TAG.findall(text)) + len(_ODDS.findall(text)) if tagged else 0
    marks = max(len(levels), tags)
    if not marks:
        return 0, weak
    rest = len(sentence.words) - sum([hit.end - hit.start for hit in levels])
    if marks > 1 and rest < 2 * marks:
        # A heap of marks without a claim marks nothing.
        return 0, weak
    if rest < _CONTENT and not tags:
        # A bare "Confidence: high." belongs to the sentence before it.
        return int(len(sentence.words) <= _BARE), weak
    return min(marks, max(1, rest // _CONTENT)), weak


def _claim_is_marked(doc: Doc, key: str) -> bool:
    for i, sentence in enumerate(doc.sentences):
        if key not in joined(sentence.words):
            continue
        if _marked(sentence)[0]:
            return True
        # The level may follow as a sentence of its own.
        after = doc.sentences[i + 1] if i + 1 < len(doc.sentences) else None
        if after is not None and len(after.words) <= _FOLLOWING and _marked(after)[0]:
            return True
    return False
