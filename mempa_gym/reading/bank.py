"""The train bank: hand-written reactions of sampled users, and all that readers may learn from.

One file holds every labelled text, so that "learned from the train bank alone" can be checked by looking at one
hash. The packaged users speak from their own scripts (the eval bank), which nothing in this room opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from mempa_gym.errors import DataError, unknown
from mempa_gym.frozen import FrozenDict
from mempa_gym.resources import read_yaml
from mempa_gym.taxonomy import CONTEXTS, attributes
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = ["BANK_FILE", "Example", "Manner", "TrainBank", "train_bank"]

BANK_FILE = "banks/train.yaml"

Kind = Literal["accept", "correct", "answer", "rule"]


@dataclass(frozen=True, slots=True)
class Manner:
    """What users who want one setting say.

    Attributes:
        accept: acceptances, said after the assistant showed the setting.
        correct: label of the setting that was shown instead, to corrections.
        answer: answers to a direct question about manner, in task terms.
        rule: last words after a bad experience, which state what holds from then on.
        did: what an assistant did under the setting, in prose; nobody says these.
    """

    accept: tuple[str, ...]
    correct: Mapping[str, tuple[str, ...]]
    answer: tuple[str, ...]
    rule: tuple[str, ...]
    did: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled reaction: who wants ``target`` says ``text``; ``shown`` is None where no exchange preceded it."""

    text: str
    attribute: str
    target: str
    shown: str | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class TrainBank:
    """The whole bank.

    Attributes:
        manners: attribute id to setting label to what is said.
        plain: ``accept`` and ``correct`` to lines that accept or correct without saying what.
        neutral: messages that say nothing about manner.
        openings: context to first messages of tasks that belong to it.
    """

    manners: Mapping[str, Mapping[str, Manner]]
    plain: Mapping[str, tuple[str, ...]]
    neutral: tuple[str, ...]
    openings: Mapping[str, tuple[str, ...]]

    def reactions(self, attribute: str, target: str, shown: str) -> tuple[str, ...]:
        """Returns what a user who wants ``target`` says after ``shown`` was shown.

        Raises:
            UnknownNameError: The attribute or a setting does not exist.
        """
        item = get_attribute(attribute)
        item.setting(target)
        item.setting(shown)
        manner = self.manners[attribute][target]
        return manner.accept if target == shown else manner.correct[shown]

    def answers(self, attribute: str, target: str) -> tuple[str, ...]:
        """Returns what a user who wants ``target`` answers when asked directly.

        Raises:
            UnknownNameError: The attribute or the setting does not exist.
        """
        get_attribute(attribute).setting(target)
        return self.manners[attribute][target].answer

    def examples(self) -> Iterator[Example]:
        """Yields every labelled reaction, in the order of the file."""
        for attribute, rows in self.manners.items():
            for target, manner in rows.items():
                for text in manner.accept:
                    yield Example(text, attribute, target, target, "accept")
                for shown, texts in manner.correct.items():
                    for text in texts:
                        yield Example(text, attribute, target, shown, "correct")
                for text in manner.answer:
                    yield Example(text, attribute, target, None, "answer")
                for text in manner.rule:
                    yield Example(text, attribute, target, None, "rule")

    def texts(self) -> Iterator[str]:
        """Yields everything that somebody says: reactions, answers, rules, plain and neutral lines, openings."""
        for example in self.examples():
            yield example.text
        for texts in self.plain.values():
            yield from texts
        yield from self.neutral
        for context in CONTEXTS:
            yield from self.openings[context]


@cache
def train_bank() -> TrainBank:
    """Returns the packaged train bank.

    Raises:
        DataError: The file does not have the documented shape.
    """
    return read_bank(read_yaml(BANK_FILE), f"data/{BANK_FILE}")


def read_bank(raw: Any, file: str) -> TrainBank:
    """Checks plain data and returns the bank it holds.

    Raises:
        DataError: A part is missing, has the wrong shape, or occurs twice.
    """
    top = _mapping(raw, file, "")
    _keys(top, ("attributes", "plain", "neutral", "openings"), file, "")
    rows = _mapping(top["attributes"], file, "attributes")
    _keys(rows, tuple(item.id for item in attributes()), file, "attributes")
    manners: dict[str, Mapping[str, Manner]] = {}
    for item in attributes():
        settings = _mapping(rows[item.id], file, f"attributes.{item.id}")
        _keys(settings, item.labels, file, f"attributes.{item.id}")
        manners[item.id] = FrozenDict(
            {
                label: _manner(settings[label], item.labels, label, file, f"attributes.{item.id}.{label}")
                for label in item.labels
            }
        )
    plain = _mapping(top["plain"], file, "plain")
    _keys(plain, ("accept", "correct"), file, "plain")
    openings = _mapping(top["openings"], file, "openings")
    _keys(openings, CONTEXTS, file, "openings")
    bank = TrainBank(
        FrozenDict(manners),
        FrozenDict({kind: _texts(plain[kind], file, f"plain.{kind}") for kind in ("accept", "correct")}),
        _texts(top["neutral"], file, "neutral"),
        FrozenDict({context: _texts(openings[context], file, f"openings.{context}") for context in CONTEXTS}),
    )
    seen: set[str] = set()
    for text in bank.texts():
        if text in seen:
            raise DataError(file, "", f"a line occurs twice: {text!r}")
        seen.add(text)
    return bank


def _manner(raw: Any, labels: tuple[str, ...], label: str, file: str, key: str) -> Manner:
    row = _mapping(raw, file, key)
    _keys(row, ("accept", "correct", "answer", "rule", "did"), file, key)
    correct = _mapping(row["correct"], file, f"{key}.correct")
    _keys(correct, tuple(other for other in labels if other != label), file, f"{key}.correct")
    return Manner(
        accept=_texts(row["accept"], file, f"{key}.accept"),
        correct=FrozenDict({shown: _texts(correct[shown], file, f"{key}.correct.{shown}") for shown in correct}),
        answer=_texts(row["answer"], file, f"{key}.answer"),
        rule=_texts(row["rule"], file, f"{key}.rule"),
        did=_texts(row["did"], file, f"{key}.did"),
    )


def _mapping(raw: Any, file: str, key: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise DataError(file, key, f"a mapping is expected, not {type(raw).__name__}")
    return raw


def _keys(raw: Mapping[str, Any], wanted: tuple[str, ...], file: str, key: str) -> None:
    for name in raw:
        if name not in wanted:
            hint = unknown("key", name, wanted)
            raise DataError(file, f"{key}.{name}".lstrip("."), "unknown key", hint.remedy)
    for name in wanted:
        if name not in raw:
            raise DataError(file, f"{key}.{name}".lstrip("."), "the key is missing")


def _texts(raw: Any, file: str, key: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not raw or not all(isinstance(text, str) and text.strip() for text in raw):
        raise DataError(file, key, "a list of at least one text is expected")
    return tuple(text.strip() for text in raw)
