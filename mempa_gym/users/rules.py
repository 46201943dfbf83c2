"""The rules for messages as they are matched: patterns read from data, compiled once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mempa_gym.errors import DataError
from mempa_gym.frozen import FrozenDict
from mempa_gym.resources import read_yaml

__all__ = ["RULES_FILE", "Aspect", "Rules", "rules"]

RULES_FILE = "banks/message_rules.yaml"

_SIMPLE = (
    "private_block",
    "vocabulary",
    "interaction_tool",
    "beat_id",
    "place_before",
    "label_elsewhere",
    "standing",
    "liking",
    "assistant",
    "order_to_assistant",
    "liked_reply",
    "liked_manner",
    "remark",
    "less",
    "earlier",
    "habit",
    "other_subject",
)
_WORDS = ("attribute_name", "label_wish", "label_remark", "label_between", "label_after")

Test = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Aspect:
    """A side of the assistant's manner.

    Attributes:
        spoken: how people speak of it.
        less: a wish for less of it; None when every wish is treated alike.
        has: whether a reply can give rise to a wish for less.
        lacks: whether a reply can give rise to a wish for more.
    """

    spoken: re.Pattern[str]
    less: re.Pattern[str] | None
    has: Test
    lacks: Test


@dataclass(frozen=True, slots=True)
class Rules:
    """All patterns by name, pieces of further patterns by name, and the sides of the assistant's manner."""

    patterns: Mapping[str, re.Pattern[str]]
    pieces: Mapping[str, tuple[str, ...]]
    aspects: tuple[Aspect, ...]


@cache
def rules() -> Rules:
    """Returns the packaged rules.

    Raises:
        DataError: The file does not have the documented shape, or a pattern is not a regular expression.
    """
    file = f"data/{RULES_FILE}"
    raw = read_yaml(RULES_FILE)
    known = {*_SIMPLE, *_WORDS, "aspects"}
    if not isinstance(raw, Mapping) or set(raw) != known:
        raise DataError(file, "", f"exactly the keys {sorted(known)} are expected")
    patterns = {name: _compiled(raw[name], file, name) for name in _SIMPLE}
    pieces = {name: tuple(raw[name]) for name in _WORDS}
    aspects = tuple(
        _aspect(row, patterns["less"], file, f"aspects.{number}") for number, row in enumerate(raw["aspects"])
    )
    return Rules(FrozenDict(patterns), FrozenDict(pieces), aspects)


def _compiled(parts: Any, file: str, key: str) -> re.Pattern[str]:
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise DataError(file, key, "a list of patterns is expected")
    try:
        return re.compile("|".join(parts), re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise DataError(file, key, f"not a regular expression: {error}") from None


def _aspect(row: Mapping[str, Any], less: re.Pattern[str], file: str, key: str) -> Aspect:
    spoken = _compiled(row["spoken"], file, f"{key}.spoken")
    if "either" in row:
        found = _found(_compiled(row["either"], file, f"{key}.either"))
        return Aspect(spoken, None, found, found)
    own = _compiled(row["less"], file, f"{key}.less") if "less" in row else less
    if "has_words" in row:
        least, most = int(row["has_words"]), int(row["lacks_words"])
        return Aspect(spoken, own, lambda reply: len(reply.split()) >= least, lambda reply: len(reply.split()) <= most)
    has = _found(_compiled(row["has"], file, f"{key}.has"))
    if "lacks" in row:
        return Aspect(spoken, own, has, _found(_compiled(row["lacks"], file, f"{key}.lacks")))
    return Aspect(spoken, own, has, lambda reply: not has(reply))


def _found(pattern: re.Pattern[str]) -> Test:
    return lambda text: pattern.search(text) is not None
