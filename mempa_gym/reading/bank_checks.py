"""Are two banks of wording really two?

What speaks (the packaged users' scripts) and what is learned from (the train bank) come from one house. A score
means something only as long as the second does not contain the first, so a check compares them: no shared run of
five words with three content words in it, and no near-duplicate sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mempa_gym.reading.lexicon import EMPTY, stem

__all__ = ["Overlap", "overlaps"]

RUN = 5
CONTENT = 3
ALIKE = 0.7
_FEWEST = 4

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")


@dataclass(frozen=True, slots=True)
class Overlap:
    """Something that two banks have in common.

    Attributes:
        kind: "run" for a shared run of words, "near-duplicate" for a sentence that says the same in nearly the same
        words. train: the line of the train bank. other: the sentence of the other bank. span: the shared words.
    """

    kind: Literal["run", "near-duplicate"]
    train: str
    other: str
    span: str


def overlaps(train: Iterable[str], others: Iterable[str]) -> list[Overlap]:
    """Returns everything that lines of a train bank share with sentences of another bank; empty is what one wants.

    Args:
        train: lines of the train bank.
        others: texts of the other bank.

    Returns:
        At most one run and one near-duplicate for each pair of sentences, in the order of ``others``.
    """
    runs: dict[tuple[str, ...], str] = {}
    contents: list[tuple[frozenset[str], str]] = []
    holders: dict[str, list[int]] = {}
    for line in train:
        for sentence in _sentences(line):
            spoken = _words(sentence)
            for run in _runs(spoken):
                runs.setdefault(run, line)
            content = _content(spoken)
            if len(content) >= _FEWEST:
                for word in content:
                    holders.setdefault(word, []).append(len(contents))
                contents.append((content, line))
    found: list[Overlap] = []
    for text in others:
        for sentence in _sentences(text):
            spoken = _words(sentence)
            seen: set[str] = set()
            for run in _runs(spoken):
                line_of = runs.get(run)
                if line_of is not None and line_of not in seen:
                    seen.add(line_of)
                    found.append(Overlap("run", line_of, sentence, " ".join(run)))
            found.extend(_near(sentence, _content(spoken), contents, holders))
    return found


def _near(
    sentence: str, content: frozenset[str], contents: list[tuple[frozenset[str], str]], holders: dict[str, list[int]]
) -> Iterable[Overlap]:
    if len(content) < _FEWEST:
        return
    shared: dict[int, int] = {}
    for word in content:
        for index in holders.get(word, ()):
            shared[index] = shared.get(index, 0) + 1
    for index in sorted(shared):
        theirs, line = contents[index]
        if shared[index] / len(content | theirs) >= ALIKE:
            yield Overlap("near-duplicate", line, sentence, " ".join(sorted(content & theirs)))


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


def _words(sentence: str) -> list[str]:
    return _WORD.findall(sentence.lower().replace("’", "'"))


def _content(spoken: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in spoken if word not in EMPTY)


def _runs(spoken: list[str]) -> Iterable[tuple[str, ...]]:
    for start in range(len(spoken) - RUN + 1):
        run = tuple(spoken[start : start + RUN])
        if sum(word not in EMPTY for word in run) >= CONTENT:
            yield run
