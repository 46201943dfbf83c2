"""Tone & Formality (paper 000, Table 4): which register the reply is written in.

What counts is the assistant's own voice, so drafts and messages that it quotes are not read. Two short forms are two
colloquial markers; a possessive is none. A choice put to the user counts as an offer, however indirectly it is put.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.consent import offers
from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.model import Reading, graded, need
from mempa_gym.behaviour.text import Doc

__all__ = ["read"]

_APOSTROPHES = re.compile(r"[^\W\d_]*'[^\W\d_]+")
_TAILS = ("n't", "'re", "'ve", "'ll", "'m", "'d")
# "The table's booked for seven" has a short form in it, "the table's legs" has none.
_IS = re.compile(
    r"\b\w{2,}'s (?:not|now|all|already|been|going|still|just|gone|yours|sorted|a|an|the"
    r"|(?:booked|done|set|ready|free|good|fine|open|closed|full|off|out|up|in|on|at|here|there|confirmed|paid|sent)"
    r"(?=[ ]?(?:[.,;:!?—–-]|$|for|at|on|in|to|until|from|by|with|and|but)))\b",
    re.I,
)
_SMILE_MARKS = (":)", ":-)", ":(", ";)", ";-)", ":D", ":P", "<3")
_SMILE = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff]|(?<!\\w)[:;]-?[)D(P](?!\\w)|<3")
_HEAP = 5
_HEAP_SHARE = 0.6
_WORTH_READING = 6


@dataclass(frozen=True, slots=True)
class _Register:
    short: tuple[str, ...]
    colloquial: tuple[str, ...]
    connectives: tuple[str, ...]
    opening: str
    closing: str
    sign_off: str
    offer: str
    heaped: bool

    @property
    def markers(self) -> int:
        return len(self.short) + len(self.colloquial)

    @property
    def frames(self) -> tuple[str, ...]:
        return tuple([span for span in (self.opening, self.closing, self.sign_off) if span])


def read(exchange: Exchange) -> Reading:
    """Reads the register of the decision turn's reply; a slip in a later turn weighs less."""
    r = _register(exchange.first.doc)
    later = [_register(turn.doc) for turn in exchange.turns[1:] if turn.doc.size >= _WORTH_READING]
    marks = (*r.short, *r.colloquial)
    framed = min(1.0, 0.5 * (bool(r.opening) + bool(r.closing)) + 0.3 * bool(r.sign_off))
    later_frames = [frame for other in later for frame in other.frames]
    later_marks = sum(other.markers for other in later)
    casual = (
        need("uses two or more colloquial markers", graded(r.markers, ((0, 0.75), (1, 0.4)), 0.0), 0.75, *marks),
        need("has no opening formula or sign-off", framed, 0.5, *r.frames),
        need("does not argue in formal connectives", _argued(r), 0.3, *r.connectives),
        need("says something besides the markers", 0.6 * r.heaped, 0.6),
        need("keeps to it in later turns", 0.25 * bool(later_frames), 0.25, *later_frames),
    )
    consultative = (
        need(
            "uses at most one colloquial marker",
            graded(r.markers, ((1, 0.0), (2, 0.3), (3, 0.55)), 0.75),
            0.5,
            *marks,
        ),
        need("has no opening formula or sign-off", framed, 0.5, *r.frames),
        need("puts an offer or a choice to the user", 0.5 * (not r.offer), 0.5, r.offer),
        need("keeps to it in later turns", 0.25 * (bool(later_frames) or later_marks >= 4), 0.25, *later_frames),
    )
    formula = 0.0 if r.opening or r.closing else 0.3 if r.sign_off else 0.45
    formal = (
        need("uses no contractions", min(0.75, 0.3 * len(r.short)), 0.5, *r.short),
        need("uses no other colloquial markers", min(0.5, 0.2 * len(r.colloquial)), 0.3, *r.colloquial),
        need("has a formal connective", 0.3 * (not r.connectives), 0.3, *r.connectives),
        need("has a conventional opening or closing line", formula, 0.45, r.opening, r.closing),
        need("keeps to it in later turns", 0.25 * (later_marks >= 2), 0.25),
    )
    return Reading(
        {"Casual": casual, "Consultative": consultative, "Formal": formal},
        shows=bool(exchange.first.doc),
        why_not="the reply is empty",
    )


def _register(doc: Doc) -> _Register:
    tone = load("tone")
    colloquial: list[str] = []
    connectives: list[str] = []
    opening = closing = sign_off = ""
    marked = 0
    last = len(doc.sentences) - 1
    for i, sentence in enumerate(doc.sentences):
        hits = tone.find(sentence.words)
        covered = sum([hit.end - hit.start for hit in hits if hit.kind in ("connective", "colloquial")])
        for hit in hits:
            span = " ".join(sentence.words[hit.start : hit.end])
            if hit.kind == "colloquial":
                colloquial.append(span)
                marked += hit.end - hit.start
            elif hit.kind == "connective":
                # A connective connects: a heap of them says nothing.
                if len(sentence.words) >= covered + 3:
                    connectives.append(span)
            elif hit.kind == "opening":
                if i <= 1:
                    opening = opening or span
            elif hit.kind == "closing":
                if i >= last - 3 and (i > 0 or last == 0):
                    closing = closing or span
            elif i >= last - 1 and i > 0:
                sign_off = span
    text = " ".join([sentence.text for sentence in doc.sentences])
    short = _short_forms(text)
    if not text.isascii() or any(mark in text for mark in _SMILE_MARKS):
        colloquial.extend(_SMILE.findall(text))
    put = offers(doc)
    marked += len(short)
    return _Register(
        short,
        tuple(colloquial),
        tuple(connectives),
        opening,
        closing,
        sign_off,
        put[0] if put else "",
        marked >= _HEAP and marked > _HEAP_SHARE * doc.size,
    )


def _short_forms(text: str) -> tuple[str, ...]:
    bare = sorted(words("bare_short_forms").intersection(text.lower().split()))
    if "'" not in text:
        return tuple(bare)
    subjects, clipped = words("subjects_of_is"), words("clipped")
    found = []
    for word in _APOSTROPHES.findall(text):
        low = word.lower()
        if low.endswith(_TAILS) or low in clipped or (low.endswith("'s") and low[:-2] in subjects):
            found.append(word)
    if "'s " in text:
        found.extend(_IS.findall(text))
    return (*found, *bare)


def _argued(r: _Register) -> float:
    # One "however" is everyday English; several connectives, or one in a reply without any marker, set the register.
    weight = sum(1 for word in r.connectives if word != "however")
    return 0.0 if weight == 0 or (weight == 1 and r.markers >= 2) else min(0.5, 0.25 * weight)
