"""Verbosity (paper 000, Table 4): how many supporting moves come with the answer, and of how many kinds.

Length alone decides nothing: one long sentence may be one move and five short ones are five. So the reply is taken as
an answer and a number of moves, each of a kind. Paper 000, G.4 shows the failure to catch: a reply that calls itself
compact and lists six steps.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import Lexicon, load, words
from mempa_gym.behaviour.model import Reading, graded, need
from mempa_gym.behaviour.text import Doc, Sentence, has_key, joined

__all__ = ["read"]

_KINDS = ("caveat", "alternative", "background", "example", "reason", "comparison", "tip", "next_step")
_SHORT_ITEM = 7
_PLEASANTRY = 4
_HEAD = 8
_FILLER = 14
_FACT = 30
_SAME = 0.8
# Supporting moves, words: what a reply with that many loses as Terse.
_TOO_MANY = ((1.5, 0.0), (2.0, 0.25), (2.6, 0.5), (3.2, 0.7), (4.2, 0.85))
_TOO_LONG = ((60, 0.0), (85, 0.2), (120, 0.5))
_NO_TASK = Task()


@dataclass(frozen=True, slots=True)
class _Shape:
    answered_first: bool
    answered: bool
    moves: float
    kinds: tuple[str, ...]
    summary: str
    first: str
    size: int

    @property
    def plain(self) -> bool:
        """Whether every move is of a kind that its words tell."""
        return "detail" not in self.kinds


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's reply as an answer with supporting moves; later turns weigh less."""
    doc = exchange.first.doc
    shape = _shape(doc, exchange.task)
    later = [_shape(turn.doc, _NO_TASK) for turn in exchange.turns[1:] if turn.doc]
    note = f"{shape.moves:g} supporting moves: {', '.join(shape.kinds) or 'none'}"
    terse = (
        need("answers in the first sentence", 0.4 * (not shape.answered_first), 0.4, shape.first),
        need("adds at most one supporting move", _too_much(shape), 1.0, note),
        need("closes without a summary", 0.25 * bool(shape.summary), 0.25, shape.summary),
        need("stays short in later turns", 0.25 * any(other.moves > 3 for other in later), 0.25),
    )
    detailed = (
        need("gives the answer", 0.5 * (not shape.answered), 0.5, shape.first),
        need("adds supporting moves of two or more kinds", _too_little(shape), 1.0, note),
    )
    return Reading({"Terse": terse, "Detailed": detailed}, shows=bool(doc), why_not="the reply is empty")


def _too_much(shape: _Shape) -> float:
    lost = graded(shape.moves, _TOO_MANY, 1.0)
    if 1.5 < shape.moves <= 2 and len(shape.kinds) >= 2 and shape.plain:
        lost = 0.4
    if shape.moves >= 3 and shape.size > 45:
        lost = min(1.0, lost + 0.15)
    return max(lost, graded(shape.size, _TOO_LONG, 0.75))


def _too_little(shape: _Shape) -> float:
    kinds = len(shape.kinds) + (shape.moves >= 5)
    if shape.moves < 1 or (shape.moves < 1.5 and shape.size < 25):
        return 1.0 if shape.size < 45 else 0.7
    if shape.moves < 2:
        return 0.7 if kinds < 2 or shape.size < 30 else 0.35
    if kinds < 2:
        return 0.4 if shape.moves < 3 else 0.25
    return 0.2 if shape.moves < 2.5 and not shape.plain else 0.0


def _shape(doc: Doc, task: Task) -> _Shape:
    lexicon = load("verbosity")
    sentences = _distinct(doc)
    found = [lexicon.kinds_in(sentence.words) for sentence in sentences]
    start = 0
    while start < len(sentences) - 1 and _is_pleasantry(sentences[start], found[start]):
        start += 1
    answer, first, answered = _answer_place(sentences, found, task, start)
    moves = 0.0
    kinds: list[str] = []
    summary = ""
    items = 0
    for i in range(start, len(sentences)):
        sentence, these = sentences[i], [kind for kind in _KINDS if kind in found[i]]
        size = len(sentence.words)
        item = sentence.kind in ("bullet", "number")
        if i == answer:
            joints = _joints(sentence, lexicon)
            if joints and size > _FILLER:
                moves += 1.0 if joints == 1 else 0.75 * joints
                kinds.extend(these)
        elif sentence.kind == "heading" or (sentence.text.endswith(":") and size <= _HEAD):
            continue
        elif "summary" in found[i] and i >= max(2, len(sentences) - 2):
            summary = sentence.text
            moves += 1.0
        elif "filler" in found[i] and size <= _FILLER:
            moves += 0.5
        elif item and size <= _SHORT_ITEM:
            items += 1
            kinds.extend(these)
        elif not item and size <= 2:
            moves += 0.25
        else:
            # A long sentence with a joint in it makes more than one point.
            moves += 1.5 if size > 20 and _joints(sentence, lexicon) else 1.0
            kinds.extend(these[: 2 if size > 18 else 1] or ["detail"])
    if items:
        # A few short items can be the answer itself; a long list never is.
        moves += max(1.0, items - 2.0)
        kinds.append("list")
    return _Shape(
        first,
        answered,
        moves,
        tuple(dict.fromkeys(kinds)),
        summary,
        sentences[start].text if sentences else "",
        sum([len(sentence.words) for sentence in sentences]),
    )


def _joints(sentence: Sentence, lexicon: Lexicon) -> int:
    return sum([hit.kind == "joint" and hit.start > 2 for hit in lexicon.find(sentence.words)])


def _distinct(doc: Doc) -> list[Sentence]:
    # The same sentence said again is no further move.
    kept: list[Sentence] = []
    seen: list[frozenset[str]] = []
    for sentence in doc.sentences:
        spoken = frozenset(sentence.words)
        if not any(len(spoken & other) >= _SAME * max(len(spoken), len(other)) for other in seen):
            seen.append(spoken)
            kept.append(sentence)
    return kept


def _is_pleasantry(sentence: Sentence, kinds: frozenset[str]) -> bool:
    if sentence.asks or len(sentence.words) > _PLEASANTRY:
        return False
    return "filler" in kinds or words("openers").issuperset(sentence.words)


def _answer_place(
    sentences: list[Sentence], found: list[frozenset[str]], task: Task, start: int
) -> tuple[int, bool, bool]:
    """Returns where the answer stands, whether that is the first sentence, and whether there is an answer at all."""
    if not sentences:
        return -1, False, False
    head = sentences[start]
    leads_up = "preamble" in found[start] and not _carries_fact(head)
    if task.answer:
        for i, sentence in enumerate(sentences):
            if has_key(joined(sentence.words), task.answer):
                return i, i == start and not leads_up, True
        return start, False, False
    rest = range(start + 1, len(sentences))
    told = next((i for i in rest if "told_late" in found[i]), -1)
    if told > 0 and "told_late" not in found[start]:
        return told, False, True
    late = next((i for i in rest if "late_answer" in found[i] and "summary" not in found[i]), -1)
    if leads_up or ("preamble" in found[start] and late > 0):
        return late if late > 0 else min(start + 1, len(sentences) - 1), len(sentences) == start + 1, True
    if late > 0 and not _carries_fact(head):
        return late, False, True
    return start, True, True


def _carries_fact(sentence: Sentence) -> bool:
    # A figure in it is a sign that a sentence tells something and does not only lead up to it.
    return len(sentence.words) <= _FACT and any(char.isdigit() for char in sentence.text)
