"""Words grouped by meaning, and the folding of word forms that lets a group be found in a text.

A bank of some 1,600 lines is too small to learn that "essay" and "novel" both speak of length. The groups say which
words belong together and nothing about who wants what: that is learned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from mempa_gym.errors import DataError
from mempa_gym.frozen import FrozenDict
from mempa_gym.resources import read_yaml
from mempa_gym.taxonomy import CONTEXTS, attributes

__all__ = ["EMPTY", "LEXICON_FILE", "Lexicon", "lexicon", "stem", "words"]

LEXICON_FILE = "banks/lexicon.yaml"

_TOKEN = re.compile(r"[a-z]+|'(?:ve|re|ll|d|m|s)\b|[?!,.;:…]|\d+")
_OPENED = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
)
_ENDINGS = ("ingly", "edly", "ings", "ing", "ies", "ied", "edly", "ed", "ers", "er", "est", "ly", "es", "s", "e")
_MARKS = frozenset(",.;:?!…")


# Words without content: they may follow each other in any two texts.
EMPTY = frozenset(
    """
    a about after again all already also always am an and another any anybody anyone anything are as at away back be
    been before being both but by can cannot come could did do does doing done down each either else even ever every
    everybody everything few first for from get gets getting give go goes going gone got had half has have having he
    her here hers herself him himself his how i if in instead into is it its itself just last later least less let
    like make makes many may maybe me mean might mine more most much must my myself neither never next no nobody
    none nor not nothing now of off often oh ok okay on once one only onto or other others our ours out over own
    please put quite rather really right s same say says see she should since so some somebody someone something
    soon still such sure t take tell than thank thanks that the their theirs them then there these they thing things
    think this those though three through to today together too two under until up upon us very want wanted wants
    was way we well went were what whatever when where which while who whole whom whose why will with within without
    would yes yet you your yours yourself i'd i'll i'm i've you'd you'll you're you've he's she's it's that's
    there's what's we're we've they're don't didn't doesn't isn't wasn't aren't can't won't wouldn't couldn't
    shouldn't haven't hasn't hadn't let's
    """.split()
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The groups in the form in which they are looked up.

    Attributes:
        groups: word to the names of its groups of attitude and manner.
        imperatives: verbs with which a user tells an assistant what to do.
        refusing: those among them that tell it to leave something out.
        negations: words after which a statement is turned round.
        aspects: attribute id to a phrase of folded words to the labels whose behaviour it speaks of.
        contexts: folded word to the contexts it belongs to.
    """

    groups: Mapping[str, tuple[str, ...]]
    imperatives: frozenset[str]
    refusing: frozenset[str]
    negations: frozenset[str]
    aspects: Mapping[str, Mapping[tuple[str, ...], tuple[str, ...]]]
    contexts: Mapping[str, tuple[str, ...]]


def words(text: str) -> list[str]:
    """Returns the lower-case words and punctuation marks of a text; short forms of "not" are opened."""
    low = text.lower().replace("’", "'")
    for pattern, opened in _OPENED:
        low = pattern.sub(opened, low)
    return _TOKEN.findall(low)


@lru_cache(maxsize=8192)
def _fold(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            if ending in ("ies", "ied"):
                base += "y"
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "ls":
                base = base[:-1]
            return base
    return word


def stem(word: str) -> str:
    """Returns a word without its ending: "asks", "asked" and "asking" become one."""
    return _fold(word) if len(word) < 24 else word


@cache
def lexicon() -> Lexicon:
    """Returns the packaged lexicon.

    Raises:
        DataError: The file does not have the documented shape.
    """
    file = f"data/{LEXICON_FILE}"
    raw = read_yaml(LEXICON_FILE)
    try:
        groups: dict[str, tuple[str, ...]] = {}
        for name, text in raw["groups"].items():
            for word in _split(text):
                groups[word] = (*groups.get(word, ()), name)
        aspects = {item.id: FrozenDict(_phrases(raw["aspects"][item.id], item.labels)) for item in attributes()}
        contexts: dict[str, tuple[str, ...]] = {}
        for name in CONTEXTS:
            for word in _split(raw["contexts"][name]):
                key = stem(word)
                if name not in contexts.get(key, ()):
                    contexts[key] = (*contexts.get(key, ()), name)
        return Lexicon(
            FrozenDict(groups),
            frozenset(_split(raw["imperatives"])),
            frozenset(_split(raw["refusing"])),
            frozenset(_split(raw["negations"])),
            FrozenDict(aspects),
            FrozenDict(contexts),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(file, str(error).strip("'"), "the key is missing or has the wrong type") from None


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _phrases(rows: Mapping[str, str], labels: tuple[str, ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for label in labels:
        for phrase in _split(rows[label]):
            key = tuple(stem(word) for word in words(phrase) if word not in _MARKS)
            if key and label not in found.get(key, ()):
                found[key] = (*found.get(key, ()), label)
    return found
