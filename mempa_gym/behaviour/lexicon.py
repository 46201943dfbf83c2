"""Word lists as data, and one pass that finds all of them in a sentence.

A detector asks for a dozen kinds of phrase in every sentence. One alternation of hundreds of phrases per kind is slow
in Python's regular expressions and hard to read in code. Here the phrases stand in YAML, are spread out once, and are
found by a look-up of each word: the cost grows with the reply, not with the lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from mempa_gym.behaviour.text import words_of
from mempa_gym.errors import DataError
from mempa_gym.resources import read_yaml

__all__ = ["Hit", "Lexicon", "load", "words"]

_PART = re.compile(r"[()|^$~]|[^\s()|^$~]+")
_ANY = "_"
_GAP = "~"
_NUMBER = "@"
_MARKS = frozenset((_ANY, _GAP, _NUMBER, "$"))
_GAP_WORDS = 4


class Hit(NamedTuple):
    """A phrase found in a sentence: its kind and the words it covers, ``words[start:end]``."""

    kind: str
    start: int
    end: int


class _Node:
    """A place in the tree of phrases: where each next word leads, and the kinds of phrase that are complete here.

    ``links`` lead on without a word, to what follows a choice: all its sides share it, so that a phrase with many
    choices takes as many places as it has words and not as many as it has readings.
    """

    __slots__ = ("any", "ends", "final", "gap", "links", "next", "number", "wild")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.any: _Node | None = None
        self.gap: _Node | None = None
        self.number: _Node | None = None
        self.final: _Node | None = None
        self.ends: tuple[str, ...] = ()
        self.links: tuple[_Node, ...] = ()
        # Whether anything but the next word can lead on from here.
        self.wild = False

    def grown(self, word: str) -> _Node:
        """Returns the place that a word leads to, made when there is none yet."""
        if word in _MARKS:
            self.wild = True
        if word == _ANY:
            self.any = self.any or _Node()
            return self.any
        if word == _GAP:
            self.gap = self.gap or _Node()
            return self.gap
        if word == _NUMBER:
            self.number = self.number or _Node()
            return self.number
        if word == "$":
            self.final = self.final or _Node()
            return self.final
        return self.next.setdefault(word, _Node())


class Lexicon:
    """Kinds of phrases, ready to be found.

    A phrase is written in lower case. ``(a|b c|)`` stands for any one of its alternatives, ``_`` for one word, ``@``
    for a number, ``~`` for up to four words, a final ``$`` for the end of the sentence, a leading ``^`` for its start.

    Args:
        file: Name of the data file, for error messages.
        kinds: Kind of phrase to its phrases.

    Raises:
        DataError: A phrase has no word, or its brackets do not match.
    """

    __slots__ = ("_anywhere", "_opening", "kinds")

    def __init__(self, file: str, kinds: Mapping[str, Iterable[object]]) -> None:
        self._anywhere = _Node()
        self._opening = _Node()
        self.kinds = frozenset(kinds)
        for kind, phrases in kinds.items():
            for phrase in phrases:
                try:
                    _plant_phrase(self._anywhere, self._opening, str(phrase), kind)
                except ValueError as error:
                    raise DataError(file, kind, f"the phrase {phrase!r} {error}") from None

    def find(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        """Returns the phrases found, in order: of a kind the longest at each place, and none inside another."""
        return _found(self, words)

    def kinds_in(self, words: tuple[str, ...]) -> frozenset[str]:
        """Returns the kinds found at least once."""
        return frozenset([hit.kind for hit in _found(self, words)])

    def search(self, words: tuple[str, ...]) -> tuple[Hit, ...]:
        """Does what `find` does, anew."""
        hits: list[Hit] = []
        ends: dict[str, int] = {}
        number = self._anywhere.number
        start = self._anywhere.next.get
        size = len(words)
        for i, word in enumerate(words):
            node = start(word)
            counted = number is not None and word[0].isdigit()
            if (
                node is not None
                and not node.ends
                and not node.wild
                and (i + 1 == size or words[i + 1] not in node.next)
            ):
                node = None
            if node is None and i and not counted:
                continue
            found: dict[str, int] = {}
            if node is not None:
                _walk(node, words, i + 1, found)
            if number is not None and counted:
                _walk(number, words, i + 1, found)
            if i == 0:
                opening = self._opening
                node = opening.next.get(word)
                if node is not None:
                    _walk(node, words, 1, found)
                if opening.any is not None:
                    _walk(opening.any, words, 1, found)
            for kind, end in found.items():
                if ends.get(kind, 0) <= i:
                    ends[kind] = end
                    hits.append(Hit(kind, i, end))
        return tuple(hits)


@lru_cache(maxsize=2048)
def _found(lexicon: Lexicon, words: tuple[str, ...]) -> tuple[Hit, ...]:
    # Several questions are asked about each sentence, and the judge asks them again after the user.
    return lexicon.search(words)


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


@cache
def words(name: str) -> frozenset[str]:
    """Returns a named set of words from ``data/behaviour/words.yaml``.

    Raises:
        DataError: The file is malformed or has no such set.
    """
    sets = _word_sets()
    if name not in sets:
        raise DataError("data/behaviour/words.yaml", name, "there is no such set of words")
    return sets[name]


@cache
def _word_sets() -> dict[str, frozenset[str]]:
    raw = read_yaml("behaviour/words.yaml")
    if not isinstance(raw, dict) or not all(isinstance(value, str) for value in raw.values()):
        raise DataError("data/behaviour/words.yaml", "", "a mapping of names to words in one text is expected")
    return {str(name): frozenset(value.split()) for name, value in raw.items()}


def _plant_phrase(anywhere: _Node, opening: _Node, phrase: str, kind: str) -> None:
    parts = _PART.findall(phrase)
    ends, stop = _plant(parts, 0, [anywhere], anywhere, opening)
    if stop < len(parts):
        raise ValueError("has a closing bracket too many")
    for node in ends:
        if node in (anywhere, opening):
            raise ValueError("has a choice without any word")
        if kind not in node.ends:
            node.ends = (*node.ends, kind)


def _plant(parts: list[str], at: int, start: list[_Node], anywhere: _Node, opening: _Node) -> tuple[list[_Node], int]:
    # Grows all choices at once, from every place reached so far, up to the closing bracket of this group.
    reached: list[_Node] = []
    current = start
    while at < len(parts) and parts[at] != ")":
        part = parts[at]
        at += 1
        if part == "|":
            reached += current
            current = start
        elif part == "(":
            current, at = _plant(parts, at, current, anywhere, opening)
            if at >= len(parts):
                raise ValueError("lacks a closing bracket")
            at += 1
            if at < len(parts) and parts[at] not in ("|", ")"):
                current = _joined(current, (anywhere, opening))
        elif part == "^":
            if current != [anywhere]:
                raise ValueError("has ^ after a word")
            current = [opening]
        else:
            spread = (part,) if part in _MARKS else words_of(part)
            if not spread:
                raise ValueError(f"has the part {part!r} without any word")
            for word in spread:
                current = [node.grown(word) for node in current]
    return _once(reached + current), at


def _joined(nodes: list[_Node], roots: tuple[_Node, ...]) -> list[_Node]:
    # A choice may be left out at the head of a phrase; nothing leads to a root, so that side goes on by itself.
    kept = [node for node in nodes if node in roots]
    sides = [node for node in nodes if node not in roots]
    if len(sides) < 2:
        return nodes
    join = _Node()
    for node in sides:
        node.links = (*node.links, join)
        node.wild = True
    return [*kept, join]


def _once(nodes: list[_Node]) -> list[_Node]:
    return list(dict.fromkeys(nodes))


def _walk(node: _Node, words: tuple[str, ...], at: int, found: dict[str, int]) -> None:
    # Follows every phrase that goes on from here and keeps the furthest end of each kind.
    size = len(words)
    while True:
        for kind in node.ends:
            if found.get(kind, -1) < at:
                found[kind] = at
        for link in node.links:
            _walk(link, words, at, found)
        if node.gap is not None:
            for skip in range(min(_GAP_WORDS, size - at) + 1):
                _walk(node.gap, words, at + skip, found)
        if at == size:
            if node.final is not None:
                for kind in node.final.ends:
                    found[kind] = at
            return
        word = words[at]
        at += 1
        if node.any is not None:
            _walk(node.any, words, at, found)
        if node.number is not None and word[0].isdigit():
            _walk(node.number, words, at, found)
        following = node.next.get(word)
        if following is None:
            return
        node = following
