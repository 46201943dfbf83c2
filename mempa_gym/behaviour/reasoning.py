"""Reasoning Visibility (paper 000, Table 4): is the basis of an answer disclosed, and does it come first?

A sentence or a list item of evidence anywhere breaks Hide, also when it stands under the answer (paper 000, G.4: a heading
"why" with three reasons). Show wants a paragraph before the answer; a reason tucked into the answer is only part of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange, Task
from mempa_gym.behaviour.lexicon import Hit, Lexicon, load
from mempa_gym.behaviour.model import Criterion, Reading, need, score_of
from mempa_gym.behaviour.speech import joined
from mempa_gym.behaviour.text import Doc, Sentence

__all__ = ["read"]

_SO = re.compile(
    r"(?:,|;|—|–) so (?!that\b|you can\b|you don't\b|you have\b|you won't\b|we can\b|far\b|he can\b|she can\b|they can\b|it's ready\b|nothing\b)",
    re.I,
)
_NEGATIONS = frozenset("no not without never skip neither nor".split())
_LINKS = frozenset("because since given due owing based as cos considering seeing".split())
_REASON_HEADS = frozenset("why reasons reason because rationale reasoning evidence grounds basis".split())
_TIMES = frozenset(
    "then last yesterday this morning noon early late january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter when before after christmas easter school "
    "midnight".split()
)
_RATIONALE_WORDS = 12
_CONTENT = 1
_LONG_LEAD = 16


@dataclass(frozen=True, slots=True)
class _Basis:
    evidence: tuple[str, ...]
    clauses: int
    deciding: str
    before: bool
    paragraph: bool
    answered: bool


def _evident(sentence: Sentence, kinds: frozenset[str], lexicon: Lexicon, task: Task) -> tuple[str, bool]:
    """Returns "full", "clause" or "" for the evidence in a sentence, and whether it names a deciding factor."""
    words = sentence.words
    if sentence.asks or "withheld" in kinds:
        return "", False
    found = [
        hit
        for hit in lexicon.find(words)
        if hit.kind in ("evidence", "deciding") and not _NEGATIONS & set(words[max(0, hit.start - 3) : hit.start])
    ]
    found += [Hit("evidence", i, i + 1) for i, word in enumerate(words[:-1]) if word == "since" and _is_cause(words, i)]
    said_by_marks = sum(hit.end - hit.start for hit in found)
    if found and len(words) - said_by_marks < _CONTENT:
        # "Deciding factor: evidence." names none.
        found = []
    deciding = any(hit.kind == "deciding" for hit in found)
    if task.evidence:
        text = joined(words)
        known = sum(1 for key in task.evidence if key in text)
        said = any(key in text for key in task.answer)
        if known >= 2 or (known and len(task.evidence) <= 2 and not said):
            return "clause" if said and not found else "full", deciding
    if not found:
        return "clause" if _SO.search(sentence.text) else "", False
    # In "Book Friday because it is free" the answer leads and the reason hangs on to it.
    first = min(hit.start for hit in found)
    hangs = first >= 2 and words[first] in _LINKS and not {"decided", "reason", "reasons"} & set(words[:first])
    return "clause" if hangs else "full", deciding


def _is_cause(words: tuple[str, ...], i: int) -> bool:
    # "Since 2019", "since Monday" and "ever since" tell a time.
    after = words[i + 1]
    return not (after[0].isdigit() or after in _TIMES or (i and words[i - 1] == "ever"))


def _basis(doc: Doc, task: Task) -> _Basis:
    lexicon = load("reasoning")
    grades: list[str] = []
    verdicts: list[bool] = []
    spans: list[str] = []
    deciding = ""
    clauses = 0
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        grade, decides = _evident(sentence, kinds, lexicon, task)
        if task.answer:
            text = joined(sentence.words)
            verdict = any(key in text for key in task.answer) and grade != "full"
        else:
            verdict = "verdict" in kinds and grade != "full"
        grades.append(grade)
        verdicts.append(verdict)
        if grade:
            spans.append(sentence.text)
        clauses += grade == "clause"
        if decides and not deciding:
            deciding = sentence.text
    # Items below a line that announces reasons are reasons, whatever they say.
    listing = False
    for line in doc.lines:
        if line.kind not in ("bullet", "number"):
            listing = _announces_reasons(doc.sentences[line.start])
        elif listing:
            for i in range(line.start, line.end):
                if not grades[i]:
                    grades[i] = "full"
                    spans.append(doc.sentences[i].text)
    if "full" not in grades and _leads_up(doc, verdicts):
        # Bare facts in a paragraph of their own, and then the verdict: a rationale without a linking word.
        for i in range(doc.lines[0].start, _first_paragraph_end(doc)):
            if not grades[i]:
                grades[i] = "full"
                spans.append(doc.sentences[i].text)
    before, paragraph, answered = _order(doc, grades, verdicts)
    return _Basis(tuple(dict.fromkeys(spans)), clauses, deciding, before, paragraph, answered)


def _first_paragraph_end(doc: Doc) -> int:
    return max(line.end for line in doc.lines if line.paragraph == 0)


def _leads_up(doc: Doc, verdicts: list[bool]) -> bool:
    if doc.paragraphs < 2:
        return False
    end = _first_paragraph_end(doc)
    head = doc.sentences[:end]
    if any(verdicts[:end]) or any(s.asks or s.text.endswith(":") for s in head) or end >= len(doc.sentences):
        return False
    process = load("process")
    if any(process.kinds_in(s.words) & {"plan", "progress", "done", "deed"} for s in head):
        return False
    return sum(len(s.words) for s in head) >= _LONG_LEAD and len(head) >= 2 and verdicts[end]


def _announces_reasons(sentence: Sentence) -> bool:
    words = sentence.words
    if len(words) > 10 or not sentence.text.rstrip("* ").endswith((":", "?")):
        return False
    return words[0] in _REASON_HEADS or bool({"reasons", "why", "weighed", "factors"} & set(words))


def _order(doc: Doc, grades: list[str], verdicts: list[bool]) -> tuple[bool, bool, bool]:
    # Returns whether the evidence precedes the answer, whether it makes a paragraph, and whether an answer follows it.
    full = [i for i, grade in enumerate(grades) if grade == "full"]
    marked = full or [i for i, grade in enumerate(grades) if grade]
    if not marked:
        return False, False, True
    first, last = marked[0], marked[-1]
    line = doc.lines[doc.sentences[first].line]
    block = [i for i, s in enumerate(doc.sentences) if doc.lines[s.line].paragraph == line.paragraph]
    answer_before = any(verdicts[i] for i in range(first))
    if doc.paragraphs > 1 and line.paragraph < doc.paragraphs - 1:
        # A rationale may open with bare facts: the paragraph as a whole comes first when no answer stands before it.
        opening = line.paragraph == 0 or not any(verdicts[i] for i in range(block[0]))
        plain = all(not verdicts[i] for i in block if i < first)
        before = opening and plain and line.paragraph <= 1
        size = sum(len(doc.sentences[i].words) for i in block)
        return before, size >= _RATIONALE_WORDS, True
    if len(doc.sentences) == 1:
        return first == 0 and grades[0] == "full" and doc.size > 18, False, True
    answered = answer_before or any(not grades[i] for i in range(last + 1, len(grades))) or any(verdicts[last:])
    lead = [i for i in range(first) if not verdicts[i]]
    # Facts without a linking word may lead up to the deciding factor; a lone sentence before it is the answer.
    leading = first == 0 or (len(lead) == first and first >= 1 and answered)
    before = leading and answered and not answer_before
    size = sum(len(doc.sentences[i].words) for i in range(last + 1))
    return before, size >= _RATIONALE_WORDS and (len(full) >= 2 or size >= 18), answered


def read(exchange: Exchange) -> Reading:
    """Reads where evidence stands in the replies; for Show the best turn counts, for Hide every turn."""
    docs = [turn.doc for turn in exchange.turns if turn.doc]
    if not docs:
        empty = need("gives the answer", 1.0, 1.0)
        return Reading({"Show": (empty,), "Hide": (empty,)}, shows=False, why_not="the reply is empty")
    bases = [_basis(doc, exchange.task) for doc in docs]
    show = max((_show(basis) for basis in bases), key=score_of)
    main, rest = bases[0], bases[1:]
    full = len(main.evidence) - main.clauses
    lost = 0.0
    if main.evidence:
        pieces = full + main.clauses
        lost = 0.5 if not full and pieces == 1 else 0.65 if pieces == 1 else 0.8 if pieces == 2 else 1.0
        if full and main.before and main.paragraph:
            lost = 1.0
    later = [span for basis in rest for span in basis.evidence]
    hide = (
        need("gives the answer", 0.0 if exchange.first.doc else 0.5, 0.5),
        need("has no sentence of evidence or deciding factor anywhere", lost, 1.0, *main.evidence),
        need("keeps to it in later turns", (0.0, 0.35)[len(later)] if len(later) < 2 else 0.6, 0.6, *later),
    )
    return Reading({"Show": show, "Hide": hide})


def _show(basis: _Basis) -> tuple[Criterion, ...]:
    if not basis.evidence:
        return (need("names the evidence", 1.0, 1.0),)
    clause_only = len(basis.evidence) == basis.clauses
    return (
        need("names the evidence", 0.35 if clause_only else 0.0, 1.0, *basis.evidence),
        need("names the deciding factor", 0.0 if basis.deciding else 0.2, 0.2, basis.deciding),
        need("gives it before the answer", 0.0 if basis.before else 0.4, 0.4),
        need("gives it as a paragraph of its own", 0.0 if basis.paragraph else 0.1, 0.1),
        need("then gives the answer", 0.0 if basis.answered else 0.3, 0.3),
    )
