"""Guidance Level (paper 000, Table 4): are words explained and steps walked through, or taken as known?

A gloss is recognised by its shape, not by the word it explains: brackets or a dash that hold a definition, "that is", "short
for". Brackets around a time, a price or a reference explain nothing. Where the task names its terms, each is looked up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import joined
from mempa_gym.behaviour.text import Doc

__all__ = ["read"]

_BRACKET = re.compile(r"([\w'’./-]+)\s*\(([^()]{4,160})\)")
_DASHED = re.compile(
    r"([\w'’./-]+)\s*(?:—|–|\s-{1,2}\s)\s*((?:the|a|an|basically|essentially|meaning|simply|just|short for|how|what|when|where|your|that is|i\.e\.)\b[^—–]{6,160}?)\s*(?:—|–|\s-{1,2}\s|[.;:]|$)",
    re.I,
)
# Between two dashes stands what the word before them means: "titration - raising the dose bit by bit - takes".
_PAIRED = re.compile(
    r"([\w'’./-]+)\s*(?:—|–|\s-{1,2})\s*((?:\w+ing|the|a|an|how|what|when|where|your|that is|meaning|basically|or)\b[^—–]{8,120}?)\s*(?:—|–|\s-{1,2}\s)",
    re.I,
)
_IS_A = re.compile(
    r"^(?:So,? |Now,? )?An? [\w-]+(?: [\w-]+){0,2} (?:is|are) (?:just |simply |basically |really )?(?:an?|the|when|how|what|where|money|any)\b"
)
_COMMA = re.compile(
    r"([\w'’./-]+),\s+(?:or\s+)?((?:(?:the|a|an)\s+(?:short|small|first|quick|brief|long|slow|fast|thin|kind|type|sort|form|name|process|step|term|word|way|method|measure|device|document|fee|sum|amount|share|part|piece|tool|person|rule|list|record|test|check|point|time|stage|mix|mixture|layer|sheet|set|number|rise|rest|stretch|reading|switch|valve|cut|extra|security|money|official|written|legal|final|total|minimum|maximum|standard|set-up|setup)\b|which (?:is|are|means)\b|meaning\b|short for\b|i\.e\.|that is,?\s)[^,.;]{4,140})",
    re.I,
)
_DEFINES = frozenset(
    "the a an how what when where who which your short basically essentially simply just money time meaning means i ie that is are its another also aka letting leaving cooking heating keeping moving putting adding taking cutting mixing one something someone anything think like used old every no".split()
)
_NOT_TERM = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight morning afternoon evening pm am january february "
    "march april may june july august september october november december".split()
)
_LABELLED = re.compile(
    r"^([A-Z][\w'’/ -]{1,40}?)\s*(?::|—|–|\s-\s|=)\s*(?:the|a|an|how|what|when|where|your|money|time|short for|basically|letting|leaving|means)\b",
    re.I,
)
_STEP_LINE = re.compile(r"^\s*(?:[-*•]\s*)?(?:\*\*|__)?step\s+(?:\d|one|two|three|four|five)\b", re.I | re.M)
_INLINE_STEPS = re.compile(r"(?:^|\s)\(?([1-9])[.)]\s+[A-Z]")


@dataclass(frozen=True, slots=True)
class _Help:
    glosses: tuple[str, ...]
    covered: float
    uses_terms: bool
    numbered: int
    first: str
    sequence: int
    terms: int


def _glosses(doc: Doc) -> list[str]:
    lexicon = load("guidance")
    found: list[str] = []
    for sentence in doc.sentences:
        text = sentence.text
        spans: list[str] = []
        if "(" in text:
            spans += [m[0] for m in _BRACKET.finditer(text) if _defines(m[1], m[2])]
        if "—" in text or "–" in text or " - " in text or " -- " in text:
            spans += [
                m[0]
                for m in _DASHED.finditer(text)
                if not _is_calendar(m[1]) and not any(c.isdigit() for c in m[1]) and _reads_as_definition(m[2])
            ]
            if not spans:
                spans += [
                    m[0]
                    for m in _PAIRED.finditer(text)
                    if not _is_calendar(m[1]) and not any(c.isdigit() for c in m[0])
                ]
        if _IS_A.match(text):
            spans.append(text)
        if "," in text:
            spans += [
                m[0] for m in _COMMA.finditer(text) if not _is_calendar(m[1]) and not any(c.isdigit() for c in m[1])
            ]
        if sentence.kind in ("bullet", "number", "prose") and doc.lines[sentence.line].start >= 0:
            labelled = _LABELLED.match(text)
            if (
                labelled
                and len(labelled[1].split()) <= 4
                and not _is_calendar(labelled[1].split()[0])
                and labelled[1].split()[0].lower() not in _FRAMES
            ):
                spans.append(text[: labelled.end() + 20])
        if not spans:
            spans = [
                " ".join(sentence.words[h.start : h.end]) for h in lexicon.find(sentence.words) if h.kind == "gloss"
            ][:1]
        found.extend(spans)
    return found


_FRAMES = frozenset(
    "answer result note update next reason result summary step first done option pick recommendation plan time booked status here so in on at for to if".split()
)
_FINITE = frozenset("is are was were has have will would can could should must does did do".split())


def _reads_as_definition(body: str) -> bool:
    words = body.lower().split()
    if words[0] in ("the", "your") and len(words) < 4:
        return False
    # "Friday - the only free slot" is a remark on one thing, not the meaning of a word.
    return not (
        words[0] in ("the", "your")
        and words[1]
        in (
            "only",
            "best",
            "cheapest",
            "first",
            "last",
            "next",
            "earliest",
            "latest",
            "closest",
            "nearest",
            "other",
            "one",
            "same",
            "usual",
        )
    )


def _is_calendar(word: str) -> bool:
    return word.lower().strip(".,") in _NOT_TERM


def _defines(term: str, body: str) -> bool:
    words = body.lower().replace(",", " ").split()
    if len(words) < 2 or any(char.isdigit() for char in body) or _is_calendar(term):
        return False
    head = words[0].strip(".")
    if any(char.isdigit() for char in term):
        return head in ("the", "a", "an", "short", "that", "meaning", "i.e") and len(words) >= 4
    if head in (
        "if",
        "as",
        "see",
        "unless",
        "not",
        "and",
        "or",
        "but",
        "both",
        "with",
        "from",
        "for",
        "in",
        "at",
        "on",
        "to",
        "after",
        "before",
        "confirmed",
        "attached",
        "optional",
        "including",
        "via",
        "per",
        "no",
        "about",
        "thanks",
        "already",
        "he",
        "she",
        "i",
        "you",
        "we",
        "they",
        "it",
        "it's",
        "he's",
        "she's",
        "i've",
        "i'll",
    ):
        return False
    if len(words) == 2 and head not in _DEFINES:
        return term.isupper() and len(term) > 1
    if head in _DEFINES:
        return True
    # An abbreviation spelled out, or a describing phrase of some length without a finite verb at its head.
    return term.isupper() or (len(words) >= 3 and words[1] not in _FINITE)


def _help(doc: Doc, terms: tuple[str, ...]) -> _Help:
    lexicon = load("guidance")
    glosses = _glosses(doc)
    first = ""
    sequence = 0
    for sentence in doc.sentences:
        kinds = lexicon.kinds_in(sentence.words)
        if "first_step" in kinds and not first and not sentence.asks:
            first = sentence.text
            sequence += 1
        elif "then_step" in kinds and not sentence.asks:
            sequence += 1
        if first and sentence.text == first and "then_step" in kinds:
            sequence += 1
    numbered = sum(1 for line in doc.lines if line.kind == "number" and not doc.sentences[line.start].asks)
    if not numbered and "2" in doc.text:
        inline = sum(1 for _ in _INLINE_STEPS.finditer(doc.text))
        numbered = inline if inline >= 2 else 0
    if "tep " in doc.text:
        numbered = max(numbered, len(_STEP_LINE.findall(doc.text)))
    covered, uses = 1.0, True
    here = [term for term in terms if any(term in joined(s.words) for s in doc.sentences)]
    if terms:
        uses = bool(here)
        glossed = [term for term in here if _is_glossed(doc, term, glosses)]
        covered = len(glossed) / len(here) if here else 0.0
        if glossed and not glosses:
            glosses = [term.strip() for term in glossed]
    return _Help(tuple(dict.fromkeys(glosses)), covered, uses, numbered, first, sequence, len(here))


_MARKS = (
    "(",
    "—",
    "–",
    " - ",
    "that is",
    "i.e.",
    "mean",
    "which is",
    "which are",
    "short for",
    "refers to",
    "stands for",
    "called",
    "in other words",
    "basically",
    ", the ",
    ", a ",
    ", an ",
    " is the ",
    " is a ",
    " is an ",
    " is how ",
    " is when ",
    " is what ",
    " are the ",
    " are a ",
    ": the ",
    ": a ",
    ": an ",
    "= ",
)


def _is_glossed(doc: Doc, term: str, glosses: list[str]) -> bool:
    key = term.strip()
    if any(key in " ".join(g.lower().replace("-", " ").split()) for g in glosses):
        return True
    for sentence in doc.sentences:
        low = sentence.text.lower().replace("-", " ")
        place = low.find(key)
        if place >= 0:
            after = sentence.text.lower()[place + len(key) : place + len(key) + 60]
            return any(mark in after for mark in _MARKS)
    return False


def read(exchange: Exchange) -> Reading:
    """Reads the decision turn's reply for glosses and ordered steps; a slip in a later turn weighs less."""
    doc = exchange.first.doc
    h = _help(doc, exchange.task.terms)
    later = [_help(turn.doc, ()) for turn in exchange.turns[1:] if turn.doc]
    count = len(h.glosses)
    stepped = h.numbered >= 2 or h.sequence >= 2
    named = bool(h.first) or h.numbered >= 2
    steps = f"{h.numbered} numbered steps" if h.numbered else h.first

    if count == 0:
        unexplained = 0.55
    elif h.terms >= 2 and h.covered < 1.0:
        unexplained = 0.25 if h.covered >= 0.5 else 0.4
    else:
        unexplained = 0.0
    guided = (
        need("glosses each new term at first use", unexplained, 0.55, *h.glosses),
        need(
            "orders the steps and names the first",
            0.0 if stepped and named else 0.2 if stepped else 0.3 if h.first else 0.45,
            0.45,
            steps,
        ),
    )
    assumed = (
        need("defines no term", 0.0 if count == 0 else 0.45 if count == 1 else 0.75, 0.75, *h.glosses),
        need(
            "gives no numbered walkthrough",
            0.5 if h.numbered >= 2 else 0.25 if h.sequence >= 2 else 0.0,
            0.5,
            steps if stepped else "",
        ),
        need("uses the terms of the subject", 0.0 if h.uses_terms else 0.25, 0.25),
        need("keeps to it in later turns", 0.25 if any(other.glosses for other in later) else 0.0, 0.25),
    )
    return Reading({"Assumed": assumed, "Guided": guided}, shows=bool(doc), why_not="the reply is empty")
