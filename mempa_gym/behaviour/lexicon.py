"""Word lists as data, and one pass that finds all of them in a sentence.

A detector asks for a dozen kinds of phrase in every sentence. One alternation of hundreds of phrases per kind is slow in
Python's regular expressions and hard to read in code. Here the phrases stand in YAML, are spread out once, and are found
by a look-up of each word: the cost grows with the reply, not with the lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from mempa_gym.behaviour.text import words_of
from mempa_gym.errors import DataError
from mempa_gym.resources import read_yaml

__all__ = ["Hit", "Lexicon", "load"]

_GROUP = re.compile(r"\(([^()]*)\)")
_ANY = "_"
_GAP = "~"
_GAP_WORDS = 4


class Hit(NamedTuple):
    """A phrase found in a sentence: its kind and the words it covers, ``words[start:end]``."""

    kind: str
    start: int
    end: int


class _Node:
    """A place in the tree of phrases: where each next word leads, and the kinds of phrase that are complete here."""

    __slots__ = ("any", "ends", "final", "gap", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.gap: _Node | None = None
        self.ends: tuple[str, ...] = ()
        self.final: tuple[str, ...] = ()


class Lexicon:
    """Kinds of phrases, ready to be found.

    A phrase is written in lower case. ``(a|b c|)`` stands for any one of its alternatives, ``_`` for one word, ``~`` for
    up to four words, a final ``$`` for the end of the sentence and a leading ``^`` for its start.

    Args:
        file: Name of the data file, for error messages.
        kinds: Kind of phrase to its phrases.

    Raises:
        DataError: A phrase does not begin with a word.
    """

    __slots__ = ("_anywhere", "_opening", "kinds")

    def __init__(self, file: str, kinds: Mapping[str, Iterable[object]]) -> None:
        self._anywhere = _Node()
        self._opening = _Node()
        self.kinds = frozenset(kinds)
        for kind, phrases in kinds.items():
            for phrase in phrases:
                for written in _alternatives(str(phrase)):
                    words = _pattern_words(written)
                    opening = bool(words) and words[0] == "^"
                    words = words[opening:]
                    if not words or words[0] in (_ANY, _GAP, "$"):
                        raise DataError(file, kind, f"the phrase {phrase!r} does not begin with a word")
                    _plant(self._opening if opening else self._anywhere, words, kind)

    def find(self, words: tuple[str, ...]) -> list[Hit]:
        """Returns the phrases found, in order: the longest of a kind at each place, and none of a kind inside another."""
        hits: list[Hit] = []
        ends: dict[str, int] = {}
        branches = self._anywhere.next
        for i, word in enumerate(words):
            node = branches.get(word)
            found: dict[str, int] = {}
            if node is not None:
                _walk(node, words, i + 1, found)
            if i == 0:
                node = self._opening.next.get(word)
                if node is not None:
                    _walk(node, words, 1, found)
            for kind, end in found.items():
                if ends.get(kind, 0) <= i:
                    ends[kind] = end
                    hits.append(Hit(kind, i, end))
        return hits

    def kinds_in(self, words: tuple[str, ...]) -> frozenset[str]:
        """Returns the kinds found at least once."""
        return frozenset(hit.kind for hit in self.find(words))


@cache
def load(name: str) -> Lexicon:
    """Returns the packaged lexicon ``data/behaviour/<name>.yaml``, read once.

    Raises:
        DataError: The file is missing or malformed.
    """
    relative = f"behaviour/{name}.yaml"
    raw = read_yaml(relative)
    if not isinstance(raw, dict):
        raise DataError(f"data/{relative}", "", "a mapping of kinds to lists of phrases is expected")
    for kind, phrases in raw.items():
        if not isinstance(phrases, list) or not all(isinstance(phrase, (str, int)) for phrase in phrases):
            raise DataError(f"data/{relative}", kind, "a list of phrases is expected")
    return Lexicon(f"data/{relative}", raw)


def _plant(node: _Node, words: tuple[str, ...], kind: str) -> None:
    for word in words:
        if word == "$":
            if kind not in node.final:
                node.final = (*node.final, kind)
            return
        if word == _ANY:
            node.any = node.any or _Node()
            node = node.any
        elif word == _GAP:
            node.gap = node.gap or _Node()
            node = node.gap
        else:
            node = node.next.setdefault(word, _Node())
    if kind not in node.ends:
        node.ends = (*node.ends, kind)


def _walk(node: _Node, words: tuple[str, ...], at: int, found: dict[str, int]) -> None:
    # Follows every phrase that goes on from here and keeps the furthest end of each kind.
    size = len(words)
    while True:
        for kind in node.ends:
            if found.get(kind, -1) < at:
                found[kind] = at
        if at == size:
            for kind in node.final:
                found[kind] = at
        if node.gap is not None:
            for skip in range(min(_GAP_WORDS, size - at) + 1):
                _walk(node.gap, words, at + skip, found)
        if at >= size:
            return
        if node.any is not None:
            _walk(node.any, words, at + 1, found)
        following = node.next.get(words[at])
        if following is None:
            return
        node = following
        at += 1


def _alternatives(phrase: str) -> list[str]:
    match = _GROUP.search(phrase)
    if match is None:
        return [phrase]
    head, tail = phrase[: match.start()], phrase[match.end() :]
    return [full for choice in match[1].split("|") for full in _alternatives(f"{head}{choice}{tail}")]


def _pattern_words(phrase: str) -> tuple[str, ...]:
    words: list[str] = []
    for part in phrase.split():
        if part in (_ANY, _GAP, "^", "$"):
            words.append(part)
        else:
            words.extend(words_of(part))
    return tuple(words)
