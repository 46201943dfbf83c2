"""Asking how the user wants to be helped.

In a probe that is asking for the answer, and the judge gives the lowest score for it; in a live session it costs a
price. A question for a fact of the task must never be taken for one, nor a question about the manner of something
written for somebody else: "How formal should the invitation be?"
"""

from __future__ import annotations

from functools import lru_cache

from mempa_gym.behaviour.lexicon import load, words
from mempa_gym.behaviour.text import Doc, Sentence, parse

__all__ = ["asks_about_manner", "asks_preference", "manner_question"]

_OPENING = 6


@lru_cache(maxsize=2048)
def asks_preference(reply: str) -> str | None:
    """Returns the words with which a reply asks how the user wants to be helped; None when it does not."""
    return manner_question(parse(reply))


def manner_question(doc: Doc) -> str | None:
    """Does what `asks_preference` does for a reply that is taken apart already."""
    return next((sentence.text for sentence in doc.sentences if asks_about_manner(sentence)), None)


def asks_about_manner(sentence: Sentence) -> bool:
    """Returns whether a sentence asks for the user's preference about the assistant's manner."""
    if not sentence.asks and not _asks_to_be_told(sentence.words[:_OPENING]):
        return False
    kinds = load("preference").kinds_in(sentence.words)
    if "product" in kinds and "toward_user" not in kinds:
        return False
    if "manner" in kinds or ("pace" in kinds and "assistant" in kinds):
        return True
    return sentence.asks and "standing" in kinds and "act" in kinds


def _asks_to_be_told(opening: tuple[str, ...]) -> bool:
    return not words("told").isdisjoint(opening) and not words("telling").isdisjoint(opening)
