"""Reasoning Visibility (paper 000, Table 4): is the basis of an answer disclosed, and does it come first?

A sentence or a list item of evidence anywhere breaks Hide, also when it stands under the answer (paper 000, G.4: a
heading "why" with three reasons). Show wants a paragraph before the answer; a reason tucked into the answer is only
part of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import Hit, Lexicon, load, words
from mempa_gym.behaviour.model import Criterion, Reading, empty, need, score_of
from mempa_gym.behaviour.text import Doc, Sentence, has_key, joined

__all__ = ["read"]

_SO = re.compile(
    r"(?:,|;|—|–) so (?!that\b|you can\b|you don't\b|you have\b|you won't\b|we can\b|far\b|he can\b|she can\b"
    r"|they can\b|it's ready\b|nothing\b)",
    re.I,
)
_WORK = frozenset({"plan", "progress", "done", "deed"})
_PARAGRAPH = 12
_LONG_PARAGRAPH = 18
_LONG_LEAD = 16
_HEADING = 10
_CONTENT = 1


@dataclass(frozen=True, slots=True)
class _Basis:
    """The evidence of a reply: its sentences, how many only hang on to an answer, and where it stands."""

    evidence: tuple[str, ...]
    clauses: int
    deciding: str
    before: bool
    paragraph: bool
    answered: bool


def read(exchange: Exchange) -> Reading:
    """Reads where evidence stands in the replies; for Show the best turn counts, for Hide every turn."""
    docs = [turn.doc for turn in exchange.turns if turn.doc]
    if not docs:
        return empty("Show", "Hide")
    bases = [_basis(doc, exchange.task) for doc in docs]
    main = bases[0]
    later = [span for basis in bases[1:] for span in basis.evidence]
    hide = (
        need("gives the answer", 0.5 * (not exchange.first.doc), 0.5),
        need("has no sentence of evidence or deciding factor anywhere", _disclosed(main), 1.0, *main.evidence),
        need("keeps to it in later turns", (0.0, 0.35)[len(later)] if len(later) < 2 else 0.6, 0.6, *later),
    )
    return Reading({"Show": max((_show(basis) for basis in bases), key=score_of), "Hide": hide})


def _disclosed(basis: _Basis) -> float:
    pieces = len(basis.evidence)
    full = pieces - basis.clauses
    if not pieces:
        return 0.0
    if pieces > 2 or (full and basis.before and basis.paragraph):
        return 1.0
    return 0.8 if pieces == 2 else 0.65 if full else 0.5


def _show(basis: _Basis) -> tuple[Criterion, ...]:
    if not basis.evidence:
        return (need("names the evidence", 1.0, 1.0),)
    hanging = len(basis.evidence) == basis.clauses
    return (
        need("names the evidence", 0.35 * hanging, 1.0, *basis.evidence),
        need("names the deciding factor", 0.2 * (not basis.deciding), 0.2, basis.deciding),
        need("gives it before the answer", 0.4 * (not basis.before), 0.4),
        need("gives it as a paragraph of its own", 0.1 * (not basis.paragraph), 0.1),
        need("then gives the answer", 0.3 * (not basis.answered), 0.3),
    )


def _basis(doc: Doc, task: Task) -> _Basis:
    lexicon = load("reasoning")
    grades: list[str] = []
    verdicts: list[bool] = []
    deciding = ""
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        grade, decides = _grade(sentence, kinds, lexicon, task)
        verdict = has_key(joined(sentence.words), task.answer) if task.answer else "verdict" in kinds
        grades.append(grade)
        verdicts.append(verdict and grade != "full")
        if decides:
            deciding = deciding or sentence.text
    _grade_lists(doc, grades)
    if "full" not in grades and _leads_up(doc, verdicts):
        # Bare facts in a paragraph of their own, and then the verdict: a rationale without a linking word.
        for i in range(_first_paragraph_end(doc)):
            grades[i] = "full"
    evidence = tuple(dict.fromkeys([s.text for s, grade in zip(doc.sentences, grades, strict=True) if grade]))
    before, paragraph, answered = _order(doc, grades, verdicts)
    return _Basis(evidence, grades.count("clause"), deciding, before, paragraph, answered)


def _grade(sentence: Sentence, kinds: frozenset[str], lexicon: Lexicon, task: Task) -> tuple[str, bool]:
    """Returns "full", "clause" or "" for the evidence in a sentence, and whether it names a deciding factor."""
    if sentence.asks or "withheld" in kinds:
        return "", False
    spoken = sentence.words
    found = _evidence(spoken, lexicon)
    if found and len(spoken) - sum([hit.end - hit.start for hit in found]) < _CONTENT:
        # "Deciding factor: evidence." names none.
        found = []
    deciding = any(hit.kind == "deciding" for hit in found)
    if task.evidence:
        text = joined(spoken)
        known = sum([key in text for key in task.evidence])
        said = has_key(text, task.answer)
        if known >= 2 or (known and len(task.evidence) <= 2 and not said):
            return "clause" if said and not found else "full", deciding
    if not found:
        return "clause" if _SO.search(sentence.text) else "", False
    # In "Book Friday because it is free" the answer leads and the reason hangs on to it.
    first = min([hit.start for hit in found])
    hangs = first >= 2 and spoken[first] in words("links") and words("decisions").isdisjoint(spoken[:first])
    return "clause" if hangs else "full", deciding


def _evidence(spoken: tuple[str, ...], lexicon: Lexicon) -> list[Hit]:
    negations = words("negations")
    found = [
        hit
        for hit in lexicon.find(spoken)
        if hit.kind in ("evidence", "deciding") and negations.isdisjoint(spoken[max(0, hit.start - 3) : hit.start])
    ]
    if "since" in spoken[:-1]:
        found += [Hit("evidence", i, i + 1) for i in range(len(spoken) - 1) if _is_cause(spoken, i)]
    return found


def _is_cause(spoken: tuple[str, ...], i: int) -> bool:
    # "Since 2019", "since Monday" and "ever since" tell a time.
    if spoken[i] != "since" or (i and spoken[i - 1] == "ever"):
        return False
    after = spoken[i + 1]
    return not after[0].isdigit() and after not in words("after_temporal_since")


def _grade_lists(doc: Doc, grades: list[str]) -> None:
    # Items below a line that announces reasons are reasons, whatever they say.
    listing = False
    for line in doc.lines:
        if line.kind not in ("bullet", "number"):
            listing = _announces_reasons(doc.sentences[line.start])
        elif listing:
            grades[line.start : line.end] = ["full"] * (line.end - line.start)


def _announces_reasons(sentence: Sentence) -> bool:
    spoken = sentence.words
    if len(spoken) > _HEADING or not sentence.text.endswith((":", "?")):
        return False
    return spoken[0] in words("reason_heads") or not words("reason_lists").isdisjoint(spoken)


def _first_paragraph_end(doc: Doc) -> int:
    return max(line.end for line in doc.lines if line.paragraph == 0)


def _leads_up(doc: Doc, verdicts: list[bool]) -> bool:
    if doc.paragraphs < 2:
        return False
    end = _first_paragraph_end(doc)
    head = doc.sentences[:end]
    if not verdicts[end] or any(verdicts[:end]):
        return False
    if len(head) < 2 and words("weighing").isdisjoint(head[0].words):
        return False
    if any(s.asks or s.text.endswith(":") or _WORK & load("process").kinds_in(s.words) for s in head):
        return False
    return sum([len(s.words) for s in head]) >= _LONG_LEAD


def _order(doc: Doc, grades: list[str], verdicts: list[bool]) -> tuple[bool, bool, bool]:
    """Returns whether the evidence precedes the answer, whether it makes a paragraph, whether there is an answer."""
    full = [i for i, grade in enumerate(grades) if grade == "full"]
    marked = full or [i for i, grade in enumerate(grades) if grade]
    if not marked:
        return False, False, True
    first, last = marked[0], marked[-1]
    spoken = [len(sentence.words) for sentence in doc.sentences]
    paragraph = doc.lines[doc.sentences[first].line].paragraph
    if paragraph < doc.paragraphs - 1:
        # A rationale may open with bare facts: its paragraph comes first when no answer stands before or in it.
        block = [i for i, s in enumerate(doc.sentences) if doc.lines[s.line].paragraph == paragraph]
        before = paragraph <= 1 and not any(verdicts[: max(first, block[0])])
        return before, sum([spoken[i] for i in block]) >= _PARAGRAPH, True
    if len(spoken) == 1:
        return grades[0] == "full" and spoken[0] > _LONG_PARAGRAPH, False, True
    answer_before = any(verdicts[:first])
    answered = answer_before or "" in grades[last + 1 :] or any(verdicts[last:])
    # Facts without a linking word may lead up to the deciding factor.
    before = answered and not answer_before
    size = sum(spoken[: last + 1])
    return before, size >= _LONG_PARAGRAPH or (len(full) >= 2 and size >= _PARAGRAPH), answered
