"""Verbosity (paper 000, Table 4): how many supporting moves come with the answer, and of how many kinds.

Length alone decides nothing: one long sentence may be one move and five short ones are five. So the reply is taken as an
answer and a number of moves, each of a kind. Paper 000, G.4 shows the failure to catch: a reply that calls itself compact
and lists six steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import has_key, joined
from mempa_gym.behaviour.text import Doc, Sentence

__all__ = ["read"]

_KINDS = ("caveat", "alternative", "background", "example", "reason", "comparison", "tip", "next_step")
_SHORT_ITEM = 7
_PLEASANTRY = 4
# Supporting moves and what a reply with that many loses as Terse.
_TOO_MANY = ((1.5, 0.0), (2.0, 0.25), (2.6, 0.5), (3.2, 0.7), (4.2, 0.85))


@dataclass(frozen=True, slots=True)
class _Shape:
    answered_first: bool
    answered: bool
    moves: float
    kinds: tuple[str, ...]
    summary: str
    first: str
    words: int


def _shape(doc: Doc, task: Task) -> _Shape:
    lexicon = load("verbosity")
    sentences = _distinct(doc)
    found = [lexicon.kinds_in(sentence.words) for sentence in sentences]
    start = 0
    while (
        start < len(sentences) - 1
        and len(sentences[start].words) <= _PLEASANTRY
        and _is_pleasantry(sentences[start], found[start])
    ):
        start += 1
    answer, answered_first, answered = _answer_place(sentences, found, task, start)
    moves = 0.0
    kinds: list[str] = []
    summary = ""
    last = len(sentences) - 1
    items = 0
    for i in range(start, len(sentences)):
        sentence, kind = sentences[i], found[i]
        item = sentence.kind in ("bullet", "number")
        if i == answer:
            joints = [hit for hit in lexicon.find(sentence.words) if hit.kind == "joint" and hit.start > 2]
            if joints and len(sentence.words) > 14:
                moves += 1.0 if len(joints) == 1 else len(joints) * 0.75
                kinds.extend(k for k in _KINDS if k in kind)
            continue
        if sentence.kind == "heading" or (sentence.text.endswith(":") and len(sentence.words) <= 8):
            continue
        if "summary" in kind and i >= max(2, last - 1):
            summary = sentence.text
            moves += 1.0
            continue
        if "filler" in kind and len(sentence.words) <= 14:
            moves += 0.5 if not sentence.asks else 0.6
            continue
        if not item and len(sentence.words) <= 2:
            moves += 0.25
            continue
        if item and len(sentence.words) <= _SHORT_ITEM:
            items += 1
            kinds.extend(k for k in _KINDS if k in kind)
            continue
        # A long sentence with a joint in it makes more than one point.
        heavy = len(sentence.words) > 20 and any(
            hit.kind == "joint" and hit.start > 2 for hit in lexicon.find(sentence.words)
        )
        moves += 1.5 if heavy else 1.0
        these = [k for k in _KINDS if k in kind]
        kinds.extend(these[:2] if len(sentence.words) > 18 else these[:1] or ["detail"])
    if items:
        # A few short items can be the answer itself; a long list never is.
        moves += 1.0 if items <= 3 else items - 2.0
        kinds.append("list")
    return _Shape(
        answered_first,
        answered,
        moves,
        tuple(dict.fromkeys(kinds)),
        summary,
        sentences[start].text if sentences else "",
        sum(len(sentence.words) for sentence in sentences),
    )


def _distinct(doc: Doc) -> list[Sentence]:
    # The same sentence said again is no further move.
    kept: list[Sentence] = []
    seen: list[frozenset[str]] = []
    for sentence in doc.sentences:
        words = frozenset(sentence.words)
        if any(len(words & other) >= 0.8 * max(len(words), len(other)) for other in seen):
            continue
        seen.append(words)
        kept.append(sentence)
    return kept


def _is_pleasantry(sentence: Sentence, kinds: frozenset[str]) -> bool:
    return not sentence.asks and ("filler" in kinds or _OPENERS.issuperset(sentence.words))


_OPENERS = frozenset(
    "sure ok okay yes right certainly absolutely of course great hi hello hey there got it well perfect thing".split()
)


def _answer_place(
    sentences: list[Sentence], found: list[frozenset[str]], task: Task, start: int
) -> tuple[int, bool, bool]:
    # Returns where the answer stands, whether that is the first sentence, and whether there is one at all.
    if not sentences:
        return -1, False, False
    if task.answer:
        for i, sentence in enumerate(sentences):
            if has_key(joined(sentence.words), task.answer):
                return i, i == start and not ("preamble" in found[i] and _announces(sentence)), True
        return start, False, False
    late = next(
        (i for i in range(start + 1, len(sentences)) if "late_answer" in found[i] and "summary" not in found[i]), -1
    )
    told = next((i for i in range(start + 1, len(sentences)) if "told_late" in found[i]), -1)
    if told > start and "told_late" not in found[start]:
        return told, False, True
    if "preamble" in found[start] and not (late < 0 and _carries_fact(sentences[start])):
        return (late if late > start else min(start + 1, len(sentences) - 1)), len(sentences) == start + 1, True
    if late > start and not _carries_fact(sentences[start]):
        return late, False, True
    return start, True, True


def _announces(sentence: Sentence) -> bool:
    return not _carries_fact(sentence)


def _carries_fact(sentence: Sentence) -> bool:
    # A figure, or a name inside the sentence, is a sign that it says something and does not only lead up to it.
    words = sentence.text.split()
    return any(ch.isdigit() for ch in sentence.text) and len(words) <= 30


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's reply as an answer with supporting moves; later turns weigh less."""
    doc = exchange.first.doc
    shape = _shape(doc, exchange.task)
    later = [_shape(turn.doc, Task()) for turn in exchange.turns[1:] if turn.doc]
    moves, words = shape.moves, shape.words
    note = f"{moves:g} supporting moves: {', '.join(shape.kinds) or 'none'}"

    kinds = len(shape.kinds) + (1 if moves >= 5 else 0)
    many = next((lost for limit, lost in _TOO_MANY if moves <= limit), 1.0)
    if 1.5 < moves <= 2.0 and kinds >= 2 and "detail" not in shape.kinds:
        many = 0.4
    if moves >= 3 and words > 45:
        many = min(1.0, many + 0.15)
    long = 0.0 if words <= 60 else 0.2 if words <= 85 else 0.5 if words <= 120 else 0.75
    terse = (
        need("answers in the first sentence", 0.0 if shape.answered_first else 0.4, 0.4, shape.first),
        need("adds at most one supporting move", max(many, long), 1.0, note),
        need("closes without a summary", 0.25 if shape.summary else 0.0, 0.25, shape.summary),
        need("stays short in later turns", 0.25 if any(other.moves > 3 for other in later) else 0.0, 0.25),
    )
    if moves < 1 or (moves < 1.5 and words < 25):
        lost = 1.0 if words < 45 else 0.7
    elif moves < 2:
        lost = 0.7 if kinds < 2 or words < 30 else 0.35
    elif kinds < 2:
        lost = 0.4 if moves < 3 else 0.25
    else:
        lost = 0.2 if moves < 2.5 and "detail" in shape.kinds else 0.0
    detailed = (
        need("gives the answer", 0.0 if shape.answered else 0.5, 0.5, shape.first),
        need("adds supporting moves of two or more kinds", lost, 1.0, note),
    )
    return Reading({"Terse": terse, "Detailed": detailed}, shows=bool(doc), why_not="the reply is empty")
