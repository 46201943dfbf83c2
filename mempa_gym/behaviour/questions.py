"""Asking for facts of the task: which sentences do, and for how many facts each.

One question mark may ask for three facts and three list items may ask without any, so facts are counted, not question
marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.consent import asks_leave
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.manner import asks_about_manner
from mempa_gym.behaviour.text import Doc, Sentence

__all__ = ["Ask", "asks_for_fields"]

_SEGMENT = re.compile(r"[,;/]|\band\b|\bplus\b|\bas well as\b|\(\d\)|\b\d\)")
_INLINE = re.compile(r"(?:^|[\s;,])(?:\(\d\)|\d[.)]|\([a-d]\))\s+\S")
# "What day and time", "the date, the number of guests": the first two of several things asked for in a row.
_ROW = re.compile(
    r"\b(?:what|which|the|your|a|an|need|know|preferred|me|exact)\s+(?:\w+\s+){0,2}?(\w+)(?:\s*\([^)]*\))?"
    r"\s*(?:,|/|\band\b|\bplus\b|&)\s*(?:and\s+)?"
    r"(?:the\s+|your\s+|a\s+|what\s+|which\s+|preferred\s+|how many\s+)?(\w+)(?:\s+(\w+))?"
)
_LONGEST_ITEM = 30
_LONGEST_NOTICE = 9


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for facts of the task: its words, its line, and how many facts it asks for."""

    text: str
    line: int
    facts: int


def asks_for_fields(doc: Doc) -> tuple[Ask, ...]:
    """Returns the requests for facts that the task lacks, in order.

    Questions for leave, courtesies, questions after the fact and questions about manner are none. Items of a list below
    a sentence that asks for them count one each.
    """
    speech = load("speech")
    asks: list[Ask] = []
    listing = False
    for i, sentence in enumerate(doc.sentences):
        item = sentence.kind in ("bullet", "number")
        if item and listing:
            if doc.lines[sentence.line].start == i and len(sentence.words) <= _LONGEST_ITEM:
                asks.append(Ask(sentence.text, sentence.line, _facts(sentence) if sentence.asks else 1))
            continue
        listing = listing and item
        kinds = speech.kinds_in(sentence.words)
        if not _asks(sentence, kinds):
            continue
        if _list_follows(doc, sentence, i) and (sentence.text.endswith(":") or "intro" in kinds):
            listing = True
        elif sentence.asks or not _only_announces(sentence.words):
            asks.append(Ask(sentence.text, sentence.line, _facts(sentence)))
    return tuple(asks)


def _asks(sentence: Sentence, kinds: frozenset[str]) -> bool:
    if not sentence.asks and "request" not in kinds:
        return False
    if "courtesy" in kinds or ("afterthought" in kinds and ("wh" not in kinds or not sentence.asks)):
        return False
    return not asks_about_manner(sentence) and not asks_leave(sentence, kinds)


def _list_follows(doc: Doc, sentence: Sentence, i: int) -> bool:
    after = sentence.line + 1
    ends_line = doc.lines[sentence.line].end == i + 1
    return ends_line and after < len(doc.lines) and doc.lines[after].kind in ("bullet", "number")


def _only_announces(spoken: tuple[str, ...]) -> bool:
    # "Two quick questions first." is followed by the questions themselves.
    if len(spoken) > _LONGEST_NOTICE or words("announced").isdisjoint(spoken):
        return False
    return words("field_nouns").isdisjoint(spoken)


def _facts(sentence: Sentence) -> int:
    """Counts the facts that one sentence asks for; at least one."""
    inline = len(_INLINE.findall(sentence.text))
    if inline >= 2:
        return inline
    spoken = sentence.words
    low = sentence.text.lower()
    asking = words("question_words")
    count = sum(1 for i, word in enumerate(spoken) if word in asking and _opens_question(spoken, i, low))
    if sentence.asks and "or" not in spoken:
        # "What is the budget, and does she like cooking?"
        helpers = words("auxiliaries")
        joints = [i for i, word in enumerate(spoken[:-2]) if i > 1 and word == "and" and spoken[i + 1] in helpers]
        count = max(count, 1) + len(joints)
    return max(count, 1, _row_length(low), _named(low) if not sentence.asks or spoken[0] in words("requesting") else 1)


def _named(low: str) -> int:
    # "I need the number of pots, the kind of plants and a delivery day."
    parts = [part.split() for part in _SEGMENT.split(low) if part.strip()]
    heads = words("naming")
    return 1 + sum([part[0] in heads for part in parts[1:]])


def _opens_question(spoken: tuple[str, ...], i: int, low: str) -> bool:
    # In a relative clause ("the day that is when we meet") nothing is asked.
    if i == 0 or spoken[i - 1] in words("before_question"):
        return True
    return f", {spoken[i]}" in low or f": {spoken[i]}" in low


def _row_length(low: str) -> int:
    nouns = words("field_nouns")
    for match in _ROW.finditer(low):
        if match[1] in nouns and (match[2] in nouns or match[3] in nouns):
            return sum(1 for part in _SEGMENT.split(low) if not nouns.isdisjoint(part.strip(" ?.!:").split()))
    return 0
