"""Tone & Formality (paper 000, Table 4): which register the reply is written in.

What counts is the assistant's own voice, so drafts and messages it quotes are not read. Two short forms are two colloquial
markers; a possessive is none. A choice put to the user counts as an offer however indirectly it is put.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mempa_gym.behaviour.exchange import Exchange
from mempa_gym.behaviour.lexicon import load
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import offers
from mempa_gym.behaviour.text import Doc

__all__ = ["read"]

_APOSTROPHES = re.compile(r"[^\W\d_]*'[^\W\d_]+")
_TAILS = ("n't", "'re", "'ve", "'ll", "'m", "'d")
_IS_AFTER = frozenset(
    "it that this there here what who where how when why he she let everything nothing something all one everyone".split()
)
_BARE = frozenset(
    "gonna wanna gotta dont didnt doesnt isnt wasnt thats youre ive im cant couldnt wont shouldnt".split()
)
# "The table's booked for seven" has a short form in it, "the table's legs" has not.
_IS = re.compile(
    r"\b\w{2,}'s (?:not|now|all|already|been|going|still|just|gone|yours|sorted|a|an|the"
    r"|(?:booked|done|set|ready|free|good|fine|open|closed|full|off|out|up|in|on|at|here|there|confirmed|paid|sent)(?=[ ]?(?:[.,;:!?—–-]|$|for|at|on|in|to|until|from|by|with|and|but)))\b",
    re.I,
)
_SMILE_MARKS = (":)", ":-)", ":(", ";)", ";-)", ":D", ":P", "<3")
_SMILE = re.compile("[\U0001f300-\U0001faff\u2600-\u26ff]|(?<!\\w)[:;]-?[)D(P](?!\\w)|<3")


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
        return tuple(span for span in (self.opening, self.closing, self.sign_off) if span)


def _register(doc: Doc) -> _Register:
    tone = load("tone")
    colloquial: list[str] = []
    connectives: list[str] = []
    opening = closing = sign_off = ""
    marked = 0
    last = len(doc.sentences) - 1
    for i, sentence in enumerate(doc.sentences):
        words = sentence.words
        hits = tone.find(words)
        covered = sum(hit.end - hit.start for hit in hits if hit.kind in ("connective", "colloquial"))
        for hit in hits:
            span = " ".join(words[hit.start : hit.end])
            if hit.kind == "colloquial":
                colloquial.append(span)
                marked += hit.end - hit.start
            elif hit.kind == "connective":
                # A connective connects: a heap of them says nothing.
                if len(words) >= covered + 3:
                    connectives.append(span)
            elif hit.kind == "opening" and i <= 1 and not opening:
                opening = span
            elif hit.kind == "closing" and i >= last - 3 and (i > 0 or last == 0) and not closing:
                closing = span
            elif hit.kind == "sign_off" and i >= last - 1 and i > 0:
                sign_off = span
    text = " ".join([sentence.text for sentence in doc.sentences])
    short = _short_forms(text)
    if not text.isascii() or any(mark in text for mark in _SMILE_MARKS):
        colloquial.extend(_SMILE.findall(text))
    put = offers(doc)
    heaped = marked + len(short) >= 5 and (marked + len(short)) > 0.6 * doc.size
    return _Register(
        short, tuple(colloquial), tuple(connectives), opening, closing, sign_off, put[0] if put else "", heaped
    )


def _short_forms(text: str) -> tuple[str, ...]:
    bare = _BARE.intersection(text.lower().split())
    if "'" not in text:
        return tuple(sorted(bare))
    found = []
    for word in _APOSTROPHES.findall(text):
        low = word.lower()
        if (
            low.endswith(_TAILS)
            or low in ("'cause", "'em", "'til", "y'all")
            or (low.endswith("'s") and low[:-2] in _IS_AFTER)
        ):
            found.append(word)
    if "'s " in text:
        found.extend(_IS.findall(text))
    return (*found, *sorted(bare))


def read(exchange: Exchange) -> Reading:
    """Reads the register of the decision turn's reply; a slip in a later turn weighs less."""
    doc = exchange.first.doc
    r = _register(doc)
    later = [_register(turn.doc) for turn in exchange.turns[1:] if turn.doc.size >= 6]
    markers = r.markers
    shown = (*r.short, *r.colloquial)
    frames = r.frames
    later_markers = sum(other.markers for other in later)
    later_frames = [frame for other in later for frame in other.frames]

    casual = (
        need("uses two or more colloquial markers", (0.75, 0.4)[markers] if markers < 2 else 0.0, 0.75, *shown),
        need("has no opening formula or sign-off", _frame_loss(r), 0.5, *frames),
        need("does not argue in formal connectives", _formal_loss(r), 0.3, *r.connectives),
        need("says something besides the markers", 0.6 if r.heaped else 0.0, 0.6),
        need("keeps to it in later turns", 0.25 if later_frames else 0.0, 0.25, *later_frames),
    )
    much = 0.0 if markers <= 1 else 0.3 if markers == 2 else 0.55 if markers == 3 else 0.75
    consultative = (
        need("uses at most one colloquial marker", much, 0.5, *shown),
        need("has no opening formula or sign-off", _frame_loss(r), 0.5, *frames),
        need("puts an offer or a choice to the user", 0.0 if r.offer else 0.5, 0.5, r.offer),
        need("keeps to it in later turns", 0.25 if later_frames or later_markers >= 4 else 0.0, 0.25, *later_frames),
    )
    short = len(r.short)
    plain = len(r.colloquial)
    formal_frames = tuple(span for span in (r.opening, r.closing) if span)
    frame_lost = 0.0 if formal_frames else 0.3 if r.sign_off else 0.45
    formal = (
        need("uses no contractions", min(0.75, 0.3 * short), 0.5, *r.short),
        need("uses no other colloquial markers", min(0.5, 0.2 * plain), 0.3, *r.colloquial),
        need("has a formal connective", 0.0 if r.connectives else 0.3, 0.3, *r.connectives),
        need("has a conventional opening or closing line", frame_lost, 0.45, *formal_frames),
        need("keeps to it in later turns", 0.25 if later_markers >= 2 else 0.0, 0.25),
    )
    return Reading(
        {"Casual": casual, "Consultative": consultative, "Formal": formal},
        shows=bool(doc),
        why_not="the reply is empty",
    )


def _frame_loss(r: _Register) -> float:
    conventional = (bool(r.opening) + bool(r.closing)) * 0.5
    return min(1.0, conventional + (0.3 if r.sign_off else 0.0))


def _formal_loss(r: _Register) -> float:
    # One "however" is everyday English; several, or one beside a formula, set the register.
    weight = sum(1 for word in r.connectives if word != "however")
    return 0.0 if weight == 0 or (weight == 1 and r.markers >= 2) else min(0.5, 0.25 * weight)
