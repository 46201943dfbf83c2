"""Guidance Level (paper 000, Table 4): are words explained and steps walked through, or taken as known?

A gloss is recognised by its shape, not by the word it explains: brackets or dashes that hold a definition, "that is",
"short for". Brackets around a time, a price or a reference explain nothing. Where the task names its terms, each is
looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.text import Doc, Sentence, joined

__all__ = ["read"]

_TERM = r"([\w'./-]+)"
_DASH = r"\s*(?:—|–|\s-{1,2}\s)\s*"
_BRACKET = re.compile(_TERM + r"\s*\(([^()]{4,160})\)")
_DASHED = re.compile(
    _TERM + _DASH + r"((?:the|a|an|basically|essentially|meaning|simply|just|short for|how|what|when|where|your|that is"
    r"|i\.e\.)\b[^—–]{6,160}?)\s*(?:—|–|\s-{1,2}\s|[.;:]|$)",
    re.I,
)
# Between two dashes stands what the word before them means: "titration - raising the dose bit by bit - takes".
_PAIRED = re.compile(
    _TERM
    + _DASH
    + r"((?:\w+ing|the|a|an|how|what|when|where|your|that is|meaning|basically|or)\b[^—–]{8,120}?)"
    + _DASH,
    re.I,
)
_IS_A = re.compile(
    r"^(?:So,? |Now,? )?An? [\w-]+(?:,? [\w-]+){0,5},? (?:is|are) (?:just |simply |basically |really )?"
    r"(?:an?|the|when|how|what|where|money|any)\b"
)
_COMMA = re.compile(
    _TERM + r",\s+(?:or\s+)?((?:(?:the|a|an)\s+(?:short|small|first|quick|brief|long|slow|fast|thin|kind|type|sort|form"
    r"|name|process|step|term|word|way|method|measure|device|document|fee|sum|amount|share|part|piece|tool|person|rule|list|record|test|check"
    r"|point|time|stage|mix|mixture|layer|sheet|set|number|rise|rest|stretch|reading|switch|valve|cut|extra|security|money"
    r"|official|written|legal|final|total|minimum|maximum|standard|set-up|setup)\b"
    r"|which (?:is|are|means)\b|meaning\b|short for\b|i\.e\.|that is,?\s)[^,.;]{4,140})",
    re.I,
)  # fmt: skip
_LABELLED = re.compile(
    r"^([A-Z][\w'/ -]{1,40}?)\s*(?::|—|–|\s-\s|=)\s*"
    r"(?:the|a|an|how|what|when|where|your|money|time|short for|basically|letting|leaving|means)\b",
    re.I,
)
_STEP_LINE = re.compile(r"^\s*(?:[-*•]\s*)?(?:\*\*|__)?step\s+(?:\d|one|two|three|four|five)\b", re.I | re.M)
_INLINE_STEPS = re.compile(r"(?:^|\s)\(?[1-9][.)]\s+[A-Z]")
_AFTER_TERM = (
    "(", "—", "–", " - ", "that is", "i.e.", "mean", "which is", "which are", "short for", "refers to", "stands for",
    "called", "in other words", "basically", ", the ", ", a ", ", an ", " is the ", " is a ", " is an ", " is how ",
    " is when ", " is what ", " are the ", " are a ", ": the ", ": a ", ": an ", "= ",
)  # fmt: skip
_REACH = 60


@dataclass(frozen=True, slots=True)
class _Help:
    glosses: tuple[str, ...]
    explained: float
    terms: int
    uses_terms: bool
    numbered: int
    first: str
    sequence: int

    @property
    def stepped(self) -> bool:
        return self.numbered >= 2 or self.sequence >= 2


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's reply for glosses and ordered steps; a slip in a later turn weighs less."""
    doc = exchange.first.doc
    h = _help(doc, exchange.task.terms)
    later = [gloss for turn in exchange.turns[1:] for gloss in _help(turn.doc, ()).glosses]
    count = len(h.glosses)
    steps = f"{h.numbered} numbered steps" if h.numbered else h.first
    if not count:
        unexplained = 0.55
    elif h.terms >= 2 and h.explained < 1:
        unexplained = 0.25 if h.explained >= 0.5 else 0.4
    else:
        unexplained = 0.0
    if h.stepped:
        unordered = 0.0 if h.first or h.numbered >= 2 else 0.2
    else:
        unordered = 0.3 if h.first else 0.45
    guided = (
        need("glosses each new term at first use", unexplained, 0.55, *h.glosses),
        need("orders the steps and names the first", unordered, 0.45, steps),
    )
    walked = 0.5 if h.numbered >= 2 else 0.25 if h.sequence >= 2 else 0.0
    assumed = (
        need("defines no term", (0.0, 0.45)[count] if count < 2 else 0.75, 0.75, *h.glosses),
        need("gives no numbered walkthrough", walked, 0.5, steps if h.stepped else ""),
        need("uses the terms of the subject", 0.25 * (not h.uses_terms), 0.25),
        need("keeps to it in later turns", 0.25 * bool(later), 0.25, *later),
    )
    return Reading({"Assumed": assumed, "Guided": guided}, shows=bool(doc), why_not="the reply is empty")


