"""How a query meets a text: whole words or their beginnings, without case and accents.

Matching beginnings rather than any substring keeps "art" from finding "party", and finds "rehearsals" for
"rehearsal".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["fold", "haystack", "needles"]

_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """Returns a text without case and accents, for comparing names."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def haystack(texts: Iterable[str]) -> str:
    """Returns texts as one string in which every word follows a space, so that " word" finds a word's beginning."""
    words = _WORD.findall(fold(" ".join(texts)))
    return f" {' '.join(words)}" if words else ""


def needles(query: str | None) -> tuple[str, ...]:
    """Returns the words of a query, each with the space that marks a word's beginning, longest first."""
    if not query:
        return ()
    # The longest word is the rarest, so that most records are ruled out by one look.
    return tuple(sorted({f" {word}" for word in _WORD.findall(fold(query))}, key=lambda word: (-len(word), word)))
