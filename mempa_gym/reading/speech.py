"""Taking a user's message apart: sentences, clauses, and what each clause does with what it mentions.

"Too long for a phone, one line will do" names two ways to answer and wants one of them. A bag of words cannot tell
which; a clause can, from how it is built: an order or a wish asks for what it mentions, "too", "no" and "skip" turn
it down, and a plain statement ("you gave me one line") is praise or complaint depending on the message around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mempa_gym.reading.lexicon import lexicon, stem, words

__all__ = ["STOP", "Clause", "Sentence", "sentences"]

STOP = frozenset("the a an i you it and of to in is that for on with at my me so but 's be was this".split())

_FILLERS = frozenset(
    "and but so then well oh ah okay ok right listen look honestly please just now or yes yeah really".split()
)
_SUBJECTS = {
    **dict.fromkeys(("i", "we", "my"), "I"),
    **dict.fromkeys(("you", "your"), "YOU"),
    **dict.fromkeys(("that", "it", "this", "there"), "THAT"),
}
_MODALS = frozenset("could should would might must ought 'd".split())
_QUESTIONS = frozenset("why what how where which who when".split())
_AUXILIARIES = frozenset("could can would did do does is are should have was".split())
_DENIALS = frozenset("no not nothing never nobody none without".split())
_EXCESS = frozenset("too so such all half".split())
_CONDITIONS = frozenset("if when while because since".split())
_TURNED = frozenset("not no never nothing nobody none hardly".split())
_CONDITIONAL = frozenset("could should would 'd".split())
_ENDS = frozenset(".?!…")
_MARKS = frozenset(",.;:?!…")
_NEGATED_FOR = 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between punctuation marks or before "and", "but", "so".

    Attributes:
        words: lower-case words. stems: the same words folded. kind: how it is built: IMP, DONT, I, YOU, THAT,
        PRAISE and so on. mark: the punctuation mark after it, or "". valence: 1 when it asks for what it mentions,
        -1 when it turns that down, between for weak cases; None for a plain
            statement.
        negated: for each word, whether it stands shortly after a negation.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    kind: str
    mark: str
    valence: float | None
    negated: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The clauses of one sentence."""

    clauses: tuple[Clause, ...]


def sentences(text: str) -> tuple[Sentence, ...]:
    """Returns a message taken apart; a fragment of one or two words is kept with the sentence after it."""
    found: list[Sentence] = []
    held: list[Clause] = []
    size = 0
    for clause in _clauses(words(text)):
        held.append(clause)
        size += len(clause.words)
        if clause.mark in _ENDS and clause.mark and size > 2:
            found.append(Sentence(tuple(held)))
            held, size = [], 0
    if held:
        if size <= 2 and found:
            held = [*found.pop().clauses, *held]
        found.append(Sentence(tuple(held)))
    return tuple(found)


def _clauses(tokens: list[str]) -> Iterator[Clause]:
    held: list[str] = []
    for token in tokens:
        if token in _MARKS:
            if held:
                yield _clause(held, token)
                held = []
        elif token in ("but", "and", "so") and len(held) >= 2:
            yield _clause(held, "")
            held = [token]
        else:
            held.append(token)
    if held:
        yield _clause(held, "")


def _clause(parts: list[str], mark: str) -> Clause:
    kind = _kind(parts)
    negations = lexicon().negations
    left = 0
    negated = []
    for word in parts:
        negated.append(left > 0)
        left = _NEGATED_FOR if word in negations else max(0, left - 1)
    return Clause(tuple(parts), tuple(stem(word) for word in parts), kind, mark, _valence(parts, kind), tuple(negated))


def _head(parts: list[str]) -> int:
    i = 0
    while i < len(parts) and parts[i] in _FILLERS:
        i += 1
    return i


def _kind(parts: list[str]) -> str:
    known = lexicon()
    i = _head(parts)
    if i == len(parts):
        return "FILL"
    word = parts[i]
    after = parts[i + 1] if i + 1 < len(parts) else ""
    if word == "do" and after == "not":
        return "DONT"
    if word in known.imperatives and after not in ("'s", "is", "are", "was"):
        return "IMP"
    if word in _SUBJECTS:
        subject = _SUBJECTS[word]
        if after in _MODALS:
            return f"{subject}_MOD"
        return f"{subject}_DO" if after in ("do", "did", "does") else subject
    if word in _DENIALS:
        return "NO"
    if word in _QUESTIONS:
        return "WH"
    if word in _AUXILIARIES:
        return "AUX"
    groups = known.groups.get(word, ())
    if "praise" in groups:
        return "PRAISE"
    if "complain" in groups:
        return "COMP"
    if word in _EXCESS:
        return "TOO"
    if word in ("a", "an", "the"):
        return "NP"
    if word in _CONDITIONS:
        return "IF"
    return "ING" if word.endswith("ing") else "OTHER"


def _valence(parts: list[str], kind: str) -> float | None:
    turned = any(word in _TURNED for word in parts)
    if kind == "DONT":
        return -1.0
    if kind == "IMP":
        if parts[_head(parts)] in lexicon().refusing:
            return -1.0
        return -0.5 if turned else 1.0
    if any(word in _CONDITIONAL for word in parts) or "rather" in parts or "sooner" in parts:
        return -1.0 if turned else 1.0
    if parts[0] in ("too", "so") or "too" in parts or "much" in parts or "many" in parts:
        return -1.0
    return -1.0 if kind == "NO" else None