def _help(doc: Doc, terms: tuple[str, ...]) -> _Help:
    lexicon = load("guidance")
    first = ""
    sequence = 0
    for sentence in doc.sentences:
        if sentence.asks:
            continue
        kinds = lexicon.kinds_in(sentence.words)
        opens = "first_step" in kinds and not first
        if opens:
            first = sentence.text
        sequence += opens + ("then_step" in kinds)
    glosses = tuple(dict.fromkeys(gloss for sentence in doc.sentences for gloss in _glosses(sentence)))
    here = [term for term in terms if any(term in joined(s.words) for s in doc.sentences)]
    done = [term.strip() for term in here if _is_explained(doc, term.strip(), glosses)]
    return _Help(
        glosses or tuple(done),
        len(done) / len(here) if here else 0.0,
        len(here),
        bool(here) or not terms,
        _numbered(doc),
        first,
        sequence,
    )


def _numbered(doc: Doc) -> int:
    numbered = sum([line.kind == "number" and not doc.sentences[line.start].asks for line in doc.lines])
    if not numbered and "2" in doc.text:
        inline = len(_INLINE_STEPS.findall(doc.text))
        numbered = inline if inline >= 2 else 0
    if "tep " in doc.text:
        numbered = max(numbered, len(_STEP_LINE.findall(doc.text)))
    return numbered


def _glosses(sentence: Sentence) -> list[str]:
    text = sentence.text
    spans: list[str] = []
    if "(" in text:
        spans += [m[0] for m in _BRACKET.finditer(text) if _defines(m[1], m[2])]
    if "—" in text or "–" in text or " - " in text or " -- " in text:
        dashed = [m[0] for m in _DASHED.finditer(text) if _is_term(m[1]) and not _remarks(m[2])]
        spans += dashed or [m[0] for m in _PAIRED.finditer(text) if _is_term(m[0])]
    if text[:2] in ("A ", "An", "So", "No") and _IS_A.match(text):
        spans.append(text)
    if "," in text:
        spans += [m[0] for m in _COMMA.finditer(text) if _is_term(m[1])]
    labelled = (
        _LABELLED.match(text) if ":" in text or "-" in text or "–" in text or "—" in text or "=" in text else None
    )
    if labelled is not None:
        label = labelled[1].lower().split()
        if len(label) <= 4 and label[0] not in words("label_frames") and label[0] not in words("calendar"):
            spans.append(text)
    if not spans:
        hits = load("guidance").find(sentence.words)
        spans = [" ".join(sentence.words[hit.start : hit.end]) for hit in hits if hit.kind == "gloss"][:1]
    return spans


def _is_term(word: str) -> bool:
    return word.lower().strip(".,") not in words("calendar") and not any(char.isdigit() for char in word)


def _remarks(body: str) -> bool:
    # "Friday - the only free slot" is a remark on one thing, not the meaning of a word.
    spoken = body.lower().split()
    return spoken[0] in ("the", "your") and (len(spoken) < 4 or spoken[1] in words("remarks"))


def _defines(term: str, body: str) -> bool:
    spoken = body.lower().replace(",", " ").split()
    if len(spoken) < 2 or any(char.isdigit() for char in body) or term.lower().strip(".,") in words("calendar"):
        return False
    head = spoken[0].strip(".")
    if any(char.isdigit() for char in term):
        return head in ("the", "a", "an", "short", "that", "meaning", "i.e") and len(spoken) >= 4
    if head in words("aside_heads"):
        return False
    abbreviation = term.isupper() and len(term) > 1
    if head in words("definition_heads") or abbreviation:
        return True
    # A describing phrase of some length without a finite verb at its head.
    return len(spoken) >= 3 and spoken[1] not in words("finite")


def _is_explained(doc: Doc, term: str, glosses: tuple[str, ...]) -> bool:
    if any(term in gloss.lower().replace("-", " ") for gloss in glosses):
        return True
    for sentence in doc.sentences:
        low = sentence.text.lower().replace("-", " ")
        place = low.find(term)
        if place >= 0:
            after = sentence.text.lower()[place + len(term) : place + len(term) + _REACH]
            return any(mark in after for mark in _AFTER_TERM)
    return False
